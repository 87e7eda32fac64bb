// SPDX-License-Identifier: BSD-3-Clause
// What ops have in common that go element by element.
#pragma once

#include <string_view>
#include <vector>

#include "frontend/onnx/inference.h"
#include "frontend/onnx/lowering.h"
#include "frontend/onnx/rules/fold.h"

namespace openqnn::frontend::onnx {

// ---- Inference ----

// The output is like the input.
Status infer_like_input(Inference& node);
// All inputs from `first` on have one type and stretch to one another; the output has `type`, or theirs when
// that is kUndefined.
Status infer_stretched(Inference& node, ElementType type = ElementType::kUndefined, size_t first = 0);
Status need_reals(const Inference& node, size_t input = 0);

// ---- Values ----

template <class Function>
Status fold_reals(Inference& node, ElementType out, Function&& function) {
  const Constant& x = *node.constant(0);
  ConstantBuilder builder(out, x.dims());
  for (uint64_t i = 0; i < x.count(); ++i) builder.put(i, static_cast<double>(function(x.real(i))));
  return node.set(0, builder.take());
}

// ---- Lowering: operands that are stretched to one another lie in any order, not in ONNX's alone ----

// An input so that it can be stretched to a result that lies in `order`: with as many dimensions as the
// result unless the backend's own rule (missing dimensions are leading ones) says the same.
TensorRef stretchable(Lowering& node, size_t input, const Order& order);
// The same for an input that is first seen in other dimensions of the same count.
TensorRef stretchable_as(Lowering& node, size_t input, const Dims& dims, const Order& order);
// All inputs, so that they can be stretched to one another in `order`.
std::vector<TensorRef> stretchable_inputs(Lowering& node, const Order& order);
// One op of the backend for the node, with the inputs as its operands.
Status lower_to(Lowering& node, std::string_view op, const Params& params = {});

}  // namespace openqnn::frontend::onnx
