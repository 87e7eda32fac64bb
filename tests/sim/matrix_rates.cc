// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "device.h"

namespace openqnn::sim {
namespace {

TEST(MatrixRates, SixteenBitOperandsRunAtTheirOwnRate) {
  const soc::Target target = toy_target();
  EXPECT_EQ(cost_on(target, hmx(10'000, 8)).cycles().value, 10U);
  EXPECT_EQ(cost_on(target, hmx(10'000, 16)).cycles().value, 20U);
}

TEST(MatrixRates, PartOfACycleCountsAsAWholeOne) {
  EXPECT_EQ(cost_on(toy_target(), hmx(10'001, 8)).cycles().value, 11U);
  EXPECT_EQ(cost_on(toy_target(), hmx(1, 8)).cycles().value, 1U);
}

TEST(MatrixRates, SixteenBitActivationsTakeSeveralPasses) {
  soc::Target target = toy_target();
  target.timing.word_passes = 1.5;
  program::Task task = hmx(10'000, 8);
  task.work.arithmetic = soc::Arithmetic::kWords;
  EXPECT_EQ(cost_on(target, task).cycles().value, 15U);
}

TEST(MatrixRates, PositionsBetweenStridesAndRaggedRowsCost) {
  soc::Target target = toy_target();
  target.timing.between_strides = 0.5;
  target.timing.ragged_8 = 3;
  program::Task task = hmx(10'000, 8);
  task.work.skipped_macs = 30'000;
  EXPECT_EQ(cost_on(target, task).cycles().value, 25U);
  task.work.ragged = true;
  EXPECT_EQ(cost_on(target, task).cycles().value, 75U);
}

}  // namespace
}  // namespace openqnn::sim
