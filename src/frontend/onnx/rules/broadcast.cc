// SPDX-License-Identifier: BSD-3-Clause
#include "frontend/onnx/rules/broadcast.h"

namespace openqnn::frontend::onnx {

TensorRef stretchable(Lowering& node, size_t input, const Order& order) {
  const Dims& dims = node.dims(input);
  if (dims.size() == order.size()) return node.input(input, order);
  if (is_plain(order) || count_of(dims) == 1) return node.input(input);
  return stretchable_as(node, input, dims, order);
}

TensorRef stretchable_as(Lowering& node, size_t input, const Dims& dims, const Order& order) {
  Dims widened(order.size() - dims.size(), 1);
  widened.insert(widened.end(), dims.begin(), dims.end());
  if (const Constant* known = node.constant(input)) return node.constant(known->reshaped(widened), order);
  return node.transpose(node.reshape(node.input(input), widened), order);
}

}  // namespace openqnn::frontend::onnx
