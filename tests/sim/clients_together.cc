// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "clients.h"

namespace openqnn::sim {
namespace {

constexpr Cycles kCall{400};

struct Scene {
  Workload work = Workload::holding({1000}, {});
  Client client(uint32_t executes) const { return {.workload = &work, .executes = executes, .call = kCall}; }
};

double per_second(const std::vector<Execution>& all) {
  return throughput_per_s(all, PowerState::of(toy_target()));
}

TEST(ClientsTogether, OneAloneWaitsForItsOwnCalls) {
  const Scene scene;
  const auto all = shared_by({scene.client(5)});
  for (const Execution& execution : all) EXPECT_EQ(execution.latency().value, 1400U);
  EXPECT_DOUBLE_EQ(per_second(all), 1e9 / 1400);
  EXPECT_DOUBLE_EQ(per_second(shared_by({scene.client(1)})), 1e9 / 1400);
}

TEST(ClientsTogether, TwoHideTheWayThereAndBack) {
  const Scene scene;
  const auto all = shared_by({scene.client(20), scene.client(20)});
  EXPECT_DOUBLE_EQ(per_second(all), 1e9 / 1000);  // the device never waits
  EXPECT_GT(all.back().latency().value, 1400U);   // each of them does
}

TEST(ClientsTogether, AThirdChangesNothingWhenTheDeviceIsBusy) {
  const Scene scene;
  const auto two = shared_by({scene.client(20), scene.client(20)});
  const auto three = shared_by({scene.client(20), scene.client(20), scene.client(20)});
  EXPECT_DOUBLE_EQ(per_second(two), per_second(three));
}

TEST(ClientsTogether, EqualOnesTakeTurns) {
  const Scene scene;
  const auto all = shared_by({scene.client(3), scene.client(3)});
  for (size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i].client, i % 2);
}

TEST(ClientsTogether, OneHasTheDeviceAtATime) {
  const Scene scene;
  const auto all = shared_by({scene.client(7), scene.client(5), scene.client(9)});
  for (size_t i = 1; i < all.size(); ++i) EXPECT_GE(all[i].acquired, all[i - 1].ended);
}

TEST(ClientsTogether, OtherCoresDoNotDisturb) {
  const Scene scene;
  Client elsewhere = scene.client(20);
  elsewhere.core = 1;
  const auto all = shared_by({scene.client(20), elsewhere});
  for (const Execution& execution : all) EXPECT_EQ(execution.waited().value, 0U);
  EXPECT_NEAR(per_second(all), 2 * 1e9 / 1400, 0.05 * 2e9 / 1400);
}

TEST(ClientsTogether, AWaitForVtcmIsInTheCallAndNotInTheTimeline) {
  const program::Schedule what = schedule(1, {hvx(300)});
  const Timeline alone = run(what);
  const Workload graph = Workload::executing(what, alone);
  const Workload other = Workload::holding({1000}, {});
  const auto all = shared_by({{.workload = &graph, .first_call = {10}}, {.workload = &other}});
  const Timeline seen = timeline_of(of_client(all, 0).front(), alone);
  EXPECT_EQ(seen.acquire.value, 990U);
  EXPECT_EQ(seen.total, alone.total);
  EXPECT_EQ(seen.accelerator, alone.accelerator);
  EXPECT_EQ((seen.rpc - alone.rpc).value, 990U);
}

TEST(ClientsTogether, TheSameClientsGiveTheSameAnswer) {
  const Scene scene;
  const auto first = shared_by({scene.client(9), scene.client(5)});
  const auto second = shared_by({scene.client(9), scene.client(5)});
  ASSERT_EQ(first.size(), second.size());
  for (size_t i = 0; i < first.size(); ++i) {
    EXPECT_EQ(first[i].client, second[i].client);
    EXPECT_EQ(first[i].answered, second[i].answered);
  }
}

TEST(ClientsTogether, NobodyAndNothingToDo) {
  const Scene scene;
  EXPECT_TRUE(shared_by({}).empty());
  EXPECT_TRUE(shared_by({scene.client(0)}).empty());
  EXPECT_EQ(per_second({}), 0);
}

}  // namespace
}  // namespace openqnn::sim
