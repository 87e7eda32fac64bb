// SPDX-License-Identifier: BSD-3-Clause
#include "quant/compare.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace openqnn::quant {
namespace {

TEST(Decisions, ARowWithoutANumberIsNone) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  Decisions decisions;
  decisions.add(std::vector<float>{1, 2, 2, 1, nan, 1}, std::vector<float>{1, 3, 1, 2, 0, 1}, 2);
  EXPECT_EQ(decisions.count, 2u);
  EXPECT_EQ(decisions.same, 1u);
  decisions.add(std::vector<float>{-infinity, 2}, std::vector<float>{0, nan}, 2);
  EXPECT_EQ(decisions.count, 2u);
  decisions.add(std::vector<float>{-infinity, 2}, std::vector<float>{-infinity, 3}, 2);
  EXPECT_EQ(decisions.count, 3u);
  EXPECT_EQ(decisions.same, 2u);
}

}  // namespace
}  // namespace openqnn::quant
