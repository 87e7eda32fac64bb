// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "device.h"

namespace openqnn::sim {
namespace {

TEST(Ties, TheMatrixUnitThatIsFreeFirstWins) {
  soc::Target target = toy_target();
  target.hmx_units = 2;
  const Timeline timeline = run_on(target, schedule(1, {hmx(10'000, 8), hmx(5'000, 8), hmx(1'000, 8, {0})}));
  EXPECT_EQ(event_of(timeline, 0).instance, 0U);
  EXPECT_EQ(event_of(timeline, 2).instance, 1U);
  EXPECT_EQ(event_of(timeline, 2).start.value, 10U);
}

TEST(Ties, EventsStandByStartThenByTask) {
  const Timeline timeline = run(schedule(1, {hvx(10), load(16), hvx(10), hvx(1, {0}), load(16)}));
  std::vector<uint32_t> order;
  for (const Event& event : timeline.events) order.push_back(event.task);
  EXPECT_EQ(order, (std::vector<uint32_t>{0, 1, 4, 2, 3}));
}

TEST(Ties, TwoRunsAgreeInEveryField) {
  const auto what =
      schedule(3, {load(100), hvx(10, {0}), hvx(10, {0}), hmx(5000, 16, {1, 2}), store(77, {3})});
  const Timeline a = run(what);
  const Timeline b = run(what);
  ASSERT_EQ(a.events.size(), b.events.size());
  for (size_t i = 0; i < a.events.size(); ++i) {
    EXPECT_EQ(a.events[i].task, b.events[i].task);
    EXPECT_EQ(a.events[i].instance, b.events[i].instance);
    EXPECT_EQ(a.events[i].start, b.events[i].start);
    EXPECT_EQ(a.events[i].duration, b.events[i].duration);
  }
}

}  // namespace
}  // namespace openqnn::sim
