// SPDX-License-Identifier: BSD-3-Clause
// A filter that slides along one axis: what convolution and pooling share.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "base/text.h"
#include "ir/graph.h"

namespace openqnn::ops {

struct Window {
  uint32_t input = 0;
  uint32_t filter = 0;
  uint32_t stride = 1;
  uint32_t dilation = 1;
  uint32_t pad_before = 0;
  uint32_t pad_after = 0;

  // Every value is 32 bits from outside; these fit in 64 without overflow.
  uint64_t reach() const { return (uint64_t{filter} - 1) * dilation + 1; }
  uint64_t padded() const { return uint64_t{pad_before} + input + pad_after; }
  // For windows that `check_window` accepted.
  uint64_t output(bool round_up) const {
    return (padded() - reach() + (round_up ? stride - 1 : 0)) / stride + 1;
  }
  // Where tap 0 of an output lies in the input; negative in the padding.
  int64_t start(uint32_t out) const { return static_cast<int64_t>(uint64_t{out} * stride) - pad_before; }

  // The inputs between the first and the last tap of outputs [begin, end), padding left out.
  std::pair<uint32_t, uint32_t> inputs(uint32_t begin, uint32_t end) const {
    if (begin >= end) return {0, 0};
    const auto clip = [&](int64_t at) {
      return static_cast<uint32_t>(std::clamp<int64_t>(at, 0, int64_t{input}));
    };
    return {clip(start(begin)), clip(start(end - 1) + static_cast<int64_t>(reach()))};
  }
};

// The window along a spatial axis of a channel-last op, from its `stride`, `pad_amount` and, where the op has
// it, `dilation`.
inline Window window_of(const ir::Shape& input, uint32_t filter, const ir::Params& params, size_t axis) {
  return {.input = input[1 + axis],
          .filter = filter,
          .stride = params.u32_at("stride", axis, 1),
          .dilation = params.u32_at("dilation", axis, 1),
          .pad_before = params.u32_at("pad_amount", 2 * axis, 0),
          .pad_after = params.u32_at("pad_amount", 2 * axis + 1, 0)};
}

// The windows of an NHWC op.
struct WindowHW {
  Window height;
  Window width;
};
inline WindowHW window_hw(const ir::Shape& input, uint32_t filter_h, uint32_t filter_w,
                          const ir::Params& params) {
  return {window_of(input, filter_h, params, 0), window_of(input, filter_w, params, 1)};
}

// Refuses what has no output.
inline Status check_window(const Window& window, std::string_view axis) {
  const auto zero = [&](std::string_view what) {
    return invalid("op-param-value", concat(what, " in ", axis, " is 0")).fix_by("use 1 or more");
  };
  if (window.filter == 0) return zero("filter size");
  if (window.stride == 0) return zero("stride");
  if (window.dilation == 0) return zero("dilation");
  if (window.reach() > window.padded())
    return invalid("op-shape", concat("the filter reaches over ", window.reach(), " positions in ", axis,
                                      ", but the padded input has ", window.padded()));
  return {};
}

}  // namespace openqnn::ops
