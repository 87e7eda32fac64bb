// SPDX-License-Identifier: BSD-3-Clause
// 0.5 * x * bell, where the bell is 1 + erf(x / sqrt(2)) or what comes near it.
#pragma once

#include <functional>

#include "frontend/onnx/fuse/fusion.h"

namespace openqnn::frontend::onnx {

struct Bell {
  ValueId x = kNoValue;  // of which
  std::vector<uint32_t> nodes;
};
using FindBell = std::function<std::optional<Bell>(const Rewriter& net, ValueId value)>;

// With the Mul `index` at the end, whichever of the three factors is multiplied first.
bool fuse_gelu(Rewriter& net, uint32_t index, const FindBell& bell_of);

// Of a node with two inputs of which one is constant and `number` everywhere: the other.
std::optional<ValueId> with_number(const Rewriter& net, uint32_t node, double number);

}  // namespace openqnn::frontend::onnx
