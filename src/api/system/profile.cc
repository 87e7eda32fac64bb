// SPDX-License-Identifier: BSD-3-Clause
// System/QnnSystemProfile.h: profile data to log files.
#include <algorithm>
#include <cstring>
#include <mutex>
#include <span>
#include <string>

#include "System/QnnSystemProfile.h"
#include "api/answer.h"
#include "api/system/stored_bytes.h"
#include "base/text.h"
#include "profile/log_file.h"
#include "program/bytes_io.h"

namespace openqnn::api {
namespace {

// The names that a log's reader has for methods and units (profile/log_report.cc).
static_assert(QNN_SYSTEM_PROFILE_METHOD_TYPE_NONE == 0 &&
              QNN_SYSTEM_PROFILE_METHOD_TYPE_BACKEND_EXECUTE == 1 &&
              QNN_SYSTEM_PROFILE_METHOD_TYPE_BACKEND_FINALIZE == 2 &&
              QNN_SYSTEM_PROFILE_METHOD_TYPE_CONTEXT_GET_BINARY == 14 &&
              QNN_SYSTEM_PROFILE_METHOD_TYPE_BACKEND_UPDATE_BINARY_SECTION + 1 == profile::kNamedMethods);
static_assert(QNN_PROFILE_EVENTUNIT_MICROSEC == 1 && QNN_PROFILE_EVENTUNIT_BYTES == 2 &&
              QNN_PROFILE_EVENTUNIT_CYCLES == 3 && QNN_PROFILE_EVENTUNIT_COUNT == 4 &&
              QNN_PROFILE_EVENTUNIT_OBJECT == 5 && QNN_PROFILE_EVENTUNIT_NONE == 6);

using profile::LogEvent;
using profile::LogRecord;
using profile::LogValueKind;

// At most so many events may one profile data have (ours): lists of events that share parts, or contain
// themselves, would else grow without end.
constexpr size_t kMaxLogEvents = size_t{1} << 18;

// ---- Profile data as records of a log

// A text of the client that may be null, which counts as empty.
Result<std::string> to_log_text(const char* text, const char* field) {
  if (!text) return std::string();
  const size_t length = strnlen(text, program::kMaxText + 1);
  if (length > program::kMaxText)
    return invalid("profile-text-length", concat(field, " is longer than ", program::kMaxText, " bytes"));
  return std::string(text, length);
}

Status take_scalar(const Qnn_Scalar_t& scalar, LogEvent& event) {
  event.data_type = number_of(scalar.dataType);
  if (event.data_type == QNN_DATATYPE_STRING) {
    event.kind = LogValueKind::kText;
    OPENQNN_ASSIGN(event.text, to_log_text(scalar.stringValue, "stringValue"));
    return {};
  }
  const auto bytes = stored_bytes(event.data_type);
  if (!bytes)
    return invalid("profile-event-value", concat("no data type has the number 0x", std::hex, event.data_type))
        .fix_by("set the value's dataType to a QNN_DATATYPE_ value");
  event.kind = LogValueKind::kScalar;
  std::memcpy(&event.bits, &scalar.uint64Value, *bytes);  // the rest of the union may be anything
  return {};
}

Status take_object(const QnnProfile_BackendOpaqueObject_t& object, LogEvent& event) {
  const Qnn_OpaqueObject_t& bytes = object.opaqueObject;
  if (!bytes.data && bytes.len != 0)
    return invalid("profile-event-object", concat("an object of ", bytes.len, " bytes has null data"));
  event.kind = LogValueKind::kObject;
  const auto* data = static_cast<const std::byte*>(bytes.data);
  event.object.assign(data, data + bytes.len);
  OPENQNN_ASSIGN(event.text, to_log_text(object.fileName, "fileName"));
  return {};
}

Status take_plain(const QnnProfile_EventData_t& data, LogEvent& event) {
  event.type = data.type;
  event.unit = data.unit;
  event.bits = data.value;
  OPENQNN_ASSIGN(event.identifier, to_log_text(data.identifier, "identifier"));
  return {};
}

Status take_extended(const QnnProfile_ExtendedEventData_t& data, LogEvent& event) {
  if (number_of(data.version) != QNN_PROFILE_DATA_VERSION_1)
    return invalid("profile-event-version", concat("extended event data of version ", number_of(data.version),
                                                   " are not known; 1 is"));
  event.type = data.v1.type;
  event.unit = data.v1.unit;
  event.timestamp = data.v1.timestamp;
  OPENQNN_ASSIGN(event.identifier, to_log_text(data.v1.identifier, "identifier"));
  if (event.unit == QNN_PROFILE_EVENTUNIT_OBJECT) return take_object(data.v1.backendOpaqueObject, event);
  return take_scalar(data.v1.value, event);
}

Result<LogEvent> to_event(const QnnSystemProfile_ProfileEventV1_t& source, uint32_t depth) {
  LogEvent event;
  event.depth = depth;
  switch (number_of(source.type)) {
    case QNN_SYSTEM_PROFILE_EVENT_DATA:
      OPENQNN_TRY(take_plain(source.eventData, event));
      return event;
    case QNN_SYSTEM_PROFILE_EXTENDED_EVENT_DATA:
      OPENQNN_TRY(take_extended(source.extendedEventData, event));
      return event;
    default:
      return invalid("profile-event-type", concat("type ", number_of(source.type),
                                                  " of an event is neither plain (0) nor extended (1)"));
  }
}

// Adds the events of a list, each followed by the events below it. As deep as levels are allowed.
Status add_events(const QnnSystemProfile_ProfileEventV1_t* list, uint32_t count, uint32_t depth,
                  std::vector<LogEvent>& events) {
  if (count == 0) return {};
  if (!list) return invalid("profile-events-null", concat("a list of ", count, " events is null"));
  if (depth >= profile::kMaxEventLevels)
    return invalid("profile-events-depth",
                   concat("events lie more than ", profile::kMaxEventLevels, " levels deep"))
        .fix_by("check that no list of sub-events leads back to itself");
  for (const QnnSystemProfile_ProfileEventV1_t& source : std::span(list, count)) {
    if (events.size() >= kMaxLogEvents)
      return invalid("profile-events-count", concat("there are more than ", kMaxLogEvents, " events"))
          .fix_by("serialize fewer events a time; check that no list of sub-events leads back to itself");
    OPENQNN_ASSIGN(LogEvent event, to_event(source, depth));
    events.push_back(std::move(event));
    OPENQNN_TRY(add_events(source.profileSubEventData, source.numSubEvents, depth + 1, events));
  }
  return {};
}

Result<LogRecord> to_record(const QnnSystemProfile_ProfileData_t& data) {
  if (number_of(data.version) != QNN_SYSTEM_PROFILE_DATA_VERSION_1)
    return invalid("profile-data-version",
                   concat("profile data of version ", number_of(data.version), " are not known; 1 is"));
  const QnnSystemProfile_HeaderV1_t& header = data.v1.header;
  LogRecord record{.start_time = header.startTime,
                   .stop_time = header.stopTime,
                   .start_memory = header.startMem,
                   .stop_memory = header.stopMem,
                   .method = number_of(header.methodType),  // newer SDKs have more: any number is kept
                   .visibility = number_of(header.visibility),
                   .graph = {},
                   .events = {}};
  OPENQNN_ASSIGN(record.graph, to_log_text(header.graphName, "graphName"));
  OPENQNN_TRY(add_events(data.v1.profilingEvents, data.v1.numProfilingEvents, 0, record.events));
  return record;
}

// Copies everything; a failure names the place in the client's lists.
Result<std::vector<LogRecord>> to_records(const QnnSystemProfile_ProfileData_t** data, uint32_t count) {
  std::vector<LogRecord> records;
  for (uint32_t i = 0; i < count; ++i) {
    Result<LogRecord> record =
        data[i] ? to_record(*data[i]) : invalid("profile-data-null", "the entry is null");
    if (!record) {
      Diagnostic diagnostic = std::move(record).error();
      diagnostic.where.object = concat("eventData[", i, "]");
      return diagnostic;
    }
    records.push_back(*std::move(record));
  }
  return records;
}

// ---- Targets

// A log file and what this target may still write to it.
class SerializationTarget : public runtime::Object {
 public:
  static constexpr runtime::Kind kKind = runtime::Kind::kSerializationTarget;
  static constexpr const char* kName = "serialization target";
  static constexpr Qnn_ErrorHandle_t kInvalidHandle = QNN_SYSTEM_PROFILE_ERROR_INVALID_HANDLE;

  SerializationTarget(profile::LogWriter writer, std::optional<uint64_t> most_records)
      : writer_(std::move(writer)), most_records_(most_records) {}

  // Adds the records, as many as there is room for, in one block.
  Status add(std::vector<profile::LogRecord> records) {
    const std::lock_guard lock(mutex_);
    const uint64_t room = most_records_ ? *most_records_ - written_ : records.size();
    const uint64_t excess = records.size() - std::min<uint64_t>(room, records.size());
    records.resize(records.size() - excess);
    if (!records.empty()) OPENQNN_TRY(writer_.add(records));
    written_ += records.size();
    left_out_ += excess;
    return {};
  }

  // Says in the log what was left out, once.
  Status finish() {
    const std::lock_guard lock(mutex_);
    const uint64_t left_out = std::exchange(left_out_, 0);
    return left_out == 0 ? Status() : writer_.add_left_out(left_out);
  }

 private:
  std::mutex mutex_;  // guards the counts, and keeps records in the order of the calls
  const profile::LogWriter writer_;
  const std::optional<uint64_t> most_records_;
  uint64_t written_ = 0;
  uint64_t left_out_ = 0;
};

struct TargetOptions {
  profile::LogHead head;
  std::optional<uint64_t> most_records;
};

Status take_header(const QnnSystemProfile_SerializationFileHeader_t& header, TargetOptions& options) {
  OPENQNN_ASSIGN(options.head.application, to_log_text(header.appName, "appName"));
  OPENQNN_ASSIGN(options.head.application_version, to_log_text(header.appVersion, "appVersion"));
  OPENQNN_ASSIGN(options.head.backend_version, to_log_text(header.backendVersion, "backendVersion"));
  return {};
}

Status take_option(const QnnSystemProfile_SerializationTargetConfig_t& config, TargetOptions& options) {
  switch (number_of(config.type)) {
    case QNN_SYSTEM_PROFILE_SERIALIZATION_TARGET_CONFIG_MAX_NUM_MESSAGES:
      options.most_records = config.maxNumMessages;
      return {};
    case QNN_SYSTEM_PROFILE_SERIALIZATION_TARGET_CONFIG_SERIALIZATION_HEADER:
      return take_header(config.serializationHeader, options);
    default:
      return invalid("profile-target-option",
                     concat("no option of a serialization target has the number ", number_of(config.type)))
          .fix_by("pass MAX_NUM_MESSAGES (0) or SERIALIZATION_HEADER (1)");
  }
}

Result<TargetOptions> to_options(const QnnSystemProfile_SerializationTargetConfig_t* configs,
                                 uint32_t count) {
  TargetOptions options;
  if (count > 0 && !configs)
    return invalid("argument-null", concat("argument 'configs' is null, but numConfigs is ", count));
  for (const auto& config : std::span(configs, count)) OPENQNN_TRY(take_option(config, options));
  return options;
}

// A folder that is null or empty stands for the current one.
Result<std::filesystem::path> to_path(const QnnSystemProfile_SerializationTarget_t& target) {
  if (number_of(target.type) != QNN_SYSTEM_PROFILE_SERIALIZATION_TARGET_FILE)
    return invalid("profile-target-type", concat("no serialization target has the type ",
                                                 number_of(target.type), "; a file (1) is one"));
  const auto& [name, directory] = target.file;
  if (!name || !*name)
    return invalid("profile-target-name", "the file name is null or empty")
        .fix_by("set file.fileName, e.g. to \"run_qnn.log\"");
  return std::filesystem::path(directory ? directory : "") / name;
}

}  // namespace
}  // namespace openqnn::api

using namespace openqnn;       // NOLINT: the C API has no namespace of its own
using namespace openqnn::api;  // NOLINT

Qnn_ErrorHandle_t QnnSystemProfile_createSerializationTarget(
    QnnSystemProfile_SerializationTarget_t serializationTargetInfo,
    QnnSystemProfile_SerializationTargetConfig_t* configs, uint32_t numConfigs,
    QnnSystemProfile_SerializationTargetHandle_t* serializationTarget) {
  return answer("QnnSystemProfile_createSerializationTarget", [&]() -> Outcome<> {
    constexpr Qnn_ErrorHandle_t kArgument = QNN_SYSTEM_PROFILE_ERROR_INVALID_ARGUMENT;
    if (!serializationTarget) return null_argument(kArgument, "serializationTarget");
    OPENQNN_ASSIGN_AS(auto path, kArgument, to_path(serializationTargetInfo));
    OPENQNN_ASSIGN_AS(TargetOptions options, kArgument, to_options(configs, numConfigs));
    OPENQNN_ASSIGN_AS(auto writer, kArgument,
                      profile::LogWriter::begin(std::move(path), std::move(options.head)));
    OPENQNN_ASSIGN(*serializationTarget,
                   publish(std::make_unique<SerializationTarget>(std::move(writer), options.most_records)));
    return {};
  });
}

Qnn_ErrorHandle_t QnnSystemProfile_serializeEventData(
    QnnSystemProfile_SerializationTargetHandle_t serializationTarget,
    const QnnSystemProfile_ProfileData_t** eventData, uint32_t numEvents) {
  return answer("QnnSystemProfile_serializeEventData", [&]() -> Outcome<> {
    constexpr Qnn_ErrorHandle_t kArgument = QNN_SYSTEM_PROFILE_ERROR_INVALID_ARGUMENT;
    OPENQNN_ASSIGN(const auto target, find<SerializationTarget>(serializationTarget));
    if (!eventData) return null_argument(kArgument, "eventData");
    OPENQNN_ASSIGN_AS(auto records, kArgument, to_records(eventData, numEvents));
    OPENQNN_TRY_AS(kArgument, target->add(std::move(records)));
    return {};
  });
}

Qnn_ErrorHandle_t QnnSystemProfile_freeSerializationTarget(
    QnnSystemProfile_SerializationTargetHandle_t serializationTarget) {
  return answer("QnnSystemProfile_freeSerializationTarget", [&]() -> Outcome<> {
    OPENQNN_ASSIGN(const auto target, find<SerializationTarget>(serializationTarget));
    OPENQNN_TRY(free_handle<SerializationTarget>(serializationTarget));
    // The target is gone all the same, so a full disk is no failure of this call.
    if (const Status finished = target->finish(); !finished)
      runtime::log_error_everywhere(finished.error().to_string());
    return {};
  });
}
