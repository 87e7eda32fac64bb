// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "device.h"

namespace openqnn::sim {
namespace {

TEST(HvxContexts, ATaskIsSpreadOverAllOfThem) {
  const Timeline timeline = run(schedule(2, {hvx(100), hvx(100)}));
  EXPECT_EQ(timeline.total.value, 100U);
  EXPECT_EQ(event_of(timeline, 0).instances, 2U);
  EXPECT_EQ(event_of(timeline, 0).duration.value, 50U);
  EXPECT_EQ(event_of(timeline, 1).start.value, 50U);
}

TEST(HvxContexts, OneContextDoesItAlone) {
  const Timeline timeline = run(schedule(1, {hvx(100), hvx(100)}));
  EXPECT_EQ(timeline.total.value, 200U);
  EXPECT_EQ(event_of(timeline, 1).instances, 1U);
}

TEST(HvxContexts, MoreOfThemAreNeverSlower) {
  const auto tasks = [](uint32_t threads) {
    return run(schedule(threads, {load(160), hvx(1001, {0}), hmx(70'000, 8, {1}), hvx(33, {1})})).total;
  };
  for (uint32_t threads = 1; threads < 8; ++threads) EXPECT_LE(tasks(threads + 1), tasks(threads)) << threads;
}

TEST(HvxContexts, VectorWorkOfTheMatrixUnitsTaskComesFirst) {
  program::Task task = hmx(1000 * 10, 8);
  task.work.of(soc::VectorKind::kPack) = 20;
  const Timeline timeline = run(schedule(4, {task}));
  ASSERT_EQ(timeline.events.size(), 2U);
  EXPECT_EQ(timeline.events[0].unit, soc::Unit::kHvx);
  EXPECT_EQ(timeline.events[0].duration.value, 10U);
  EXPECT_EQ(timeline.events[1].unit, soc::Unit::kHmx);
  EXPECT_EQ(timeline.events[1].start.value, 10U);
  EXPECT_EQ(timeline.total.value, 20U);
}

TEST(HvxContexts, ArithmeticOnBytesIsCheaperAndMovingIsNot) {
  soc::Target target = toy_target();
  target.timing.byte_vectors = 0.5;
  program::Task task = hvx(0);
  task.work.of(soc::VectorKind::kElementwise) = 100;
  EXPECT_EQ(cost_on(target, task).cycles().value, 100U);
  task.work.arithmetic = soc::Arithmetic::kWords;
  EXPECT_EQ(cost_on(target, task).cycles().value, 200U);
  task.work.of(soc::VectorKind::kElementwise) = 0;
  task.work.of(soc::VectorKind::kLayout) = 100;
  task.work.arithmetic = soc::Arithmetic::kBytes;
  EXPECT_EQ(cost_on(target, task).cycles().value, 200U);
}

TEST(HvxContexts, ACountOfZeroStillRunsOnOne) {
  EXPECT_EQ(run(schedule(0, {hvx(100), hvx(100)})).total.value, 200U);
}

TEST(HvxContexts, ThereIsOneMatrixUnitHoweverManyContexts) {
  EXPECT_EQ(run(schedule(4, {hmx(100000, 8), hmx(100000, 8)})).total.value, 200U);
}

}  // namespace
}  // namespace openqnn::sim
