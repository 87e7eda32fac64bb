// SPDX-License-Identifier: BSD-3-Clause
// Ops that go element by element, with operands stretched to one another.
#include "base/text.h"
#include "frontend/onnx/inference.h"
#include "frontend/onnx/lowering.h"
#include "frontend/onnx/rule.h"
#include "frontend/onnx/rules/broadcast.h"

namespace openqnn::frontend::onnx {
namespace {

// ---- One operand ----

Status infer_unary(Inference& node) {
  OPENQNN_TRY(node.need_inputs(1));
  return node.set(0, node.type(0), node.dims(0));
}

template <double (*function)(double)>
Status fold_unary(Inference& node) {
  std::vector<double> values = node.constant(0)->reals();
  for (double& value : values) value = function(value);
  return node.set(0, Constant::of_reals(node.type(0), node.dims(0), values));
}

template <const char* const& type>
Status lower_unary(Lowering& node) {
  const Order order = node.common_order();
  node.result(node.unary(type, node.input(0, order)), order);
  return {};
}

double relu(double x) { return x < 0 ? 0 : x; }
constexpr const char* kRelu = "Relu";

// ---- Two operands ----

Status infer_binary(Inference& node) {
  OPENQNN_TRY(node.need_inputs(2));
  const auto dims = broadcast(node.dims(0), node.dims(1));
  if (!dims)
    return node.wrong(
        concat(text_of(node.dims(0)), " and ", text_of(node.dims(1)), " do not fit one another"));
  return node.set(0, node.type(0), *dims);
}

template <const char* const& type>
Status lower_binary(Lowering& node) {
  const Order order = node.common_order();
  const TensorRef a = stretchable(node, 0, order);
  const TensorRef b = stretchable(node, 1, order);
  node.result(node.binary(type, a, b, node.out_type()), order);
  return {};
}

constexpr const char* kAdd = "ElementWiseAdd";

}  // namespace

std::span<const Rule> elementwise_rules() {
  static const Rule kRules[] = {
      {"Relu", infer_unary, fold_unary<relu>, lower_unary<kRelu>},
      {"Add", infer_binary, nullptr, lower_binary<kAdd>},
  };
  return kRules;
}

}  // namespace openqnn::frontend::onnx
