// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "device.h"
#include "support/cpu_time.h"

namespace openqnn::sim {
namespace {

// Tiles as prepare makes them: load, compute, store, double buffered.
program::Schedule tiles(uint32_t count) {
  std::vector<program::Task> tasks;
  for (uint32_t i = 0; i + 2 < count; i += 3) {
    tasks.push_back(load(1024, i >= 6 ? std::vector<uint32_t>{i - 5} : std::vector<uint32_t>{}));
    tasks.push_back(hvx(50, {i}));
    tasks.push_back(store(512, {i + 1}));
  }
  return schedule(6, std::move(tasks));
}

auto simulation(uint32_t count) {
  return [what = tiles(count)] { EXPECT_EQ(run(what).events.size(), what.tasks.size()); };
}

TEST(Scale, TenTimesTheTasksTakeAboutTenTimesAsLong) {
  constexpr double kBar = 10 * 4;
  EXPECT_LT(test::growth(kBar, simulation(10'000), simulation(100'000)), kBar);
}

// No two events of one instance overlap, and nobody starts before what it waits for.
TEST(Scale, AllRulesHoldOnALongSchedule) {
  const auto what = tiles(30'000);
  const Timeline timeline = run(what);
  std::vector<Cycles> ends(what.tasks.size());
  for (const Event& event : timeline.events) ends[event.task] = event.end();
  std::vector<std::vector<Cycles>> free_at(soc::kUnitCount, std::vector<Cycles>(6));
  for (const Event& event : timeline.events) {
    Cycles& free = free_at[static_cast<size_t>(event.unit)][event.instance];
    ASSERT_GE(event.start, free);
    free = event.end();
    for (const uint32_t before : what.tasks[event.task].after) ASSERT_GE(event.start, ends[before]);
    ASSERT_LE(event.end(), timeline.total);
  }
}

}  // namespace
}  // namespace openqnn::sim
