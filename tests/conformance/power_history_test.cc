// SPDX-License-Identifier: BSD-3-Clause
// Votes as state of the modelled device: what they do to simulated times, and the history of them.
#include <gmock/gmock.h>

#include "HTP/QnnHtpProfile.h"
#include "power_votes.h"
#include "samples.h"

namespace conformance {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr auto kMax = DCVS_VOLTAGE_VCORNER_MAX_VOLTAGE_CORNER;

// A graph on a part with votes, executed under a profile.
class PowerHistoryTest : public ::testing::Test {
 protected:
  struct Times {
    uint64_t accelerator, rpc, total, power_up;
  };
  Times execute() {
    const Owned profile = power_.session().profile();
    graph_.run(sample_.inputs, profile);
    const std::vector<Event> events = events_of(power_.api(), profile);
    const auto power_up = of_type(events, QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_RESOURCE_POWER_UP_TIME);
    return {only(events, QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_ACCEL_TIME_MICROSEC).value,
            only(events, QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_HOST_RPC_TIME_MICROSEC).value,
            only(events, QNN_PROFILE_EVENTTYPE_EXECUTE).value, power_up.empty() ? 0 : power_up[0].value};
  }
  Times warm_execute() {
    execute();
    return execute();
  }
  // What happened since the graph was made.
  std::vector<std::string> events() const {
    std::vector<std::string> all = power_.history();
    all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(before_));
    return all;
  }

  Power power_{"host:SM8650"};
  Owned context_ = power_.session().context();
  const Sample sample_ =
      conv_relu_pool(Kind::kQuantized, 32, 32, 64);  // microseconds enough to tell clocks apart
  const Graph graph_ = Graph::built(power_.api(), context_, sample_.model);
  const size_t before_ = power_.history().size();
};

// feature: B7 (C API)
TEST_F(PowerHistoryTest, LowerCornersMakeLongerTimes) {
  const Times none = warm_execute();
  EXPECT_EQ(none.power_up, 0U);
  EXPECT_EQ(power_.cast({dcvs(kMax), polling(9999)}), QNN_SUCCESS);
  const Times burst = warm_execute();
  EXPECT_EQ(burst.accelerator, none.accelerator) << "a warm call under burst is what is timed without votes";
  EXPECT_EQ(burst.total, none.total);
  uint64_t before = burst.accelerator;
  for (const auto corner : {DCVS_VOLTAGE_VCORNER_TURBO, DCVS_VOLTAGE_VCORNER_NOM, DCVS_VOLTAGE_VCORNER_SVS,
                            DCVS_VOLTAGE_VCORNER_MIN_VOLTAGE_CORNER}) {
    EXPECT_EQ(power_.cast({dcvs(corner)}), QNN_SUCCESS);
    const Times slower = execute();
    EXPECT_GE(slower.accelerator, before) << corner;
    EXPECT_GE(slower.total, slower.rpc) << corner;
    before = slower.accelerator;
  }
  EXPECT_GT(before, burst.accelerator);
}

// Without DCVS the target is the clock; with it, an execute under the up-and-down mode takes the highest of
// the bounds. feature: B7 (C API)
TEST_F(PowerHistoryTest, WithDcvsTheCornersBoundTheClock) {
  const auto time_under = [&](const Config& vote) {
    EXPECT_EQ(power_.cast({vote}), QNN_SUCCESS);
    return warm_execute().accelerator;
  };
  Config bounded = dcvs();
  QnnHtpPerfInfrastructure_DcvsV3_t& v3 = bounded.dcvsV3Config;
  v3.powerMode = QNN_HTP_PERF_INFRASTRUCTURE_POWERMODE_ADJUST_UP_DOWN;
  v3.busVoltageCornerMin = v3.coreVoltageCornerMin = DCVS_VOLTAGE_VCORNER_SVS;
  v3.busVoltageCornerTarget = v3.coreVoltageCornerTarget = DCVS_VOLTAGE_VCORNER_NOM;
  v3.busVoltageCornerMax = v3.coreVoltageCornerMax = DCVS_VOLTAGE_VCORNER_TURBO;
  const uint64_t at_target = time_under(dcvs(DCVS_VOLTAGE_VCORNER_NOM));
  const uint64_t at_highest = time_under(dcvs(DCVS_VOLTAGE_VCORNER_TURBO));
  EXPECT_LT(at_highest, at_target);
  EXPECT_EQ(time_under(bounded), at_target);
  v3.dcvsEnable = 1;
  EXPECT_EQ(time_under(bounded), at_highest);
}

// feature: B7 (C API)
TEST_F(PowerHistoryTest, TheFirstExecutePowersUnitsUp) {
  EXPECT_EQ(power_.cast({dcvs(kMax), polling(9999)}), QNN_SUCCESS);
  const Times first = execute();
  const Times second = execute();
  EXPECT_GT(first.power_up, 0U);
  EXPECT_EQ(second.power_up, 0U);
  EXPECT_EQ(first.rpc - second.rpc, first.power_up);
  EXPECT_EQ(first.accelerator, second.accelerator);
}

// feature: B7 (C API)
TEST_F(PowerHistoryTest, PollingAndLatencyShortenACall) {
  EXPECT_EQ(power_.cast({dcvs(kMax)}), QNN_SUCCESS);
  const uint64_t sleeping = warm_execute().rpc;
  EXPECT_EQ(power_.cast({latency(100)}), QNN_SUCCESS);
  const uint64_t bounded = execute().rpc;
  EXPECT_EQ(power_.cast({polling(9999)}), QNN_SUCCESS);
  const uint64_t polled = execute().rpc;
  EXPECT_LT(bounded, sleeping);
  EXPECT_LT(polled, bounded);
}

// feature: B7 (C API)
TEST_F(PowerHistoryTest, AnIdleDeviceSleepsAsDeepAsTheVoteAllows) {
  Config vote = dcvs(kMax);
  vote.dcvsV3Config.sleepDisable = 0;
  vote.dcvsV3Config.sleepLatency = 1000;
  EXPECT_EQ(power_.cast({vote, polling(9999)}), QNN_SUCCESS);
  const uint64_t awake = warm_execute().rpc;
  power_.idle_us(5000);
  EXPECT_EQ(execute().rpc, awake + 1000);
  vote.dcvsV3Config.sleepDisable = 1;
  EXPECT_EQ(power_.cast({vote}), QNN_SUCCESS);
  power_.idle_us(5000);
  EXPECT_EQ(execute().rpc, awake);
}

// feature: B9 (C API)
TEST_F(PowerHistoryTest, TheMatrixUnitIsPoweredUpAgainAfterItsTimeout) {
  Config timeout = vote(QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_HMX_TIMEOUT_INTERVAL_US);
  timeout.hmxTimeoutIntervalUsConfig = 50;
  EXPECT_EQ(power_.cast({dcvs(kMax), polling(9999)}), QNN_SUCCESS);
  EXPECT_EQ(warm_execute().power_up, 0U);
  power_.idle_us(50);
  EXPECT_EQ(execute().power_up, 0U) << "without the option, it stays on for longer";
  EXPECT_EQ(power_.cast({timeout}), QNN_SUCCESS);
  power_.idle_us(49);
  EXPECT_EQ(execute().power_up, 0U);
  power_.idle_us(50);
  EXPECT_GT(execute().power_up, 0U);
}

// feature: B7 (C API)
TEST_F(PowerHistoryTest, TheHighestOfSeveralIdsWinsAndRemovingItRestores) {
  EXPECT_EQ(power_.cast({dcvs(DCVS_VOLTAGE_VCORNER_SVS), polling(9999)}), QNN_SUCCESS);
  const uint64_t slow = warm_execute().accelerator;
  uint32_t other = 0;
  ASSERT_EQ(power_.table.createPowerConfigId(0, 0, &other), QNN_SUCCESS);
  EXPECT_EQ(execute().accelerator, slow) << "an id without a vote changes nothing";
  EXPECT_EQ(power_.cast_as(other, {dcvs(kMax)}), QNN_SUCCESS);
  EXPECT_LT(execute().accelerator, slow);
  EXPECT_EQ(power_.table.destroyPowerConfigId(other), QNN_SUCCESS);
  EXPECT_EQ(execute().accelerator, slow);
}

// The documents' first use case: a vote before every inference, a lower one after it.
// feature: B7 (C API)
TEST_F(PowerHistoryTest, VotingAtEveryInference) {
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(power_.cast({dcvs(DCVS_VOLTAGE_VCORNER_TURBO)}), QNN_SUCCESS);
    execute();
    EXPECT_EQ(power_.cast({dcvs(DCVS_VOLTAGE_VCORNER_SVS)}), QNN_SUCCESS);
    power_.idle_us(100);
  }
  EXPECT_EQ(power_.table.destroyPowerConfigId(power_.id), QNN_SUCCESS);
  const auto up = AllOf(HasSubstr(R"("event": "vote")"), HasSubstr(R"("core": ["TURBO", "TURBO", "TURBO"])"));
  const auto run = AllOf(HasSubstr(R"("event": "execute")"), HasSubstr(sample_.model.name));
  const auto stage = HasSubstr(R"("event": "stage", "name": "inference")");
  const auto down = HasSubstr(R"("core": ["SVS", "SVS", "SVS"])");
  const auto idle = HasSubstr(R"({"event": "idle", "ns": 100000})");
  EXPECT_THAT(events(), ElementsAre(up, stage, run, down, idle, up, stage, run, down, idle,
                                    HasSubstr(R"("event": "remove")")));
}

// The second: one vote for several inferences, lowered when the client's timer ends.
// feature: B7 (C API)
TEST_F(PowerHistoryTest, SustainingTheVoteForSeveralInferences) {
  EXPECT_EQ(power_.cast({dcvs(kMax), polling(9999)}), QNN_SUCCESS);
  execute();
  power_.idle_us(1000);
  const Times held = execute();
  power_.idle_us(1'000'000);  // the timer ends
  EXPECT_EQ(power_.cast({dcvs(DCVS_VOLTAGE_VCORNER_SVS2)}), QNN_SUCCESS);
  const Times lowered = execute();
  EXPECT_GT(lowered.accelerator, held.accelerator);
  const auto up = HasSubstr(R"("core": ["MAX_VOLTAGE_CORNER", )");
  const auto run = HasSubstr(R"("event": "execute")");
  const auto stage = HasSubstr(R"("event": "stage", "name": "inference")");
  const auto idle = HasSubstr(R"("event": "idle")");
  EXPECT_THAT(events(), ElementsAre(up, stage, run, idle, stage, run, idle, HasSubstr(R"("core": ["SVS2", )"),
                                    stage, run));
}

// ---- The rows of the documents' table of HVX and HMX votes ----

// feature: B7 (C API)
TEST_F(PowerHistoryTest, HvxAndHmxAppliedTogether) {
  EXPECT_EQ(power_.cast({dcvs(kMax), hmx(false)}), QNN_SUCCESS);
  EXPECT_THAT(events(), ElementsAre(AllOf(HasSubstr(R"("core": ["MAX_VOLTAGE_CORNER")"),
                                          HasSubstr(R"("hmx": ["TURBO", "TURBO", "TURBO"])"))));
}

// feature: B7 (C API)
TEST_F(PowerHistoryTest, HmxWithoutHvxIsInvalid) {
  EXPECT_TRUE(power_.refuses({hmx(false)}, kBadVote, {"core vote"}));
  EXPECT_THAT(events(), ElementsAre()) << "and nothing is voted";
}

// feature: B7 (C API)
TEST_F(PowerHistoryTest, HvxAloneBringsTheDefaultHmxVote) {
  const auto expect_default = [&](std::initializer_list<Config> votes) {
    take_log();
    EXPECT_EQ(power_.cast(votes), QNN_SUCCESS);
    EXPECT_THAT(events().back(), Not(HasSubstr("hmx")));
    EXPECT_THAT(take_log(), HasSubstr("HMX NOM at")) << "it scales with the core";
  };
  expect_default({dcvs(DCVS_VOLTAGE_VCORNER_NOM)});
  EXPECT_EQ(power_.cast({hmx(false)}), QNN_SUCCESS);
  EXPECT_THAT(events().back(), HasSubstr("hmx"));
  expect_default({hmx(true)});  // back to the default, asked for
}

// feature: B7 (C API)
TEST_F(PowerHistoryTest, RemovingHvxRemovesHmx) {
  EXPECT_EQ(power_.cast({dcvs(kMax), hmx(false)}), QNN_SUCCESS);
  EXPECT_EQ(power_.cast({dcvs(DCVS_VOLTAGE_CORNER_DISABLE)}), QNN_SUCCESS);
  EXPECT_THAT(events().back(), AllOf(HasSubstr(R"("core": ["DISABLE")"), Not(HasSubstr("hmx"))));
  EXPECT_TRUE(power_.refuses({hmx(true)}, kBadVote)) << "not even the default without an HVX vote";
  EXPECT_EQ(power_.cast({dcvs(kMax), hmx(false)}), QNN_SUCCESS);
  EXPECT_EQ(power_.table.destroyPowerConfigId(power_.id), QNN_SUCCESS);
  EXPECT_THAT(events().back(), HasSubstr(R"({"event": "remove")")) << "with the id all of its votes go";
}

// feature: B7 (C API)
TEST_F(PowerHistoryTest, AnHmxVoteChangesTheTimeOfMatrixWork) {
  EXPECT_EQ(power_.cast({dcvs(kMax), polling(9999)}), QNN_SUCCESS);
  const uint64_t by_default = warm_execute().accelerator;
  Config low = hmx(false);
  low.hmxV2Config.hmxVoltageCornerMin = low.hmxV2Config.hmxVoltageCornerTarget =
      low.hmxV2Config.hmxVoltageCornerMax = DCVS_EXP_VCORNER_MIN;
  EXPECT_EQ(power_.cast({low}), QNN_SUCCESS);
  EXPECT_GT(execute().accelerator, by_default);
}

// ---- The device's life ----

TEST_F(PowerHistoryTest, ItsClockTellsModelledAndDeclaredTimeAlone) {
  const auto time = reinterpret_cast<QnnOpenqnn_GetDeviceTimeFn_t>(
      power_.session().library.object.symbol("QnnOpenqnn_getDeviceTime"));
  const auto now = [&] {
    uint64_t ns = 0;
    EXPECT_EQ(time(&ns), uint64_t{QNN_SUCCESS});
    return ns;
  };
  const uint64_t before = now();
  EXPECT_EQ(now(), before);
  power_.idle_us(5);
  EXPECT_EQ(now(), before + 5000);
  const uint64_t total_us = execute().total;
  EXPECT_NEAR(static_cast<double>(now() - before - 5000), static_cast<double>(total_us) * 1000, 500);
}

// feature: B7 (C API)
TEST_F(PowerHistoryTest, StagesAreInIt) {
  const auto stages = [&] {
    std::string text;
    for (const std::string& event : power_.history())
      if (event.find("\"stage\"") != std::string::npos) text += event;
    return text;
  };
  EXPECT_THAT(stages(), HasSubstr(R"("name": "init")"));
  EXPECT_THAT(stages(), Not(HasSubstr("deinit")));
  EXPECT_EQ(context_.free(), QNN_SUCCESS);
  EXPECT_THAT(stages(), HasSubstr(R"("name": "deinit")"));
}

TEST_F(PowerHistoryTest, ADeviceMadeLaterFindsTheVotesThatStand) {
  EXPECT_EQ(power_.cast({dcvs(DCVS_VOLTAGE_VCORNER_SVS)}), QNN_SUCCESS);
  const Owned later = create_device(power_.api());
  EXPECT_THAT(power_.history(), ElementsAre(HasSubstr(R"("core": ["SVS", "SVS", "SVS"])")));
}

// A context that was made without a device is the youngest part as well as a device is.
TEST(PowerHistory, AContextWithoutADeviceIsMeant) {
  const Bytes of_v79 = [] {
    const ScopedEnvironment environment("OPENQNN_TARGET", "host:SM8750");
    const Session session;
    const Owned context = session.context();
    Graph::built(session.api, context, add(Kind::kQuantized).model);
    return binary_of(session.api, context);
  }();
  const Power power("");
  const auto declare = reinterpret_cast<QnnOpenqnn_DeclareClientFn_t>(
      power.session().library.object.symbol("QnnOpenqnn_declareClient"));
  const auto declare_6_megabytes = [&] { return declare(QNN_PRIORITY_HIGH, 0, 1000, 6 << 20); };
  EXPECT_TRUE(power.refuses({dcvs(), hmx(false)}, kNotHere, {"v75", "SM8350"}));
  EXPECT_TRUE(refused(power.api(), declare_6_megabytes(), QNN_DEVICE_ERROR_INVALID_ARGUMENT));
  EXPECT_EQ(power.api().contextValidateBinary(power.session().backend, nullptr, nullptr, of_v79.data(),
                                              of_v79.size()),
            QNN_SUCCESS);
  EXPECT_TRUE(power.refuses({dcvs(), hmx(false)}, kNotHere)) << "validating makes nothing";

  Qnn_ContextHandle_t context = nullptr;
  check(power.api(),
        power.api().contextCreateFromBinary(power.session().backend, nullptr, nullptr, of_v79.data(),
                                            of_v79.size(), &context, nullptr),
        "contextCreateFromBinary");
  EXPECT_EQ(power.cast({dcvs(), hmx(false)}), QNN_SUCCESS);
  EXPECT_EQ(declare_6_megabytes(), QNN_SUCCESS);
  check(power.api(), power.api().contextFree(context, nullptr), "contextFree");
  EXPECT_TRUE(power.refuses({dcvs(), hmx(false)}, kNotHere));
}

TEST(PowerHistory, NeedsADevice) {
  const BackendLibrary library;
  const auto get =
      reinterpret_cast<QnnOpenqnn_GetPowerHistoryFn_t>(library.object.symbol("QnnOpenqnn_getPowerHistory"));
  const auto idle =
      reinterpret_cast<QnnOpenqnn_DeclareIdleFn_t>(library.object.symbol("QnnOpenqnn_declareIdle"));
  const auto time =
      reinterpret_cast<QnnOpenqnn_GetDeviceTimeFn_t>(library.object.symbol("QnnOpenqnn_getDeviceTime"));
  uint64_t bytes = 0;
  EXPECT_TRUE(refused(library.api(), time(nullptr), QNN_DEVICE_ERROR_INVALID_ARGUMENT));
  EXPECT_TRUE(refused(library.api(), time(&bytes), QNN_DEVICE_ERROR_INVALID_HANDLE, {"no device"}));
  EXPECT_TRUE(refused(library.api(), get(nullptr, nullptr), QNN_DEVICE_ERROR_INVALID_ARGUMENT, {"bytes"}));
  EXPECT_TRUE(refused(library.api(), get(nullptr, &bytes), QNN_DEVICE_ERROR_INVALID_HANDLE, {"no device"}));
  EXPECT_TRUE(refused(library.api(), idle(1), QNN_DEVICE_ERROR_INVALID_HANDLE, {"no device"}));
}

}  // namespace
}  // namespace conformance
