// SPDX-License-Identifier: BSD-3-Clause
#include "tools/qnn/profiling.h"

#include <deque>
#include <filesystem>
#include <utility>
#include <vector>

#include "base/deterministic.h"
#include "base/files.h"
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
  // Objects are asked for only where there may be some: a backend tells an error when it is asked for a
  // number that an event does not have.
  Events(const Client& client, bool may_be_objects) : client_(client), may_be_objects_(may_be_objects) {}

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
      OPENQNN_ASSIGN(QnnSystemProfile_ProfileEventV1_t event, read(id));
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

  Result<QnnSystemProfile_ProfileEventV1_t> read(QnnProfile_EventId_t id) const {
    QnnSystemProfile_ProfileEventV1_t event = QNN_SYSTEM_PROFILE_EVENT_V1_INIT;
    if (may_be_objects_) {
      event.type = QNN_SYSTEM_PROFILE_EXTENDED_EVENT_DATA;
      OPENQNN_TRY(client_.check(client_.api().profileGetExtendedEventData(id, &event.extendedEventData),
                                "QnnProfile_getExtendedEventData"));
      if (event.extendedEventData.v1.unit == QNN_PROFILE_EVENTUNIT_OBJECT) return event;
    }
    event.type = QNN_SYSTEM_PROFILE_EVENT_DATA;
    OPENQNN_TRY(
        client_.check(client_.api().profileGetEventData(id, &event.eventData), "QnnProfile_getEventData"));
    return event;
  }

  const Client& client_;
  const bool may_be_objects_;
  std::deque<std::vector<QnnSystemProfile_ProfileEventV1_t>> lists_;
};

}  // namespace

uint64_t host_microseconds() {
  if (is_deterministic()) return 0;
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(now).count());
}

std::vector<OptionSpec> profiling_options(std::string_view levels) {
  return {{"--profiling_level", "LEVEL",
           "write what was measured to qnn-profiling-data_0.log, alias qnn-profiling-data.log, in the output "
           "folder; backend: the level that the backend's own file names (linting)",
           false, levels},
          {"--profiling_option", "OPTION",
           "with --profiling_level detailed: log every task of the device; preparing a graph also writes "
           "GRAPH_schematic.bin in the working folder, which the viewer needs to show them",
           false, "optrace"}};
}

Status check_profiling(const Args& args) {
  if (!args.has("--profiling_option") || args.get("--profiling_level") == "detailed") return {};
  return invalid("option-conflict", "--profiling_option optrace goes with --profiling_level detailed alone")
      .fix_by("add --profiling_level detailed");
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
  OPENQNN_TRY(profiling->choose_level(args, config));
  profiling->most_events_ = config.most_events();
  OPENQNN_TRY(profiling->open_log(output_dir));
  return profiling;
}

Status Profiling::choose_level(const Args& args, const ToolConfig& config) {
  const std::string level = args.get("--profiling_level");
  traces_ops_ = args.has("--profiling_option");
  if (level == "basic") level_ = QNN_PROFILE_LEVEL_BASIC;
  if (level == "detailed") level_ = QNN_PROFILE_LEVEL_DETAILED;
  if (level != "backend") return {};
  const Extension* const extension = config.extension();
  if (extension == nullptr || extension->profile_level() == 0)
    return invalid("option-conflict",
                   "--profiling_level backend takes the level of the backend's own file, which names none")
        .fix_by(
            "add --config_file with a backend_extensions file that has \"devices\": [{\"profiling_level\": "
            "\"linting\"}], or use basic or detailed");
  level_ = extension->profile_level();
  return {};
}

namespace {

// The same file under the other name that documents give it.
void name_again(const fs::path& log, const fs::path& other) {
  std::error_code error;
  fs::remove(other, error);
  fs::create_hard_link(log, other, error);
  if (error) fs::create_symlink(log.filename(), other, error);
  if (error)
    log_warning(concat(other.string(), " could not be made: ", error.message(), "; use ", log.string()));
}

}  // namespace

Status Profiling::open_log(const std::string& output_dir) {
  OPENQNN_TRY(make_folder(output_dir));
  path_ = (fs::path(output_dir) / kLogName).string();
  verb_ = written_verb(path_);
  std::error_code error;
  fs::remove(path_, error);  // a log only grows, and this run's shall not continue an old one
  OPENQNN_ASSIGN(const std::string build, client_.library().build_id());
  QnnSystemProfile_SerializationTarget_t target;
  target.type = QNN_SYSTEM_PROFILE_SERIALIZATION_TARGET_FILE;
  target.file = {kLogName, output_dir.c_str()};
  const std::string application(program_name());
  QnnSystemProfile_SerializationTargetConfig_t config;
  config.type = QNN_SYSTEM_PROFILE_SERIALIZATION_TARGET_CONFIG_SERIALIZATION_HEADER;
  config.serializationHeader = {application.c_str(), OPENQNN_VERSION, build.c_str()};
  OPENQNN_TRY(client_.library().check_system(
      client_.system().systemProfileCreateSerializationTarget(target, &config, 1, &target_),
      "QnnSystemProfile_createSerializationTarget"));
  name_again(path_, fs::path(output_dir) / kProfileLogName);
  return {};
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
  QnnProfile_Config_t config = QNN_PROFILE_CONFIG_INIT;
  if (most_events_) {
    config.option = QNN_PROFILE_CONFIG_OPTION_MAX_EVENTS;
    config.numMaxEvents = *most_events_;
    OPENQNN_TRY(set_config(config));
  }
  if (traces_ops_) {
    config.option = QNN_PROFILE_CONFIG_OPTION_ENABLE_OPTRACE;
    config.enableOptrace = 1;
    OPENQNN_TRY(set_config(config));
  }
  return profile_;
}

Status Profiling::set_config(const QnnProfile_Config_t& config) const {
  const QnnProfile_Config_t* configs[] = {&config, nullptr};
  return client_.check(client_.api().profileSetConfig(profile_, configs), "QnnProfile_setConfig");
}

Status Profiling::write_objects(std::span<const QnnSystemProfile_ProfileEventV1_t> events) const {
  for (const QnnSystemProfile_ProfileEventV1_t& event : events) {
    if (event.type != QNN_SYSTEM_PROFILE_EXTENDED_EVENT_DATA) continue;
    const QnnProfile_BackendOpaqueObject_t& object = event.extendedEventData.v1.backendOpaqueObject;
    // A name, and not a way out of the folder.
    const fs::path file = fs::path(object.fileName == nullptr ? "" : object.fileName).filename();
    if (file.empty()) continue;
    const std::string_view verb = written_verb(file);
    const auto* const data = static_cast<const std::byte*>(object.opaqueObject.data);
    OPENQNN_TRY(write_file(file, std::span(data, object.opaqueObject.len)));
    log_info(concat(verb, " ", file.string()));
  }
  return {};
}

std::string Profiling::written() const { return concat(verb_, " ", path_); }

Status Profiling::record(QnnSystemProfile_MethodType_t method, const std::string& graph, uint64_t begun) {
  if (!on()) return {};
  const uint64_t ended = host_microseconds();
  Events events(client_, traces_ops_);
  std::span<QnnSystemProfile_ProfileEventV1_t> list;
  if (profile_ != nullptr) {
    OPENQNN_ASSIGN(list, events.read(profile_));
    // The log keeps those of executions: one for each.
    if (method == QNN_SYSTEM_PROFILE_METHOD_TYPE_BACKEND_FINALIZE) OPENQNN_TRY(write_objects(list));
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
  Status status =
      client_.library().check_system(client_.system().systemProfileSerializeEventData(target_, &pointer, 1),
                                     "QnnSystemProfile_serializeEventData");
  free_profile();
  return status;
}

}  // namespace openqnn::tools
