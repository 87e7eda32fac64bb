// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "device.h"

namespace openqnn::sim {
namespace {

TEST(MatrixRates, SixteenBitOperandsRunAtTheirOwnRate) {
  const soc::Target target = toy_target();
  EXPECT_EQ(cost_on(target, hmx(10'000, 8)).cycles.value, 10U);
  EXPECT_EQ(cost_on(target, hmx(10'000, 16)).cycles.value, 20U);
}

TEST(MatrixRates, PartOfACycleCountsAsAWholeOne) {
  EXPECT_EQ(cost_on(toy_target(), hmx(10'001, 8)).cycles.value, 11U);
  EXPECT_EQ(cost_on(toy_target(), hmx(1, 8)).cycles.value, 1U);
}

}  // namespace
}  // namespace openqnn::sim
