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

TEST(DmaOverlap, TransfersShareOneQueueInIssueOrder) {
  const Timeline timeline = run(schedule(1, {hvx(500), store(1600, {0}), load(1600)}));
  EXPECT_EQ(event_of(timeline, 1).start.value, 500U);
  EXPECT_EQ(event_of(timeline, 2).start.value, 600U);  // behind a store that waits
}

}  // namespace
}  // namespace openqnn::sim
