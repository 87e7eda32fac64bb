// SPDX-License-Identifier: BSD-3-Clause
// The constants of portable_exp (functions.h): only constants, so that files for any instruction set may
// include it.
#pragma once

#include <cstddef>

namespace openqnn::ops {

// ln 2 in two parts; the high part has zeros at its end, so that it times an exponent is exact.
inline constexpr double kLn2High = 0x1.62e42fee00000p-1;
inline constexpr double kLn2Low = 0x1.a39ef35793c76p-33;
inline constexpr double kLog2E = 1.4426950408889634;

// Between these the result is a normal double.
inline constexpr double kLeastExponent = -708.0;
inline constexpr double kMostExponent = 709.0;

// The Taylor series; the first term left out is below 2^-56.
inline constexpr size_t kExpTerms = 14;
struct InverseFactorials {
  double values[kExpTerms] = {};
  consteval InverseFactorials() {
    double factorial = 1.0;  // exact up to 18!
    for (size_t i = 0; i < kExpTerms; ++i) {
      if (i > 0) factorial *= static_cast<double>(i);
      values[i] = 1.0 / factorial;
    }
  }
};
inline constexpr InverseFactorials kInverseFactorials;

}  // namespace openqnn::ops
