// SPDX-License-Identifier: BSD-3-Clause
// Tensors put together, taken apart and repeated: Concat, Split, Expand, Tile.
#include <algorithm>

#include "base/text.h"
#include "frontend/onnx/rule.h"
#include "frontend/onnx/rules/axes.h"
#include "frontend/onnx/rules/fit.h"
#include "frontend/onnx/rules/fold.h"
#include "frontend/onnx/rules/movement.h"

namespace openqnn::frontend::onnx {
namespace {

// ---- Concat ----

Result<size_t> concat_axis(const NodeView& node) { return node.axis_attribute(1); }

Status infer_concat(Inference& node) {
  OPENQNN_TRY(node.need_inputs(std::max<size_t>(node.input_count(), 1)));
  OPENQNN_ASSIGN(const size_t axis, concat_axis(node));
  Dims out = node.dims(0);
  for (size_t i = 1; i < node.input_count(); ++i) {
    Dims other = node.dims(i);
    if (other.size() != out.size() || node.type(i) != node.type(0))
      return node.wrong(concat("input ", i, " ", text_of(other), " has another rank or type than input 0"));
    if (other[axis] > INT64_MAX - out[axis]) return node.wrong("its output is beyond any memory");
    const int64_t sum = out[axis] + other[axis];
    other[axis] = out[axis];
    if (other != out)
      return node.wrong(concat("input ", i, " ", text_of(node.dims(i)), " does not fit ",
                               text_of(node.dims(0)), " along dimension ", axis));
    out[axis] = sum;
  }
  return node.set(0, node.type(0), std::move(out));
}

Status fold_concat(Inference& node) {
  OPENQNN_ASSIGN(const size_t axis, concat_axis(node));
  ConstantBuilder builder(node.type(0), node.out_dims(0));
  const AxisSplit whole = around(node.out_dims(0), axis);
  int64_t start = 0;
  for (size_t i = 0; i < node.input_count(); ++i) {
    const Constant& part = *node.constant(i);
    if (part.count() == 0) continue;
    const auto row = static_cast<uint64_t>(node.dims(i)[axis] * whole.after);
    for (uint64_t from = 0; from < part.count(); ++from) {
      const uint64_t at = from / row * static_cast<uint64_t>(whole.extent * whole.after) +
                          static_cast<uint64_t>(start * whole.after) + from % row;
      copy_element(part, from, builder, at);
    }
    start += node.dims(i)[axis];
  }
  return node.set(0, builder.take());
}

Status lower_concat(Lowering& node) {
  OPENQNN_ASSIGN(const size_t axis, concat_axis(node));
  const Order order = node.common_order();
  std::vector<TensorRef> parts;
  for (size_t i = 0; i < node.input_count(); ++i)
    if (count_of(node.dims(i)) != 0) parts.push_back(node.input(i, order));
  if (parts.empty()) return node.not_offered("its result has no elements");
  return node.result(concatenated(node, parts, position_of(axis, order)), order);
}

// ---- Split ----

Result<size_t> split_axis(const NodeView& node) { return node.axis_attribute(0); }

// The extents of the parts: as given, or as equal as they can be.
Result<std::vector<int64_t>> part_extents(const NodeView& node, int64_t extent) {
  OPENQNN_ASSIGN(const auto given, node.integers_of(1, "split"));
  const auto parts = static_cast<int64_t>(node.output_count());
  if (given) {
    int64_t left = extent;
    for (const int64_t part : *given) {
      if (part < 0 || part > left) return node.wrong(concat("its parts do not add up to ", extent));
      left -= part;
    }
    if (left != 0 || given->size() != node.output_count())
      return node.wrong(concat(given->size(), " parts that add up to ", extent - left, " were given for ",
                               parts, " outputs and ", extent, " elements"));
    return *given;
  }
  const bool may_differ = node.attributes().has("num_outputs");
  if (may_differ && node.attributes().integer("num_outputs", 0) != parts)
    return node.wrong("num_outputs is not the number of its outputs");
  if (parts == 0 || (!may_differ && extent % parts != 0))
    return node.wrong(concat(extent, " elements are not divided into ", parts, " equal parts"));
  const int64_t part = (extent + parts - 1) / parts;
  std::vector<int64_t> extents(node.output_count(), part);
  extents.back() = extent - part * (parts - 1);
  if (extents.back() < 0) return node.wrong(concat(extent, " elements are not enough for ", parts, " parts"));
  return extents;
}

Status infer_split(Inference& node) {
  OPENQNN_TRY(node.need_inputs(1));
  OPENQNN_ASSIGN(const size_t axis, split_axis(node));
  OPENQNN_ASSIGN(const auto extents, part_extents(node, node.dims(0)[axis]));
  for (size_t i = 0; i < extents.size(); ++i) {
    Dims dims = node.dims(0);
    dims[axis] = extents[i];
    OPENQNN_TRY(node.set(i, node.type(0), std::move(dims)));
  }
  return {};
}

Status fold_split(Inference& node) {
  OPENQNN_ASSIGN(const size_t axis, split_axis(node));
  OPENQNN_ASSIGN(const auto extents, part_extents(node, node.dims(0)[axis]));
  View view{strides_of(node.dims(0))};
  for (size_t i = 0; i < extents.size(); ++i) {
    if (node.wants(i)) {
      const Dims dims = node.out_dims(i);
      OPENQNN_TRY(node.set(i, seen_through(*node.constant(0), dims, view, dims)));
    }
    view.start += view.strides[axis] * extents[i];
  }
  return {};
}

Status lower_split(Lowering& node) {
  OPENQNN_ASSIGN(const size_t axis, split_axis(node));
  if (node.output_count() == 1) return node.same_as_input(0);
  OPENQNN_ASSIGN(const auto extents, part_extents(node, node.dims(0)[axis]));
  const Order order = order_of(node, 0);
  const uint32_t position = position_of(axis, order);
  const TensorRef x = node.input(0, order);
  std::vector<uint32_t> starts;
  std::vector<Lowering::OutputSpec> outputs;
  Dims dims = in_order(node.dims(0), order);
  int64_t start = 0;
  for (const int64_t extent : extents) {
    if (extent == 0) return node.not_offered("one of its parts has no elements");
    if (start != 0) starts.push_back(static_cast<uint32_t>(start));
    start += extent;
    dims[position] = extent;
    outputs.push_back({node.desc(x).type, dims});
  }
  Params params;
  params.u32("axis", position).u32s("split_index", starts);
  const auto parts = emit_fitting(node, "Split", {x}, params, outputs, node.desc(x).type);
  for (size_t i = 0; i < parts.size(); ++i) node.result(i, parts[i], order);
  return {};
}

// ---- Expand ----

Status infer_expand(Inference& node) {
  OPENQNN_TRY(node.need_inputs(2));
  OPENQNN_ASSIGN(const auto shape, node.need_integers(1, "the new shape"));
  for (const int64_t dim : shape)
    if (dim < 0) return node.wrong(concat("the new shape is ", text_of(shape)));
  auto dims = broadcast(node.dims(0), shape);
  if (!dims) return node.wrong(concat(text_of(node.dims(0)), " does not stretch to ", text_of(shape)));
  return node.set(0, node.type(0), *std::move(dims));
}

Status fold_expand(Inference& node) {
  const Dims dims = node.out_dims(0);
  return node.set(0, seen_through(*node.constant(0), dims, stretched(node.dims(0), dims), dims));
}

// The input with as many dimensions as the output, and the order in which it lies.
struct Widened {
  TensorRef tensor;
  Order order;
};
Widened widened_input(Lowering& node) {
  const size_t rank = node.out().dims.size();
  if (node.rank(0) == rank) {
    const Order order = order_of(node, 0);
    return {node.input(0, order), order};
  }
  Dims dims(rank - node.rank(0), 1);
  dims.insert(dims.end(), node.dims(0).begin(), node.dims(0).end());
  return {node.reshape(node.input(0), dims), plain_order(rank)};
}

Status lower_repeated(Lowering& node) {
  if (count_of(node.out().dims) == 0) return node.not_offered("its result has no elements");
  if (node.out().dims == node.dims(0)) return node.same_as_input(0);
  const Widened x = widened_input(node);
  const Dims from = node.lies_as(x.tensor);
  const Dims to = in_order(node.out().dims, x.order);
  std::vector<int64_t> times;
  for (size_t i = 0; i < to.size() && i < from.size(); ++i) times.push_back(to[i] / from[i]);
  return node.result(repeated(node, x.tensor, times), x.order);
}

// ---- Tile ----

Status infer_tile(Inference& node) {
  OPENQNN_TRY(node.need_inputs(2));
  OPENQNN_ASSIGN(const auto times, node.need_integers(1, "the numbers of repeats"));
  Dims dims = node.dims(0);
  if (times.size() != dims.size())
    return node.wrong(concat(times.size(), " numbers of repeats were given for ", text_of(dims)));
  for (size_t i = 0; i < dims.size(); ++i) {
    if (times[i] < 0) return node.wrong(concat("dimension ", i, " is to be repeated ", times[i], " times"));
    OPENQNN_ASSIGN(const uint64_t extent, checked_count({dims[i], times[i]}));
    dims[i] = static_cast<int64_t>(extent);
  }
  return node.set(0, node.type(0), std::move(dims));
}

// Each dimension as two: the repeats, which do not move, and the elements.
Status fold_tile(Inference& node) {
  const Dims& from = node.dims(0);
  const Dims out = node.out_dims(0);
  const auto times = node.constant(1)->integers();
  const std::vector<int64_t> strides = strides_of(from);
  Dims dims;
  View view;
  for (size_t i = 0; i < from.size(); ++i) {
    dims.insert(dims.end(), {times[i], from[i]});
    view.strides.insert(view.strides.end(), {0, strides[i]});
  }
  return node.set(0, seen_through(*node.constant(0), dims, view, out));
}

}  // namespace

std::span<const Rule> join_rules() {
  static const Rule kRules[] = {
      {"Concat", infer_concat, fold_concat, lower_concat},
      {"Split", infer_split, fold_split, lower_split},
      {"Expand", infer_expand, fold_expand, lower_repeated},
      {"Tile", infer_tile, fold_tile, lower_repeated},
  };
  return kRules;
}

}  // namespace openqnn::frontend::onnx
