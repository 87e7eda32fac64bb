// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "device.h"

namespace openqnn::sim {
namespace {

TEST(DmaOverlap, NextLoadRunsWhileTheCurrentTileComputes) {
  // load 0 | compute 0 beside load 1 | compute 1
  const Timeline timeline = run(schedule(1, {load(1600), load(1600), hvx(300, {0}), hvx(300, {1})}));
  EXPECT_EQ(event_of(timeline, 1).start.value, 100U);  // with the first compute task
  EXPECT_EQ(event_of(timeline, 2).start.value, 100U);
  EXPECT_EQ(event_of(timeline, 3).start.value, 400U);
  EXPECT_EQ(timeline.total.value, 700U);  // 800 without overlap
}

TEST(DmaOverlap, TransfersShareOneEngine) {
  const Timeline timeline = run(schedule(1, {load(1600), load(1600), load(1600)}));
  EXPECT_EQ(event_of(timeline, 1).start.value, 100U);
  EXPECT_EQ(event_of(timeline, 2).start.value, 200U);
}

// Loads go past a store that waits for its result, as far as there is time; they do not delay it.
TEST(DmaOverlap, ALoadGoesAheadOfAStoreThatWaits) {
  const Timeline timeline = run(schedule(1, {hvx(150), store(1600, {0}), load(1600), load(1600)}));
  EXPECT_EQ(event_of(timeline, 1).start.value, 150U);
  EXPECT_EQ(event_of(timeline, 2).start.value, 0U);
  EXPECT_EQ(event_of(timeline, 3).start.value, 250U);  // the 50 cycles before the store are not enough
}

TEST(DmaOverlap, WhatStandsIdleIsUsedOnce) {
  const Timeline timeline =
      run(schedule(1, {hvx(350), store(1600, {0}), load(1600), load(1600), load(1600), load(1600)}));
  EXPECT_EQ(event_of(timeline, 2).start.value, 0U);
  EXPECT_EQ(event_of(timeline, 3).start.value, 100U);
  EXPECT_EQ(event_of(timeline, 4).start.value, 200U);
  EXPECT_EQ(event_of(timeline, 5).start.value, 450U);
}

TEST(DmaOverlap, WhatLiesBeforeATaskInAnIdleStretchStaysFree) {
  // The store waits until 350; one load is ready at 250 and fills the end of the time before it.
  const Timeline timeline =
      run(schedule(1, {hvx(250), hvx(100, {0}), store(1600, {1}), load(1600, {0}), load(1600)}));
  EXPECT_EQ(event_of(timeline, 3).start.value, 250U);
  EXPECT_EQ(event_of(timeline, 4).start.value, 0U);
}

// Ours: how far back the engine looks for room.
TEST(DmaOverlap, TheLatestSixteenIdleStretchesAreRemembered) {
  for (const uint32_t stretches : {16U, 17U}) {
    std::vector<program::Task> tasks;
    for (uint32_t i = 0; i < stretches; ++i) {  // each store leaves time before it; the first the most
      tasks.push_back(hvx(150));
      tasks.push_back(store(800, {2 * i}));
    }
    tasks.push_back(load(2400));  // as long as the first stretch
    const uint64_t expected = stretches == 16 ? 0 : 150 * stretches + 50;
    EXPECT_EQ(event_of(run(schedule(1, tasks)), 2 * stretches).start.value, expected) << stretches;
  }
}

}  // namespace
}  // namespace openqnn::sim
