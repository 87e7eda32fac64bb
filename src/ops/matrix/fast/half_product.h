// SPDX-License-Identifier: BSD-3-Clause
// Products of half activations with packed half weights: see product.h.
#pragma once

#include "ops/matrix/fast/product.h"

namespace openqnn::ops::fast {

std::optional<std::string> declines_halves(const OpCall& call, const WeightMatrices& matrices);
std::unique_ptr<const KernelPlan> plan_halves(const KernelArgs& args, const WeightMatrices& matrices);
uint64_t half_scratch(const OpCall& call, const WeightMatrices& matrices);
void run_halves(const KernelArgs& args, const WeightMatrices& matrices, ColumnSpan columns, RowSource next);

}  // namespace openqnn::ops::fast
