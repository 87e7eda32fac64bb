// SPDX-License-Identifier: BSD-3-Clause
#include "ops/matrix/conv_geometry.h"

#include "ops/matrix/dot.h"

namespace openqnn::ops {

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
  const ir::Params& params = *call.params;
  return {.window = {.input = call.in(kInput).shape[1 + axis],
                     .filter = call.in(kWeight).shape[axis],
                     .stride = params.u32_at("stride", axis, 1),
                     .dilation = params.u32_at("dilation", axis, 1),
                     .pad_before = params.u32_at("pad_amount", 2 * axis, 0),
                     .pad_after = params.u32_at("pad_amount", 2 * axis + 1, 0)},
          .transposed = kind.form == Form::kTransposed,
          .output_padding = params.u32_at("output_padding", axis, 0)};
}

ConvAxes spatial_axes(const OpCall& call, ConvKind kind) {
  ConvAxes axes;
  axes.fill({.window = {.input = 1, .filter = 1}});
  for (size_t axis = 0; axis < kind.axes; ++axis)
    axes[kMostAxes - kind.axes + axis] = axis_of(call, kind, axis);
  return axes;
}

}  // namespace openqnn::ops
