// SPDX-License-Identifier: BSD-3-Clause
// Tensors that follow from shapes and few numbers, and what is known of constants alone: ConstantOfShape,
// Range, EyeLike, Trilu, OneHot, NonZero, Unique.
#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "frontend/onnx/rule.h"
#include "frontend/onnx/rules/axes.h"
#include "frontend/onnx/rules/fit.h"
#include "frontend/onnx/rules/fold.h"
#include "frontend/onnx/rules/indices.h"

namespace openqnn::frontend::onnx {
namespace {

// ---- ConstantOfShape ----

Result<Constant> fill_of(const Inference& node) {
  const Attribute* value = node.attributes().find("value");
  if (value == nullptr) return Constant::of_reals(ElementType::kFloat, {}, {0.0});
  if (value->tensors.size() != 1) return node.wrong("its value is no tensor");
  ExternalFiles none("");  // ONNX allows no external data here
  OPENQNN_ASSIGN(TensorValues values, values_of(value->tensors[0], none));
  Constant fill(value->tensors[0].type, value->tensors[0].dims, std::move(values));
  if (fill.count() != 1) return node.wrong("its value is not one number");
  return fill;
}

Status infer_constant_of_shape(Inference& node) {
  OPENQNN_ASSIGN(const auto shape, node.need_integers(0, "the shape"));
  for (const int64_t dim : shape)
    if (dim < 0) return node.wrong(concat("the shape is ", text_of(shape)));
  OPENQNN_ASSIGN(const Constant fill, fill_of(node));
  OPENQNN_TRY(node.set(0, fill.type(), shape));
  if (!node.wants(0)) return {};
  OPENQNN_TRY(need_small_constant(node, count_of(shape)));
  ConstantBuilder builder(fill.type(), shape);
  for (uint64_t i = 0; i < count_of(shape); ++i) copy_element(fill, 0, builder, i);
  return node.set(0, builder.take());
}

// ---- Range ----

// How many numbers there are from start to limit; at least none. In integers where they are: half of the
// model's arithmetic is on positions, which must be exact.
Result<uint64_t> range_count(const Inference& node) {
  const Constant& start = *node.constant(0);
  const Constant& limit = *node.constant(1);
  const Constant& delta = *node.constant(2);
  double count = 0;
  if (is_real(start.type())) {
    count = std::ceil((limit.real(0) - start.real(0)) / delta.real(0));
  } else {
    if (delta.integer(0) == 0) return node.wrong("its step is 0");
    // Beyond 2^53 no memory holds them.
    count = std::ceil((static_cast<double>(limit.integer(0)) - static_cast<double>(start.integer(0))) /
                      static_cast<double>(delta.integer(0)));
  }
  if (!(count < 0x1p53)) return node.wrong("it has no end");
  return count > 0 ? static_cast<uint64_t>(count) : 0;
}

Status infer_range(Inference& node) {
  OPENQNN_TRY(node.need_inputs(3));
  for (size_t i = 0; i < 3; ++i) {
    OPENQNN_ASSIGN(const auto numbers, node.need_integers(i, "a bound or the step"));
    if (numbers.size() != 1 || node.type(i) != node.type(0))
      return node.wrong("its bounds and its step are not single numbers of one type");
  }
  OPENQNN_ASSIGN(const uint64_t count, range_count(node));
  OPENQNN_TRY(need_small_constant(node, count));
  const Constant& start = *node.constant(0);
  const Constant& delta = *node.constant(2);
  ConstantBuilder builder(start.type(), {static_cast<int64_t>(count)});
  for (uint64_t i = 0; i < count; ++i) {
    if (is_real(start.type()))
      builder.put(i, start.real(0) + static_cast<double>(i) * delta.real(0));
    else
      builder.put(
          i, wrapping_add(start.integer(0), wrapping_multiply(static_cast<int64_t>(i), delta.integer(0))));
  }
  return node.set(0, builder.take());
}

// ---- EyeLike ----

Status infer_eye_like(Inference& node) {
  OPENQNN_TRY(node.need_inputs(1));
  if (node.rank(0) != 2) return node.wrong(concat(text_of(node.dims(0)), " is no matrix"));
  const auto given = node.attributes().integer("dtype", static_cast<int64_t>(node.type(0)));
  const auto type = static_cast<ElementType>(given);
  if (backend_type(type) == ir::DataType::kUndefined)
    return node.not_offered(concat("the backend has nothing that holds ", name_of(type)));
  const Dims dims = node.dims(0);
  const int64_t k = node.attributes().integer("k", 0);
  OPENQNN_TRY(need_small_constant(node, count_of(dims)));
  ConstantBuilder builder(type, dims);
  for (uint64_t i = 0; i < count_of(dims); ++i) {
    const auto at = static_cast<int64_t>(i);
    builder.put(i, int64_t{wrapping_subtract(at % dims[1], at / dims[1]) == k});
  }
  return node.set(0, builder.take());
}

// ---- Trilu ----

bool is_kept(int64_t row, int64_t column, int64_t k, bool upper) {
  const int64_t above = column - row;  // the diagonal k is kept on both sides
  return upper ? above >= k : above <= k;
}

Result<int64_t> diagonal_of(const NodeView& node) {
  if (!node.has(1)) return 0;
  return node.integer_of(1, "k");
}

Status infer_trilu(Inference& node) {
  OPENQNN_TRY(node.need_inputs(1));
  if (node.rank(0) < 2) return node.wrong(concat(text_of(node.dims(0)), " holds no matrices"));
  OPENQNN_TRY(diagonal_of(node));
  return node.set(0, node.type(0), node.dims(0));
}

Status fold_trilu(Inference& node) {
  OPENQNN_ASSIGN(const int64_t k, diagonal_of(node));
  const bool upper = node.attributes().integer("upper", 1) != 0;
  const Constant& x = *node.constant(0);
  const int64_t rows = x.dims()[x.dims().size() - 2];
  const int64_t columns = x.dims().back();
  ConstantBuilder builder(x.type(), x.dims());
  for (uint64_t i = 0; i < x.count(); ++i) {
    const auto at = static_cast<int64_t>(i);
    if (is_kept(at / columns % rows, at % columns, k, upper))
      copy_element(x, i, builder, i);
    else
      builder.put(i, int64_t{0});
  }
  return node.set(0, builder.take());
}

// A choice instead of a product, which would make NaN of what is infinite.
Status lower_trilu(Lowering& node) {
  OPENQNN_ASSIGN(const int64_t k, diagonal_of(node));
  const bool upper = node.attributes().integer("upper", 1) != 0;
  const Order order = order_of(node, 0);
  const Dims& dims = node.dims(0);
  Dims mask_dims(dims.size(), 1);
  const int64_t rows = mask_dims[dims.size() - 2] = dims[dims.size() - 2];
  const int64_t columns = mask_dims.back() = dims.back();
  if (!node.make_room(mask_dims)) return {};
  ConstantBuilder mask(ElementType::kBool, mask_dims);
  uint64_t at = 0;
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t column = 0; column < columns; ++column)
      mask.put(at++, int64_t{is_kept(row, column, k, upper)});
  const TensorRef zero = node.constant(Constant::of_integers(node.in(0).type, {1}, {0}));
  return node.result(
      emit_elementwise(node, "ElementWiseSelect",
                       {node.constant(mask.take(), order), node.input(0, order), zero}, node.out_type()),
      order);
}

// ---- OneHot ----

Result<size_t> hot_axis(const NodeView& node) {
  return node.axis(node.attributes().integer("axis", -1), node.rank(0) + 1);
}

Status infer_one_hot(Inference& node) {
  OPENQNN_TRY(node.need_inputs(3));
  OPENQNN_ASSIGN(const size_t axis, hot_axis(node));
  OPENQNN_ASSIGN(const int64_t depth, node.integer_of(1, "depth"));
  if (depth < 1) return node.wrong(concat("its depth is ", depth));
  if (node.dims(2) != Dims{2}) return node.wrong("its values are not two numbers, off and on");
  Dims dims = node.dims(0);
  dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(axis), depth);
  return node.set(0, node.type(2), std::move(dims));
}

Status fold_one_hot(Inference& node) {
  OPENQNN_ASSIGN(const size_t axis, hot_axis(node));
  const Dims dims = node.out_dims(0);
  const AxisSplit split = around(dims, axis);
  const Constant& indices = *node.constant(0);
  ConstantBuilder builder(node.type(2), dims);
  for (uint64_t i = 0; i < count_of(dims); ++i) {
    const auto at = static_cast<int64_t>(i);
    const int64_t place = at / split.after % split.extent;
    const int64_t cell = at / split.after / split.extent * split.after + at % split.after;
    const int64_t index = indices.integer(static_cast<uint64_t>(cell));
    const bool hot = from_the_front(index, split.extent) == place;
    copy_element(*node.constant(2), hot ? 1 : 0, builder, i);
  }
  return node.set(0, builder.take());
}

Status lower_one_hot(Lowering& node) {
  OPENQNN_ASSIGN(const size_t axis, hot_axis(node));
  if (node.constant(2) == nullptr) return node.not_offered("its values are computed by the model");
  const AxisSplit split = around(node.out().dims, axis);
  TensorRef indices = node.input(0);
  if (node.desc(indices).type != ir::DataType::kUint32) indices = node.cast(indices, ir::DataType::kInt32);
  const TensorRef hot =
      one_hot(node, node.reshape(indices, {split.before, split.after}), split.extent, *node.constant(2));
  return node.result(node.reshape(hot, node.out().dims));
}

// ---- Of constants alone ----

Status need_constant(const Inference& node) {
  OPENQNN_TRY(node.need_inputs(1));
  if (node.constant(0) != nullptr) return {};
  return node.not_offered("how many elements it gives is known only when the model runs")
      .fix_by("export the model without it, or with a constant input");
}

Status infer_non_zero(Inference& node) {
  OPENQNN_TRY(need_constant(node));
  const Constant& x = *node.constant(0);
  OPENQNN_TRY(need_small_constant(node, x.count()));
  std::vector<int64_t> found;
  for (uint64_t i = 0; i < x.count(); ++i)
    if (x.real(i) != 0) found.push_back(static_cast<int64_t>(i));
  const std::vector<int64_t> strides = strides_of(x.dims());
  ConstantBuilder builder(ElementType::kInt64,
                          {static_cast<int64_t>(x.dims().size()), static_cast<int64_t>(found.size())});
  uint64_t at = 0;
  for (size_t d = 0; d < x.dims().size(); ++d)
    for (const int64_t index : found) builder.put(at++, index / strides[d] % x.dims()[d]);
  return node.set(0, builder.take());
}

// The slices of a tensor along an axis, to be compared. Without an axis each element is one.
struct Slices {
  const Constant& x;
  AxisSplit split;

  uint64_t offset(int64_t slice, int64_t cell) const {
    return static_cast<uint64_t>((cell / split.after * split.extent + slice) * split.after +
                                 cell % split.after);
  }
  // Below 0, 0 or above, as the first is smaller, equal or larger.
  int compare(int64_t a, int64_t b) const {
    for (int64_t cell = 0; cell < split.before * split.after; ++cell) {
      const double left = x.real(offset(a, cell));
      const double right = x.real(offset(b, cell));
      if (std::isnan(left) || std::isnan(right)) {
        if (std::isnan(left) != std::isnan(right)) return std::isnan(right) ? -1 : 1;  // NaN is the largest
      } else if (left != right) {
        return left < right ? -1 : 1;
      }
    }
    return 0;
  }
};

// Y, the index of the first of each, which of them each slice is, and how many there are of each.
Status infer_unique(Inference& node) {
  OPENQNN_TRY(need_constant(node));
  const bool flat = !node.attributes().has("axis");
  const Constant x = flat ? node.constant(0)->reshaped({static_cast<int64_t>(node.constant(0)->count())})
                          : *node.constant(0);
  OPENQNN_TRY(need_small_constant(node, x.count()));
  OPENQNN_ASSIGN(const size_t axis, node.axis(node.attributes().integer("axis", 0), x.dims().size()));
  OPENQNN_TRY(need_small_constant(node, static_cast<uint64_t>(x.dims()[axis])));
  const Slices slices{x, around(x.dims(), axis)};

  auto by_value = plain_numbers<int64_t>(static_cast<size_t>(x.dims()[axis]));
  std::stable_sort(by_value.begin(), by_value.end(),
                   [&](int64_t a, int64_t b) { return slices.compare(a, b) < 0; });
  std::vector<std::vector<int64_t>> groups;  // equal slices, each in their order
  for (const int64_t slice : by_value) {
    if (groups.empty() || slices.compare(groups.back()[0], slice) != 0) groups.emplace_back();
    groups.back().push_back(slice);
  }
  if (node.attributes().integer("sorted", 1) == 0)
    std::sort(groups.begin(), groups.end(), [](const auto& a, const auto& b) { return a[0] < b[0]; });

  const auto count = static_cast<int64_t>(groups.size());
  ConstantBuilder firsts(ElementType::kInt64, {count});
  ConstantBuilder counts(ElementType::kInt64, {count});
  ConstantBuilder which(ElementType::kInt64, {x.dims()[axis]});
  Dims dims = x.dims();
  dims[axis] = count;
  ConstantBuilder values(x.type(), dims);
  const Slices places{x, around(dims, axis)};
  for (int64_t i = 0; i < count; ++i) {
    const auto& group = groups[static_cast<size_t>(i)];
    firsts.put(static_cast<uint64_t>(i), group[0]);
    counts.put(static_cast<uint64_t>(i), static_cast<int64_t>(group.size()));
    for (const int64_t slice : group) which.put(static_cast<uint64_t>(slice), i);
    for (int64_t cell = 0; cell < slices.split.before * slices.split.after; ++cell)
      copy_element(x, slices.offset(group[0], cell), values, places.offset(i, cell));
  }
  OPENQNN_TRY(node.set(0, values.take()));
  OPENQNN_TRY(node.set(1, firsts.take()));
  OPENQNN_TRY(node.set(2, which.take()));
  return node.set(3, counts.take());
}

}  // namespace

std::span<const Rule> generate_rules() {
  static const Rule kRules[] = {
      {"ConstantOfShape", infer_constant_of_shape},
      {"Range", infer_range},
      {"EyeLike", infer_eye_like},
      {"Trilu", infer_trilu, fold_trilu, lower_trilu},
      {"OneHot", infer_one_hot, fold_one_hot, lower_one_hot},
      {"NonZero", infer_non_zero},
      {"Unique", infer_unique},
  };
  return kRules;
}

}  // namespace openqnn::frontend::onnx
