// SPDX-License-Identifier: BSD-3-Clause
// Elements put in their places by index: ScatterElements (Scatter before opset 11), ScatterND.

#include "base/text.h"
#include "frontend/onnx/rule.h"
#include "frontend/onnx/rules/axes.h"
#include "frontend/onnx/rules/fit.h"
#include "frontend/onnx/rules/fold.h"
#include "frontend/onnx/rules/indices.h"

namespace openqnn::frontend::onnx {
namespace {

// As the backend numbers them; it has no minimum.
struct Reduction {
  std::string_view name;
  uint32_t number;
};
constexpr Reduction kReductions[] = {{"none", 0}, {"add", 1}, {"mul", 2}, {"max", 3}};

Result<uint32_t> reduction_of(const NodeView& node) {
  const std::string_view name = node.attributes().text("reduction", "none");
  for (const Reduction& reduction : kReductions)
    if (reduction.name == name) return reduction.number;
  return node.not_offered(concat("the backend has no reduction '", name, "' for it"));
}

constexpr uint32_t kOverwrite = 0;
constexpr uint32_t kMaximum = 3;

// A copy whose elements can be overwritten.
ConstantBuilder copy_of(const Constant& from) {
  ConstantBuilder builder(from.type(), from.dims());
  for (uint64_t i = 0; i < from.count(); ++i) copy_element(from, i, builder, i);
  return builder;
}

// ---- ScatterElements ----

Result<size_t> scatter_axis(const NodeView& node) { return node.axis_attribute(0); }

Status infer_scatter_elements(Inference& node) {
  OPENQNN_TRY(node.need_inputs(3));
  OPENQNN_TRY(need_indices(node, 1));
  OPENQNN_ASSIGN(const size_t axis, scatter_axis(node));
  OPENQNN_TRY(check_indices_along(node, 1, axis));
  OPENQNN_TRY(reduction_of(node));
  if (node.dims(2) != node.dims(1) || node.type(2) != node.type(0))
    return node.wrong(
        concat("updates ", text_of(node.dims(2)), " do not fit indices ", text_of(node.dims(1))));
  return node.set(0, node.type(0), node.dims(0));
}

Status fold_scatter_elements(Inference& node) {
  OPENQNN_ASSIGN(const size_t axis, scatter_axis(node));
  OPENQNN_ASSIGN(const uint32_t reduction, reduction_of(node));
  if (reduction != kOverwrite) return {};  // rare, and left to the backend
  const Dims& dims = node.dims(0);
  View view{strides_of(dims)};
  const int64_t stride = view.strides[axis];
  view.strides[axis] = 0;
  ConstantBuilder builder = copy_of(*node.constant(0));
  walk(node.dims(1), {view}, [&](uint64_t i, const std::vector<int64_t>& at) {
    const int64_t place = from_the_front(node.constant(1)->integer(i), dims[axis]);
    copy_element(*node.constant(2), i, builder, static_cast<uint64_t>(at[0] + place * stride));
  });
  return node.set(0, builder.take());
}

Status lower_scatter_elements(Lowering& node) {
  OPENQNN_ASSIGN(const size_t axis, scatter_axis(node));
  OPENQNN_ASSIGN(const uint32_t reduction, reduction_of(node));
  const Order order = node.common_order();
  const TensorRef indices = indices_from_the_front(node, 1, node.dims(0)[axis], order);
  Params params;
  params.u32("axis", position_of(axis, order)).u32("reduction", reduction);
  return node.result(
      emit_moving(node, "ScatterElements", {node.input(0, order), indices, node.input(2, order)}, params,
                  in_order(node.out().dims, order)),
      order);
}

// ---- ScatterND ----

Status infer_scatter_nd(Inference& node) {
  OPENQNN_TRY(node.need_inputs(3));
  OPENQNN_TRY(need_indices(node, 1));
  const Dims& x = node.dims(0);
  const Dims& indices = node.dims(1);
  if (indices.empty() || indices.back() < 1 || indices.back() > static_cast<int64_t>(x.size()))
    return node.wrong(concat("indices ", text_of(indices), " do not address ", text_of(x)));
  Dims updates(indices.begin(), indices.end() - 1);
  updates.insert(updates.end(), x.begin() + indices.back(), x.end());
  if (node.dims(2) != updates || node.type(2) != node.type(0))
    return node.wrong(concat("updates are ", text_of(node.dims(2)), ", not ", text_of(updates)));
  OPENQNN_TRY(check_tuples(node, 1, {x.begin(), x.begin() + indices.back()}));
  OPENQNN_ASSIGN(const uint32_t reduction, reduction_of(node));
  if (reduction == kMaximum) return node.not_offered("the backend has no reduction 'max' for it");
  return node.set(0, node.type(0), x);
}

Status fold_scatter_nd(Inference& node) {
  OPENQNN_ASSIGN(const uint32_t reduction, reduction_of(node));
  if (reduction != kOverwrite) return {};  // rare, and left to the backend
  const Dims& dims = node.dims(0);
  const Constant& indices = *node.constant(1);
  const auto tuple = static_cast<uint64_t>(node.dims(1).back());
  const std::vector<int64_t> strides = strides_of(dims);
  ConstantBuilder builder = copy_of(*node.constant(0));
  const uint64_t updates = node.constant(2)->count();
  const auto slice = static_cast<uint64_t>(strides[tuple - 1]);
  for (uint64_t i = 0; i < updates; ++i) {
    uint64_t at = i % slice;
    for (uint64_t d = 0; d < tuple; ++d)
      at +=
          static_cast<uint64_t>(strides[d] * from_the_front(indices.integer(i / slice * tuple + d), dims[d]));
    copy_element(*node.constant(2), i, builder, at);
  }
  return node.set(0, builder.take());
}

Status lower_scatter_nd(Lowering& node) {
  OPENQNN_ASSIGN(const uint32_t reduction, reduction_of(node));
  const Dims& x = node.dims(0);
  const TensorRef indices = tuples_from_the_front(node, 1, {x.begin(), x.begin() + node.dims(1).back()});
  return node.result(emit_moving(node, "ScatterNd", {node.input(0), indices, node.input(2)},
                                 Params().u32("reduction", reduction), node.out().dims));
}

}  // namespace

std::span<const Rule> scatter_rules() {
  static const Rule kRules[] = {
      {"Scatter", infer_scatter_elements, fold_scatter_elements, lower_scatter_elements},
      {"ScatterElements", infer_scatter_elements, fold_scatter_elements, lower_scatter_elements},
      {"ScatterND", infer_scatter_nd, fold_scatter_nd, lower_scatter_nd},
  };
  return kRules;
}

}  // namespace openqnn::frontend::onnx
