// SPDX-License-Identifier: BSD-3-Clause
#include "tools/qnn/profiling.h"

#include <cstdlib>
#include <deque>
#include <filesystem>
#include <utility>
#include <vector>

#include "base/text.h"
#include "tools/console.h"
#include "tools/program_options.h"
#include "tools/qnn/tool.h"

namespace openqnn::tools {
namespace {

namespace fs = std::filesystem;
constexpr const char* kLogName = "qnn-profiling-data_0.log";

// Events as the system library takes them; lists stay in place in a deque.
class Events {
 public:
  explicit Events(const Client& client) : client_(client) {}

  Result<std::span<QnnSystemProfile_ProfileEventV1_t>> read(Qnn_ProfileHandle_t profile) {
    const QnnProfile_EventId_t* ids = nullptr;
    uint32_t count = 0;
    OPENQNN_TRY(client_.check(client_.api().profileGetEvents(profile, &ids, &count), "QnnProfile_getEvents"));
    return read(std::span(ids, count));
  }

 private:
  Result<std::span<QnnSystemProfile_ProfileEventV1_t>> read(std::span<const QnnProfile_EventId_t> ids) {
    auto& list = lists_.emplace_back();
    for (const QnnProfile_EventId_t id : ids) {
      QnnSystemProfile_ProfileEventV1_t event = QNN_SYSTEM_PROFILE_EVENT_V1_INIT;
      event.type = QNN_SYSTEM_PROFILE_EVENT_DATA;
      OPENQNN_TRY(
          client_.check(client_.api().profileGetEventData(id, &event.eventData), "QnnProfile_getEventData"));
      const QnnProfile_EventId_t* children = nullptr;
      uint32_t count = 0;
      OPENQNN_TRY(
          client_.check(client_.api().profileGetSubEvents(id, &children, &count), "QnnProfile_getSubEvents"));
      OPENQNN_ASSIGN(const auto below, read(std::span(children, count)));
      event.profileSubEventData = below.data();
      event.numSubEvents = static_cast<uint32_t>(below.size());
      list.push_back(event);
    }
    return std::span(list);
  }

  const Client& client_;
  std::deque<std::vector<QnnSystemProfile_ProfileEventV1_t>> lists_;
};

}  // namespace

uint64_t host_microseconds() {
  static const bool still = std::getenv("OPENQNN_DETERMINISTIC") != nullptr;
  if (still) return 0;
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(now).count());
}

OptionSpec profiling_option(std::string_view choices) {
  return {"--profiling_level", "LEVEL",
          "write what was measured to qnn-profiling-data_0.log in the output folder", false, choices};
}

Result<std::unique_ptr<Profiling>> Profiling::start(const Args& args, const Client& client,
                                                    const ToolConfig& config, const std::string& output_dir) {
  std::unique_ptr<Profiling> profiling(new Profiling(client));
  if (!args.has("--profiling_level")) {
    std::error_code ignored;
    if (const fs::path log = fs::path(output_dir) / kLogName; fs::exists(log, ignored))
      log_info(concat(log.string(), " is of an earlier run and left; this run is not profiled"));
    return profiling;
  }
  const std::string level = args.get("--profiling_level");
  if (level == "basic") profiling->level_ = QNN_PROFILE_LEVEL_BASIC;
  if (level == "detailed") profiling->level_ = QNN_PROFILE_LEVEL_DETAILED;
  profiling->most_events_ = config.most_events();
  OPENQNN_TRY(profiling->open_log(output_dir));
  return profiling;
}

Status Profiling::open_log(const std::string& output_dir) {
  path_ = (fs::path(output_dir) / kLogName).string();
  verb_ = written_verb(path_);
  std::error_code error;
  fs::remove(path_, error);  // a log only grows, and this run's shall not continue an old one
  OPENQNN_ASSIGN(const std::string build, client_.build_id());
  QnnSystemProfile_SerializationTarget_t target;
  target.type = QNN_SYSTEM_PROFILE_SERIALIZATION_TARGET_FILE;
  target.file = {kLogName, output_dir.c_str()};
  const std::string application(program_name());
  QnnSystemProfile_SerializationTargetConfig_t config;
  config.type = QNN_SYSTEM_PROFILE_SERIALIZATION_TARGET_CONFIG_SERIALIZATION_HEADER;
  config.serializationHeader = {application.c_str(), OPENQNN_VERSION, build.c_str()};
  return client_.check(client_.system().systemProfileCreateSerializationTarget(target, &config, 1, &target_),
                       "QnnSystemProfile_createSerializationTarget");
}

void Profiling::free_profile() {
  if (profile_ != nullptr) client_.api().profileFree(std::exchange(profile_, nullptr));
}

Profiling::~Profiling() {
  free_profile();
  if (target_ != nullptr) client_.system().systemProfileFreeSerializationTarget(target_);
}

Result<Qnn_ProfileHandle_t> Profiling::handle() {
  free_profile();
  if (!level_) return Qnn_ProfileHandle_t(nullptr);
  OPENQNN_TRY(
      client_.check(client_.api().profileCreate(client_.backend(), *level_, &profile_), "QnnProfile_create"));
  if (most_events_) {
    QnnProfile_Config_t config = QNN_PROFILE_CONFIG_INIT;
    config.option = QNN_PROFILE_CONFIG_OPTION_MAX_EVENTS;
    config.numMaxEvents = *most_events_;
    const QnnProfile_Config_t* configs[] = {&config, nullptr};
    OPENQNN_TRY(client_.check(client_.api().profileSetConfig(profile_, configs), "QnnProfile_setConfig"));
  }
  return profile_;
}

std::string Profiling::written() const { return concat(verb_, " ", path_); }

Status Profiling::record(QnnSystemProfile_MethodType_t method, const std::string& graph, uint64_t begun) {
  if (!on()) return {};
  const uint64_t ended = host_microseconds();
  Events events(client_);
  std::span<QnnSystemProfile_ProfileEventV1_t> list;
  if (profile_ != nullptr) {
    OPENQNN_ASSIGN(list, events.read(profile_));
  }
  QnnSystemProfile_ProfileData_t data = QNN_SYSTEM_PROFILE_DATA_INIT;
  data.version = QNN_SYSTEM_PROFILE_DATA_VERSION_1;
  data.v1.header.startTime = begun;
  data.v1.header.stopTime = ended;
  data.v1.header.methodType = method;
  data.v1.header.graphName = graph.c_str();
  data.v1.profilingEvents = list.data();
  data.v1.numProfilingEvents = static_cast<uint32_t>(list.size());
  const QnnSystemProfile_ProfileData_t* pointer = &data;
  Status status = client_.check(client_.system().systemProfileSerializeEventData(target_, &pointer, 1),
                                "QnnSystemProfile_serializeEventData");
  free_profile();
  return status;
}

}  // namespace openqnn::tools
