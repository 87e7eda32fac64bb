// SPDX-License-Identifier: BSD-3-Clause
// Elementary functions in double for all kernels. Not libm's: those differ in the last bits between hosts and
// versions, and our results must not. Relative errors are of the order of 1e-15 (1e-13 for powers and for
// erfc where the results are huge or tiny); special values are as in C. The exponential is in exp.h.
#pragma once

#include "ops/elementwise/exp.h"

namespace openqnn::ops {

inline constexpr double kTwoPi = 0x1.921fb54442d18p+2;

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
