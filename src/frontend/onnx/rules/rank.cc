// SPDX-License-Identifier: BSD-3-Clause
// Where elements stand among others along an axis: ArgMax, ArgMin, TopK, Hardmax; and running sums: CumSum.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/text.h"
#include "frontend/onnx/rule.h"
#include "frontend/onnx/rules/axes.h"
#include "frontend/onnx/rules/fit.h"
#include "frontend/onnx/rules/fold.h"
#include "frontend/onnx/rules/indices.h"
#include "frontend/onnx/rules/movement.h"

namespace openqnn::frontend::onnx {
namespace {

// In a row that was turned round: counted from its other end.
TensorRef counted_back(Lowering& node, TensorRef indices, int64_t extent) {
  return node.binary("ElementWiseSubtract", node.integers({1}, {extent - 1}), indices);
}

// ---- ArgMax, ArgMin ----

Result<size_t> searched_axis(const NodeView& node) { return node.axis_attribute(0); }

Status infer_arg(Inference& node) {
  OPENQNN_TRY(node.need_inputs(1));
  OPENQNN_ASSIGN(const size_t axis, searched_axis(node));
  Dims dims = node.dims(0);
  if (dims[axis] == 0) return node.wrong(concat("there is no element along axis ", axis));
  if (keeps_dims(node.attributes()))
    dims[axis] = 1;
  else
    dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(axis));
  return node.set(0, ElementType::kInt64, std::move(dims));
}

// NaN is larger than all else, as in NumPy.
bool is_less(double a, double b) { return std::isnan(a) != std::isnan(b) ? std::isnan(b) : a < b; }
bool is_less(int64_t a, int64_t b) { return a < b; }

// Whether an element comes before another one; of equal ones none does.
bool wins(const Constant& x, uint64_t one, uint64_t other, bool largest) {
  if (largest) std::swap(one, other);
  return is_real(x.type()) ? is_less(x.real(one), x.real(other)) : is_less(x.integer(one), x.integer(other));
}

Status fold_arg(Inference& node) {
  OPENQNN_ASSIGN(const size_t axis, searched_axis(node));
  const Constant& x = *node.constant(0);
  const AxisSplit split = around(node.dims(0), axis);
  const bool largest = node.node().type == "ArgMax";
  const bool last = node.attributes().integer("select_last_index", 0) != 0;
  ConstantBuilder builder(ElementType::kInt64, node.out_dims(0));
  for (uint64_t cell = 0; cell < count_of(node.out_dims(0)); ++cell) {
    const auto at = static_cast<int64_t>(cell);
    auto offset = [&](int64_t i) {
      return static_cast<uint64_t>((at / split.after * split.extent + i) * split.after + at % split.after);
    };
    int64_t best = 0;
    for (int64_t i = 1; i < split.extent; ++i) {
      const bool better =
          last ? !wins(x, offset(best), offset(i), largest) : wins(x, offset(i), offset(best), largest);
      if (better) best = i;
    }
    builder.put(cell, best);
  }
  return node.set(0, builder.take());
}

// Along the middle one of three dimensions, which is left out. Of equal elements the first wins, or the last.
TensorRef arg_of_rows(Lowering& node, TensorRef rows, bool largest, bool last) {
  if (node.refusal()) return kNoTensorRef;
  const Dims dims = node.lies_as(rows);
  if (last) rows = reversed(node, rows, 1);
  std::string_view op = largest ? "Argmax" : "Argmin";
  const bool is_integer = node.desc(rows).type != ir::DataType::kFloat32;
  if (!largest && is_integer) {
    // The smallest integer is the largest of -1 - x, which cannot overflow; Argmin takes reals alone.
    rows =
        node.binary("ElementWiseSubtract", node.integers({1}, {-1}), node.cast(rows, ir::DataType::kInt32));
    op = "Argmax";
  }
  const TensorRef found = emit_fitting(node, op, {rows}, Params().u32("axis", 1),
                                       {{ir::DataType::kInt32, {dims[0], dims[2]}}}, node.desc(rows).type)
                              .front();
  return last ? counted_back(node, found, dims[1]) : found;
}

Status lower_arg(Lowering& node) {
  OPENQNN_ASSIGN(const size_t axis, searched_axis(node));
  const Order order = order_of(node, 0);
  const TensorRef rows = as_rows_around(node, node.input(0, order), position_of(axis, order));
  const TensorRef found = arg_of_rows(node, rows, node.node().type == "ArgMax",
                                      node.attributes().integer("select_last_index", 0) != 0);
  const Order out_order = keeps_dims(node.attributes()) ? order : without(order, {axis});
  return node.result(node.reshape(found, in_order(node.out().dims, out_order)), out_order);
}

// ---- Hardmax ----

// From opset 13 on along one axis, before along all from the axis on.
AxisSplit hardmax_rows(const NetNode& node, const Dims& dims, size_t axis) {
  constexpr int64_t kFirstAlongOne = 13;
  AxisSplit split = around(dims, axis);
  if (node.opset >= kFirstAlongOne) return split;
  split.extent *= split.after;
  split.after = 1;
  return split;
}

Result<size_t> hardmax_axis(const NodeView& node) {
  const int64_t fallback = node.opset() >= 13 ? -1 : 1;
  return node.axis_attribute(fallback);
}

Status infer_hardmax(Inference& node) {
  OPENQNN_TRY(node.need_inputs(1));
  OPENQNN_TRY(hardmax_axis(node));
  return node.set(0, node.type(0), node.dims(0));
}

Status lower_hardmax(Lowering& node) {
  OPENQNN_ASSIGN(const size_t axis, hardmax_axis(node));
  const AxisSplit split = hardmax_rows(node.node(), node.dims(0), axis);
  const TensorRef rows = node.reshape(node.input(0), {split.before, split.extent, split.after});
  const Constant values = Constant::of_reals(node.in(0).type, {2}, {0.0, 1.0});
  const TensorRef hot = one_hot(node, arg_of_rows(node, rows, true, false), split.extent, values);
  return node.result(node.reshape(hot, node.out().dims));
}

// ---- TopK ----

Result<size_t> top_axis(const NodeView& node) { return node.axis_attribute(-1); }

Result<int64_t> top_count(const NodeView& node) {
  if (!node.has(1) && node.attributes().has("k")) return node.attributes().integer("k", 0);
  return node.integer_of(1, "k");
}

Status infer_top_k(Inference& node) {
  OPENQNN_TRY(node.need_inputs(1));
  OPENQNN_ASSIGN(const size_t axis, top_axis(node));
  OPENQNN_ASSIGN(const int64_t k, top_count(node));
  Dims dims = node.dims(0);
  if (k < 0 || k > dims[axis])
    return node.wrong(concat(k, " elements are to be taken of the ", dims[axis], " along axis ", axis));
  dims[axis] = k;
  OPENQNN_TRY(node.set(0, node.type(0), dims));
  return node.set(1, ElementType::kInt64, std::move(dims));
}

Status fold_top_k(Inference& node) {
  OPENQNN_ASSIGN(const size_t axis, top_axis(node));
  OPENQNN_ASSIGN(const int64_t k, top_count(node));
  const Constant& x = *node.constant(0);
  const AxisSplit split = around(node.dims(0), axis);
  Dims dims = node.dims(0);
  dims[axis] = k;
  const bool largest = node.attributes().integer("largest", 1) != 0;
  ConstantBuilder values(x.type(), dims);
  ConstantBuilder indices(ElementType::kInt64, dims);
  const int64_t rows = count_of(dims) == 0 ? 0 : split.before * split.after;
  std::vector<int64_t> row(rows == 0 ? 0 : static_cast<size_t>(split.extent));
  for (int64_t r = 0; r < rows; ++r) {
    const int64_t start = r / split.after * split.extent * split.after + r % split.after;
    std::iota(row.begin(), row.end(), 0);
    std::stable_sort(row.begin(), row.end(), [&](int64_t a, int64_t b) {
      return wins(x, static_cast<uint64_t>(start + a * split.after),
                  static_cast<uint64_t>(start + b * split.after), largest);
    });
    for (int64_t i = 0; i < k; ++i) {
      const int64_t place = row[static_cast<size_t>(i)];
      const auto at = static_cast<uint64_t>((r / split.after * k + i) * split.after + r % split.after);
      copy_element(x, static_cast<uint64_t>(start + place * split.after), values, at);
      indices.put(at, place);
    }
  }
  OPENQNN_TRY(node.set(0, values.take()));
  return node.set(1, indices.take());
}

// The backend's is along the last dimension. Of equal elements it puts the one with the higher index first,
// where ONNX puts the lower: so the rows are turned round when the indices are asked for.
Status lower_top_k(Lowering& node) {
  OPENQNN_ASSIGN(const size_t axis, top_axis(node));
  OPENQNN_ASSIGN(const int64_t k, top_count(node));
  if (k == 0) return node.not_offered("its result has no elements");
  const Order order = with_last(order_of(node, 0), {axis});
  const Dims dims = in_order(node.dims(0), order);
  const int64_t extent = dims.back();
  const auto rows = static_cast<int64_t>(count_of(dims)) / extent;
  TensorRef x = node.reshape(node.input(0, order), {rows, extent});
  const bool turned = node.wants(1);
  if (turned) x = reversed(node, x, 1);
  const ir::DataType type = node.desc(x).type;
  Params params;
  params.u32("k", static_cast<uint32_t>(k));
  params.boolean("largest", node.attributes().integer("largest", 1) != 0);
  const auto found =
      emit_fitting(node, "TopK", {x}, params, {{type, {rows, k}}, {ir::DataType::kInt32, {rows, k}}}, type);
  Dims out = dims;
  out.back() = k;
  node.result(0, node.reshape(found[0], out), order);
  if (turned) node.result(1, node.reshape(counted_back(node, found[1], extent), out), order);
  return {};
}

// ---- CumSum ----

Result<size_t> summed_axis(const NodeView& node) {
  OPENQNN_ASSIGN(const int64_t axis, node.integer_of(1, "axis"));
  return node.axis(axis, node.rank(0));
}

Status infer_cum_sum(Inference& node) {
  OPENQNN_TRY(node.need_inputs(2));
  OPENQNN_TRY(summed_axis(node));
  return node.set(0, node.type(0), node.dims(0));
}

Status fold_cum_sum(Inference& node) {
  OPENQNN_ASSIGN(const size_t axis, summed_axis(node));
  const Constant& x = *node.constant(0);
  const AxisSplit split = around(node.dims(0), axis);
  const bool exclusive = node.attributes().integer("exclusive", 0) != 0;
  const bool backwards = node.attributes().integer("reverse", 0) != 0;
  ConstantBuilder builder(x.type(), x.dims());
  const int64_t rows = x.count() == 0 ? 0 : split.before * split.after;
  for (int64_t r = 0; r < rows; ++r) {
    double real = 0;
    int64_t integer = 0;
    for (int64_t i = 0; i < split.extent; ++i) {
      const int64_t place = backwards ? split.extent - 1 - i : i;
      const auto at =
          static_cast<uint64_t>((r / split.after * split.extent + place) * split.after + r % split.after);
      auto put = [&] {
        if (is_real(x.type()))
          builder.put(at, real);
        else
          builder.put(at, wrapped(x.type(), integer));
      };
      if (exclusive) put();
      real += x.real(at);
      integer = wrapping_add(integer, is_real(x.type()) ? 0 : x.integer(at));
      if (!exclusive) put();
    }
  }
  return node.set(0, builder.take());
}

Status lower_cum_sum(Lowering& node) {
  OPENQNN_ASSIGN(const size_t axis, summed_axis(node));
  const Order order = order_of(node, 0);
  const TensorRef x = node.input(0, order);
  constexpr size_t kMostSummed = 4;  // dimensions that the backend's op takes
  const bool direct = order.size() <= kMostSummed;
  const uint32_t position = position_of(axis, order);
  const TensorRef rows = direct ? x : as_rows_around(node, x, position);
  Params params;
  params.u32("axis", direct ? position : 1);
  params.boolean("exclusive", node.attributes().integer("exclusive", 0) != 0);
  params.boolean("reverse", node.attributes().integer("reverse", 0) != 0);
  const TensorRef sums = emit_moving(node, "CumulativeSum", {rows}, params, node.lies_as(rows));
  return node.result(node.reshape(sums, in_order(node.out().dims, order)), order);
}

}  // namespace

std::span<const Rule> rank_rules() {
  static const Rule kRules[] = {
      {"ArgMax", infer_arg, fold_arg, lower_arg},
      {"ArgMin", infer_arg, fold_arg, lower_arg},
      {"Hardmax", infer_hardmax, nullptr, lower_hardmax},
      {"TopK", infer_top_k, fold_top_k, lower_top_k},
      {"CumSum", infer_cum_sum, fold_cum_sum, lower_cum_sum},
  };
  return kRules;
}

}  // namespace openqnn::frontend::onnx
