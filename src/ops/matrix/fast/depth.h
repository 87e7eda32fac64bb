// SPDX-License-Identifier: BSD-3-Clause
// Fast depth-wise convolutions with one output for each channel: the functions of a kernel (Kernel in op.h).
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "ops/matrix/conv_geometry.h"
#include "ops/matrix/packed_weights.h"
#include "ops/op.h"

namespace openqnn::ops::fast {

std::optional<std::string> declines_depth(const OpCall& call, const WeightMatrices& matrices);
std::unique_ptr<const KernelPlan> plan_depth(const KernelArgs& args, const WeightMatrices& matrices);
uint64_t depth_scratch(const OpCall& call, ConvKind kind);
void run_depth(const KernelArgs& args, ConvKind kind, const ir::Box& region);

}  // namespace openqnn::ops::fast
