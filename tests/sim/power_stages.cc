// SPDX-License-Identifier: BSD-3-Clause
#include "power_device.h"
#include "soc/target.h"

namespace openqnn::sim {
namespace {

soc::Target part() { return *soc::target_by_chipset("SM8650"); }

PowerHistory flow(std::string profile, uint64_t idle_us, uint32_t inferences = 3) {
  const auto history = scenario_history(part(), power_facts(),
                                        {.profile = std::move(profile),
                                         .inferences = inferences,
                                         .accelerator = us(1000),
                                         .idle = us(idle_us)});
  EXPECT_TRUE(history.ok());
  return *history;
}

// The votes in order, as corners of the core; '-' for a removal, the stage's name for a stage.
std::vector<std::string> steps_of(const PowerHistory& history) {
  std::vector<std::string> steps;
  for (const PowerEvent& event : history.events) {
    if (event.kind == PowerEvent::Kind::kVote)
      steps.push_back(event.vote.core ? power_facts().corners[event.vote.core->target].name : "none");
    if (event.kind == PowerEvent::Kind::kRemove) steps.emplace_back("-");
    if (event.kind == PowerEvent::Kind::kStage) steps.push_back(event.label);
    if (event.kind == PowerEvent::Kind::kTimer) steps.emplace_back("timer");
  }
  return steps;
}

using Steps = std::vector<std::string>;

// The documents' first use case: a vote for every inference.
// feature: B7 (inside)
TEST(PowerStages, HighPerformanceRelaxesAfterEachStage) {
  EXPECT_EQ(steps_of(flow("high_performance", 100, 2)),
            (Steps{"TURBO", "init", "SVS", "TURBO", "inference", "SVS", "TURBO", "inference", "SVS", "TURBO",
                   "deinit", "SVS", "-"}));
}

// feature: B7 (inside)
TEST(PowerStages, PowerSaversReleaseAfterEachStage) {
  for (const char* const name : {"high_power_saver", "power_saver", "low_power_saver"}) {
    const Steps steps = steps_of(flow(name, 100, 1));
    ASSERT_EQ(steps.size(), 10U) << name;
    for (const size_t after : {2, 5, 8}) EXPECT_EQ(steps[after], "MIN_VOLTAGE_CORNER") << name;
  }
}

// The second: a timer sustains the vote over several inferences.
// feature: B7 (inside)
TEST(PowerStages, BurstAndSustainedHoldUntilTheTimerEnds) {
  for (const char* const name : {"burst", "sustained_high_performance"}) {
    const PowerTimeline held = power_timeline(power_facts(), flow(name, 500'000));
    for (const PowerInterval& interval : held.intervals)
      EXPECT_GE(interval.clocks.core_permille, 900U) << name << " at " << interval.start.value;
    const PowerTimeline ended = power_timeline(power_facts(), flow(name, 1'500'000));
    Nanos relaxed;
    for (const PowerInterval& interval : ended.intervals)
      if (interval.vote.sleep_latency_us == 2000U) relaxed += interval.end - interval.start;
    EXPECT_EQ(relaxed, us(2 * 500'000)) << name << ": what is left of the pauses";
  }
}

// The timer ends in the very nanosecond in which the next inference begins: it is not run on the lowered
// vote.
TEST(PowerStages, APauseAsLongAsTheTimerIsVotedForAgain) {
  const uint64_t hold_us = power_facts().hold_timer_us.value;
  for (const uint64_t idle_us : {hold_us - 1, hold_us, hold_us + 1}) {
    const PowerTimeline timeline = power_timeline(power_facts(), flow("burst", idle_us));
    ASSERT_EQ(timeline.executes.size(), 3U);
    for (const ExecuteCost& execute : timeline.executes)
      EXPECT_EQ(execute.clocks.core_permille, 1000U) << idle_us;
  }
}

TEST(PowerStages, AnExecuteStartsTheTimerAnew) {
  PoweredDevice device;
  device.cast(1, profile_vote("burst"));
  device.arm_timer(1, us(1000), profile_vote("relaxed"));
  device.idle(us(900));
  device.run(100);
  device.idle(us(999));
  EXPECT_EQ(device.clocks().core_permille, 1000U);
  device.idle(us(1));
  EXPECT_EQ(device.vote().core, profile_vote("relaxed").core);
  device.arm_timer(1, us(1000), profile_vote("released"));
  device.cast(1, profile_vote("burst"));
  device.idle(us(5000));
  EXPECT_EQ(device.clocks().core_permille, 1000U) << "a vote ends the client's timer";
}

// feature: B7 (inside)
TEST(PowerStages, SystemSettingsVotesNothing) {
  const PowerTimeline timeline = power_timeline(power_facts(), flow("system_settings", 100));
  for (const ExecuteCost& cost : timeline.executes) EXPECT_FALSE(cost.voted);
}

// feature: B7 (inside)
TEST(PowerStages, InternalStatesCannotBeChosen) {
  const auto refused = scenario_history(part(), power_facts(), {.profile = "relaxed"});
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message.find("cannot be chosen"), std::string::npos);
}

// feature: B7 (inside)
TEST(PowerStages, TheSlowerTheProfileTheLongerARun) {
  Nanos before;
  for (const char* const name :
       {"burst", "sustained_high_performance", "high_performance", "balanced", "low_balanced",
        "high_power_saver", "power_saver", "low_power_saver", "extreme_power_saver"}) {
    const Nanos end = power_timeline(power_facts(), flow(name, 5000)).end;
    EXPECT_GE(end, before) << name;
    before = end;
  }
}

}  // namespace
}  // namespace openqnn::sim
