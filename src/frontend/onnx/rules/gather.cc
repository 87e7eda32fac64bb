// SPDX-License-Identifier: BSD-3-Clause
// Elements picked by index: Gather, GatherElements, GatherND, Compress, ReverseSequence.
#include <algorithm>

#include "base/text.h"
#include "frontend/onnx/rule.h"
#include "frontend/onnx/rules/axes.h"
#include "frontend/onnx/rules/fit.h"
#include "frontend/onnx/rules/fold.h"
#include "frontend/onnx/rules/indices.h"
#include "frontend/onnx/rules/movement.h"

namespace openqnn::frontend::onnx {
namespace {

constexpr size_t kMostGathered = 5;  // dimensions that the backend's gathers take

Dims joined(Dims first, const Dims& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}
Dims part(const Dims& dims, size_t begin, size_t end) {
  return {dims.begin() + static_cast<std::ptrdiff_t>(begin), dims.begin() + static_cast<std::ptrdiff_t>(end)};
}

// ---- Gather ----

Result<size_t> gather_axis(const NodeView& node) { return node.axis_attribute(0); }

Status infer_gather(Inference& node) {
  OPENQNN_TRY(node.need_inputs(2));
  OPENQNN_TRY(need_indices(node, 1));
  OPENQNN_ASSIGN(const size_t axis, gather_axis(node));
  const Dims& x = node.dims(0);
  OPENQNN_TRY(check_indices(node, 1, x[axis]));
  return node.set(0, node.type(0),
                  joined(joined(part(x, 0, axis), node.dims(1)), part(x, axis + 1, x.size())));
}

Status fold_gather(Inference& node) {
  OPENQNN_ASSIGN(const size_t axis, gather_axis(node));
  const Constant& table = *node.constant(0);
  const Constant& indices = *node.constant(1);
  const AxisSplit split = around(node.dims(0), axis);
  ConstantBuilder builder(table.type(), node.out_dims(0));
  uint64_t at = 0;
  const uint64_t count = count_of(node.out_dims(0)) == 0 ? 0 : indices.count();
  for (int64_t before = 0; before < (count == 0 ? 0 : split.before); ++before) {
    for (uint64_t i = 0; i < count; ++i) {
      const int64_t row = before * split.extent + from_the_front(indices.integer(i), split.extent);
      for (int64_t after = 0; after < split.after; ++after)
        copy_element(table, static_cast<uint64_t>(row * split.after + after), builder, at++);
    }
  }
  return node.set(0, builder.take());
}

// The order of the output when the axis, wherever it lies, is replaced by the dimensions of the indices.
Order gathered_order(const Order& order, size_t axis, size_t indices) {
  Order out;
  for (const uint32_t d : order) {
    if (d < axis) {
      out.push_back(d);
    } else if (d > axis) {
      out.push_back(d + static_cast<uint32_t>(indices) - 1);
    } else {
      for (size_t i = 0; i < indices; ++i) out.push_back(static_cast<uint32_t>(axis + i));
    }
  }
  return out;
}

Status lower_gather(Lowering& node) {
  OPENQNN_ASSIGN(const size_t axis, gather_axis(node));
  const Order order = order_of(node, 0);
  const Order out_order = gathered_order(order, axis, node.rank(1));
  uint32_t position = position_of(axis, order);
  TensorRef table = node.input(0, order);
  TensorRef indices = indices_from_the_front(node, 1, node.dims(0)[axis]);
  const Dims out = in_order(node.out().dims, out_order);
  if (std::max(order.size(), out.size()) > kMostGathered) {
    table = as_rows_around(node, table, position);
    indices = node.reshape(indices, {static_cast<int64_t>(count_of(node.dims(1)))});
    position = 1;
  }
  const Dims from = node.lies_as(table);
  Dims gathered;
  for (size_t i = 0; i < from.size(); ++i)
    gathered = joined(gathered, i == position ? node.lies_as(indices) : Dims{from[i]});
  const Params params = Params().i32("axis", static_cast<int32_t>(position));
  return node.result(node.reshape(emit_moving(node, "Gather", {table, indices}, params, gathered), out),
                     out_order);
}

// ---- GatherElements ----

Status infer_gather_elements(Inference& node) {
  OPENQNN_TRY(node.need_inputs(2));
  OPENQNN_TRY(need_indices(node, 1));
  OPENQNN_ASSIGN(const size_t axis, gather_axis(node));
  OPENQNN_TRY(check_indices_along(node, 1, axis));
  return node.set(0, node.type(0), node.dims(1));
}

Status fold_gather_elements(Inference& node) {
  OPENQNN_ASSIGN(const size_t axis, gather_axis(node));
  const Constant& indices = *node.constant(1);
  const Dims dims = node.out_dims(0);
  View view{strides_of(node.dims(0))};
  const int64_t stride = view.strides[axis];
  view.strides[axis] = 0;
  ConstantBuilder builder(node.type(0), dims);
  walk(dims, {view}, [&](uint64_t i, const std::vector<int64_t>& at) {
    const int64_t place = from_the_front(indices.integer(i), node.dims(0)[axis]);
    copy_element(*node.constant(0), static_cast<uint64_t>(at[0] + place * stride), builder, i);
  });
  return node.set(0, builder.take());
}

Status lower_gather_elements(Lowering& node) {
  OPENQNN_ASSIGN(const size_t axis, gather_axis(node));
  const Order order = order_of(node, 0);
  const TensorRef x = node.input(0, order);
  const TensorRef indices = indices_from_the_front(node, 1, node.dims(0)[axis], order);
  const Params params = Params().u32("axis", position_of(axis, order));
  return node.result(
      emit_moving(node, "GatherElements", {x, indices}, params, in_order(node.out().dims, order)), order);
}

// ---- GatherND ----

Status infer_gather_nd(Inference& node) {
  OPENQNN_TRY(node.need_inputs(2));
  OPENQNN_TRY(need_indices(node, 1));
  const Dims& x = node.dims(0);
  const Dims& indices = node.dims(1);
  const int64_t batch = node.attributes().integer("batch_dims", 0);
  if (indices.empty() || batch < 0 || batch >= static_cast<int64_t>(std::min(x.size(), indices.size())))
    return node.wrong(
        concat("batch_dims ", batch, " leaves nothing of ", text_of(x), " or ", text_of(indices)));
  const auto shared = static_cast<size_t>(batch);
  if (part(x, 0, shared) != part(indices, 0, shared))
    return node.wrong(concat("the first dimensions of ", text_of(x), " and ", text_of(indices), " differ"));
  if (indices.back() < 1 || indices.back() > static_cast<int64_t>(x.size() - shared))
    return node.wrong(concat("tuples of ", indices.back(), " indices do not address ", text_of(x)));
  const auto tuple = static_cast<size_t>(indices.back());
  OPENQNN_TRY(check_tuples(node, 1, part(x, shared, shared + tuple)));
  return node.set(0, node.type(0),
                  joined(part(indices, 0, indices.size() - 1), part(x, shared + tuple, x.size())));
}

Status fold_gather_nd(Inference& node) {
  const Dims& x = node.dims(0);
  const Dims& indices = node.dims(1);
  const auto shared = static_cast<size_t>(node.attributes().integer("batch_dims", 0));
  const auto tuple = static_cast<size_t>(indices.back());
  const std::vector<int64_t> strides = strides_of(x);
  const auto slice = static_cast<uint64_t>(shared + tuple == 0 ? 1 : strides[shared + tuple - 1]);
  const uint64_t batches = count_of(part(indices, 0, shared));
  ConstantBuilder builder(node.type(0), node.out_dims(0));
  const uint64_t tuples = count_of(node.out_dims(0)) == 0 ? 0 : node.constant(1)->count() / tuple;
  for (uint64_t i = 0; i < tuples; ++i) {
    const auto batch_at = static_cast<int64_t>(i / (tuples / batches));
    int64_t from = shared == 0 ? 0 : batch_at * strides[shared - 1];
    for (size_t d = 0; d < tuple; ++d)
      from += strides[shared + d] * from_the_front(node.constant(1)->integer(i * tuple + d), x[shared + d]);
    for (uint64_t k = 0; k < slice; ++k)
      copy_element(*node.constant(0), static_cast<uint64_t>(from) + k, builder, i * slice + k);
  }
  return node.set(0, builder.take());
}

Status lower_gather_nd(Lowering& node) {
  const auto batch = static_cast<uint32_t>(node.attributes().integer("batch_dims", 0));
  const auto tuple = static_cast<size_t>(node.dims(1).back());
  const TensorRef indices = tuples_from_the_front(node, 1, part(node.dims(0), batch, batch + tuple));
  const Params params = Params().u32("batch_dims", batch);
  return node.result(emit_moving(node, "GatherNd", {node.input(0), indices}, params, node.out().dims));
}

// ---- Places that are known: Compress, ReverseSequence ----

// Elements of one dimension of a tensor, by place.
TensorRef picked(Lowering& node, TensorRef tensor, size_t position, const std::vector<int64_t>& places) {
  if (node.refusal()) return kNoTensorRef;
  Dims out = node.lies_as(tensor);
  out[position] = static_cast<int64_t>(places.size());
  const Params params = Params().i32("axis", static_cast<int32_t>(position));
  return emit_moving(node, "Gather", {tensor, node.integers({out[position]}, places)}, params, out);
}

Result<std::vector<int64_t>> chosen_places(const NodeView& node, int64_t extent) {
  const Constant* condition = node.constant(1);
  if (condition == nullptr) {
    return node.not_offered("how much it keeps is known only when the model runs")
        .fix_by("export the model with a constant condition");
  }
  std::vector<int64_t> places;
  for (uint64_t i = 0; i < condition->count(); ++i) {
    if (condition->integer(i) == 0) continue;
    if (static_cast<int64_t>(i) >= extent)
      return node.wrong(concat("place ", i, " is to be kept of ", extent));
    places.push_back(static_cast<int64_t>(i));
  }
  return places;
}

Status infer_compress(Inference& node) {
  OPENQNN_TRY(node.need_inputs(2));
  if (!node.attributes().has("axis")) {
    OPENQNN_ASSIGN(const auto places, chosen_places(node, static_cast<int64_t>(count_of(node.dims(0)))));
    return node.set(0, node.type(0), {static_cast<int64_t>(places.size())});
  }
  OPENQNN_ASSIGN(const size_t axis, gather_axis(node));
  OPENQNN_ASSIGN(const auto places, chosen_places(node, node.dims(0)[axis]));
  Dims dims = node.dims(0);
  dims[axis] = static_cast<int64_t>(places.size());
  return node.set(0, node.type(0), std::move(dims));
}

Status fold_compress(Inference& node) {
  const bool flat = !node.attributes().has("axis");
  const Dims dims = flat ? Dims{static_cast<int64_t>(count_of(node.dims(0)))} : node.dims(0);
  const size_t axis = flat ? 0 : counted_axis(node.attributes().integer("axis", 0), dims.size());
  OPENQNN_ASSIGN(const auto places, chosen_places(node, dims[axis]));
  const Dims out = node.out_dims(0);
  View view{strides_of(dims)};
  const int64_t stride = view.strides[axis];
  view.strides[axis] = 0;
  const View counter{[&] {
    std::vector<int64_t> only_axis(dims.size(), 0);
    only_axis[axis] = 1;
    return only_axis;
  }()};
  ConstantBuilder builder(node.type(0), out);
  walk(out, {view, counter}, [&](uint64_t i, const std::vector<int64_t>& at) {
    const int64_t place = places[static_cast<size_t>(at[1])];
    copy_element(*node.constant(0), static_cast<uint64_t>(at[0] + place * stride), builder, i);
  });
  return node.set(0, builder.take());
}

Status lower_compress(Lowering& node) {
  if (count_of(node.out().dims) == 0) return node.not_offered("its result has no elements");
  if (!node.attributes().has("axis")) {
    const auto count = static_cast<int64_t>(count_of(node.dims(0)));
    OPENQNN_ASSIGN(const auto places, chosen_places(node, count));
    return node.result(picked(node, node.reshape(node.input(0), {count}), 0, places));
  }
  OPENQNN_ASSIGN(const size_t axis, gather_axis(node));
  OPENQNN_ASSIGN(const auto places, chosen_places(node, node.dims(0)[axis]));
  const Order order = order_of(node, 0);
  return node.result(picked(node, node.input(0, order), position_of(axis, order), places), order);
}

Status infer_reverse_sequence(Inference& node) {
  OPENQNN_TRY(node.need_inputs(2));
  const int64_t batch = node.attributes().integer("batch_axis", 1);
  const int64_t time = node.attributes().integer("time_axis", 0);
  if (node.rank(0) < 2 || batch + time != 1 || batch * time != 0)
    return node.wrong("batch_axis and time_axis are not the first two dimensions");
  OPENQNN_ASSIGN(const auto lengths, node.need_integers(1, "the lengths of its sequences"));
  if (static_cast<int64_t>(lengths.size()) != node.dims(0)[static_cast<size_t>(batch)])
    return node.wrong(concat(lengths.size(), " lengths were given for ", text_of(node.dims(0))));
  for (const int64_t length : lengths)
    if (length < 0 || length > node.dims(0)[static_cast<size_t>(time)])
      return node.wrong(concat("a sequence of ", length, " steps is not in ", text_of(node.dims(0))));
  return node.set(0, node.type(0), node.dims(0));
}

// The first two dimensions as one, whose elements change places.
Status lower_reverse_sequence(Lowering& node) {
  const Dims& dims = node.dims(0);
  const bool time_first = node.attributes().integer("time_axis", 0) == 0;
  if (!node.make_room({dims[0], dims[1]})) return {};
  std::vector<int64_t> places;
  for (int64_t i = 0; i < dims[0]; ++i) {
    for (int64_t j = 0; j < dims[1]; ++j) {
      const int64_t time = time_first ? i : j;
      const int64_t length = node.constant(1)->integer(static_cast<uint64_t>(time_first ? j : i));
      const int64_t from = time < length ? length - 1 - time : time;
      places.push_back(time_first ? from * dims[1] + j : i * dims[1] + from);
    }
  }
  const int64_t rest = static_cast<int64_t>(count_of(part(dims, 2, dims.size())));
  const TensorRef rows = node.reshape(node.input(0), {dims[0] * dims[1], rest});
  return node.result(node.reshape(picked(node, rows, 0, places), dims));
}

}  // namespace

std::span<const Rule> gather_rules() {
  static const Rule kRules[] = {
      {"Gather", infer_gather, fold_gather, lower_gather},
      {"GatherElements", infer_gather_elements, fold_gather_elements, lower_gather_elements},
      {"GatherND", infer_gather_nd, fold_gather_nd, lower_gather_nd},
      {"Compress", infer_compress, fold_compress, lower_compress},
      {"ReverseSequence", infer_reverse_sequence, nullptr, lower_reverse_sequence},
  };
  return kRules;
}

}  // namespace openqnn::frontend::onnx
