// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "device.h"

namespace openqnn::sim {
namespace {

TEST(Dependencies, DelayTheStartToTheLatestEnd) {
  const Timeline timeline = run(schedule(1, {hmx(100'000, 8), load(16 * 250), hvx(10, {0, 1}), load(16)}));
  EXPECT_EQ(event_of(timeline, 2).start.value, 250U);
  EXPECT_EQ(timeline.total.value, 260U);
}

TEST(Dependencies, CrossUnits) {
  const Timeline timeline = run(schedule(1, {load(1600), hmx(50000, 8, {0}), hvx(20, {1}), store(160, {2})}));
  EXPECT_EQ(event_of(timeline, 1).start.value, 100U);
  EXPECT_EQ(event_of(timeline, 2).start.value, 150U);
  EXPECT_EQ(event_of(timeline, 3).start.value, 170U);
  EXPECT_EQ(timeline.total.value, 180U);
}

}  // namespace
}  // namespace openqnn::sim
