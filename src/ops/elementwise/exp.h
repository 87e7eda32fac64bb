// SPDX-License-Identifier: BSD-3-Clause
// The exponential that activation functions share.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "ops/elementwise/exp_terms.h"

namespace openqnn::ops {

// e^x to about one unit in the last place of a double. Not libm's: that one has variants by instruction set
// which may differ in the last bit, and our results must be the same on every host.
inline double portable_exp(double x) {
  if (std::isnan(x)) return x;
  if (x < kLeastExponent) return 0.0;  // below the smallest normal double: nothing after rounding
  if (x > kMostExponent) return std::numeric_limits<double>::infinity();
  const double n = ::roundeven(x * kLog2E);
  const double r = (x - n * kLn2High) - n * kLn2Low;  // |r| <= ln 2 / 2
  double sum = kInverseFactorials.values[kExpTerms - 1];
  for (size_t i = kExpTerms - 1; i > 0; --i) sum = sum * r + kInverseFactorials.values[i - 1];
  return sum * std::bit_cast<double>(static_cast<uint64_t>(static_cast<int64_t>(n) + 1023) << 52);
}

}  // namespace openqnn::ops
