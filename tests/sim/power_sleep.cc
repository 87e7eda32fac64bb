// SPDX-License-Identifier: BSD-3-Clause
#include "power_device.h"

namespace openqnn::sim {
namespace {

PowerVote sleeping(uint32_t latency_us) {
  PowerVote vote = profile_vote("balanced");
  vote.sleep_latency_us = latency_us;
  return vote;
}

TEST(PowerSleep, ItSleepsOnceItHasIdledAsLongAsWakingUpMayTake) {
  PoweredDevice device;
  device.cast(1, sleeping(1000));
  device.run(100);
  device.idle(us(1000));
  EXPECT_FALSE(device.is_asleep());
  device.idle({1});
  EXPECT_TRUE(device.is_asleep());
  EXPECT_EQ(device.run(100).wake_up, us(1000));
  EXPECT_EQ(device.run(100).wake_up.value, 0U) << "awake, one call after the other";
}

TEST(PowerSleep, TheVoteBoundsWakingUpAndSoDoesTheHardware) {
  for (const auto& [vote, wake_up] : {std::pair<uint32_t, uint64_t>{10, 10}, {65535, 2500}}) {
    PoweredDevice device;
    device.cast(1, sleeping(vote));
    device.run(100);
    device.idle(us(1'000'000));
    EXPECT_EQ(device.run(100).wake_up, us(wake_up)) << vote;
  }
}

TEST(PowerSleep, AVoteForOneClockIsEnoughToSleepUnder) {
  PowerVote core, bus, none;
  core.core = bus.bus = at("NOM");
  for (PowerVote vote : {core, bus, none}) {
    vote.sleep_latency_us = 40;
    PoweredDevice device;
    device.cast(1, vote);
    device.run(100);
    device.idle(us(1000));
    EXPECT_EQ(device.is_asleep(), vote.core || vote.bus) << "without one the device is as after a warm call";
  }
}

TEST(PowerSleep, OneThatMayNotSleepIsAwake) {
  PoweredDevice device;
  device.cast(1, sleeping(40));
  device.run(100);
  device.idle(us(50));
  EXPECT_TRUE(device.is_asleep());
  PowerVote awake = sleeping(40);
  awake.sleep_disabled = true;
  device.cast(2, awake);
  EXPECT_FALSE(device.is_asleep()) << "one client is enough";
  device.idle(us(100'000));
  EXPECT_EQ(device.run(100).wake_up.value, 0U);
  device.remove(2);
  device.idle(us(100'000));
  EXPECT_EQ(device.run(100).wake_up, us(40));
}

TEST(PowerSleep, TheSleepOfALowerVoteIsPaidAfterTheHigherOneToo) {
  PoweredDevice device;
  device.cast(1, profile_vote("high_performance"));
  device.run(100);
  device.cast(1, profile_vote("relaxed"));
  device.idle(us(10'000));
  device.cast(1, profile_vote("high_performance"));
  EXPECT_EQ(device.run(100).wake_up, us(2000)) << "as deep as it slept";
}

// feature: B9 (inside)
TEST(PowerSleep, UnitsArePoweredUpAtFirstAndAfterTheTimeout) {
  PoweredDevice device;
  device.cast(1, profile_vote("burst"));
  EXPECT_EQ(device.run(100).power_up, us(5786));
  EXPECT_EQ(device.run(100).power_up.value, 0U);
  device.idle(us(299'999));
  EXPECT_EQ(device.run(100).power_up.value, 0U);
  device.idle(us(300'000));
  EXPECT_EQ(device.run(100).power_up, us(5786)) << "the documented default of hmx_timeout_us";
  PowerVote vote = profile_vote("burst");
  vote.hmx_timeout_us = 50;
  device.cast(1, vote);
  device.idle(us(50));
  EXPECT_EQ(device.run(100).power_up, us(5786));
}

TEST(PowerSleep, WithoutAVoteNothingIsAdded) {
  PoweredDevice device;
  device.idle(us(10'000'000));
  const ExecuteCost cost = device.run(100);
  EXPECT_EQ(cost.added().value, 0U);
  EXPECT_FALSE(cost.voted);
  EXPECT_EQ(cost.total(), us(200));
}

}  // namespace
}  // namespace openqnn::sim
