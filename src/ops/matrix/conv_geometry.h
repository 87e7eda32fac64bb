// SPDX-License-Identifier: BSD-3-Clause
// What the parameters of a convolution say: its weight matrices, and which input meets which filter tap.
#pragma once

#include <array>
#include <cstdint>

#include "ops/matrix/conv_axis.h"
#include "ops/matrix/packed_weights.h"
#include "ops/op.h"

namespace openqnn::ops {

enum class Form : uint8_t { kPlain, kDepthWise, kTransposed };

struct ConvKind {
  uint32_t axes;  // spatial ones
  Form form;
};

inline constexpr size_t kMostAxes = 3;

uint32_t group_count(const OpCall& call, ConvKind kind);
uint32_t output_channels(const OpCall& call, ConvKind kind);
WeightMatrices matrices_of(const OpCall& call, ConvKind kind);
ConvAxis axis_of(const OpCall& call, ConvKind kind, size_t axis);

// Each output channel sees one input channel: nothing for a matrix unit, so the weights stay as they are.
inline bool is_depth_wise(const WeightMatrices& matrices) {
  return matrices.groups > 1 && matrices.channels == 1;
}

// The three innermost spatial axes; those that the op does not have are of size 1.
using ConvAxes = std::array<ConvAxis, kMostAxes>;
ConvAxes spatial_axes(const OpCall& call, ConvKind kind);

}  // namespace openqnn::ops
