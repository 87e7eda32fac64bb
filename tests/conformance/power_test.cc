// SPDX-License-Identifier: BSD-3-Clause
// The performance infrastructure: ids, votes, and the rules between them.
#include <gmock/gmock.h>

#include <string>
#include <thread>

#include "power_votes.h"

namespace conformance {
namespace {

// The call flow of the documents: create, latency and polling, votes, destroy.
// feature: B7 (C API)
TEST(PowerVotes, DocumentedCallFlow) {
  Power power(kV75);
  EXPECT_EQ(power.cast({latency(100)}), QNN_SUCCESS);
  EXPECT_EQ(power.cast({polling(9999)}), QNN_SUCCESS);
  EXPECT_EQ(power.cast({adaptive(1000)}), QNN_SUCCESS);
  take_log();
  EXPECT_EQ(power.cast({dcvs(), hmx(false)}), QNN_SUCCESS) << "one call may set all";
  EXPECT_THAT(
      take_log(),
      ::testing::AllOf(::testing::HasSubstr("core 160/160/160"), ::testing::HasSubstr("HMX 640/640/640"),
                       ::testing::HasSubstr("clocks are core MAX_VOLTAGE_CORNER at 100.0 %")));
  EXPECT_EQ(power.table.destroyPowerConfigId(power.id), QNN_SUCCESS);
}

// feature: B7 (C API)
TEST(PowerVotes, Ids) {
  Power power(kV75);
  uint32_t second = 0;
  EXPECT_EQ(
      power.table.createPowerConfigId(QNN_DEVICE_DEFAULT_DEVICE_ID, QNN_DEVICE_DEFAULT_CORE_ID, &second),
      QNN_SUCCESS);
  EXPECT_NE(second, power.id);
  EXPECT_TRUE(refused(power.api(), power.table.createPowerConfigId(0, 0, nullptr), kBadId));
  EXPECT_TRUE(refused(power.api(), power.table.createPowerConfigId(7, 0, &second), kBadVote, {"7"}));
  EXPECT_TRUE(refused(power.api(), power.table.createPowerConfigId(0, 9, &second), kBadVote, {"9"}));
  EXPECT_EQ(power.table.destroyPowerConfigId(power.id), QNN_SUCCESS);
  EXPECT_TRUE(refused(power.api(), power.table.destroyPowerConfigId(power.id), kBadId));
  EXPECT_TRUE(power.refuses({dcvs()}, kBadId));
}

// Two threads with one id, each with votes of its own kind: the last of each kind stand.
// feature: B7 (C API)
TEST(PowerVotes, ThreadsThatShareAnIdLoseNoVote) {
  Power power(kV75);
  for (uint32_t round = 1; round <= 50; ++round) {
    std::thread other([&] { EXPECT_EQ(power.cast({latency(round)}), QNN_SUCCESS); });
    EXPECT_EQ(power.cast({polling(1000 + round)}), QNN_SUCCESS);
    other.join();
    take_log();
    EXPECT_EQ(power.cast({dcvs()}), QNN_SUCCESS);
    EXPECT_THAT(take_log(),
                ::testing::AllOf(::testing::HasSubstr("RPC latency " + std::to_string(round) + " us"),
                                 ::testing::HasSubstr("polling " + std::to_string(1000 + round) + " us")));
  }
}

// feature: B7 (C API)
TEST(PowerVotes, ValuesCountWithTheirFlags) {
  const Power power(kV75);
  Config off = dcvs();
  off.dcvsV3Config.setSleepLatency = 0;
  off.dcvsV3Config.sleepLatency = 5;  // out of range, but it does not count
  off.dcvsV3Config.setBusParams = off.dcvsV3Config.setCoreParams = 0;
  off.dcvsV3Config.busVoltageCornerMin = static_cast<QnnHtpPerfInfrastructure_VoltageCorner_t>(4242);
  off.dcvsV3Config.dcvsEnable = 0;
  off.dcvsV3Config.powerMode = static_cast<QnnHtpPerfInfrastructure_PowerMode_t>(99);  // DCVS is off
  EXPECT_EQ(power.cast({off}), QNN_SUCCESS);
  off.dcvsV3Config.dcvsEnable = 1;
  EXPECT_TRUE(power.refuses({off}, kBadVote, {"99"})) << "with DCVS on the mode counts";
}

// feature: B7 (C API)
TEST(PowerVotes, RangesOfDcvs) {
  const Power power(kV75);
  for (const uint32_t us : {10U, 65535U}) {
    Config config = dcvs();
    config.dcvsV3Config.sleepLatency = us;
    EXPECT_EQ(power.cast({config}), QNN_SUCCESS) << us;
  }
  for (const uint32_t us : {0U, 9U, 65536U}) {
    Config config = dcvs();
    config.dcvsV3Config.sleepLatency = us;
    EXPECT_TRUE(power.refuses({config}, kBadVote, {std::to_string(us)}));
  }
  Config unordered = dcvs();
  unordered.dcvsV3Config.coreVoltageCornerMin = DCVS_VOLTAGE_VCORNER_TURBO;
  unordered.dcvsV3Config.coreVoltageCornerTarget = DCVS_VOLTAGE_VCORNER_NOM;
  EXPECT_TRUE(power.refuses({unordered}, kBadVote, {"order"}));
  Config unknown = dcvs();
  unknown.dcvsV3Config.busVoltageCornerTarget = static_cast<QnnHtpPerfInfrastructure_VoltageCorner_t>(130);
  EXPECT_TRUE(power.refuses({unknown}, kBadVote, {"130"}));
}

// The four rows of the documents' table.
// feature: B7 (C API)
TEST(PowerVotes, HmxNeedsACoreVote) {
  const Power power(kV75);
  EXPECT_TRUE(power.refuses({hmx(false)}, kBadVote, {"core vote"}));
  EXPECT_TRUE(power.refuses({hmx(true)}, kBadVote)) << "a default vote is a vote, too";
  EXPECT_EQ(power.cast({hmx(false), dcvs()}), QNN_SUCCESS) << "in any order within a call";
  EXPECT_EQ(power.cast({hmx(false)}), QNN_SUCCESS) << "or in a later one";
  EXPECT_EQ(power.cast({hmx(true)}), QNN_SUCCESS);
  // The core vote goes, and takes the HMX vote with it.
  EXPECT_EQ(power.cast({hmx(false)}), QNN_SUCCESS);
  take_log();
  EXPECT_EQ(power.cast({dcvs(DCVS_VOLTAGE_CORNER_DISABLE)}), QNN_SUCCESS);
  EXPECT_THAT(take_log(), ::testing::HasSubstr("HMX as the core"));
  EXPECT_TRUE(power.refuses({hmx(false)}, kBadVote));
}

// feature: A10, B7 (C API)
TEST(PowerVotes, HmxNeedsV75) {
  const Power power(kV73);
  EXPECT_TRUE(power.refuses({dcvs(), hmx(false)}, kNotHere, {"v75", "SM8550"}));
  EXPECT_EQ(power.cast({dcvs()}), QNN_SUCCESS) << "and the refused call changed nothing";
}

// feature: A10, B7 (C API)
TEST(PowerVotes, Polling) {
  const Power power(kV75);
  EXPECT_TRUE(power.refuses({adaptive(1000)}, kBadVote, {"RPC polling"}));
  EXPECT_EQ(power.cast({polling(10000), adaptive(1000)}), QNN_SUCCESS);
  EXPECT_TRUE(power.refuses({polling(10001)}, kBadVote, {"10001"}));
  EXPECT_TRUE(power.refuses({polling(0)}, kBadVote)) << "adaptive polling is still on";
  EXPECT_EQ(power.cast({polling(0), adaptive(0)}), QNN_SUCCESS);
}

// feature: B7 (C API)
TEST(PowerVotes, NoRpcVotesOnQnx) {
  const Power power("qnx:SA8295P");
  EXPECT_TRUE(power.refuses({latency(100)}, kNotHere, {"QNX"}));
  EXPECT_TRUE(power.refuses({polling(100)}, kNotHere, {"QNX"}));
  EXPECT_EQ(power.cast({dcvs()}), QNN_SUCCESS);
}

// feature: B7 (C API)
TEST(PowerVotes, DdrAndCeng) {
  const Power power(kV75);
  Config ddr = vote(QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_DDR_PERF_MODE);
  ddr.ddrPerfModeConfig = 1;
  EXPECT_TRUE(power.refuses({dcvs(DCVS_VOLTAGE_VCORNER_TURBO), ddr}, kBadVote, {"bus corners"}));
  EXPECT_EQ(power.cast({dcvs(), ddr}), QNN_SUCCESS);
  Config ceng = vote(QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_CENG);
  ceng.cengConfig.cengVoltageCornerMin = DCVS_VOLTAGE_VCORNER_SVS;
  ceng.cengConfig.cengVoltageCornerTarget = DCVS_VOLTAGE_VCORNER_NOM;
  ceng.cengConfig.cengVoltageCornerMax = DCVS_VOLTAGE_VCORNER_TURBO;
  EXPECT_EQ(power.cast({ceng}), QNN_SUCCESS);
  ceng.cengConfig.cengPerfMode = static_cast<QnnHtpPerfInfrastructure_ClkPerfMode_t>(256);
  EXPECT_TRUE(power.refuses({ceng}, kBadVote, {"256"}));
}

// feature: B7 (C API)
TEST(PowerVotes, TheFinerScaleNeedsV85) {
  const Power power(kV75);
  Config fine = vote(QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_DCVS_V3_EXP);
  EXPECT_TRUE(power.refuses({fine}, kNotHere, {"v85"}));
  EXPECT_TRUE(power.refuses({fine, dcvs()}, kBadVote, {"both scales"}));
  EXPECT_TRUE(power.refuses({vote(QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_CENG_EXP)}, kNotHere));
}

// feature: B7 (C API)
TEST(PowerVotes, UnknownOptionsAndEmptyLists) {
  const Power power(kV75);
  EXPECT_TRUE(power.refuses({vote(static_cast<QnnHtpPerfInfrastructure_PowerConfigOption_t>(4242))},
                            kUnknownOption, {"4242"}));
  EXPECT_TRUE(power.refuses({}, kBadVote));
  EXPECT_TRUE(refused(power.api(), power.table.setPowerConfig(power.id, nullptr), kBadVote));
  // A list is taken whole or not at all.
  take_log();
  EXPECT_TRUE(power.refuses({dcvs(), polling(20000)}, kBadVote));
  EXPECT_TRUE(power.refuses({hmx(false)}, kBadVote, {"core vote"})) << "the first vote was not taken either";
}

// feature: B7 (C API)
TEST(PowerVotes, MemoryVotesAreNotOffered) {
  const Power power(kV75);
  const QnnHtpPerfInfrastructure_MemoryConfig_t* none[] = {nullptr};
  EXPECT_TRUE(refused(power.api(), power.table.setMemoryConfig(0, 0, none), QNN_COMMON_ERROR_NOT_SUPPORTED,
                      {"heap"}));
  EXPECT_TRUE(
      refused(power.api(), power.api().deviceGetInfrastructure(nullptr), QNN_DEVICE_ERROR_INVALID_ARGUMENT));
}

// Ids are the library's: they need no device, and outlive one.
// feature: B7 (C API)
TEST(PowerVotes, WithoutADevice) {
  const ScopedEnvironment target("OPENQNN_TARGET", kV73);
  const BackendLibrary library;
  QnnDevice_Infrastructure_t infrastructure = nullptr;
  check(library.api(), library.api().deviceGetInfrastructure(&infrastructure), "deviceGetInfrastructure");
  const auto& table = reinterpret_cast<const QnnHtpDevice_Infrastructure_t*>(infrastructure)->perfInfra;
  uint32_t id = 0;
  EXPECT_EQ(table.createPowerConfigId(0, 0, &id), QNN_SUCCESS);
  const Config core = dcvs(), matrix = hmx(false);
  const Config* list[] = {&core, &matrix, nullptr};
  EXPECT_TRUE(refused(library.api(), table.setPowerConfig(id, list), kNotHere)) << "the persona is a v73";
  EXPECT_EQ(table.destroyPowerConfigId(id), QNN_SUCCESS);
}

}  // namespace
}  // namespace conformance
