// SPDX-License-Identifier: BSD-3-Clause
// Parts of tensors and borders around them: Slice, Pad, CenterCropPad.
#include <algorithm>

#include "base/text.h"
#include "frontend/onnx/rule.h"
#include "frontend/onnx/rules/axes.h"
#include "frontend/onnx/rules/fit.h"
#include "frontend/onnx/rules/fold.h"
#include "frontend/onnx/rules/movement.h"

namespace openqnn::frontend::onnx {
namespace {

// ---- Slice ----

// ONNX lets start and end lie anywhere and be counted from the end; one before the first element is an end
// alone.
Range range_of(int64_t extent, int64_t start, int64_t end, int64_t step) {
  if (extent == 0) return {};
  step = std::clamp(step, -extent, extent);  // a longer one takes one element as well
  const int64_t last = step > 0 ? extent : extent - 1;
  auto place = [&](int64_t at, int64_t first) { return std::clamp(at < 0 ? at + extent : at, first, last); };
  Range range{place(start, 0), step, 0};
  const int64_t stop = place(end, step > 0 ? 0 : -1);
  const int64_t span = step > 0 ? stop - range.start : range.start - stop;
  const int64_t stride = step > 0 ? step : -step;
  if (span > 0) range.count = (span + stride - 1) / stride;
  return range;
}

Result<std::vector<Range>> slice_ranges(const NodeView& node) {
  const Dims& dims = node.dims(0);
  OPENQNN_ASSIGN(const auto starts, node.integers_of(1, "starts"));
  OPENQNN_ASSIGN(const auto ends, node.integers_of(2, "ends"));
  OPENQNN_ASSIGN(const auto given_axes, node.integers_of(3, "axes"));
  OPENQNN_ASSIGN(const auto steps, node.integers_of(4, "steps"));
  if (!starts || !ends || starts->size() != ends->size())
    return node.wrong("it has not as many starts as ends");
  const auto all_axes = plain_numbers<int64_t>(std::min(starts->size(), dims.size()));
  OPENQNN_ASSIGN(const auto axes, axes_of(node, given_axes.value_or(all_axes), dims.size()));
  if (axes.size() != starts->size() || (steps && steps->size() != starts->size()))
    return node.wrong("it has not as many starts as axes or steps");
  std::vector<Range> ranges;
  for (const int64_t dim : dims) ranges.push_back(whole(dim));
  for (size_t i = 0; i < axes.size(); ++i) {
    const int64_t step = steps ? (*steps)[i] : 1;
    if (step == 0) return node.wrong("a step is 0");
    ranges[axes[i]] = range_of(dims[axes[i]], (*starts)[i], (*ends)[i], step);
  }
  return ranges;
}

Status infer_slice(Inference& node) {
  OPENQNN_TRY(node.need_inputs(1));
  OPENQNN_ASSIGN(const auto ranges, slice_ranges(node));
  Dims dims;
  for (const Range& range : ranges) dims.push_back(range.count);
  return node.set(0, node.type(0), std::move(dims));
}

Status fold_slice(Inference& node) {
  OPENQNN_ASSIGN(const auto ranges, slice_ranges(node));
  View view{strides_of(node.dims(0))};
  for (size_t i = 0; i < ranges.size(); ++i) {
    view.start += view.strides[i] * ranges[i].start;
    view.strides[i] *= ranges[i].step;
  }
  const Dims dims = node.out_dims(0);
  return node.set(0, seen_through(*node.constant(0), dims, view, dims));
}

Status lower_slice(Lowering& node) {
  if (count_of(node.out().dims) == 0) return node.not_offered("its result has no elements");
  OPENQNN_ASSIGN(const auto ranges, slice_ranges(node));
  const Order order = order_of(node, 0);
  return node.result(slice(node, node.input(0, order), in_order(ranges, order)), order);
}

// ---- Pad ----

enum class Border : uint8_t { kConstant, kReflect, kEdge, kWrap };

std::optional<Border> border_of(const Attributes& attributes) {
  const std::string_view mode = attributes.text("mode", "constant");
  if (mode == "constant") return Border::kConstant;
  if (mode == "reflect") return Border::kReflect;
  if (mode == "edge") return Border::kEdge;
  if (mode == "wrap") return Border::kWrap;
  return std::nullopt;
}

// How much is added on both sides of a dimension; negative: how much is cut off.
struct Margin {
  int64_t before = 0;
  int64_t after = 0;
};

Result<std::vector<Margin>> margins_of(const NodeView& node) {
  constexpr int64_t kMost = INT32_MAX;  // the backend's dimensions are no larger
  const size_t rank = node.dims(0).size();
  OPENQNN_ASSIGN(auto pads, node.integers_of(1, "pads"));
  OPENQNN_ASSIGN(const auto given_axes, node.integers_of(3, "axes"));
  OPENQNN_ASSIGN(const auto axes, axes_of(node, given_axes.value_or(plain_numbers<int64_t>(rank)), rank));
  if (!pads || pads->size() != 2 * axes.size())
    return node.wrong(concat("pads has ", pads ? pads->size() : 0, " numbers, not ", 2 * axes.size()));
  std::vector<Margin> margins(rank);
  for (size_t i = 0; i < axes.size(); ++i) {
    const Margin margin{(*pads)[i], (*pads)[i + axes.size()]};
    if (std::max(margin.before, margin.after) > kMost || std::min(margin.before, margin.after) < -kMost)
      return node.wrong(
          concat("dimension ", axes[i], " is padded by ", margin.before, " and ", margin.after));
    margins[axes[i]] = margin;
  }
  return margins;
}

// What is left when negative margins have been cut off.
Range kept(int64_t extent, const Margin& margin) {
  const int64_t start = std::max<int64_t>(0, -margin.before);
  return {start, 1, extent - start - std::max<int64_t>(0, -margin.after)};
}

// How far a border may reach that repeats what it borders on.
int64_t furthest(Border border, int64_t extent) {
  if (border == Border::kReflect) return extent - 1;
  if (border == Border::kWrap) return extent;
  return extent > 0 ? INT64_MAX : 0;
}

Status infer_pad(Inference& node) {
  OPENQNN_TRY(node.need_inputs(1));
  const auto border = border_of(node.attributes());
  if (!border) return node.wrong(concat("mode '", node.attributes().text("mode", ""), "' is not known"));
  if (node.has(2) && count_of(node.dims(2)) != 1)
    return node.wrong("the value to pad with is not one number");
  OPENQNN_ASSIGN(const auto margins, margins_of(node));
  Dims dims = node.dims(0);
  for (size_t i = 0; i < dims.size(); ++i) {
    const Range range = kept(dims[i], margins[i]);
    const int64_t reach = std::max(margins[i].before, margins[i].after);
    if (range.count < 0) return node.wrong(concat("more is cut off dimension ", i, " than it has"));
    if (*border != Border::kConstant && reach > 0 && reach > furthest(*border, range.count))
      return node.not_offered(concat("dimension ", i, " of ", range.count, " elements is padded by ", reach,
                                     ", more than there is to repeat"));
    dims[i] = range.count + std::max<int64_t>(0, margins[i].before) + std::max<int64_t>(0, margins[i].after);
  }
  return node.set(0, node.type(0), std::move(dims));
}

// Where a place of the padded dimension is in what is left; nothing in a constant border.
std::optional<int64_t> source_of(int64_t at, int64_t extent, Border border) {
  if (at >= 0 && at < extent) return at;
  switch (border) {
    case Border::kReflect:
      return at < 0 ? -at : 2 * extent - 2 - at;
    case Border::kEdge:
      return at < 0 ? 0 : extent - 1;
    case Border::kWrap:
      return at < 0 ? at + extent : at - extent;
    default:
      return std::nullopt;
  }
}

Status fold_pad(Inference& node) {
  OPENQNN_ASSIGN(const auto margins, margins_of(node));
  const Border border = *border_of(node.attributes());
  const Dims& from = node.dims(0);
  const Dims out = node.out_dims(0);
  const std::vector<int64_t> strides = strides_of(from);
  const Constant fill = node.constant(2) != nullptr
                            ? *node.constant(2)
                            : Constant::of_reals(node.type(0), {}, {node.attributes().real("value", 0)});
  ConstantBuilder builder(node.type(0), out);
  const View places{strides_of(out)};
  for (uint64_t i = 0; i < count_of(out); ++i) {
    int64_t offset = 0;
    bool inside = true;
    for (size_t d = 0; d < out.size() && inside; ++d) {
      const Range range = kept(from[d], margins[d]);
      const int64_t place = static_cast<int64_t>(i) / places.strides[d] % out[d];
      const auto at = source_of(place - std::max<int64_t>(0, margins[d].before), range.count, border);
      inside = at.has_value();
      if (inside) offset += (*at + range.start) * strides[d];
    }
    if (inside)
      copy_element(*node.constant(0), static_cast<uint64_t>(offset), builder, i);
    else
      copy_element(fill, 0, builder, i);
  }
  return node.set(0, builder.take());
}

// The end of each dimension before it, and its beginning behind it.
TensorRef wrapped_around(Lowering& node, TensorRef x, const std::vector<Margin>& margins) {
  for (size_t d = 0; d < margins.size() && !node.refusal(); ++d) {
    const Dims dims = node.lies_as(x);
    auto part = [&](int64_t start, int64_t count) {
      std::vector<Range> ranges;
      for (const int64_t dim : dims) ranges.push_back(whole(dim));
      ranges[d] = {start, 1, count};
      return slice(node, x, ranges);
    };
    std::vector<TensorRef> parts;
    if (margins[d].before > 0) parts.push_back(part(dims[d] - margins[d].before, margins[d].before));
    parts.push_back(x);
    if (margins[d].after > 0) parts.push_back(part(0, margins[d].after));
    x = concatenated(node, parts, d);
  }
  return x;
}

Status lower_pad(Lowering& node) {
  if (count_of(node.dims(0)) == 0 || count_of(node.out().dims) == 0)
    return node.not_offered("its input or result has no elements");
  if (node.has(2) && node.constant(2) == nullptr)
    return node.not_offered("the value to pad with is computed by the model");
  OPENQNN_ASSIGN(const auto all_margins, margins_of(node));
  const Border border = *border_of(node.attributes());
  const Order order = order_of(node, 0);
  std::vector<Margin> margins = in_order(all_margins, order);
  TensorRef x = node.input(0, order);
  const Dims dims = in_order(node.dims(0), order);
  std::vector<Range> ranges;
  std::vector<uint32_t> amounts;
  bool grows = false;
  for (size_t d = 0; d < dims.size(); ++d) {
    ranges.push_back(kept(dims[d], margins[d]));
    if (ranges.back().count == 0) return node.not_offered("all of its input is cut off before it is padded");
    for (int64_t* side : {&margins[d].before, &margins[d].after}) {
      *side = std::max<int64_t>(0, *side);
      amounts.push_back(static_cast<uint32_t>(*side));
      grows = grows || *side > 0;
    }
  }
  x = slice(node, x, ranges);
  if (border == Border::kWrap) {
    x = wrapped_around(node, x, margins);
  } else if (grows) {
    constexpr uint32_t kSchemes[] = {0, 2, 3};  // constant, reflect, edge
    Params params;
    params.u32("scheme", kSchemes[static_cast<size_t>(border)]);
    params.u32s("pad_amount", amounts, {static_cast<uint32_t>(dims.size()), 2});
    const Constant* fill = node.constant(2);
    if (is_real(node.in(0).type))
      params.f32("pad_constant_value", fill != nullptr ? fill->real(0) : node.attributes().real("value", 0));
    else if (fill != nullptr)
      params.i32("pad_constant_value",
                 static_cast<int32_t>(std::clamp<int64_t>(fill->integer(0), INT32_MIN, INT32_MAX)));
    x = emit_moving(node, "Pad", {x}, params, in_order(node.out().dims, order));
  }
  return node.result(x, order);
}

// ---- CenterCropPad: dimensions become longer or shorter at both ends, the odd element at the end ----

Status infer_center_crop_pad(Inference& node) {
  OPENQNN_TRY(node.need_inputs(2));
  OPENQNN_ASSIGN(const auto shape, node.need_integers(1, "the new shape"));
  const auto all = plain_numbers<int64_t>(node.rank(0));
  OPENQNN_ASSIGN(const auto axes, node.axes(node.attributes().integers("axes", all), node.rank(0)));
  if (shape.size() != axes.size())
    return node.wrong(concat("its shape has ", shape.size(), " numbers for ", axes.size(), " axes"));
  Dims out = node.dims(0);
  for (size_t i = 0; i < axes.size(); ++i) {
    if (shape[i] < 1 || shape[i] > INT32_MAX) return node.wrong(concat("its shape is ", text_of(shape)));
    out[axes[i]] = shape[i];
  }
  return node.set(0, node.type(0), std::move(out));
}

Status lower_center_crop_pad(Lowering& node) {
  const Order order = order_of(node, 0);
  TensorRef x = node.input(0, order);
  const Dims from = in_order(node.dims(0), order);
  const Dims to = in_order(node.out().dims, order);
  const auto rank = static_cast<uint32_t>(order.size());
  Dims cropped = from;
  std::vector<Range> ranges;
  std::vector<uint32_t> pads;
  for (size_t i = 0; i < order.size(); ++i) {
    cropped[i] = std::min(from[i], to[i]);
    ranges.push_back({(from[i] - cropped[i]) / 2, 1, cropped[i]});
    const int64_t missing = to[i] - cropped[i];
    pads.push_back(static_cast<uint32_t>(missing / 2));
    pads.push_back(static_cast<uint32_t>(missing - missing / 2));
  }
  x = slice(node, x, ranges);
  if (cropped != to)
    x = node.emit("Pad", {x}, Params().u32("scheme", 0).u32s("pad_amount", pads, {rank, 2}), node.out_type(),
                  to);
  return node.result(x, order);
}

}  // namespace

std::span<const Rule> slice_rules() {
  static const Rule kRules[] = {
      {"Slice", infer_slice, fold_slice, lower_slice},
      {"Pad", infer_pad, fold_pad, lower_pad},
      {"CenterCropPad", infer_center_crop_pad, nullptr, lower_center_crop_pad},
  };
  return kRules;
}

}  // namespace openqnn::frontend::onnx
