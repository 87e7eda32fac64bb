// SPDX-License-Identifier: BSD-3-Clause
#include "ops/matrix/conv_geometry.h"

#include <algorithm>

#include "base/text.h"
#include "ops/matrix/dot.h"

namespace openqnn::ops {
namespace {

Status check_transposed(const ConvAxis& axis, std::string_view name) {
  const Window& window = axis.window;
  const auto zero = [&](std::string_view what) {
    return invalid("op-param-value", concat(what, " in ", name, " is 0")).fix_by("use 1 or more");
  };
  if (window.stride == 0) return zero("stride");
  if (window.dilation == 0) return zero("dilation");
  if (axis.output_padding >= window.stride)
    return invalid("op-param-value", concat("output_padding ", axis.output_padding, " in ", name,
                                            " is not below the stride, ", window.stride));
  return {};
}

// Outputs before cropping. Each term is below 2^64; the caller limits them, so that the sum is too.
Result<uint64_t> full_outputs(const ConvAxis& axis, std::string_view name) {
  constexpr uint64_t kMost = uint64_t{1} << 40;
  const uint64_t spread = uint64_t{axis.window.stride} * (axis.window.input - 1);
  if (spread > kMost || axis.window.reach() > kMost)
    return invalid("op-shape", concat("the output would have more than 2^40 positions in ", name));
  return spread + axis.window.reach() + axis.output_padding;
}

}  // namespace

Result<uint32_t> ConvAxis::outputs(std::string_view name) const {
  uint64_t count = 0;
  if (transposed) {
    OPENQNN_TRY(check_transposed(*this, name));
    OPENQNN_ASSIGN(const uint64_t full, full_outputs(*this, name));
    const uint64_t cropped = uint64_t{window.pad_before} + window.pad_after;
    if (cropped >= full)
      return invalid("op-shape", concat("pad_amount crops ", cropped, " of ", full, " positions in ", name,
                                        ", which leaves no output"));
    count = full - cropped;
  } else {
    OPENQNN_TRY(check_window(window, name));
    count = window.output(/*round_up=*/false);
  }
  if (count > UINT32_MAX)
    return invalid("op-shape", concat("the output would have ", count, " positions in ", name));
  return static_cast<uint32_t>(count);
}

std::pair<uint32_t, uint32_t> ConvAxis::inputs(uint32_t begin, uint32_t end) const {
  if (!transposed) return window.inputs(begin, end);
  if (begin >= end) return {0, 0};
  const int64_t stride = window.stride;
  const int64_t first = int64_t{begin} + window.pad_before - static_cast<int64_t>(window.reach()) + 1;
  const int64_t last = int64_t{end} - 1 + window.pad_before;  // where the last output meets tap 0
  const int64_t from = first <= 0 ? 0 : (first + stride - 1) / stride;
  const int64_t to = std::min<int64_t>(last / stride + 1, window.input);
  return {static_cast<uint32_t>(std::min(from, to)), static_cast<uint32_t>(to)};
}

uint32_t group_count(const OpCall& call, ConvKind kind) {
  return kind.form == Form::kDepthWise ? call.in(kInput).shape.from_end(0) : call.params->u32("group", 1);
}

uint32_t output_channels(const OpCall& call, ConvKind kind) {
  const uint32_t last = call.in(kWeight).shape.from_end(0);
  return kind.form == Form::kTransposed ? last * group_count(call, kind) : last;
}

WeightMatrices matrices_of(const OpCall& call, ConvKind kind) {
  const ir::Shape& weight = call.in(kWeight).shape;
  const uint32_t groups = group_count(call, kind);
  return kind.form == Form::kTransposed ? transpose_conv_weights(weight, groups)
                                        : conv_weights(weight, groups);
}

ConvAxis axis_of(const OpCall& call, ConvKind kind, size_t axis) {
  return {.window = window_of(call.in(kInput).shape, call.in(kWeight).shape[axis], *call.params, axis),
          .transposed = kind.form == Form::kTransposed,
          .output_padding = call.params->u32_at("output_padding", axis, 0)};
}

ConvAxes spatial_axes(const OpCall& call, ConvKind kind) {
  ConvAxes axes;
  axes.fill({.window = {.input = 1, .filter = 1}});
  for (size_t axis = 0; axis < kind.axes; ++axis)
    axes[kMostAxes - kind.axes + axis] = axis_of(call, kind, axis);
  return axes;
}

}  // namespace openqnn::ops
