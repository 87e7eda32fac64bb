// SPDX-License-Identifier: BSD-3-Clause
// Products of 8- and 16-bit fixed-point activations with packed weights of 8 or 4 bits: see product.h.
#pragma once

#include "ops/matrix/fast/product.h"

namespace openqnn::ops::fast {

std::optional<std::string> declines_bytes(const OpCall& call, const WeightMatrices& matrices);
std::unique_ptr<const KernelPlan> plan_bytes(const KernelArgs& args, const WeightMatrices& matrices);
uint64_t byte_scratch(const OpCall& call, const WeightMatrices& matrices);
void run_bytes(const KernelArgs& args, const WeightMatrices& matrices, ColumnSpan columns, RowSource next);

}  // namespace openqnn::ops::fast
