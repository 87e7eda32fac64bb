// SPDX-License-Identifier: BSD-3-Clause
// Fast kernels for ops that apply one function to each element: see map.h. Results are the bits of the
// reference kernel, which also makes the tables.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "ops/elementwise/fast/loops.h"
#include "ops/op.h"

namespace openqnn::ops::fast {

// A function of one element of at most 16 bits, looked up in a table of all its values.
std::optional<std::string> declines_table(const OpCall& call);
std::unique_ptr<const KernelPlan> plan_table(const KernelArgs& args, KernelFn reference);
void run_table(const KernelArgs& args, const ir::Box& region);

// Arithmetic on two operands, vectorised.
std::optional<std::string> declines_arithmetic(const OpCall& call);
void run_arithmetic(const KernelArgs& args, const ir::Box& region, Arithmetic op);

}  // namespace openqnn::ops::fast
