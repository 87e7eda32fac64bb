// SPDX-License-Identifier: BSD-3-Clause
// Elementary functions in double for all kernels. Not libm's: those differ in the last bits between hosts and
// versions, and our results must not. Relative errors are of the order of 1e-15 (1e-13 for powers and for
// erfc where the results are huge or tiny); special values are as in C.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "ops/elementwise/exp_terms.h"

namespace openqnn::ops {

inline constexpr double kTwoPi = 0x1.921fb54442d18p+2;

// e^x to about one unit in the last place of a double. libm's has variants by instruction set which may
// differ in the last bit.
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

double portable_expm1(double x);  // e^x - 1
double portable_log(double x);
double portable_log1p(double x);  // ln(1 + x)
// Whole exponents up to 64 by multiplication, so that powers that fit a double are exact.
double portable_pow(double base, double exponent);

double portable_sigmoid(double x);  // 1 / (1 + e^-x)
double portable_tanh(double x);
double portable_erfc(double x);  // 1 - erf(x), also where that is tiny

// Radians. Beyond 2^20 the angle is first reduced by the nearest double to 2 pi, so that the result is the
// same on every host but no longer close to the true one.
double portable_sin(double x);
double portable_cos(double x);
double portable_asin(double x);  // NaN outside [-1, 1]
double portable_atan(double x);

}  // namespace openqnn::ops
