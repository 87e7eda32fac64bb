// SPDX-License-Identifier: BSD-3-Clause
// Fast depth-wise convolutions with one output for each channel: see product.h, whose rows are positions
// here.
#pragma once

#include "ops/matrix/fast/product.h"

namespace openqnn::ops::fast {

std::optional<std::string> declines_depth(const OpCall& call, const WeightMatrices& matrices);
std::unique_ptr<const KernelPlan> plan_depth(const KernelArgs& args, const WeightMatrices& matrices);
uint64_t depth_scratch(const OpCall& call, const WeightMatrices& matrices);
// The channels [begin, end) at every row of the source. Its taps are elements of channel 0.
void run_depth(const KernelArgs& args, const WeightMatrices& matrices, uint64_t begin, uint64_t end,
               RowSource next);

}  // namespace openqnn::ops::fast
