// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cstdint>

#include "device.h"

namespace openqnn::sim {
namespace {

TEST(Bounds, AVectorTaskTakesTheLongerOfComputeAndVtcm) {
  program::Task task = hvx(100);  // 100 cycles of 128 bytes
  task.work.vtcm_bytes = 64 * 100;
  EXPECT_EQ(cost_on(toy_target(), task).cycles.value, 100U);
  EXPECT_EQ(cost_on(toy_target(), task).bound, Bound::kCompute);  // a tie is the unit's

  task.work.vtcm_bytes = 64 * 100 + 1;
  EXPECT_EQ(cost_on(toy_target(), task).cycles.value, 101U);
  EXPECT_EQ(cost_on(toy_target(), task).bound, Bound::kVtcm);
}

TEST(Bounds, TheMatrixUnitReadsThroughAllPorts) {
  program::Task task = hmx(1000, 8);
  task.work.vtcm_bytes = 4 * 64 * 50;  // four contexts' ports
  EXPECT_EQ(cost_on(toy_target(), task).cycles.value, 50U);
  EXPECT_EQ(cost_on(toy_target(), task).bound, Bound::kVtcm);
}

TEST(Bounds, OverheadIsAddedAndNamedWhenItIsTheLargestPart) {
  soc::Target target = toy_target();
  target.timing.op_overhead_cycles = 30;
  EXPECT_EQ(cost_on(target, hvx(100)).cycles.value, 130U);
  EXPECT_EQ(cost_on(target, hvx(100)).bound, Bound::kCompute);
  EXPECT_EQ(cost_on(target, hvx(20)).cycles.value, 50U);
  EXPECT_EQ(cost_on(target, hvx(20)).bound, Bound::kOverhead);
}

TEST(Bounds, ATransferPaysItsSetUpAndNoDispatch) {
  soc::Target target = toy_target();
  target.timing.op_overhead_cycles = 1000;
  target.timing.dma_setup_cycles = 40;
  EXPECT_EQ(cost_on(target, load(16 * 100)).cycles.value, 140U);
  EXPECT_EQ(cost_on(target, load(16 * 100)).bound, Bound::kDma);
  EXPECT_EQ(cost_on(target, load(16)).bound, Bound::kOverhead);
}

TEST(Bounds, EventsCarryThem) {
  const Timeline timeline = run(schedule(1, {load(16), hvx(1)}));
  EXPECT_EQ(event_of(timeline, 0).bound, Bound::kDma);
  EXPECT_EQ(event_of(timeline, 1).bound, Bound::kCompute);
}

TEST(Bounds, AbsurdWorkDoesNotOverflowOneTask) {
  EXPECT_EQ(cost_on(toy_target(), hvx(UINT64_MAX)).cycles.value, uint64_t{1} << 53);
}

TEST(Bounds, AScalarTaskCostsItsDispatch) {
  soc::Target target = toy_target();
  target.timing.op_overhead_cycles = 7;
  program::Task task;
  task.unit = soc::Unit::kScalar;
  EXPECT_EQ(cost_on(target, task).cycles.value, 7U);
  EXPECT_EQ(cost_on(target, task).bound, Bound::kOverhead);
}

}  // namespace
}  // namespace openqnn::sim
