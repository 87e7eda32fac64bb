// SPDX-License-Identifier: BSD-3-Clause
#include "frontend/onnx/rules/indices.h"

#include <algorithm>

#include "base/text.h"
#include "frontend/onnx/rules/fit.h"

namespace openqnn::frontend::onnx {
namespace {

// The constant with every index counted from the front; extents repeat along the indices.
Constant counted(const Constant& indices, const Dims& extents) {
  ConstantBuilder builder(indices.type(), indices.dims());
  for (uint64_t i = 0; i < indices.count(); ++i)
    builder.put(i, from_the_front(indices.integer(i), extents[i % extents.size()]));
  return builder.take();
}

}  // namespace

Status need_indices(const Inference& node, size_t input) {
  if (node.type(input) == ElementType::kInt64 || node.type(input) == ElementType::kInt32) return {};
  return node.wrong(concat("its indices are ", name_of(node.type(input)), ", not int64 or int32"));
}

Status check_indices(const Inference& node, size_t input, int64_t extent) {
  return check_tuples(node, input, {extent});
}

Status check_tuples(const Inference& node, size_t input, const Dims& extents) {
  const Constant* indices = node.constant(input);
  if (indices == nullptr) return {};
  for (uint64_t i = 0; i < indices->count(); ++i) {
    const int64_t extent = extents[i % extents.size()];
    const int64_t index = indices->integer(i);
    if (index < -extent || index >= extent)
      return node.wrong(concat("index ", index, " is outside of a dimension of ", extent));
  }
  return {};
}

Status check_indices_along(const Inference& node, size_t input, size_t axis) {
  const Dims& x = node.dims(0);
  const Dims& indices = node.dims(input);
  if (indices.size() != x.size())
    return node.wrong(concat("indices ", text_of(indices), " have another rank than ", text_of(x)));
  for (size_t i = 0; i < x.size(); ++i)
    if (i != axis && indices[i] > x[i])
      return node.wrong(concat("indices ", text_of(indices), " reach beyond ", text_of(x)));
  return check_indices(node, input, x[axis]);
}

TensorRef indices_from_the_front(Lowering& node, size_t input, int64_t extent, const Order& order) {
  if (const Constant* known = node.constant(input)) return node.constant(counted(*known, {extent}), order);
  return node.input(input, order);
}

TensorRef indices_from_the_front(Lowering& node, size_t input, int64_t extent) {
  return indices_from_the_front(node, input, extent, plain_order(node.rank(input)));
}

TensorRef tuples_from_the_front(Lowering& node, size_t input, const Dims& extents) {
  if (const Constant* known = node.constant(input)) return node.constant(counted(*known, extents));
  return node.input(input);
}

TensorRef one_hot(Lowering& node, TensorRef indices, int64_t depth, const Constant& values) {
  if (node.refusal()) return kNoTensorRef;
  const Dims cells = node.lies_as(indices);
  Params params;
  params.u32("depth", static_cast<uint32_t>(std::min<int64_t>(depth, UINT32_MAX))).u32("axis", 1);
  if (is_real(values.type())) {
    params.f32("on_value", values.real(1)).f32("off_value", values.real(0));
  } else {
    auto in_range = [](int64_t value) {
      return static_cast<int32_t>(std::clamp<int64_t>(value, INT32_MIN, INT32_MAX));
    };
    params.i32("on_value", in_range(values.integer(1))).i32("off_value", in_range(values.integer(0)));
  }
  const ir::DataType type = backend_type(values.type());
  return emit_fitting(node, "OneHot", {indices}, params, {{type, {cells[0], depth, cells[1]}}}, type).front();
}

}  // namespace openqnn::frontend::onnx
