// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "device.h"

namespace openqnn::sim {
namespace {

program::Task on_core(uint32_t core, program::Task task) {
  task.core = core;
  return task;
}

program::Schedule on_two_cores(std::vector<program::Task> tasks) {
  program::Schedule made = schedule(4, std::move(tasks));
  made.cores = 2;
  return made;
}

TEST(Cores, EachHasItsOwnUnits) {
  const Timeline timeline = run(on_two_cores(
      {hmx(50'000, 8), on_core(1, hmx(50'000, 8)), hvx(400), on_core(1, hvx(400)), hmx(10'000, 8)}));
  EXPECT_EQ(event_of(timeline, 0).start.value, 0U);
  EXPECT_EQ(event_of(timeline, 1).start.value, 0U);
  EXPECT_EQ(event_of(timeline, 2).start.value, 0U);
  EXPECT_EQ(event_of(timeline, 3).start.value, 0U);
  EXPECT_EQ(event_of(timeline, 4).start.value, 50U) << "behind the other task of its core";
}

TEST(Cores, UnitsAreNumberedThrough) {
  const Timeline timeline = run(on_two_cores({hmx(1000, 8), on_core(1, hmx(1000, 8)), on_core(1, hvx(100))}));
  EXPECT_EQ(event_of(timeline, 0).instance, 0U);
  EXPECT_EQ(event_of(timeline, 1).instance, 1U);
  EXPECT_EQ(event_of(timeline, 2).instance, 4U) << "after the four contexts of the first core";
}

TEST(Cores, ShareDdr) {
  const Timeline timeline = run(on_two_cores({load(1600), on_core(1, load(1600))}));
  EXPECT_EQ(event_of(timeline, 1).start.value, 100U);
  EXPECT_EQ(timeline.total.value, 200U);
}

}  // namespace
}  // namespace openqnn::sim
