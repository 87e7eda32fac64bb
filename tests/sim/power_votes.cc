// SPDX-License-Identifier: BSD-3-Clause
#include "power_device.h"

namespace openqnn::sim {
namespace {

// feature: B7 (inside)
TEST(PowerVotes, TheHighestOfSeveralClientsWinsAndRemovingItRestores) {
  PoweredDevice device;
  device.cast(1, profile_vote("power_saver"));
  EXPECT_EQ(device.clocks().core, corner("SVS"));
  device.cast(2, profile_vote("high_performance"));
  device.cast(3, profile_vote("relaxed"));
  EXPECT_EQ(device.clocks().core, corner("TURBO"));
  EXPECT_FALSE(device.vote().dcvs) << "one that wants a fixed clock is enough";
  device.remove(2);
  EXPECT_EQ(device.clocks().core, corner("SVS"));
  device.remove(1);
  EXPECT_TRUE(device.vote().dcvs);
  device.remove(3);
  EXPECT_EQ(device.clocks(), PoweredDevice().clocks()) << "as before the first vote";
  device.remove(3);  // nothing is left to remove
}

TEST(PowerVotes, EachClockHasItsOwnWinner) {
  PowerVote bus, core;
  bus.bus = at("TURBO");
  bus.core = at("SVS");
  core.bus = at("SVS");
  core.core = at("NOM");
  const PowerVote both[] = {bus, core};
  const AggregatedVote all = aggregate(both);
  EXPECT_EQ(all.bus, at("TURBO"));
  EXPECT_EQ(all.core, at("NOM"));
}

TEST(PowerVotes, TheStrictestLatencyIsTheHighestVote) {
  PowerVote loose, strict;
  loose.sleep_latency_us = 1000;
  loose.rpc_control_latency_us = 0;
  loose.rpc_polling_us = 10;
  strict.sleep_latency_us = 40;
  strict.rpc_control_latency_us = 100;
  strict.rpc_polling_us = 9999;
  strict.hmx_timeout_us = 7;
  const PowerVote both[] = {loose, strict};
  const AggregatedVote all = aggregate(both);
  EXPECT_EQ(all.sleep_latency_us, 40U);
  EXPECT_EQ(all.rpc_control_latency_us, 100U) << "0 is no vote";
  EXPECT_EQ(all.rpc_polling_us, 9999U);
  EXPECT_EQ(all.hmx_timeout_us, 7U);
}

TEST(PowerVotes, TheOrderOfClientsDoesNotCount) {
  const PowerVote forth[] = {profile_vote("burst"), profile_vote("relaxed"), profile_vote("power_saver")};
  const PowerVote back[] = {forth[2], forth[1], forth[0]};
  EXPECT_EQ(aggregate(forth), aggregate(back));
}

TEST(PowerVotes, AClientThatLeavesHmxOpenVotesItsCoreCornerForIt) {
  PowerVote manual = profile_vote("burst");
  manual.hmx = at("SVS2");
  const PowerVote both[] = {manual, profile_vote("power_saver")};
  EXPECT_EQ(aggregate(both).hmx, at("SVS"));
}

TEST(PowerVotes, ACoreThatIsVotedOffIsSlowest) {
  EXPECT_EQ(profile_vote("extreme_power_saver").core, at("DISABLE"));
  const PowerVote both[] = {profile_vote("extreme_power_saver"), profile_vote("low_power_saver")};
  EXPECT_EQ(aggregate(both).core, at("SVS2")) << "and any other vote wins over it";
}

}  // namespace
}  // namespace openqnn::sim
