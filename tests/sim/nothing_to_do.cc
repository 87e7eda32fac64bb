// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "device.h"

namespace openqnn::sim {
namespace {

TEST(NothingToDo, AnEmptyScheduleTakesNoCyclesButTheCallStillCosts) {
  soc::Target target = toy_target();
  target.timing.rpc_us = 90;
  const Timeline timeline = run_on(target, schedule(4, {}));
  EXPECT_TRUE(timeline.events.empty());
  EXPECT_EQ(timeline.total.value, 0U);
  EXPECT_EQ(timeline.accelerator.value, 0U);
  EXPECT_EQ(timeline.rpc.value, 90'000U);
}

TEST(NothingToDo, ATaskWithoutWorkCostsItsOverheadOnly) {
  soc::Target target = toy_target();
  EXPECT_EQ(run_on(target, schedule(1, {hvx(0), hmx(0, 8), load(0)})).total.value, 0U);
  target.timing.task_cycles = 12;
  EXPECT_EQ(run_on(target, schedule(1, {hvx(0)})).total.value, 12U);
}

TEST(NothingToDo, ATargetWithoutRatesDividesByNothing) {
  EXPECT_EQ(run_on(soc::Target{}, schedule(1, {hvx(10), hmx(10, 8), load(10)})).total.value, 10U)
      << "an instruction takes a cycle where nothing else is said";
}

}  // namespace
}  // namespace openqnn::sim
