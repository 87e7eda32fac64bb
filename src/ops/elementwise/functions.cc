// SPDX-License-Identifier: BSD-3-Clause
#include "ops/elementwise/functions.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace openqnn::ops {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

constexpr double kHalfPi = 0x1.921fb54442d18p+0;

// c[0] + c[1] y + c[2] y^2 + …
template <size_t n>
double polynomial(const std::array<double, n>& c, double y) {
  double sum = c[n - 1];
  for (size_t i = n - 1; i > 0; --i) sum = sum * y + c[i - 1];
  return sum;
}

// ---- Logarithms ----

// 1, 1/3, 1/5, …: of atanh(s) = s (1 + s^2/3 + s^4/5 + …), enough for |s| <= 0.172.
constexpr auto kAtanhSeries = [] {
  std::array<double, 12> values{};
  for (size_t i = 0; i < values.size(); ++i) values[i] = 1.0 / static_cast<double>(2 * i + 1);
  return values;
}();

double atanh_near_zero(double s) { return s * polynomial(kAtanhSeries, s * s); }

// ---- Sine and cosine ----

// x = quadrant * pi/2 + rest, |rest| <= pi/4.
struct Angle {
  double rest;
  int quadrant;
};

Angle reduce(double x) {
  constexpr double kLargest = 0x1p20;  // below it the products with kHigh and kMiddle are exact
  // pi/2 in three parts, the first two of 33 bits.
  constexpr double kHigh = 0x1.921fb54400000p+0;
  constexpr double kMiddle = 0x1.0b4611a600000p-34;
  constexpr double kLow = 0x1.3198a2e037073p-69;
  constexpr double kTwoOverPi = 0x1.45f306dc9c883p-1;
  if (std::fabs(x) > kLargest) x = std::fmod(x, kTwoPi);
  const double n = ::roundeven(x * kTwoOverPi);
  return {((x - n * kHigh) - n * kMiddle) - n * kLow, static_cast<int>(n) & 3};
}

// Signed inverse factorials: of the sine the odd ones, of the cosine the even ones.
template <size_t first>
constexpr auto kCircularSeries = [] {
  std::array<double, 10> values{};
  double factorial = 1.0;  // exact up to 18!, and within a rounding at 19!
  for (size_t i = 0, k = 1; i < values.size(); ++i) {
    for (; k <= 2 * i + first; ++k) factorial *= static_cast<double>(k);
    values[i] = (i % 2 == 0 ? 1.0 : -1.0) / factorial;
  }
  return values;
}();

double sine_near_zero(double r) { return r * polynomial(kCircularSeries<1>, r * r); }
double cosine_near_zero(double r) { return polynomial(kCircularSeries<0>, r * r); }

// sin(rest + quadrant * pi/2)
double sine_of(const Angle& angle) {
  const double value = angle.quadrant % 2 == 0 ? sine_near_zero(angle.rest) : cosine_near_zero(angle.rest);
  return angle.quadrant >= 2 ? -value : value;
}

// ---- Error function ----

constexpr double kTwoOverSqrtPi = 0x1.20dd750429b6dp+0;

// For |x| <= 1: 2/sqrt(pi) e^(-x^2) (x + 2 x^3/3 + 4 x^5/15 + …); all terms have one sign, so none cancel.
double erf_near_zero(double x) {
  constexpr int kTerms = 24;
  const double square = x * x;
  double term = x;
  double sum = x;
  for (int n = 1; n < kTerms; ++n) {
    term *= 2.0 * square / (2.0 * n + 1.0);
    sum += term;
  }
  return kTwoOverSqrtPi * portable_exp(-square) * sum;
}

// e^(-n^2/4) for n = 1, 2, …: the weights of the sum below.
constexpr auto kGaussian = [] {
  constexpr double kBase = 0x1.8ebef9eac820bp-1;  // e^(-1/4)
  std::array<double, 13> values{};
  double value = kBase;
  double step = kBase * kBase * kBase;  // e^(-(2n+1)/4)
  for (double& each : values) {
    each = value;
    value *= step;
    step *= kBase * kBase;
  }
  return values;
}();

// For x >= 1: the integral over e^(-t^2) / (x^2 + t^2) by the trapezoidal rule with step 1/2, which for such
// integrands converges like e^(-(2 pi)^2), and the residue of the pole that the rule leaves out.
double erfc_far(double x) {
  constexpr double kOneOverPi = 0x1.45f306dc9c883p-2;
  constexpr double kPi = 2.0 * kHalfPi;
  const double square = x * x;
  double sum = 0.5 / square;
  for (size_t i = 0; i < kGaussian.size(); ++i) {
    const auto n = static_cast<double>(i + 1);
    sum += kGaussian[i] / (square + 0.25 * n * n);
  }
  // Where x is so large that the residue's exact form would need another sign, it is nothing anyway.
  const double residue = x < 6.0 ? 2.0 / portable_expm1(4.0 * kPi * x) : 0.0;
  return x * kOneOverPi * portable_exp(-square) * sum - residue;
}

// ---- Powers ----

bool is_whole(double x) { return std::trunc(x) == x; }
bool is_odd(double x) { return std::fabs(x) < 0x1p53 && is_whole(x) && std::fmod(x, 2.0) != 0.0; }

double power_by_squaring(double base, uint32_t exponent) {
  double result = 1.0;
  for (; exponent > 0; exponent >>= 1U) {
    if (exponent & 1U) result *= base;
    base *= base;
  }
  return result;
}

// base is 0 or infinite, exponent neither 0 nor NaN.
double power_of_extreme(double base, double exponent) {
  const bool vanishes = (base == 0.0) == (exponent > 0.0);
  const double magnitude = vanishes ? 0.0 : kInfinity;
  return std::signbit(base) && is_odd(exponent) ? -magnitude : magnitude;
}

double power_with_infinite_exponent(double base, double exponent) {
  const double magnitude = std::fabs(base);
  if (magnitude == 1.0) return 1.0;
  return (magnitude < 1.0) == (exponent > 0.0) ? 0.0 : kInfinity;
}

}  // namespace

double portable_expm1(double x) {
  if (std::fabs(x) > 0.5) return portable_exp(x) - 1.0;
  double sum = kInverseFactorials.values[kExpTerms - 1];
  for (size_t i = kExpTerms - 1; i > 1; --i) sum = sum * x + kInverseFactorials.values[i - 1];
  return sum * x;
}

double portable_log(double x) {
  constexpr double kSqrtHalf = 0x1.6a09e667f3bcdp-1;
  if (std::isnan(x) || x < 0.0) return kNan;
  if (x == 0.0) return -kInfinity;
  if (std::isinf(x)) return x;
  int exponent = 0;
  double mantissa = std::frexp(x, &exponent);  // [1/2, 1)
  if (mantissa < kSqrtHalf) {
    mantissa *= 2.0;
    --exponent;
  }
  const double near = 2.0 * atanh_near_zero((mantissa - 1.0) / (mantissa + 1.0));
  return exponent * kLn2High + (exponent * kLn2Low + near);
}

double portable_log1p(double x) {
  if (x > -0.29 && x < 0.41) return 2.0 * atanh_near_zero(x / (2.0 + x));
  return portable_log(1.0 + x);
}

double portable_pow(double base, double exponent) {
  constexpr double kLargestMultiplied = 64.0;
  if (exponent == 0.0 || base == 1.0) return 1.0;
  if (std::isnan(base) || std::isnan(exponent)) return kNan;
  if (std::isinf(exponent)) return power_with_infinite_exponent(base, exponent);
  if (base == 0.0 || std::isinf(base)) return power_of_extreme(base, exponent);
  if (is_whole(exponent) && std::fabs(exponent) <= kLargestMultiplied) {
    const double power = power_by_squaring(base, static_cast<uint32_t>(std::fabs(exponent)));
    return exponent > 0.0 ? power : 1.0 / power;
  }
  if (base < 0.0 && !is_whole(exponent)) return kNan;
  if (exponent == 0.5) return std::sqrt(base);
  if (exponent == -0.5) return 1.0 / std::sqrt(base);
  const double magnitude = portable_exp(exponent * portable_log(std::fabs(base)));
  return base < 0.0 && is_odd(exponent) ? -magnitude : magnitude;
}

double portable_sigmoid(double x) { return 1.0 / (1.0 + portable_exp(-x)); }

double portable_tanh(double x) {
  constexpr double kFlat = 20.0;  // from here on it is 1 to the last bit
  if (x > kFlat) return 1.0;
  if (x < -kFlat) return -1.0;
  const double t = portable_expm1(2.0 * x);
  return t / (t + 2.0);
}

double portable_erfc(double x) {
  if (std::isnan(x)) return x;
  if (std::fabs(x) < 1.0) return 1.0 - erf_near_zero(x);
  if (std::isinf(x)) return x > 0.0 ? 0.0 : 2.0;
  return x > 0.0 ? erfc_far(x) : 2.0 - erfc_far(-x);
}

double portable_sin(double x) {
  if (!std::isfinite(x)) return kNan;
  if (x == 0.0) return x;  // with its sign
  return sine_of(reduce(x));
}

double portable_cos(double x) {
  if (!std::isfinite(x)) return kNan;
  const Angle angle = reduce(x);
  return sine_of({angle.rest, (angle.quadrant + 1) & 3});
}

double portable_asin(double x) {
  if (!(std::fabs(x) <= 1.0)) return kNan;
  if (std::fabs(x) == 1.0) return std::copysign(kHalfPi, x);
  return portable_atan(x / std::sqrt((1.0 - x) * (1.0 + x)));
}

double portable_atan(double x) {
  // 1, -1/3, 1/5, …: enough for |t| <= 0.199.
  static constexpr auto kSeries = [] {
    std::array<double, 13> values{};
    for (size_t i = 0; i < values.size(); ++i)
      values[i] = (i % 2 == 0 ? 1.0 : -1.0) / static_cast<double>(2 * i + 1);
    return values;
  }();
  if (std::isnan(x)) return x;
  if (std::fabs(x) > 1.0) return std::copysign(kHalfPi, x) - portable_atan(1.0 / x);
  const auto halved = [](double tangent) { return tangent / (1.0 + std::sqrt(1.0 + tangent * tangent)); };
  const double quarter = halved(halved(x));
  return 4.0 * quarter * polynomial(kSeries, quarter * quarter);
}

}  // namespace openqnn::ops
