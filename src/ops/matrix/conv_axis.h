// SPDX-License-Identifier: BSD-3-Clause
// One spatial axis of a convolution, transposed or not: which input meets which filter tap at which output.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "ops/window.h"

namespace openqnn::ops {

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

}  // namespace openqnn::ops
