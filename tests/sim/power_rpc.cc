// SPDX-License-Identifier: BSD-3-Clause
#include "power_device.h"

namespace openqnn::sim {
namespace {

// A warm call of so long under these votes for calls.
ExecuteCost warm_call(uint64_t accelerator_us, uint32_t polling_us, uint32_t latency_us = 0,
                      uint32_t adaptive_us = 0) {
  PoweredDevice device;
  PowerVote vote = profile_vote("balanced");
  vote.rpc_polling_us = polling_us;
  vote.rpc_control_latency_us = latency_us;
  vote.adaptive_polling_us = adaptive_us;
  device.cast(1, vote);
  device.run(1);
  return device.run(accelerator_us);
}

// feature: B7 (inside)
TEST(PowerRpc, PollingRemovesTheCpusWakeUp) {
  EXPECT_EQ(warm_call(1000, 0).cpu_wake_up, us(350));
  EXPECT_EQ(warm_call(1000, 9999).cpu_wake_up.value, 0U);
  EXPECT_EQ(warm_call(1000, 9999).polled, us(1000)) << "and costs CPU time";
  EXPECT_EQ(warm_call(1000, 0).polled.value, 0U);
}

TEST(PowerRpc, AnInferenceThatOutlastsPollingIsWokenUpFor) {
  EXPECT_EQ(warm_call(9999, 9999).cpu_wake_up.value, 0U);
  EXPECT_EQ(warm_call(10000, 9999).cpu_wake_up, us(350));
  EXPECT_EQ(warm_call(10000, 9999).polled, us(9999)) << "in vain";
}

// feature: B7 (inside)
TEST(PowerRpc, AdaptivePollingHelpsLongInferencesAndSparesTheCpu) {
  EXPECT_EQ(warm_call(20000, 9999, 0, 1000).cpu_wake_up.value, 0U);
  EXPECT_EQ(warm_call(20000, 9999, 0, 1000).polled, us(100));
  EXPECT_EQ(warm_call(999, 9999, 0, 1000).polled, us(999)) << "below its threshold it polls all the time";
  EXPECT_EQ(warm_call(20000, 0, 0, 1000).cpu_wake_up, us(350)) << "it needs polling";
}

TEST(PowerRpc, AControlLatencyBoundsTheCpusWakeUp) {
  EXPECT_EQ(warm_call(1000, 0, 100).cpu_wake_up, us(100));
  EXPECT_EQ(warm_call(1000, 0, 1000).cpu_wake_up, us(350)) << "a lax one changes nothing";
}

TEST(PowerRpc, TheVotesOfCallsCountWithoutVotesForClocks) {
  PoweredDevice device;
  PowerVote vote;
  vote.rpc_control_latency_us = 100;
  device.cast(1, vote);
  const ExecuteCost cost = device.run(1000);
  EXPECT_EQ(cost.cpu_wake_up, us(100));
  EXPECT_EQ(cost.power_up.value, 0U);
  EXPECT_EQ(cost.clocks.core_permille, 1000U);
}

TEST(PowerRpc, AWarmCallUnderBurstIsTheReference) {
  PoweredDevice voted, reference;
  voted.cast(1, profile_vote("burst"));
  voted.run(1);
  EXPECT_EQ(voted.run(1000).total(), reference.run(1000).total());
}

}  // namespace
}  // namespace openqnn::sim
