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

}  // namespace
}  // namespace openqnn::sim
