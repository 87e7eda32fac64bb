// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cmath>

#include "ops/elementwise/functions.h"

namespace openqnn::ops {
namespace {

TEST(Numbers, ExponentialIsExactToTheLastPlaces) {
  for (int i = -1900; i < 1900; ++i) {
    const double x = i * 0.37;
    EXPECT_NEAR(portable_exp(x) / std::exp(x), 1.0, 1e-15) << x;
  }
  EXPECT_EQ(portable_exp(0.0), 1.0);
  EXPECT_EQ(portable_exp(-800.0), 0.0);
  EXPECT_EQ(portable_exp(-INFINITY), 0.0);
  EXPECT_EQ(portable_exp(800.0), INFINITY);
  EXPECT_TRUE(std::isnan(portable_exp(NAN)));
}

}  // namespace
}  // namespace openqnn::ops
