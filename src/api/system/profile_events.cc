// SPDX-License-Identifier: BSD-3-Clause
#include "api/system/profile_events.h"

#include <cstring>
#include <span>
#include <string>

#include "api/answer.h"
#include "api/system/stored_bytes.h"
#include "base/text.h"
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

}  // namespace

Result<std::string> to_log_text(const char* text, const char* field) {
  if (!text) return std::string();
  const size_t length = strnlen(text, program::kMaxText + 1);
  if (length > program::kMaxText)
    return invalid("profile-text-length", concat(field, " is longer than ", program::kMaxText, " bytes"));
  return std::string(text, length);
}

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

}  // namespace openqnn::api
