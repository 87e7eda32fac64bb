// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "golden.h"
#include "sample.h"

namespace openqnn::profile {
namespace {

TEST(OpTable, MatchesItsGolden) {
  const Sample s = sample();
  EXPECT_TRUE(matches_golden("op_table.txt", op_table(s.program, s.timeline)));
}

TEST(OpTable, OddNamesKeepTheirColumns) {
  const Sample s = odd_sample();
  EXPECT_TRUE(matches_golden("op_table_odd.txt", op_table(s.program, s.timeline)));
}

TEST(OpTotals, DivideTheTimeline) {
  const Sample s = sample();
  const auto totals = op_totals(s.program, s.timeline);
  ASSERT_EQ(totals.size(), 2U);
  EXPECT_EQ(totals[0].dominant.value, 1300U);        // loads and HMX up to its end
  EXPECT_EQ(totals[1].dominant.value, 600U + 200U);  // HVX alone, the last store; 50 cycles idle
  EXPECT_EQ(totals[0].busy.value, 800U);
  EXPECT_EQ(totals[1].busy.value, 1200U);
  EXPECT_EQ(totals[0].dma.value, 700U);
  EXPECT_EQ(totals[0].loaded.value, 3U * 2048U);
  EXPECT_EQ(totals[1].stored.value, 2U * 2048U);
}

TEST(OpTotals, BoundIsTheSlowestUnitsReason) {
  Sample s = sample();
  EXPECT_EQ(op_totals(s.program, s.timeline)[0].bound, sim::Bound::kHmx);  // HMX 800, DMA 700
  EXPECT_EQ(op_totals(s.program, s.timeline)[1].bound, sim::Bound::kHvx);  // HVX 600 a context, DMA 400
  s.timeline.events[0].duration.value += 101;                              // the first load
  EXPECT_EQ(op_totals(s.program, s.timeline)[0].bound, sim::Bound::kDma);
}

TEST(OpTotals, UnitsOfAllCoresAreSideBySide) {
  Sample s = sample();
  std::erase_if(s.timeline.events, [](const sim::Event& event) { return event.unit == soc::Unit::kDma; });
  auto& events = s.timeline.events;
  uint32_t number = 0;
  for (sim::Event& event : events) {
    const bool is_matrix = event.unit == soc::Unit::kHmx;
    event.instance = number++ % 2 * (is_matrix ? 1 : s.program.schedule.hvx_threads);  // of either core
    event.instances = is_matrix ? 1 : s.program.schedule.hvx_threads;
    event.duration.value = is_matrix ? 700 : 600;
    s.program.schedule.tasks[event.task].op = 0;
  }
  s.program.schedule.cores = 2;
  EXPECT_EQ(op_totals(s.program, s.timeline)[0].bound, sim::Bound::kHmx);  // 700 against 600 on each core
}

}  // namespace
}  // namespace openqnn::profile
