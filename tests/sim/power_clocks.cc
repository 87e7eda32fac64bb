// SPDX-License-Identifier: BSD-3-Clause
#include "device.h"
#include "power_device.h"

namespace openqnn::sim {
namespace {

Clocks clocks_under(const PowerVote& vote, Load load = Load::kBusy) {
  return clocks_of(power_facts(), aggregate({&vote, 1}), load);
}

TEST(PowerClocks, WithoutAVoteTheyAreThoseOfBurst) {
  const Clocks none = clocks_of(power_facts(), aggregate({}), Load::kBusy);
  EXPECT_EQ(none.core_permille, 1000U);
  EXPECT_EQ(none, clocks_under(profile_vote("burst")));
}

// feature: B7 (inside)
TEST(PowerClocks, ProfilesAreOrderedFromBurstToExtremePowerSaver) {
  const char* const names[] = {"burst",
                               "sustained_high_performance",
                               "high_performance",
                               "balanced",
                               "low_balanced",
                               "high_power_saver",
                               "power_saver",
                               "low_power_saver",
                               "extreme_power_saver"};
  Clocks before;
  for (const char* const name : names) {
    const Clocks now = clocks_under(profile_vote(name));
    EXPECT_LE(now.core_permille, before.core_permille) << name;
    EXPECT_LE(now.hmx_permille, before.hmx_permille) << name;
    EXPECT_LE(now.bus_permille, before.bus_permille) << name;
    before = now;
  }
  EXPECT_LT(before.core_permille, 300U);
}

// feature: B7 (inside)
TEST(PowerClocks, WithDcvsTheCornersBoundTheClock) {
  PowerVote vote;
  vote.core = vote.bus = ClockVote{corner("SVS"), corner("NOM"), corner("TURBO")};
  vote.dcvs = false;
  EXPECT_EQ(clocks_under(vote).core, corner("NOM")) << "without DCVS the target is the clock";
  EXPECT_EQ(clocks_under(vote, Load::kIdle).core, corner("NOM"));
  vote.dcvs = true;
  struct Row {
    DcvsMode mode;
    const char* busy;
    const char* idle;
  };
  for (const Row& row :
       {Row{DcvsMode::kUpDown, "TURBO", "SVS"}, Row{DcvsMode::kOnlyUp, "TURBO", "NOM"},
        Row{DcvsMode::kPerformance, "TURBO", "NOM"}, Row{DcvsMode::kPowerSaver, "NOM", "SVS"},
        Row{DcvsMode::kPowerSaverAggressive, "SVS", "SVS"}, Row{DcvsMode::kDutyCycle, "NOM", "SVS"}}) {
    vote.mode = row.mode;
    EXPECT_EQ(clocks_under(vote).core, corner(row.busy)) << static_cast<int>(row.mode);
    EXPECT_EQ(clocks_under(vote, Load::kIdle).core, corner(row.idle)) << static_cast<int>(row.mode);
  }
}

TEST(PowerClocks, HmxFollowsTheCoreUnlessItIsVotedFor) {
  PowerVote vote = profile_vote("balanced");
  EXPECT_EQ(clocks_under(vote).hmx, corner("NOM_PLUS"));
  vote.hmx = at("SVS");
  EXPECT_EQ(clocks_under(vote).hmx, corner("SVS"));
  EXPECT_EQ(clocks_under(vote).core, corner("NOM_PLUS"));
}

TEST(PowerClocks, ThePerformanceModeChoosesWithinACorner) {
  PowerVote vote = profile_vote("balanced");
  const auto hmx = [&](uint32_t mode) {
    vote.hmx = at("TURBO");
    vote.hmx->performance_mode = mode;
    return clocks_under(vote).hmx_permille;
  };
  const uint32_t below =
      static_cast<uint32_t>(power_facts().corners[corner("TURBO") - 1].core_permille.value);
  EXPECT_EQ(hmx(0), 900U);
  EXPECT_EQ(hmx(1), below) << "LOW is the clock of the corner below";
  for (uint32_t step = 2; step <= 16; ++step) {
    EXPECT_LE(hmx(step), step == 2 ? hmx(0) : hmx(step - 1)) << step;
    EXPECT_GE(hmx(step), below) << step;
  }
}

TEST(PowerClocks, TheBusIsNotSlowerThanCeng) {
  PowerVote vote = profile_vote("power_saver");
  vote.ceng = at("TURBO");
  EXPECT_EQ(clocks_under(vote).bus, corner("TURBO"));
  vote.ceng = at("MIN_VOLTAGE_CORNER");
  EXPECT_EQ(clocks_under(vote).bus, corner("SVS"));
}

// feature: B7 (inside)
TEST(PowerClocks, LowerClocksMakeLongerTimes) {
  const soc::Target target = toy_target();
  const auto time_of = [&](const char* profile, const program::Schedule& work) {
    const soc::Target scaled = target_under(target, clocks_under(profile_vote(profile)));
    return simulate(work, scaled, PowerState::of(scaled)).accelerator.value;
  };
  for (const auto& work : {schedule(1, {hmx(5'000'000, 8)}), schedule(1, {load(16'000'000)}),
                           schedule(1, {hmx(5'000'000, 16)})}) {
    EXPECT_GT(time_of("power_saver", work), time_of("burst", work) * 3 / 2);
    EXPECT_GE(time_of("balanced", work), time_of("high_performance", work));
  }
}

TEST(PowerClocks, AVoteForHmxAloneChangesMatrixWorkAlone) {
  const soc::Target target = toy_target();
  PowerVote vote = profile_vote("burst");
  vote.hmx = at("SVS");
  const soc::Target scaled = target_under(target, clocks_under(vote));
  const auto matrix = schedule(1, {hmx(50'000'000, 8)});
  const auto memory = schedule(1, {load(16'000)});
  EXPECT_NEAR(static_cast<double>(simulate(matrix, scaled, PowerState::of(scaled)).accelerator.value),
              2.0 * static_cast<double>(run_on(target, matrix).accelerator.value), 100);
  EXPECT_EQ(simulate(memory, scaled, PowerState::of(scaled)).accelerator, run_on(target, memory).accelerator);
}

// A corner is a range of clocks: HIGH is its top, LOW its bottom, where the corner below it begins.
TEST(PowerClocks, ProfilesForDecodingVoteForAnEndOfTheirCorner) {
  const PowerVote vote = profile_vote("llm_decode_high_performance");
  const auto& corners = power_facts().corners;
  EXPECT_EQ(clocks_under(vote).hmx, corner("LOW_SVS_D1"));
  EXPECT_EQ(clocks_under(vote).hmx_permille, corners[corner("LOW_SVS_D1") - 1].core_permille.value);
  PowerVote only_ceng;
  only_ceng.ceng = vote.ceng;
  only_ceng.bus = at("DISABLE");
  EXPECT_EQ(clocks_under(only_ceng).bus_permille, corners[corner("NOM")].bus_permille.value);
}

// What a picture of the timeline shows: the low clock between calls, awake or asleep, and the high one in
// them.
TEST(PowerClocks, ADeviceThatIdlesShowsTheClockOfAnIdleOne) {
  PowerVote vote;
  vote.core = vote.bus = ClockVote{corner("SVS"), corner("NOM"), corner("TURBO")};
  vote.dcvs = true;
  vote.sleep_latency_us = 1000;
  PoweredDevice device;
  device.cast(1, vote);
  device.run(100);
  device.idle(us(5000));
  size_t idle = 0, asleep = 0;
  for (const PowerInterval& interval : device.intervals) {
    idle += interval.activity == Activity::kIdle;
    asleep += interval.activity == Activity::kAsleep;
    const bool rests = interval.activity == Activity::kIdle || interval.activity == Activity::kAsleep;
    EXPECT_EQ(interval.clocks.core, corner(rests ? "SVS" : "TURBO")) << static_cast<int>(interval.activity);
  }
  EXPECT_EQ(idle, 1U);
  EXPECT_EQ(asleep, 1U);
}

}  // namespace
}  // namespace openqnn::sim
