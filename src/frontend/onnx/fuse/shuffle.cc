// SPDX-License-Identifier: BSD-3-Clause
#include "frontend/onnx/fuse/shuffle.h"

namespace openqnn::frontend::onnx {

std::optional<Shuffle> shuffle_of(const Rewriter& net, uint32_t index) {
  const NetNode& last = net.node(index);
  if (last.type != "Reshape") return std::nullopt;
  const auto transpose = net.made_by_for_this_alone(last.inputs[0], "Transpose");
  if (!transpose) return std::nullopt;
  const auto first = net.made_by_for_this_alone(net.node(*transpose).inputs[0], "Reshape");
  if (!first) return std::nullopt;
  const NetNode& reshape = net.node(*first);
  return Shuffle{reshape.inputs[0],
                 net.value(reshape.inputs[0]).dims,
                 net.value(reshape.outputs[0]).dims,
                 net.node(*transpose).attributes.integers("perm"),
                 net.value(last.outputs[0]).dims,
                 {*first, *transpose}};
}

}  // namespace openqnn::frontend::onnx
