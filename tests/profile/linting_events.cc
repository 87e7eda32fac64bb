// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "profile/linting.h"
#include "profile/paths.h"
#include "profile/viewer_reports.h"
#include "sample.h"
#include "support/cpu_time.h"

namespace openqnn::profile {
namespace {

const ProfileEvent& critical(const std::vector<ProfileEvent>& events) {
  return *std::ranges::find(events, event_type::kExecuteCriticalCycles, &ProfileEvent::type);
}

uint64_t entry(const ProfileEvent& op, uint32_t type) {
  const auto found = std::ranges::find(op.children, type, &ProfileEvent::type);
  return found == op.children.end() ? UINT64_MAX : found->value;
}

std::vector<std::string> names(const ProfileEvent& op, uint32_t type) {
  std::vector<std::string> all;
  for (const ProfileEvent& child : std::ranges::find(op.children, type, &ProfileEvent::type)->children)
    all.push_back(child.name);
  return all;
}

// feature: D3 (report)
TEST(LintingEvents, OfTheSample) {
  const Sample s = sample();
  const auto events = linting_events(s.program, s.timeline);
  const ProfileEvent& path = critical(events);
  EXPECT_EQ(path.value, 2150U);
  ASSERT_EQ(path.children.size(), 5U);
  const ProfileEvent& system = path.children[1];
  const ProfileEvent& conv = path.children[2];
  const ProfileEvent& tanh = path.children[3];
  const ProfileEvent& output = path.children[4];
  EXPECT_EQ(path.children[0].name, "Input OpId_2 (cycles)");
  EXPECT_EQ(system.name, "OpId_0 (cycles)");
  EXPECT_EQ(system.value, 500U);  // two loads before anything can be computed
  EXPECT_EQ(conv.name, "conv:OpId_4 (cycles)");
  EXPECT_EQ(conv.value, 800U);
  EXPECT_EQ(tanh.value, 600U);    // its second tile
  EXPECT_EQ(output.value, 200U);  // the last store, 50 cycles later
  EXPECT_EQ(entry(output, event_type::kNodeWait), 50U);
  // Beside conv: the last load up to 700, tanh's first tile from 900 on.
  EXPECT_EQ(entry(conv, event_type::kNodeOverlap), 600U);
  EXPECT_EQ(names(conv, event_type::kNodeOverlap), (std::vector<std::string>{"tanh:OpId_5", "Input OpId_2"}));
  EXPECT_EQ(entry(conv, event_type::kNodeResources), 2U | 4U);
  // Beside tanh's second tile: the rest of the first, then its store.
  EXPECT_EQ(entry(tanh, event_type::kNodeOverlap), 400U);
  EXPECT_EQ(names(tanh, event_type::kNodeOverlap),
            (std::vector<std::string>{"Output OpId_3", "tanh:OpId_5"}));
  EXPECT_EQ(entry(tanh, event_type::kNodeResources), 1U | 4U);
  EXPECT_TRUE(names(output, event_type::kNodeOverlap).empty());
}

TEST(LintingEvents, TellTheAcceleratorAsOtherProfilesDo) {
  Sample s = sample();
  s.timeline.accelerator = {1400};
  s.timeline.power.clock_hz = 1e9;
  s.timeline.acquire = {400};
  const sim::ExecuteCost cost{.wake_up = {400}};
  for (const Level level : {Level::kBasic, Level::kLinting}) {
    const auto events = execute_events(s.program, s.timeline, level, cost);
    EXPECT_EQ(std::ranges::find(events, event_type::kExecuteQnnAccelerator, &ProfileEvent::type)->value, 2U);
  }
}

// A computation, loads that saturate DDR, and a computation that waits for them.
auto linting_loads(uint64_t loads) {
  Sample s = sample();
  s.program.schedule.tasks.clear();
  s.program.schedule.blocks.clear();
  s.timeline.events.clear();
  uint32_t last = s.task(program::TaskKind::kCompute, soc::Unit::kHmx, 0, 0, 2, 0, 5, sim::Bound::kHmx, {});
  for (uint64_t i = 0; i < loads; ++i)
    last = s.task(program::TaskKind::kLoad, soc::Unit::kDma, 0, 1, 0, 5 + i, 1, sim::Bound::kDdr, {last});
  s.task(program::TaskKind::kCompute, soc::Unit::kHvx, 0, 1, 3, 5 + loads, 5, sim::Bound::kHvx, {last});
  return [s = std::move(s)] { EXPECT_FALSE(linting_events(s.program, s.timeline).empty()); };
}

TEST(LintingEvents, LongRunsOfLoadsCostInProportion) {
  constexpr double kBar = 10 * 4;
  EXPECT_LT(test::growth(kBar, linting_loads(3'000), linting_loads(30'000)), kBar);
}

// A schedule of random tasks, each placed on the instance that is free first.
Sample random_sample(uint32_t seed) {
  std::mt19937 random(seed);
  const auto below = [&](uint32_t n) { return static_cast<uint32_t>(random() % n); };
  Sample s = sample();
  s.program.schedule.tasks.clear();
  s.program.schedule.blocks.clear();
  s.timeline.events.clear();
  s.timeline.total = {};
  const uint32_t ops = 1 + below(6);
  s.program.ops.clear();
  for (uint32_t i = 0; i < ops; ++i) s.add_op("op" + std::to_string(i), "Relu");
  std::array<std::array<uint64_t, 3>, soc::kUnitCount> free_at{};
  std::vector<uint64_t> ends;
  for (uint32_t i = 0, tasks = below(40); i < tasks; ++i) {
    const auto unit = static_cast<soc::Unit>(below(4));
    const bool is_dma = unit == soc::Unit::kDma;
    const auto kind = !is_dma         ? program::TaskKind::kCompute
                      : below(2) == 0 ? program::TaskKind::kLoad
                                      : program::TaskKind::kStore;
    std::vector<uint32_t> after;
    uint64_t ready = below(4) == 0 ? below(5) : 0;  // sometimes later than anything explains
    for (uint32_t k = below(3); i > 0 && k > 0; --k) {
      after.push_back(below(i));
      ready = std::max(ready, ends[after.back()]);
    }
    const uint32_t instance = unit == soc::Unit::kHvx ? below(3) : 0;
    uint64_t& free = free_at[static_cast<size_t>(unit)][instance];
    const uint64_t start = std::max(ready, free);
    const uint64_t duration = below(5) == 0 ? 0 : below(30);
    free = start + duration;
    ends.push_back(free);
    s.task(kind, unit, instance, below(ops), below(4), start, duration, sim::Bound::kHmx, after);
  }
  std::ranges::stable_sort(s.timeline.events, {},
                           [](const sim::Event& e) { return std::pair(e.start, e.task); });
  return s;
}

// The same by looking at every cycle.
struct Counted {
  uint64_t overlapped = 0;
  uint64_t total = 0;
};
Counted count_cycles(const Sample& s) {
  const auto path = critical_path(s.program.schedule, s.timeline);
  Counted counted;
  counted.total = s.timeline.total.value;
  for (uint64_t cycle = 0; cycle < counted.total; ++cycle)
    for (size_t i = 0; i < s.timeline.events.size(); ++i) {
      const sim::Event& event = s.timeline.events[i];
      if (event.start.value > cycle || event.end().value <= cycle) continue;
      if (std::ranges::find(path, i) != path.end()) continue;
      ++counted.overlapped;
      break;
    }
  return counted;
}

// feature: D3 (report)
TEST(LintingEvents, AddUpToTheCriticalPathExactly) {
  for (uint32_t seed = 0; seed < 500; ++seed) {
    const Sample s = random_sample(seed);
    const auto events = linting_events(s.program, s.timeline);
    uint64_t sum = 0;
    uint64_t overlapped = 0;
    for (const ProfileEvent& op : critical(events).children) {
      sum += op.value + entry(op, event_type::kNodeWait);
      overlapped += entry(op, event_type::kNodeOverlap) + entry(op, event_type::kNodeWaitOverlap);
      EXPECT_LE(entry(op, event_type::kNodeOverlap), op.value);
      EXPECT_LE(entry(op, event_type::kNodeWaitOverlap), entry(op, event_type::kNodeWait));
    }
    const Counted counted = count_cycles(s);
    ASSERT_EQ(sum, critical(events).value) << "seed " << seed;
    ASSERT_EQ(sum, counted.total) << "seed " << seed;
    ASSERT_EQ(overlapped, counted.overlapped) << "seed " << seed;
  }
}

TEST(CriticalPath, EachStepFollowsWhatItWaitedFor) {
  for (uint32_t seed = 0; seed < 200; ++seed) {
    const Sample s = random_sample(seed);
    const auto path = critical_path(s.program.schedule, s.timeline);
    for (size_t i = 1; i < path.size(); ++i)
      ASSERT_LE(s.timeline.events[path[i - 1]].end(), s.timeline.events[path[i]].start) << "seed " << seed;
    if (!path.empty()) {
      ASSERT_EQ(s.timeline.events[path.back()].end(), s.timeline.total);
    }
  }
}

// feature: D4 (report)
TEST(LintingText, OfASimulatedExecutionHasThePrintedLayout) {
  const Sample s = sample();
  const std::string text = linting_text(s.program, s.timeline);
  EXPECT_TRUE(text.starts_with("Execute Stats (Average):\n------------------------\n")) << text;
  EXPECT_NE(text.find("   Backend (Accelerator (critical path execute) time (cycles)): 2150  cycles\n"
                      "      Input OpId_2 (cycles): 0  cycles\n"),
            text.npos)
      << text;
  EXPECT_NE(text.find("      conv:OpId_4 (cycles): 800  cycles\n"
                      "            Wait (Scheduler) time: 0  cycles\n"
                      "            Overlap time: 600  cycles\n"
                      "               tanh:OpId_5\n"
                      "               Input OpId_2\n"
                      "            Overlap (wait) time: 0  cycles\n"
                      "            Resources: HMX, DMA\n"),
            text.npos)
      << text;
}

TEST(LintingEvents, OfNothing) {
  Sample s = odd_sample();
  s.timeline.events.clear();
  s.timeline.total = {};
  const auto events = linting_events(s.program, s.timeline);
  EXPECT_EQ(critical(events).value, 0U);
  EXPECT_EQ(critical(events).children.size(), 5U);
}

}  // namespace
}  // namespace openqnn::profile
