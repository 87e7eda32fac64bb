// SPDX-License-Identifier: BSD-3-Clause
#include "profile/figures.h"

#include <gtest/gtest.h>

namespace openqnn::profile {
namespace {

using sim::Bound;
using soc::Unit;

sim::Event event(uint32_t task, Unit unit, uint64_t start, uint64_t duration, Bound bound) {
  return {.task = task, .unit = unit, .start = {start}, .duration = {duration}, .bound = bound};
}

uint64_t of(const BoundCycles& cycles, Bound bound) { return cycles[static_cast<size_t>(bound)].value; }

TEST(Figures, EveryCycleIsWhatWasCriticalInIt) {
  sim::Timeline timeline;
  timeline.events = {event(0, Unit::kDma, 0, 10, Bound::kDma),        // set-up of a load, alone
                     event(1, Unit::kDma, 10, 30, Bound::kDdr),       // under vectors from 20 on
                     event(2, Unit::kHvx, 20, 20, Bound::kHvx),       // under the matrix unit from 30 on
                     event(3, Unit::kHmx, 30, 20, Bound::kHmx),       // alone from 40 on
                     event(4, Unit::kHvx, 60, 5, Bound::kOverhead)};  // after ten cycles of nothing
  timeline.total = Cycles{65};
  const BoundCycles cycles = bound_cycles(timeline);
  EXPECT_EQ(of(cycles, Bound::kDma), 10U);
  EXPECT_EQ(of(cycles, Bound::kDdr), 10U);
  EXPECT_EQ(of(cycles, Bound::kHvx), 10U);
  EXPECT_EQ(of(cycles, Bound::kHmx), 20U);
  EXPECT_EQ(of(cycles, Bound::kOverhead), 15U);
}

TEST(Figures, NothingIsSpentOnNothing) {
  for (const Cycles spent : bound_cycles({})) EXPECT_EQ(spent, Cycles{});
  EXPECT_EQ(vtcm_peak({}, {}), Bytes{});
  EXPECT_EQ(ddr_traffic({}), Bytes{});
}

TEST(Figures, VtcmThatIsLeftMakesRoomForTheNext) {
  program::Schedule schedule;
  schedule.tasks.resize(3);
  schedule.blocks = {
      {.bytes = 100, .users = {0, 1}}, {.bytes = 30, .users = {1}}, {.bytes = 120, .users = {2}}};
  sim::Timeline timeline;
  timeline.events = {event(0, Unit::kDma, 0, 10, Bound::kDdr), event(1, Unit::kHvx, 10, 10, Bound::kHvx),
                     event(2, Unit::kHvx, 20, 10, Bound::kHvx)};
  EXPECT_EQ(vtcm_peak(schedule, timeline), Bytes{130});
  schedule.blocks[2].users = {1, 2};
  EXPECT_EQ(vtcm_peak(schedule, timeline), Bytes{250});
}

TEST(Figures, TrafficIsWhatIsMovedBothWays) {
  program::Schedule schedule;
  schedule.tasks.resize(3);
  schedule.tasks[0].kind = program::TaskKind::kLoad;
  schedule.tasks[0].bytes = 5;
  schedule.tasks[2].kind = program::TaskKind::kStore;
  schedule.tasks[2].bytes = 7;
  EXPECT_EQ(ddr_traffic(schedule), Bytes{12});
}

}  // namespace
}  // namespace openqnn::profile
