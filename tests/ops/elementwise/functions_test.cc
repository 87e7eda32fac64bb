// SPDX-License-Identifier: BSD-3-Clause
// The portable functions against libm's in extended precision, and their special values.
#include "ops/elementwise/functions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace openqnn::ops {
namespace {

struct Function {
  const char* name;
  double (*ours)(double);
  long double (*libm)(long double);
  double low;
  double high;
  long double tolerance = 1e-14L;  // relative
};

long double sigmoid(long double x) { return 1.0L / (1.0L + std::exp(-x)); }

const Function kFunctions[] = {
    {"exp", portable_exp, std::exp, -700.0, 700.0},
    {"expm1", portable_expm1, std::expm1, -40.0, 700.0},
    {"log", portable_log, std::log, 1e-300, 1e5},
    {"log1p", portable_log1p, std::log1p, -0.999, 1e5},
    {"sigmoid", portable_sigmoid, sigmoid, -700.0, 40.0},
    {"tanh", portable_tanh, std::tanh, -25.0, 25.0},
    {"erfc", portable_erfc, std::erfc, -7.0, 26.0, 2e-13L},
    {"sin", portable_sin, std::sin, -66000.0, 66000.0},
    {"cos", portable_cos, std::cos, -66000.0, 66000.0},
    {"asin", portable_asin, std::asin, -1.0, 1.0},
    {"atan", portable_atan, std::atan, -1e6, 1e6},
};

// Points spread over the range, and ever smaller ones around 0 and 1, where relative errors are hardest.
std::vector<double> points(double low, double high) {
  std::vector<double> all;
  constexpr int kSteps = 4001;
  for (int i = 0; i <= kSteps; ++i) all.push_back(low + (high - low) * i / kSteps);
  for (double tiny = 3.1; tiny > 1e-30; tiny *= 0.43)
    for (const double x : {tiny, -tiny, 1.0 + tiny, 1.0 - tiny})
      if (x >= low && x <= high) all.push_back(x);
  return all;
}

TEST(Functions, AgreeWithTheLibraryFarBelowARoundingStep) {
  for (const Function& function : kFunctions) {
    for (const double x : points(function.low, function.high)) {
      const long double expected = function.libm(x);
      const double got = function.ours(x);
      const long double error = std::fabs(got - expected);
      ASSERT_LE(error, function.tolerance * std::fabs(expected) + 1e-300L)
          << function.name << "(" << x << ") is " << got;
    }
  }
}

TEST(Functions, SineAndCosineAtTheEdgesOfQuadrants) {
  for (int n = 1; n < 40000; n += 7) {
    const double x = n * 1.5707963267948966;
    EXPECT_NEAR(portable_sin(x), static_cast<double>(std::sin(static_cast<long double>(x))), 1e-16) << n;
    EXPECT_NEAR(portable_cos(x), static_cast<double>(std::cos(static_cast<long double>(x))), 1e-16) << n;
  }
}

TEST(Functions, HugeAnglesStayInRange) {
  for (const double x : {1e7, -3e19, 1e300}) {
    EXPECT_LE(std::fabs(portable_sin(x)), 1.0) << x;
    EXPECT_LE(std::fabs(portable_cos(x)), 1.0) << x;
    EXPECT_NEAR(std::hypot(portable_sin(x), portable_cos(x)), 1.0, 1e-12) << x;
  }
}

TEST(Functions, PowersAgreeWithTheLibrary) {
  for (double base = 0.0123; base < 60000.0; base *= 1.37)
    for (double exponent = -9.0; exponent <= 9.0; exponent += 0.25) {
      const long double expected =
          std::pow(static_cast<long double>(base), static_cast<long double>(exponent));
      EXPECT_NEAR(static_cast<double>(portable_pow(base, exponent) / expected), 1.0, 1e-13)
          << base << "^" << exponent;
    }
  EXPECT_EQ(portable_pow(3.0, 33.0), 5559060566555523.0);
  EXPECT_EQ(portable_pow(-2.0, 63.0), -0x1p63);
  EXPECT_EQ(portable_pow(-1.0, 1001.0), -1.0);
  EXPECT_EQ(portable_pow(2.0, 0.5), std::sqrt(2.0));
}

bool same(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b)) ||
         std::fabs(a / b - 1.0) < 1e-13;
}

TEST(Functions, PowersOfSpecialValuesAreThoseOfC) {
  const double special[] = {0.0,  -0.0, 1.0,  -1.0,  2.0,      -2.0,      0.5,
                            -0.5, 3.0,  -3.0, 1e300, INFINITY, -INFINITY, NAN};
  for (const double base : special)
    for (const double exponent : special)
      EXPECT_TRUE(same(portable_pow(base, exponent), std::pow(base, exponent)))
          << base << "^" << exponent << " is " << portable_pow(base, exponent);
}

TEST(Functions, SpecialValues) {
  EXPECT_EQ(portable_log(0.0), -INFINITY);
  EXPECT_EQ(portable_log(INFINITY), INFINITY);
  EXPECT_TRUE(std::isnan(portable_log(-1.0)));
  EXPECT_EQ(portable_log(1.0), 0.0);
  EXPECT_NEAR(portable_log(5e-324), std::log(5e-324), 1e-10);
  EXPECT_EQ(portable_log1p(-1.0), -INFINITY);
  EXPECT_EQ(portable_expm1(-INFINITY), -1.0);
  EXPECT_EQ(portable_expm1(0.0), 0.0);
  EXPECT_EQ(portable_tanh(INFINITY), 1.0);
  EXPECT_EQ(portable_tanh(-INFINITY), -1.0);
  EXPECT_EQ(portable_erfc(-INFINITY), 2.0);
  EXPECT_EQ(portable_erfc(INFINITY), 0.0);
  EXPECT_EQ(portable_sigmoid(-INFINITY), 0.0);
  EXPECT_EQ(portable_sigmoid(INFINITY), 1.0);
  EXPECT_EQ(portable_asin(1.0), std::asin(1.0));
  EXPECT_TRUE(std::isnan(portable_asin(1.0000001)));
  EXPECT_EQ(portable_atan(INFINITY), std::atan(double{INFINITY}));
  EXPECT_EQ(portable_atan(-INFINITY), -std::atan(double{INFINITY}));
  for (double (*function)(double) :
       {portable_expm1, portable_log, portable_log1p, portable_sigmoid, portable_tanh, portable_erfc,
        portable_sin, portable_cos, portable_asin, portable_atan})
    EXPECT_TRUE(std::isnan(function(NAN)));
  EXPECT_TRUE(std::isnan(portable_sin(INFINITY)));
  EXPECT_TRUE(std::isnan(portable_cos(-INFINITY)));
}

}  // namespace
}  // namespace openqnn::ops
