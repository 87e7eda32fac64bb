// SPDX-License-Identifier: BSD-3-Clause
// The exponential that activation functions share.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace openqnn::ops {

// ln 2 in two parts; the high part has zeros at its end, so that it times an exponent is exact.
inline constexpr double kLn2High = 0x1.62e42fee00000p-1;
inline constexpr double kLn2Low = 0x1.a39ef35793c76p-33;

inline constexpr auto kInverseFactorials = [] {
  std::array<double, 14> values{};
  double factorial = 1.0;  // exact up to 18!
  for (size_t i = 0; i < values.size(); ++i) {
    if (i > 0) factorial *= static_cast<double>(i);
    values[i] = 1.0 / factorial;
  }
  return values;
}();

// e^x to about one unit in the last place of a double. Not libm's: that one has variants by instruction set
// which may differ in the last bit, and our results must be the same on every host.
inline double portable_exp(double x) {
  constexpr double kLog2E = 1.4426950408889634;
  if (std::isnan(x)) return x;
  if (x < -708.0) return 0.0;  // below the smallest normal double: nothing after rounding
  if (x > 709.0) return std::numeric_limits<double>::infinity();
  const double n = ::roundeven(x * kLog2E);
  const double r = (x - n * kLn2High) - n * kLn2Low;  // |r| <= ln 2 / 2
  // The Taylor series; the first term left out is below 2^-56.
  double sum = kInverseFactorials.back();
  for (size_t i = kInverseFactorials.size() - 1; i > 0; --i) sum = sum * r + kInverseFactorials[i - 1];
  return sum * std::bit_cast<double>(static_cast<uint64_t>(static_cast<int64_t>(n) + 1023) << 52);
}

}  // namespace openqnn::ops
