// SPDX-License-Identifier: BSD-3-Clause
// What the fusion of the same name makes; no ONNX op.
#include "frontend/onnx/rule.h"

namespace openqnn::frontend::onnx {
namespace {

Status lower(Lowering& node) {
  const Order order = node.common_order();
  Params params;
  params.u32("num_groups", static_cast<uint32_t>(node.attributes().integer("groups", 1)));
  params.u32("axis", inverse(order)[1]);
  const TensorRef x = node.input(0, order);
  return node.result(node.emit("ChannelShuffle", {x}, params, node.out_type(), node.lies_as(x)), order);
}

}  // namespace

std::span<const Rule> channel_shuffle_rules() {
  static const Rule kRules[] = {{"openqnn.ChannelShuffle", infer_nothing, nullptr, lower}};
  return kRules;
}

}  // namespace openqnn::frontend::onnx
