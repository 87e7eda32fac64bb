// SPDX-License-Identifier: BSD-3-Clause
// Profiles: what is measured, that simulated times nest and repeat, and what is refused.
#include <gmock/gmock.h>

#include <algorithm>

#include "HTP/QnnHtpProfile.h"
#include "client.h"
#include "samples.h"

namespace conformance {
namespace {

using ::testing::AnyOf;
using ::testing::Eq;

constexpr uint32_t kNode = QNN_PROFILE_EVENTTYPE_NODE;

// Events of ops, without those of the graph's inputs and outputs around them.
std::vector<Event> ops_of(const std::vector<Event>& events) {
  std::vector<Event> nodes = of_type(events, kNode);
  std::erase_if(nodes, [](const Event& event) {
    return event.name == "Input OpId_2 (cycles)" || event.name == "Output OpId_3 (cycles)";
  });
  return nodes;
}

class ProfileTest : public ::testing::Test {
 protected:
  // The events of one execute under a profile of its own.
  std::vector<Event> profile_execute(const Graph& graph, const Sample& sample,
                                     QnnProfile_Level_t level = QNN_PROFILE_LEVEL_BASIC) const {
    const Owned profile = session_.profile(level);
    graph.run(sample.inputs, profile);
    return events_of(session_.api, profile);
  }

  Session session_;
  Owned context_ = session_.context();
};

// feature: B1 (C API)
TEST_F(ProfileTest, ExecuteTimesNest) {
  for (const Sample& sample : all_samples(Kind::kQuantized)) {
    const Graph graph = Graph::built(session_.api, context_, sample.model);
    const std::vector<Event> events = profile_execute(graph, sample);
    ASSERT_FALSE(events.empty());
    const Event& total = only(events, QNN_PROFILE_EVENTTYPE_EXECUTE);
    const Event& rpc = only(events, QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_HOST_RPC_TIME_MICROSEC);
    const Event& accelerator = only(events, QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_ACCEL_TIME_MICROSEC);
    for (const Event* event : {&total, &rpc, &accelerator})
      EXPECT_EQ(event->unit, uint32_t{QNN_PROFILE_EVENTUNIT_MICROSEC}) << event->name;
    EXPECT_LE(accelerator.value, rpc.value);
    EXPECT_LE(rpc.value, total.value);
    EXPECT_GT(total.value, 0U);
    const Event& cycles = only(events, QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_ACCEL_TIME_CYCLE);
    EXPECT_EQ(cycles.unit, uint32_t{QNN_PROFILE_EVENTUNIT_CYCLES});
    EXPECT_GT(cycles.value, 0U);
  }
}

// feature: B1 (C API)
TEST_F(ProfileTest, ExecuteTimesAreSimulatedAndRepeat) {
  const Sample sample = conv_relu_pool(Kind::kQuantized);
  const Graph graph = Graph::built(session_.api, context_, sample.model);
  const std::vector<Event> first = profile_execute(graph, sample, QNN_PROFILE_LEVEL_DETAILED);
  EXPECT_EQ(profile_execute(graph, sample, QNN_PROFILE_LEVEL_DETAILED), first);

  const Owned other_context = session_.context();
  const Graph again = Graph::built(session_.api, other_context, sample.model);
  EXPECT_EQ(profile_execute(again, sample, QNN_PROFILE_LEVEL_DETAILED), first);

  const Owned loaded = session_.load(binary_of(session_.api, other_context));
  EXPECT_EQ(profile_execute(Graph::retrieved(session_.api, loaded, again.model), sample,
                            QNN_PROFILE_LEVEL_DETAILED),
            first)
      << "a loaded graph takes the same time";
}

// feature: B1 (C API)
TEST_F(ProfileTest, DetailedListsEveryOp) {
  const Sample sample = matmul_softmax(Kind::kQuantized);
  const Graph graph = Graph::built(session_.api, context_, sample.model);
  EXPECT_TRUE(of_type(profile_execute(graph, sample), kNode).empty()) << "basic lists no nodes";

  const auto events = profile_execute(graph, sample, QNN_PROFILE_LEVEL_DETAILED);
  ASSERT_EQ(of_type(events, kNode).size(), sample.model.nodes.size() + 2);
  EXPECT_EQ(of_type(events, kNode).front().name, "Input OpId_2 (cycles)");
  EXPECT_EQ(of_type(events, kNode).back().name, "Output OpId_3 (cycles)");
  const auto nodes = ops_of(events);
  ASSERT_EQ(nodes.size(), sample.model.nodes.size());
  for (const Node& node : sample.model.nodes)
    EXPECT_TRUE(std::any_of(nodes.begin(), nodes.end(), [&](const Event& event) {
      return event.name.starts_with(node.name);
    })) << node.name;
  for (const Event& event : nodes) {
    EXPECT_EQ(event.unit, uint32_t{QNN_PROFILE_EVENTUNIT_CYCLES});
    EXPECT_GT(event.value, 0U) << event.name;
  }
}

// Relu disappears into the convolution before it, unless the option forbids it.
// feature: B1, B2 (C API)
TEST_F(ProfileTest, FusedOpsAreOneEvent) {
  Sample sample = conv_relu_pool(Kind::kQuantized);
  const Graph fused = Graph::built(session_.api, context_, sample.model);
  EXPECT_EQ(ops_of(profile_execute(fused, sample, QNN_PROFILE_LEVEL_DETAILED)).size(), 2U);
  sample.model.name = "unfused";
  GraphOptions options;
  options.fold_relu_off();
  const Graph unfused = Graph::built(session_.api, context_, sample.model, options.list());
  EXPECT_EQ(ops_of(profile_execute(unfused, sample, QNN_PROFILE_LEVEL_DETAILED)).size(), 3U);
}

// feature: B1 (C API)
TEST_F(ProfileTest, EveryCallThatTakesAProfileLeavesAnEvent) {
  const Sample sample = add(Kind::kFloat);
  const Owned finalize = session_.profile();
  const Graph graph = Graph::built(session_.api, context_, sample.model, nullptr, finalize);
  EXPECT_FALSE(of_type(events_of(session_.api, finalize), QNN_PROFILE_EVENTTYPE_FINALIZE).empty());

  const Owned load = session_.profile();
  const Bytes binary = binary_of(session_.api, context_);
  Qnn_ContextHandle_t loaded = nullptr;
  check(session_.api,
        session_.api.contextCreateFromBinary(session_.backend, session_.device, nullptr, binary.data(),
                                             binary.size(), &loaded, load),
        "contextCreateFromBinary");
  EXPECT_FALSE(of_type(events_of(session_.api, load), QNN_PROFILE_EVENTTYPE_INIT).empty());

  const Owned free = session_.profile();
  check(session_.api, session_.api.contextFree(loaded, free), "contextFree");
  EXPECT_FALSE(of_type(events_of(session_.api, free), QNN_PROFILE_EVENTTYPE_DEINIT).empty());
}

// feature: B1 (C API)
TEST_F(ProfileTest, CallsWithoutItLeaveAProfileAlone) {
  const Sample sample = add(Kind::kFloat);
  const Graph graph = Graph::built(session_.api, context_, sample.model);
  const Owned profile = session_.profile();
  EXPECT_TRUE(events_of(session_.api, profile).empty());
  graph.run(sample.inputs);
  EXPECT_TRUE(events_of(session_.api, profile).empty());
  graph.run(sample.inputs, profile);
  const std::vector<Event> events = events_of(session_.api, profile);
  graph.run(sample.inputs);
  EXPECT_EQ(events_of(session_.api, profile), events);
}

// feature: B1 (C API)
TEST_F(ProfileTest, ExtendedDataSaysTheSame) {
  const Sample sample = add(Kind::kFloat);
  const Graph graph = Graph::built(session_.api, context_, sample.model);
  const Owned profile = session_.profile();
  graph.run(sample.inputs, profile);
  ASSERT_EQ(session_.api.propertyHasCapability(QNN_PROPERTY_PROFILE_SUPPORTS_EXTENDED_EVENT), QNN_SUCCESS);
  const QnnProfile_EventId_t* ids = nullptr;
  uint32_t count = 0;
  check(session_.api, session_.api.profileGetEvents(profile, &ids, &count), "profileGetEvents");
  ASSERT_GT(count, 0U);
  for (uint32_t i = 0; i < count; ++i) {
    QnnProfile_EventData_t plain = QNN_PROFILE_EVENT_DATA_INIT;
    QnnProfile_ExtendedEventData_t extended = QNN_PROFILE_EXTENDED_EVENT_DATA_INIT;
    check(session_.api, session_.api.profileGetEventData(ids[i], &plain), "profileGetEventData");
    check(session_.api, session_.api.profileGetExtendedEventData(ids[i], &extended),
          "profileGetExtendedEventData");
    EXPECT_EQ(extended.version, QNN_PROFILE_DATA_VERSION_1);
    EXPECT_EQ(extended.v1.type, plain.type);
    EXPECT_EQ(extended.v1.unit, plain.unit);
    EXPECT_STREQ(extended.v1.identifier, plain.identifier);
    ASSERT_EQ(extended.v1.value.dataType, QNN_DATATYPE_UINT_64);
    EXPECT_EQ(extended.v1.value.uint64Value, plain.value);
  }
}

// feature: B1 (C API)
TEST_F(ProfileTest, UnknownLevelsAndOptionsAreRefused) {
  const Api& api = session_.api;
  Qnn_ProfileHandle_t none = nullptr;
  EXPECT_THAT(api.profileCreate(session_.backend, 77, &none),
              AnyOf(Eq(QNN_PROFILE_ERROR_INVALID_ARGUMENT), Eq(QNN_PROFILE_ERROR_UNSUPPORTED)));
  EXPECT_TRUE(refused(api, api.profileCreate(session_.backend, QNN_PROFILE_LEVEL_BASIC, nullptr),
                      QNN_PROFILE_ERROR_INVALID_ARGUMENT));

  const Owned profile = session_.profile();
  for (const int option : {int{QNN_PROFILE_CONFIG_OPTION_CUSTOM}, 4242}) {
    QnnProfile_Config_t config = QNN_PROFILE_CONFIG_INIT;
    config.option = static_cast<QnnProfile_ConfigOption_t>(option);
    const QnnProfile_Config_t* list[] = {&config, nullptr};
    const Qnn_ErrorHandle_t answer = api.profileSetConfig(profile, list);
    EXPECT_THAT(answer, AnyOf(Eq(QNN_PROFILE_ERROR_INVALID_ARGUMENT), Eq(QNN_PROFILE_ERROR_UNSUPPORTED)))
        << option;
    EXPECT_NE(verbose_message(api, answer), "");
  }
}

// feature: B1 (C API)
TEST_F(ProfileTest, ARefusedListChangesNothing) {
  const Api& api = session_.api;
  const Sample sample = add(Kind::kFloat);
  const Graph graph = Graph::built(api, context_, sample.model);
  const Owned profile = session_.profile();
  QnnProfile_Config_t no_events = QNN_PROFILE_CONFIG_INIT;
  no_events.option = QNN_PROFILE_CONFIG_OPTION_MAX_EVENTS;
  no_events.numMaxEvents = 0;
  QnnProfile_Config_t optrace = QNN_PROFILE_CONFIG_INIT;
  optrace.option = QNN_PROFILE_CONFIG_OPTION_ENABLE_OPTRACE;
  optrace.enableOptrace = 1;
  const QnnProfile_Config_t* list[] = {&no_events, &optrace, nullptr};
  EXPECT_TRUE(refused(api, api.profileSetConfig(profile, list), QNN_PROFILE_ERROR_INVALID_ARGUMENT));
  graph.run(sample.inputs, profile);
  EXPECT_FALSE(events_of(api, profile).empty());
}

// feature: B1 (C API)
TEST_F(ProfileTest, EventsGoWithTheirProfile) {
  const Api& api = session_.api;
  const Sample sample = add(Kind::kFloat);
  const Graph graph = Graph::built(api, context_, sample.model);
  Owned profile = session_.profile();
  graph.run(sample.inputs, profile);
  const QnnProfile_EventId_t* ids = nullptr;
  uint32_t count = 0;
  check(api, api.profileGetEvents(profile, &ids, &count), "profileGetEvents");
  const QnnProfile_EventId_t event = ids[0];
  EXPECT_EQ(profile.free(), QNN_SUCCESS);

  QnnProfile_EventData_t data = QNN_PROFILE_EVENT_DATA_INIT;
  QnnProfile_ExtendedEventData_t extended = QNN_PROFILE_EXTENDED_EVENT_DATA_INIT;
  for (const QnnProfile_EventId_t bad : {event, QnnProfile_EventId_t{0}, ~QnnProfile_EventId_t{0}}) {
    EXPECT_TRUE(refused(api, api.profileGetEventData(bad, &data), QNN_PROFILE_ERROR_INVALID_HANDLE)) << bad;
    EXPECT_TRUE(
        refused(api, api.profileGetExtendedEventData(bad, &extended), QNN_PROFILE_ERROR_INVALID_HANDLE))
        << bad;
    EXPECT_TRUE(refused(api, api.profileGetSubEvents(bad, &ids, &count), QNN_PROFILE_ERROR_INVALID_HANDLE))
        << bad;
  }
}

}  // namespace
}  // namespace conformance
