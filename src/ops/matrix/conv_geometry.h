// SPDX-License-Identifier: BSD-3-Clause
// What the parameters of a convolution say: its weight matrices, and which input meets which filter tap.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "ops/matrix/packed_weights.h"
#include "ops/op.h"
#include "ops/window.h"

namespace openqnn::ops {

enum class Form : uint8_t { kPlain, kDepthWise, kTransposed };

struct ConvKind {
  uint32_t axes;  // spatial ones
  Form form;
};

inline constexpr size_t kMostAxes = 3;

// One spatial axis of a convolution, transposed or not.
struct ConvAxis {
  Window window;
  bool transposed = false;
  uint32_t output_padding = 0;  // of a transposed axis

  // Refuses what has no output; says how many outputs there are.
  Result<uint32_t> outputs(std::string_view name) const;

  // The input that output `out` multiplies by filter tap `tap`; nothing in the padding or between inputs.
  std::optional<uint32_t> input_at(uint32_t out, uint32_t tap) const {
    const auto reach = static_cast<int64_t>(uint64_t{tap} * window.dilation);
    int64_t at = 0;
    if (transposed) {
      at = int64_t{out} + window.pad_before - reach;
      if (at % window.stride != 0) return std::nullopt;
      at /= window.stride;
    } else {
      at = window.start(out) + reach;
    }
    if (at < 0 || at >= window.input) return std::nullopt;
    return static_cast<uint32_t>(at);
  }

  // The inputs between the first and the last one that outputs [begin, end) need.
  std::pair<uint32_t, uint32_t> inputs(uint32_t begin, uint32_t end) const;
};

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
