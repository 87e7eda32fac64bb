// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "device.h"

namespace openqnn::sim {
namespace {

TEST(HvxContexts, IndependentTasksOverlapOnTwoContexts) {
  const Timeline timeline = run(schedule(2, {hvx(100), hvx(100)}));
  EXPECT_EQ(timeline.total.value, 100U);
  EXPECT_EQ(event_of(timeline, 0).instance, 0U);
  EXPECT_EQ(event_of(timeline, 1).instance, 1U);
}

TEST(HvxContexts, AndSerialiseOnOne) {
  const Timeline timeline = run(schedule(1, {hvx(100), hvx(100)}));
  EXPECT_EQ(timeline.total.value, 200U);
  EXPECT_EQ(event_of(timeline, 1).start.value, 100U);
  EXPECT_EQ(event_of(timeline, 1).instance, 0U);
}

TEST(HvxContexts, ACountOfZeroStillRunsOnOne) {
  EXPECT_EQ(run(schedule(0, {hvx(100), hvx(100)})).total.value, 200U);
}

TEST(HvxContexts, ThereIsOneMatrixUnitHoweverManyContexts) {
  EXPECT_EQ(run(schedule(4, {hmx(100000, 8), hmx(100000, 8)})).total.value, 200U);
}

}  // namespace
}  // namespace openqnn::sim
