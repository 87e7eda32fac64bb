// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cstdint>

#include "device.h"

namespace openqnn::sim {
namespace {

TEST(Bounds, TheLargestPartIsNamed) {
  program::Task task = hmx(1000 * 100, 8);
  task.work.of(soc::VectorKind::kPack) = 40;  // at 2 cycles
  EXPECT_EQ(cost_on(toy_target(), task).cycles().value, 180U);
  EXPECT_EQ(cost_on(toy_target(), task).bound(), Bound::kHmx);
  task.work.of(soc::VectorKind::kPack) = 60;
  EXPECT_EQ(cost_on(toy_target(), task).bound(), Bound::kHvx);
}

TEST(Bounds, OverheadIsAddedAndNamedWhenItIsTheLargestPart) {
  soc::Target target = toy_target();
  target.timing.task_cycles = 30;
  EXPECT_EQ(cost_on(target, hvx(100)).cycles().value, 130U);
  EXPECT_EQ(cost_on(target, hvx(100)).bound(), Bound::kHvx);
  EXPECT_EQ(cost_on(target, hvx(20)).cycles().value, 50U);
  EXPECT_EQ(cost_on(target, hvx(20)).bound(), Bound::kOverhead);
}

TEST(Bounds, ATransferPaysItsSetUpAndNoDispatch) {
  soc::Target target = toy_target();
  target.timing.task_cycles = 1000;
  target.timing.dma_setup_cycles = 40;
  EXPECT_EQ(cost_on(target, load(16 * 100)).cycles().value, 140U);
  EXPECT_EQ(cost_on(target, load(16 * 100)).bound(), Bound::kDdr);
  EXPECT_EQ(cost_on(target, load(16)).bound(), Bound::kDma);
}

TEST(Bounds, EventsCarryThem) {
  const Timeline timeline = run(schedule(1, {load(16), hvx(1)}));
  EXPECT_EQ(event_of(timeline, 0).bound, Bound::kDdr);
  EXPECT_EQ(event_of(timeline, 1).bound, Bound::kHvx);
}

TEST(Bounds, AbsurdWorkDoesNotOverflowOneTask) {
  EXPECT_EQ(cost_on(toy_target(), hvx(UINT64_MAX)).cycles().value, uint64_t{1} << 53);
}

TEST(Bounds, AScalarTaskCostsItsDispatch) {
  soc::Target target = toy_target();
  target.timing.task_cycles = 7;
  program::Task task;
  task.unit = soc::Unit::kScalar;
  EXPECT_EQ(cost_on(target, task).cycles().value, 7U);
  EXPECT_EQ(cost_on(target, task).bound(), Bound::kOverhead);
}

}  // namespace
}  // namespace openqnn::sim
