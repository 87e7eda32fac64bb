// SPDX-License-Identifier: BSD-3-Clause
// What product.h offers, by the type of the activations.
#pragma once

#include "ops/matrix/fast/product.h"

namespace openqnn::ops::fast {

// 8- and 16-bit fixed point, with packed weights of 8 or 4 bits.
std::optional<std::string> declines_bytes(const OpCall& call, const WeightMatrices& matrices);
std::unique_ptr<const KernelPlan> plan_bytes(const KernelArgs& args, const WeightMatrices& matrices);
uint64_t byte_scratch(const OpCall& call, const WeightMatrices& matrices);
void run_bytes(const KernelArgs& args, const WeightMatrices& matrices, ColumnSpan columns, RowSource next);

// Halves, with packed half weights.
std::optional<std::string> declines_halves(const OpCall& call, const WeightMatrices& matrices);
std::unique_ptr<const KernelPlan> plan_halves(const KernelArgs& args, const WeightMatrices& matrices);
uint64_t half_scratch(const OpCall& call, const WeightMatrices& matrices);
void run_halves(const KernelArgs& args, const WeightMatrices& matrices, ColumnSpan columns, RowSource next);

}  // namespace openqnn::ops::fast
