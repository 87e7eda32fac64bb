// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "clients.h"

namespace openqnn::sim {
namespace {

constexpr uint32_t kNormal = 100;
constexpr uint32_t kHigh = 200;

// load 100 | compute 300 | store 100. The loaded block lies in VTCM until the compute task has begun, the
// computed one until the store.
program::Schedule three_tasks() {
  program::Schedule made = schedule(1, {load(1600), hvx(300, {0}), store(1600, {1})});
  made.vtcm_bytes = 8192;
  made.blocks = {{.offset = 0, .bytes = 1600, .users = {0, 1}},
                 {.offset = 2048, .bytes = 3200, .users = {1, 2}}};
  return made;
}

struct Interrupted {
  program::Schedule what = three_tasks();
  Timeline alone = run(what);
  Workload graph = Workload::executing(what, alone);
  Workload other = Workload::holding({1000}, {});

  std::vector<Execution> at(uint64_t cycle, uint32_t priority = kHigh) const {
    return shared_by({{.workload = &graph, .priority = kNormal},
                      {.workload = &other, .priority = priority, .first_call = {cycle}}});
  }
  Execution graph_interrupted_at(uint64_t cycle) const { return of_client(at(cycle), 0).front(); }
};

// feature: B8 (inside)
TEST(Preemption, CostsExactlySaveReacquireAndRestore) {
  const Interrupted scene;
  const Execution seen = scene.graph_interrupted_at(150);  // in the compute task, which ends at 400
  ASSERT_EQ(seen.yields.size(), 1U);
  const Yield& yield = seen.yields.front();
  EXPECT_EQ(yield.start.value, 150U);
  EXPECT_EQ(yield.bytes.value, 3200U);       // what it computes is stored later; what it read is not needed
  EXPECT_EQ(yield.save.value, 250U + 200U);  // the task ends; 3200 bytes at 16 a cycle
  EXPECT_EQ(yield.wait.value, 1000U);        // the other's work, and nothing else
  EXPECT_EQ(yield.restore.value, 200U);
  EXPECT_EQ(seen.ended, scene.alone.total + yield.save + yield.wait + yield.restore);
}

TEST(Preemption, TheHigherOneWaitsUntilTheLowerIsEvicted) {
  const std::vector<Execution> all = Interrupted{}.at(150);
  EXPECT_EQ(of_client(all, 1).front().waited().value, 450U);
}

TEST(Preemption, OnlyWhatIsAliveIsSaved) {
  EXPECT_EQ(Interrupted{}.graph_interrupted_at(50).yields.front().bytes.value, 1600U);  // the load's block
  EXPECT_EQ(Interrupted{}.graph_interrupted_at(100).yields.front().bytes.value, 1600U);
}

TEST(Preemption, EqualAndLowerPrioritiesWait) {
  for (const uint32_t priority : {kNormal, kNormal - 50}) {
    const std::vector<Execution> all = Interrupted{}.at(150, priority);
    EXPECT_TRUE(of_client(all, 0).front().yields.empty());
    EXPECT_EQ(of_client(all, 1).front().acquired.value, 500U);
  }
}

TEST(Preemption, WhoStartsNothingMoreEnds) {
  const std::vector<Execution> all = Interrupted{}.at(450);  // the store runs, and is the last
  EXPECT_TRUE(of_client(all, 0).front().yields.empty());
  EXPECT_EQ(of_client(all, 1).front().acquired.value, 500U);
}

TEST(Preemption, TheLastTaskIsNotHeldBackByWhoComesAsItStarts) {
  EXPECT_EQ(Interrupted{}.graph_interrupted_at(399).yields.size(), 1U);
  EXPECT_TRUE(Interrupted{}.graph_interrupted_at(400).yields.empty());
}

TEST(Preemption, ATimelineShowsItsTasksBehindTheYield) {
  const Interrupted scene;
  const Timeline seen = timeline_of(scene.graph_interrupted_at(150), scene.alone);
  EXPECT_EQ(event_of(seen, 0).start.value, 0U);
  EXPECT_EQ(event_of(seen, 1).start.value, 100U);
  EXPECT_EQ(event_of(seen, 2).start.value, 400U + 1650U);
  EXPECT_EQ(seen.total.value, 500U + 1650U);
  EXPECT_EQ(seen.yields.size(), 1U);
  EXPECT_EQ(seen.accelerator.value, 500U + 1650U);  // 1 GHz
  EXPECT_EQ((seen.client - scene.alone.client).value, 1650U);
}

// No task runs between the end of the save and the end of the yield; on each unit they stay in order.
TEST(Preemption, AnyCycleKeepsTheRules) {
  const Interrupted scene;
  for (uint64_t cycle = 0; cycle < 520; ++cycle) {
    const Execution execution = scene.graph_interrupted_at(cycle);
    const Timeline seen = timeline_of(execution, scene.alone);
    Cycles until;
    for (const Event& event : seen.events) {
      EXPECT_GE(event.start, until);  // this schedule has no two tasks side by side
      until = event.end();
      for (const Yield& yield : seen.yields)
        EXPECT_TRUE(event.end() <= yield.start + yield.save || event.start >= yield.end()) << cycle;
    }
    EXPECT_EQ(until, seen.total);
    EXPECT_EQ(execution.ended - execution.acquired, seen.total);
  }
}

TEST(Preemption, ACallerWhoComesAgainAndAgainInterruptsAgain) {
  const Interrupted scene;
  const Workload brief = Workload::holding({10}, {});
  const auto all =
      shared_by({{.workload = &scene.graph, .priority = kNormal},
                 {.workload = &brief, .priority = kHigh, .executes = 2, .first_call = {50}, .pause = {300}}});
  const Execution graph = of_client(all, 0).front();
  ASSERT_EQ(graph.yields.size(), 2U);
  EXPECT_EQ(graph.ended, scene.alone.total + graph.yields[0].cycles() + graph.yields[1].cycles());
}

TEST(Preemption, ThreePrioritiesNest) {
  const Interrupted scene;
  const Workload middle = Workload::holding({1000}, {1600});
  const Workload top = Workload::holding({100}, {});
  const auto all = shared_by({{.workload = &scene.graph, .priority = 100},
                              {.workload = &middle, .priority = 150, .first_call = {150}},
                              {.workload = &top, .priority = 200, .first_call = {1000}}});
  const Execution second = of_client(all, 1).front();
  ASSERT_EQ(second.yields.size(), 1U);
  EXPECT_EQ(second.yields.front().save.value, 100U);
  EXPECT_EQ(of_client(all, 0).front().yields.front().wait.value, 1000U + 100 + 100 + 100);
  EXPECT_EQ(all.back().client, 0U);
}

}  // namespace
}  // namespace openqnn::sim
