// SPDX-License-Identifier: BSD-3-Clause
// Softmax and LogSoftmax. The backend has them over the dimension that lies last.
#include "frontend/onnx/rule.h"
#include "frontend/onnx/rules/axes.h"

namespace openqnn::frontend::onnx {
namespace {

constexpr size_t kMostSoftmaxDimensions = 4;  // that both ops take

// Until opset 12 the dimensions from the axis on were one, and the axis was 1 unless it was given.
bool flattens(int64_t opset) { return opset < 13; }

int64_t axis_of(const NodeView& node) {
  return node.attributes().integer("axis", flattens(node.opset()) ? 1 : -1);
}

Status infer_softmax(Inference& node) {
  OPENQNN_TRY(node.need_inputs(1));
  const int64_t axis = axis_of(node);
  const bool at_end = flattens(node.opset()) && axis == static_cast<int64_t>(node.rank(0));
  if (!at_end) OPENQNN_TRY(node.axis(axis, node.rank(0)));
  return node.set(0, node.type(0), node.dims(0));
}

TensorRef over_last(Lowering& node, TensorRef x) {
  const Dims dims = node.lies_as(x);
  if (dims.empty()) return kNoTensorRef;  // a refusal before
  const size_t last = dims.size() - 1;
  if (dims.size() > kMostSoftmaxDimensions) x = node.reshape(x, {extent_between(dims, 0, last), dims[last]});
  const Dims small = node.lies_as(x);
  const auto axis = static_cast<uint32_t>(small.size() - 1);
  return node.reshape(node.emit(node.node().type, {x}, Params().u32("axis", axis), node.out_type(), small),
                      dims);
}

Status lower_softmax(Lowering& node) {
  const Dims& dims = node.dims(0);
  const size_t axis = counted_axis(axis_of(node), dims.size());
  if (flattens(node.opset()) && extent_between(dims, axis + 1, dims.size()) != 1) {
    const int64_t rows = extent_between(dims, 0, axis);
    const TensorRef flat = node.reshape(node.input(0), {rows, extent_between(dims, axis, dims.size())});
    return node.result(node.reshape(over_last(node, flat), dims));
  }
  if (axis >= dims.size()) {  // every element is alone
    const Dims alone{static_cast<int64_t>(count_of(dims)), 1};
    return node.result(node.reshape(over_last(node, node.reshape(node.input(0), alone)), dims));
  }
  const Order order = with_last(order_of(node, 0), {axis});
  return node.result(over_last(node, node.input(0, order)), order);
}

}  // namespace

std::span<const Rule> softmax_rules() {
  static const Rule kRules[] = {
      {"Softmax", infer_softmax, nullptr, lower_softmax},
      {"LogSoftmax", infer_softmax, nullptr, lower_softmax},
  };
  return kRules;
}

}  // namespace openqnn::frontend::onnx
