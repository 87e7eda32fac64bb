// SPDX-License-Identifier: BSD-3-Clause
// Profile data to log files, the way public clients do it: events are read from a profile, copied into the
// System library's structs, and serialized.
#include <gmock/gmock.h>
#include <stdlib.h>

#include <cstring>
#include <deque>
#include <filesystem>
#include <fstream>
#include <optional>
#include <thread>

#include "client.h"
#include "profile_log_file.h"
#include "samples.h"

namespace conformance {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using SystemEvent = QnnSystemProfile_ProfileEventV1_t;

constexpr Qnn_ErrorHandle_t kHandle = QNN_SYSTEM_PROFILE_ERROR_INVALID_HANDLE;
constexpr Qnn_ErrorHandle_t kProfileArgument = QNN_SYSTEM_PROFILE_ERROR_INVALID_ARGUMENT;

SystemEvent plain_event(const char* identifier, uint64_t value) {
  SystemEvent event = QNN_SYSTEM_PROFILE_EVENT_V1_INIT;
  event.type = QNN_SYSTEM_PROFILE_EVENT_DATA;
  event.eventData = {QNN_PROFILE_EVENTTYPE_EXECUTE, QNN_PROFILE_EVENTUNIT_MICROSEC, value, identifier};
  return event;
}

SystemEvent extended_event(const char* identifier) {
  SystemEvent event;
  std::memset(&event, 0, sizeof event);
  event.type = QNN_SYSTEM_PROFILE_EXTENDED_EVENT_DATA;
  event.extendedEventData = QNN_PROFILE_EXTENDED_EVENT_DATA_INIT;
  event.extendedEventData.v1.unit = QNN_PROFILE_EVENTUNIT_NONE;
  event.extendedEventData.v1.identifier = identifier;
  return event;
}

void put_below(SystemEvent& parent, std::vector<SystemEvent>& children) {
  parent.profileSubEventData = children.data();
  parent.numSubEvents = static_cast<uint32_t>(children.size());
}

QnnSystemProfile_ProfileData_t data_of(std::vector<SystemEvent>& events, const char* graph = "g") {
  QnnSystemProfile_ProfileData_t data = QNN_SYSTEM_PROFILE_DATA_INIT;
  data.version = QNN_SYSTEM_PROFILE_DATA_VERSION_1;
  data.v1.header.startTime = 100;
  data.v1.header.stopTime = 300;
  data.v1.header.methodType = QNN_SYSTEM_PROFILE_METHOD_TYPE_BACKEND_EXECUTE;
  data.v1.header.graphName = graph;
  data.v1.profilingEvents = events.data();
  data.v1.numProfilingEvents = static_cast<uint32_t>(events.size());
  return data;
}

class SystemProfile : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "openqnn-profile-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }

  QnnSystemProfile_SerializationTarget_t file(const char* name = "run_qnn.log") const {
    QnnSystemProfile_SerializationTarget_t target;
    target.type = QNN_SYSTEM_PROFILE_SERIALIZATION_TARGET_FILE;
    target.file = {name, folder_.c_str()};
    return target;
  }
  std::string path() const { return (fs::path(folder_) / "run_qnn.log").string(); }

  // A target with the header that clients set, and perhaps a limit.
  Owned target(std::optional<uint32_t> most = std::nullopt) const {
    std::vector<QnnSystemProfile_SerializationTargetConfig_t> configs(1);
    configs[0].type = QNN_SYSTEM_PROFILE_SERIALIZATION_TARGET_CONFIG_SERIALIZATION_HEADER;
    configs[0].serializationHeader = {"conformance", "7", "2.39.0"};
    if (most) {
      configs.emplace_back().type = QNN_SYSTEM_PROFILE_SERIALIZATION_TARGET_CONFIG_MAX_NUM_MESSAGES;
      configs.back().maxNumMessages = *most;
    }
    void* handle = nullptr;
    EXPECT_EQ(api_.systemProfileCreateSerializationTarget(file(), configs.data(),
                                                          static_cast<uint32_t>(configs.size()), &handle),
              QNN_SUCCESS);
    return {handle, api_.systemProfileFreeSerializationTarget};
  }

  Qnn_ErrorHandle_t serialize_all(void* target,
                                  std::vector<const QnnSystemProfile_ProfileData_t*> data) const {
    return api_.systemProfileSerializeEventData(target, data.data(), static_cast<uint32_t>(data.size()));
  }
  Qnn_ErrorHandle_t serialize(void* target, std::vector<SystemEvent> events, const char* graph = "g") const {
    const QnnSystemProfile_ProfileData_t data = data_of(events, graph);
    return serialize_all(target, {&data});
  }

  SystemLibrary library_;
  const SystemApi& api_ = library_.api();
  std::string folder_;
};

// Copies a profile's events as clients do; keeps the lists that the copies point to.
class EventTree {
 public:
  explicit EventTree(const Api& api) : api_(api) {}

  std::vector<SystemEvent> of(Qnn_ProfileHandle_t profile) {
    const QnnProfile_EventId_t* ids = nullptr;
    uint32_t count = 0;
    check(api_, api_.profileGetEvents(profile, &ids, &count), "profileGetEvents");
    return copy(ids, count);
  }

 private:
  std::vector<SystemEvent> copy(const QnnProfile_EventId_t* ids, uint32_t count) {
    std::vector<SystemEvent> events;
    for (uint32_t i = 0; i < count; ++i) {
      SystemEvent& event = events.emplace_back();
      event.type = QNN_SYSTEM_PROFILE_EVENT_DATA;
      check(api_, api_.profileGetEventData(ids[i], &event.eventData), "profileGetEventData");
      const QnnProfile_EventId_t* below = nullptr;
      check(api_, api_.profileGetSubEvents(ids[i], &below, &event.numSubEvents), "profileGetSubEvents");
      event.profileSubEventData = lists_.emplace_back(copy(below, event.numSubEvents)).data();
    }
    return events;
  }

  const Api& api_;
  std::deque<std::vector<SystemEvent>> lists_;
};

// feature: B1, D3 (C API)
TEST_F(SystemProfile, EventsOfAnExecuteReachTheFile) {
  const Session session;
  const Owned context = session.context();
  const Owned profile = session.profile(QNN_PROFILE_LEVEL_DETAILED);
  const Sample sample = conv_relu_pool(Kind::kQuantized);
  const Graph graph = Graph::built(session.api, context, sample.model);
  graph.run(sample.inputs, profile);
  const std::vector<Event> expected = events_of(session.api, profile);
  {
    EventTree tree(session.api);
    Owned handle = target();
    EXPECT_EQ(serialize(handle, tree.of(profile), sample.model.name.c_str()), QNN_SUCCESS);
    EXPECT_EQ(handle.free(), QNN_SUCCESS);
  }
  const std::vector<LoggedSession> log = read_profile_log(path());
  ASSERT_EQ(log.size(), 1U);
  EXPECT_EQ(log[0].application, "conformance");
  EXPECT_EQ(log[0].application_version, "7");
  EXPECT_EQ(log[0].backend_version, "2.39.0");
  ASSERT_EQ(log[0].records.size(), 1U);
  const LoggedRecord& record = log[0].records[0];
  EXPECT_EQ(record.graph, sample.model.name);
  EXPECT_EQ(record.start_time, 100U);
  EXPECT_EQ(record.stop_time, 300U);
  EXPECT_EQ(record.method, QNN_SYSTEM_PROFILE_METHOD_TYPE_BACKEND_EXECUTE);
  ASSERT_EQ(record.events.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    const LoggedEvent& event = record.events[i];
    EXPECT_EQ((Event{event.type, event.unit, event.bits, event.identifier, event.depth}), expected[i]) << i;
  }
}

// feature: B1, D3 (C API)
TEST_F(SystemProfile, ExtendedEventsKeepTheirValues) {
  SystemEvent number = extended_event("number");
  number.extendedEventData.v1.timestamp = 12345;
  number.extendedEventData.v1.value.dataType = QNN_DATATYPE_INT_16;
  number.extendedEventData.v1.value.uint64Value =
      ~uint64_t{0};  // what lies beside the value is no part of it
  number.extendedEventData.v1.value.int16Value = -2;
  SystemEvent text = extended_event("text");
  text.extendedEventData.v1.value.dataType = QNN_DATATYPE_STRING;
  text.extendedEventData.v1.value.stringValue = "words";
  SystemEvent object = extended_event("object");
  char bytes[] = {1, 0, 2};
  object.extendedEventData.v1.unit = QNN_PROFILE_EVENTUNIT_OBJECT;
  object.extendedEventData.v1.backendOpaqueObject = {{bytes, sizeof bytes}, "trace.bin"};
  EXPECT_EQ(serialize(target(), {number, text, object}), QNN_SUCCESS);

  const auto log = read_profile_log(path());
  ASSERT_EQ(log.at(0).records.at(0).events.size(), 3U);
  const std::vector<LoggedEvent>& events = log[0].records[0].events;
  EXPECT_EQ(events[0].kind, 1);
  EXPECT_EQ(events[0].data_type, QNN_DATATYPE_INT_16);
  EXPECT_EQ(events[0].bits, 0xFFFEU);
  EXPECT_EQ(events[0].timestamp, 12345U);
  EXPECT_EQ(events[1].kind, 2);
  EXPECT_EQ(events[1].text, "words");
  EXPECT_EQ(events[2].kind, 3);
  EXPECT_EQ(events[2].text, "trace.bin");
  EXPECT_EQ(events[2].object, (Bytes{std::byte{1}, std::byte{0}, std::byte{2}}));
}

// feature: B1, D3 (C API)
TEST_F(SystemProfile, CallsAreKeptInOrderAndAtOnce) {
  const Owned handle = target();
  EXPECT_EQ(read_profile_log(path()).at(0).records.size(), 0U) << "the file appears with the target";
  std::vector<SystemEvent> events = {plain_event("e", 1)};
  for (const char* graph : {"a", "b", "c"}) {
    EXPECT_EQ(serialize(handle, events, graph), QNN_SUCCESS);
    EXPECT_EQ(read_profile_log(path())[0].records.back().graph, graph) << "before the target is freed";
  }
  const QnnSystemProfile_ProfileData_t d = data_of(events, "d");
  const QnnSystemProfile_ProfileData_t e = data_of(events, nullptr);
  EXPECT_EQ(serialize_all(handle, {&d, &e}), QNN_SUCCESS);
  const auto log = read_profile_log(path());
  ASSERT_EQ(log[0].records.size(), 5U);
  EXPECT_EQ(log[0].records[3].graph, "d");
  EXPECT_EQ(log[0].records[4].graph, "") << "null counts as empty";
}

// One target for each profile, all with the same file, as ONNX Runtime does.
// feature: B1, D3 (C API)
TEST_F(SystemProfile, ALaterTargetContinuesTheFile) {
  for (const char* graph : {"first", "second", "third"}) {
    Owned handle = target();
    EXPECT_EQ(serialize(handle, {plain_event("e", 1)}, graph), QNN_SUCCESS);
    EXPECT_EQ(handle.free(), QNN_SUCCESS);
  }
  const auto log = read_profile_log(path());
  ASSERT_EQ(log.size(), 3U);
  EXPECT_EQ(log[2].records.at(0).graph, "third");

  std::ofstream(path(), std::ios::trunc).close();  // a client's way to begin anew
  EXPECT_EQ(serialize(target(), {plain_event("e", 1)}, "fourth"), QNN_SUCCESS);
  EXPECT_EQ(read_profile_log(path()).size(), 1U);
}

// feature: B1 (C API)
TEST_F(SystemProfile, TheLimitLeavesOutTheRest) {
  std::vector<SystemEvent> events = {plain_event("e", 1)};
  const QnnSystemProfile_ProfileData_t data = data_of(events);
  Owned handle = target(3);
  EXPECT_EQ(serialize_all(handle, {&data, &data}), QNN_SUCCESS);
  EXPECT_EQ(serialize_all(handle, {&data, &data, &data}), QNN_SUCCESS);
  EXPECT_EQ(serialize_all(handle, {&data}), QNN_SUCCESS);
  EXPECT_EQ(handle.free(), QNN_SUCCESS);
  const auto log = read_profile_log(path());
  EXPECT_EQ(log.at(0).records.size(), 3U);
  EXPECT_EQ(log[0].left_out, 3U);
}

// A call about one target refused, and the file as it was.
class SystemProfileRefusals : public SystemProfile {
 protected:
  void SetUp() override {
    SystemProfile::SetUp();
    log_ = create_log(api_, QNN_LOG_LEVEL_ERROR);
    target_ = target();
    EXPECT_EQ(serialize(target_, {plain_event("before", 1)}), QNN_SUCCESS);
    size_ = fs::file_size(path());
  }

  void expect_refused(Qnn_ErrorHandle_t answer, const std::string& words) const {
    EXPECT_EQ(answer, kProfileArgument) << words;
    EXPECT_THAT(take_log(), HasSubstr(words));
    EXPECT_EQ(fs::file_size(path()), size_) << words;
  }

  Owned log_, target_;
  uintmax_t size_ = 0;
};

// feature: B1 (C API)
TEST_F(SystemProfileRefusals, BadDataWriteNothing) {
  std::vector<SystemEvent> events = {plain_event("e", 1)};
  const QnnSystemProfile_ProfileData_t good = data_of(events);
  QnnSystemProfile_ProfileData_t bad = good;
  expect_refused(serialize_all(target_, {&good, nullptr}), "eventData[1]");
  bad.version = QNN_SYSTEM_PROFILE_DATA_VERSION_UNDEFINED;
  expect_refused(serialize_all(target_, {&good, &bad}), "eventData[1]");
  bad = good;
  bad.v1.profilingEvents = nullptr;
  expect_refused(serialize_all(target_, {&bad}), "a list of 1 events is null");
  EXPECT_EQ(api_.systemProfileSerializeEventData(target_, nullptr, 0), kProfileArgument);
  EXPECT_EQ(serialize_all(target_, std::vector<const QnnSystemProfile_ProfileData_t*>{}), kProfileArgument)
      << "an empty vector has no address";
  EXPECT_EQ(fs::file_size(path()), size_);
  EXPECT_EQ(serialize_all(target_, {&good}), QNN_SUCCESS) << "the target is as good as before";
}

// feature: B1 (C API)
TEST_F(SystemProfileRefusals, BadEventsWriteNothing) {
  SystemEvent bad = QNN_SYSTEM_PROFILE_EVENT_V1_INIT;
  expect_refused(serialize(target_, {plain_event("e", 1), bad}), "neither plain (0) nor extended (1)");
  bad = plain_event("e", 1);
  bad.numSubEvents = 2;
  expect_refused(serialize(target_, {bad}), "a list of 2 events is null");
  bad = extended_event("e");
  expect_refused(serialize(target_, {bad}), "no data type has the number 0x7fffffff");
  bad.extendedEventData.version = QNN_PROFILE_DATA_VERSION_UNDEFINED;
  expect_refused(serialize(target_, {bad}), "extended event data of version");
  bad = extended_event("e");
  bad.extendedEventData.v1.unit = QNN_PROFILE_EVENTUNIT_OBJECT;
  bad.extendedEventData.v1.backendOpaqueObject = {{nullptr, 5}, nullptr};
  expect_refused(serialize(target_, {bad}), "an object of 5 bytes has null data");
  const std::string long_name(70000, 'n');
  expect_refused(serialize(target_, {plain_event(long_name.c_str(), 1)}), "identifier is longer than 65535");
}

// Lists that contain themselves have no end: by depth, and by number.
// feature: B1 (C API)
TEST_F(SystemProfileRefusals, EndlessEventsAreNotFollowed) {
  std::vector<SystemEvent> ring = {plain_event("ring", 1)};
  put_below(ring[0], ring);
  expect_refused(serialize(target_, ring), "more than 64 levels deep");
  // Each level holds the next one twice: 2 to the power of 60 events in 120 structs.
  std::vector<std::vector<SystemEvent>> levels(60, {plain_event("l", 1), plain_event("r", 2)});
  for (size_t i = 0; i + 1 < levels.size(); ++i)
    for (SystemEvent& event : levels[i]) put_below(event, levels[i + 1]);
  expect_refused(serialize(target_, levels[0]), "more than 262144 events");
}

// feature: B1 (C API)
TEST_F(SystemProfile, BadTargetsAreRefused) {
  void* out = nullptr;
  QnnSystemProfile_SerializationTargetConfig_t config;
  config.type = QNN_SYSTEM_PROFILE_SERIALIZATION_TARGET_CONFIG_UNDEFINED;
  const auto create = [&](const QnnSystemProfile_SerializationTarget_t& target, uint32_t configs = 0) {
    return api_.systemProfileCreateSerializationTarget(target, &config, configs, &out);
  };
  auto target = file();
  EXPECT_EQ(create(target, 1), kProfileArgument);
  EXPECT_EQ(api_.systemProfileCreateSerializationTarget(target, nullptr, 1, &out), kProfileArgument);
  EXPECT_EQ(api_.systemProfileCreateSerializationTarget(target, nullptr, 0, nullptr), kProfileArgument);
  target.type = QNN_SYSTEM_PROFILE_SERIALIZATION_TARGET_UNDEFINED;
  EXPECT_EQ(create(target), kProfileArgument);
  EXPECT_EQ(create(file(nullptr)), kProfileArgument);
  EXPECT_EQ(create(file("")), kProfileArgument);
  EXPECT_EQ(create(file("no/such/folder.log")), kProfileArgument);
  EXPECT_EQ(create(file(".")), kProfileArgument);
  EXPECT_TRUE(fs::is_empty(folder_)) << "no refused target leaves a file";
  std::ofstream(path()) << "somebody's notes";
  EXPECT_EQ(create(file()), kProfileArgument);
  EXPECT_EQ(fs::file_size(path()), 16U);
  EXPECT_EQ(out, nullptr);
}

// feature: B1 (C API)
TEST_F(SystemProfile, AFreedTargetIsGone) {
  Owned handle = target();
  void* const stale = handle;
  EXPECT_EQ(handle.free(), QNN_SUCCESS);
  EXPECT_EQ(serialize(stale, {plain_event("e", 1)}), kHandle);
  EXPECT_EQ(api_.systemProfileFreeSerializationTarget(stale), kHandle);
}

// feature: B1 (C API)
TEST_F(SystemProfile, ThreadsShareATarget) {
  const Owned shared = target();
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      const Owned own = target();
      for (int k = 0; k < 20; ++k) {
        EXPECT_EQ(serialize(shared, {plain_event("shared", 1)}), QNN_SUCCESS);
        EXPECT_EQ(serialize(own, {plain_event("own", 1)}), QNN_SUCCESS);
      }
    });
  for (std::thread& thread : threads) thread.join();
  const auto log = read_profile_log(path());
  ASSERT_EQ(log.size(), 5U);
  EXPECT_EQ(log[0].records.size(), 80U);
  for (size_t i = 1; i < log.size(); ++i) EXPECT_EQ(log[i].records.size(), 20U);
}

}  // namespace
}  // namespace conformance
