// SPDX-License-Identifier: BSD-3-Clause
// Levels of profiles beyond basic and detailed: linting, op traces, and the heap of the DSP.
#include <gmock/gmock.h>

#include <cstring>

#include "HTP/QnnHtpProfile.h"
#include "client.h"
#include "option_lists.h"
#include "samples.h"

namespace conformance {
namespace {

// ---- Linting

uint64_t value_below(const std::vector<Event>& events, size_t op, uint32_t type) {
  for (size_t i = op + 1; i < events.size() && events[i].depth > events[op].depth; ++i)
    if (events[i].type == type) return events[i].value;
  return UINT64_MAX;
}

// feature: D3 (C API)
TEST(ProfileLevels, LintingAddsUpToTheCriticalPath) {
  const Session session;
  const Owned context = session.context();
  for (const Sample& sample : all_samples(Kind::kQuantized)) {
    const Graph graph = Graph::built(session.api, context, sample.model);
    const Owned profile = session.profile(QNN_HTP_PROFILE_LEVEL_LINTING);
    graph.run(sample.inputs, profile);
    const std::vector<Event> events = events_of(session.api, profile);
    const Event& path = only(events, QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_CRITICAL_ACCEL_TIME_CYCLE);
    EXPECT_EQ(path.unit, uint32_t{QNN_PROFILE_EVENTUNIT_CYCLES});
    uint64_t sum = 0;
    for (size_t i = 0; i < events.size(); ++i) {
      if (events[i].type != QNN_PROFILE_EVENTTYPE_NODE) continue;
      const uint64_t wait = value_below(events, i, QNN_HTP_PROFILE_EVENTTYPE_NODE_WAIT);
      sum += events[i].value + wait;
      EXPECT_LE(value_below(events, i, QNN_HTP_PROFILE_EVENTTYPE_NODE_OVERLAP), events[i].value);
      EXPECT_LE(value_below(events, i, QNN_HTP_PROFILE_EVENTTYPE_NODE_WAIT_OVERLAP), wait);
      EXPECT_LE(value_below(events, i, QNN_HTP_PROFILE_EVENTTYPE_NODE_RESOURCEMASK), 7U);
    }
    EXPECT_EQ(sum, path.value) << sample.model.name;
    EXPECT_GT(sum, 0U);
  }
}

// ---- Op traces

struct Object {
  std::string file;
  std::string bytes;
};

// The objects among the top-level events; plain data of such an event are refused.
std::vector<Object> objects_of(const Api& api, Qnn_ProfileHandle_t profile) {
  const QnnProfile_EventId_t* ids = nullptr;
  uint32_t count = 0;
  check(api, api.profileGetEvents(profile, &ids, &count), "profileGetEvents");
  std::vector<Object> objects;
  for (uint32_t i = 0; i < count; ++i) {
    QnnProfile_ExtendedEventData_t data = QNN_PROFILE_EXTENDED_EVENT_DATA_INIT;
    check(api, api.profileGetExtendedEventData(ids[i], &data), "profileGetExtendedEventData");
    if (data.v1.unit != QNN_PROFILE_EVENTUNIT_OBJECT) continue;
    EXPECT_EQ(data.v1.type, uint32_t{QNN_PROFILE_EVENTTYPE_TRACE});
    QnnProfile_EventData_t plain = QNN_PROFILE_EVENT_DATA_INIT;
    EXPECT_TRUE(refused(api, api.profileGetEventData(ids[i], &plain), QNN_PROFILE_ERROR_INCOMPATIBLE_EVENT,
                        {"QnnProfile_getExtendedEventData"}));
    const QnnProfile_BackendOpaqueObject_t& object = data.v1.backendOpaqueObject;
    objects.push_back({object.fileName, std::string(static_cast<const char*>(object.opaqueObject.data),
                                                    object.opaqueObject.len)});
  }
  return objects;
}

Qnn_ErrorHandle_t set_optrace(const Session& session, Qnn_ProfileHandle_t profile, bool on) {
  QnnProfile_Config_t config = QNN_PROFILE_CONFIG_INIT;
  config.option = QNN_PROFILE_CONFIG_OPTION_ENABLE_OPTRACE;
  config.enableOptrace = on ? 1 : 0;
  const QnnProfile_Config_t* list[] = {&config, nullptr};
  return session.api.profileSetConfig(profile, list);
}

Owned tracing_profile(const Session& session) {
  Owned profile = session.profile(QNN_PROFILE_LEVEL_DETAILED);
  EXPECT_EQ(set_optrace(session, profile, true), QNN_SUCCESS);
  return profile;
}

// feature: D3 (C API)
TEST(ProfileLevels, OptraceHandsOutTheSchematicAndATraceOfEachExecution) {
  const Session session;
  const Owned context = session.context();
  const Sample sample = conv_relu_pool(Kind::kQuantized);
  const Owned finalize = tracing_profile(session);
  const Graph graph = Graph::built(session.api, context, sample.model, nullptr, finalize);
  const auto schematic = objects_of(session.api, finalize);
  ASSERT_EQ(schematic.size(), 1U);
  EXPECT_EQ(schematic[0].file, sample.model.name + "_schematic.bin");
  EXPECT_TRUE(schematic[0].bytes.starts_with("OQNNSCH\n"));

  const Owned profile = tracing_profile(session);
  graph.run(sample.inputs, profile);
  graph.run(sample.inputs, profile);
  const auto traces = objects_of(session.api, profile);
  ASSERT_EQ(traces.size(), 2U);
  EXPECT_TRUE(traces[0].bytes.starts_with("OQNNTRC\n"));
  EXPECT_EQ(traces[0].bytes, traces[1].bytes) << "simulated, so equal";

  EXPECT_EQ(set_optrace(session, profile, false), QNN_SUCCESS);
  graph.run(sample.inputs, profile);
  EXPECT_EQ(objects_of(session.api, profile).size(), 2U);
}

// feature: D3 (C API)
TEST(ProfileLevels, OptraceIsForTheDetailedLevel) {
  const Session session;
  const Owned basic = session.profile();
  EXPECT_TRUE(refused(session.api, set_optrace(session, basic, true), QNN_PROFILE_ERROR_INVALID_ARGUMENT,
                      {"detailed"}));
  EXPECT_EQ(set_optrace(session, basic, false), QNN_SUCCESS);
}

// ---- The DSP's heap

std::vector<std::string> heap_events(const Session& session, Qnn_ProfileHandle_t profile) {
  std::vector<std::string> names;
  for (const Event& event : events_of(session.api, profile))
    if (event.name.starts_with("DSP:")) {
      EXPECT_EQ(event.unit, uint32_t{QNN_PROFILE_EVENTUNIT_BYTES});
      names.push_back(event.name);
    }
  return names;
}

class DspHeapTest : public ::testing::Test {
 protected:
  DspHeapTest() {
    const Session session;
    const Owned context = session.context();
    const Sample sample = add(Kind::kQuantized);
    const Graph graph = Graph::built(session.api, context, sample.model);
    binary_ = binary_of(session.api, context);
  }

  // Creates a context; with the option where it is given.
  Qnn_ContextHandle_t load(const Session& session, bool profiled, Qnn_ProfileHandle_t profile) const {
    ContextOption option(QNN_HTP_CONTEXT_CONFIG_OPTION_DSP_MEMORY_PROFILING_ENABLED);
    option.custom.dspMemoryProfilingEnabled = profiled;
    Qnn_ContextHandle_t context = nullptr;
    check(session.api,
          session.api.contextCreateFromBinary(session.backend, session.device, option.list(), binary_.data(),
                                              binary_.size(), &context, profile),
          "contextCreateFromBinary");
    return context;
  }

  Bytes binary_;
};

// The documented order: enabled on the first and the last of three.
// feature: B11 (C API)
TEST_F(DspHeapTest, TheFirstCreatedAndTheLastFreedContextTell) {
  const ScopedEnvironment device("OPENQNN_TARGET", "android:SM8350");
  const Session session;
  const Owned first = session.profile();
  const Owned other = session.profile();
  const auto context_1 = load(session, true, first);
  const auto context_2 = load(session, false, other);
  const auto context_3 = load(session, true, other);
  EXPECT_EQ(heap_events(session, first), std::vector<std::string>{"DSP:before_context_created"});
  EXPECT_TRUE(heap_events(session, other).empty()) << "not the first";
  const Owned freed = session.profile();
  check(session.api, session.api.contextFree(context_1, freed), "contextFree");
  check(session.api, session.api.contextFree(context_2, freed), "contextFree");
  EXPECT_TRUE(heap_events(session, freed).empty()) << "not the last";
  check(session.api, session.api.contextFree(context_3, freed), "contextFree");
  EXPECT_EQ(heap_events(session, freed), std::vector<std::string>{"DSP:after_context_freed"});
}

// feature: B11 (C API)
TEST_F(DspHeapTest, NothingIsToldWhereItIsNotEnabled) {
  const ScopedEnvironment device("OPENQNN_TARGET", "android:SM8350");
  const Session session;
  const Owned profile = session.profile();
  const auto context = load(session, false, profile);
  check(session.api, session.api.contextFree(context, profile), "contextFree");
  EXPECT_TRUE(heap_events(session, profile).empty());
}

// feature: B11 (C API)
TEST_F(DspHeapTest, ItMayBeEnabledLater) {
  const ScopedEnvironment device("OPENQNN_TARGET", "android:SM8350");
  const Session session;
  const Owned profile = session.profile();
  const auto context = load(session, false, profile);
  ContextOption option(QNN_HTP_CONTEXT_CONFIG_OPTION_DSP_MEMORY_PROFILING_ENABLED);
  option.custom.dspMemoryProfilingEnabled = true;
  check(session.api, session.api.contextSetConfig(context, option.list()), "contextSetConfig");
  check(session.api, session.api.contextFree(context, profile), "contextFree");
  EXPECT_EQ(heap_events(session, profile), std::vector<std::string>{"DSP:after_context_freed"});
}

// feature: B11 (C API)
TEST_F(DspHeapTest, AHostHasNone) {
  const ScopedEnvironment host("OPENQNN_TARGET", "host:SM8350");
  const Session session;
  const Owned profile = session.profile();
  const auto context = load(session, true, profile);
  check(session.api, session.api.contextFree(context, profile), "contextFree");
  EXPECT_TRUE(heap_events(session, profile).empty());
}

}  // namespace
}  // namespace conformance
