// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

#include "ops/matrix/fast/tile.h"
#include "ops/op.h"

namespace openqnn::ops::fast {

// Sums to halves as reference kernels (HalfDot) end them: bias, activation, one rounding.
class HalfEnd {
 public:
  HalfEnd(const OpCall& call, const TileFunctions& functions);

  // Whether the activation leaves a range, so that HalfFinish says it all. `bias` may be null.
  bool is_range() const { return is_range_; }
  HalfFinish range(const float* bias) const;

  // `bias` may be null.
  void operator()(const float* sums, const float* bias, size_t count, std::byte* out) const;

 private:
  const OpCall& call_;
  const TileFunctions& functions_;
  HalfFinish range_;
  bool is_range_ = true;  // else the activation is a function
};

}  // namespace openqnn::ops::fast
