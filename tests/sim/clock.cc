// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "device.h"

namespace openqnn::sim {
namespace {

soc::Target with_clock(double hz) {
  soc::Target target = toy_target();
  target.timing.clock_hz = hz;
  return target;
}

TEST(Clock, DoublingItHalvesTheTimeOfComputeButNotItsCycles) {
  const auto work = schedule(1, {hmx(5'000'000, 8)});
  const Timeline slow = run_on(with_clock(1e9), work);
  const Timeline fast = run_on(with_clock(2e9), work);
  EXPECT_EQ(slow.total.value, 5000U);
  EXPECT_EQ(fast.total, slow.total);
  EXPECT_EQ(slow.accelerator.value, 5000U);
  EXPECT_EQ(fast.accelerator.value, 2500U);
}

TEST(Clock, DoublingItDoublesTheCyclesOfATransferButNotItsTime) {
  const auto transfer = schedule(1, {load(16'000)});
  const Timeline slow = run_on(with_clock(1e9), transfer);
  const Timeline fast = run_on(with_clock(2e9), transfer);
  EXPECT_EQ(slow.total.value, 1000U);
  EXPECT_EQ(fast.total.value, 2000U);
  EXPECT_EQ(fast.accelerator, slow.accelerator);
}

TEST(Clock, TimeIsTheNearestNanosecond) {
  EXPECT_EQ(PowerState{3e9}.time({1}).value, 0U);
  EXPECT_EQ(PowerState{3e9}.time({2}).value, 1U);
  EXPECT_EQ(PowerState{3e9}.time({3}).value, 1U);
  EXPECT_EQ(PowerState{0}.time({3}).value, 0U);
}

TEST(Clock, CyclesAreTheNearestToo) {
  EXPECT_EQ(PowerState{0.4e9}.cycles({1}).value, 0U);
  EXPECT_EQ(PowerState{0.5e9}.cycles({1}).value, 1U);
  EXPECT_EQ(PowerState{0}.cycles({3}).value, 0U);
  EXPECT_EQ(PowerState{-1e9}.cycles({3}).value, 0U) << "nonsense, but no undefined conversion";
}

TEST(Clock, TheTimelineKeepsTheOneItRanUnder) {
  EXPECT_EQ(simulate(schedule(1, {}), toy_target(), PowerState{123e6}).power.clock_hz, 123e6);
}

}  // namespace
}  // namespace openqnn::sim
