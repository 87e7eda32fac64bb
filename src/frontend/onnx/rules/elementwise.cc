// SPDX-License-Identifier: BSD-3-Clause
#include "frontend/onnx/rules/elementwise.h"

#include "base/text.h"
#include "frontend/onnx/rules/fit.h"

namespace openqnn::frontend::onnx {

Status infer_like_input(Inference& node) {
  OPENQNN_TRY(node.need_inputs(1));
  return node.set(0, node.type(0), node.dims(0));
}

Status infer_stretched(Inference& node, ElementType type, size_t first) {
  OPENQNN_TRY(node.need_inputs(std::max(node.input_count(), first + 1)));
  Dims dims;
  for (size_t i = 0; i < node.input_count(); ++i) {
    const auto both = broadcast(dims, node.dims(i));
    if (!both) return node.wrong(concat(text_of(node.dims(i)), " does not fit ", text_of(dims)));
    dims = *both;
    if (i > first && node.type(i) != node.type(first)) {
      return node.wrong(concat("input ", i, " is ", name_of(node.type(i)), " where input ", first, " is ",
                               name_of(node.type(first))));
    }
  }
  return node.set(0, type == ElementType::kUndefined ? node.type(first) : type, std::move(dims));
}

Status need_reals(const Inference& node, size_t input) {
  OPENQNN_TRY(node.need_inputs(input + 1));
  if (is_real(node.type(input))) return {};
  return node.not_offered(
      concat("input ", input, " is ", name_of(node.type(input)), "; it is computed for reals alone"));
}

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

std::vector<TensorRef> stretchable_inputs(Lowering& node, const Order& order) {
  std::vector<TensorRef> inputs;
  for (size_t i = 0; i < node.input_count(); ++i) inputs.push_back(stretchable(node, i, order));
  return inputs;
}

Status lower_to(Lowering& node, std::string_view op, const Params& params) {
  const Order order = node.common_order();
  return node.result(emit_elementwise(node, op, stretchable_inputs(node, order), node.out_type(), params),
                     order);
}

}  // namespace openqnn::frontend::onnx
