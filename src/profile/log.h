// SPDX-License-Identifier: BSD-3-Clause
// The profile log: profile data that a client serialized, as it gave them. The format is openqnn's own and is
// documented in docs/profile_log.md. log_file.h writes such files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace openqnn::profile {

// So many levels of events a record may have (ours). More are refused: no profile has them, and a list of
// events that leads back to itself has no end.
inline constexpr uint32_t kMaxEventLevels = 64;

// What the value of an event is.
enum class LogValueKind : uint8_t {
  kNumber = 0,  // of a plain event: 64 bits without a sign
  kScalar = 1,  // of an extended event, of any data type
  kText = 2,    // of an extended event
  kObject = 3,  // of an extended event: bytes of the backend's own, and the file they are meant for
};

// One event. Events follow one another as in a table of contents: each before the events below it, which are
// one deeper.
struct LogEvent {
  uint32_t depth = 0;
  uint32_t type = 0;  // QnnProfile_EventType_t
  uint32_t unit = 0;  // QnnProfile_EventUnit_t
  LogValueKind kind = LogValueKind::kNumber;
  uint32_t data_type = 0;         // Qnn_DataType_t of a scalar
  uint64_t bits = 0;              // of a number or scalar, in the low bits
  std::string text;               // or the file name of an object
  std::vector<std::byte> object;  // of an object
  uint64_t timestamp = 0;         // of an extended event
  std::string identifier;

  bool operator==(const LogEvent&) const = default;
};

// One measured step and its events.
struct LogRecord {
  uint64_t start_time = 0;
  uint64_t stop_time = 0;
  uint64_t start_memory = 0;
  uint64_t stop_memory = 0;
  uint32_t method = 0;      // QnnSystemProfile_MethodType_t
  uint32_t visibility = 0;  // QnnSystemProfile_Visibility_t
  std::string graph;
  std::vector<LogEvent> events;

  bool operator==(const LogRecord&) const = default;
};

// Who wrote: the texts of one serialization target, and the version of openqnn.
struct LogHead {
  std::string application;
  std::string application_version;
  std::string backend_version;
  std::string producer;

  bool operator==(const LogHead&) const = default;
};

// What one serialization target wrote.
struct LogSession {
  LogHead head;
  std::vector<LogRecord> records;
  uint64_t left_out = 0;  // records beyond the number that the target's option allowed

  bool operator==(const LogSession&) const = default;
};

// How far a file goes.
struct LogExtent {
  uint32_t format_major = 0;
  uint32_t format_minor = 0;
  // Where a block begins that is not whole: a writer that was killed leaves such a file. What lies before it
  // is as good as ever.
  std::optional<uint64_t> cut_at;
};

struct ProfileLog {
  LogExtent extent;
  std::vector<LogSession> sessions;
};

// Gets what a log holds in the order of the file, so that nobody needs to hold all of it.
class LogVisitor {
 public:
  virtual ~LogVisitor() = default;
  // Sessions are numbered from 0 on. Not everybody looks at more than records.
  virtual Status on_session(size_t /*session*/, const LogHead& /*head*/) { return {}; }
  virtual Status on_record(size_t session, LogRecord record) = 0;
  virtual Status on_left_out(size_t /*session*/, uint64_t /*count*/) { return {}; }
};

// Whether bytes begin as a profile log of openqnn does.
bool is_profile_log(std::span<const std::byte> bytes);

// Refuses whatever docs/profile_log.md does not allow, with the offset. `passed` gets each block's bytes once
// they are not needed any more.
Result<LogExtent> visit_profile_log(std::span<const std::byte> bytes, LogVisitor& visitor,
                                    const std::function<void(std::span<const std::byte>)>& passed = {});
// All of it at once.
Result<ProfileLog> read_profile_log(std::span<const std::byte> bytes);
// What to tell of a log that is cut.
std::string cut_text(uint64_t cut_at);

// What a step is called: "execute", "finalize"; "method 99" for one that has no name here. Methods and units
// have the values of QnnSystemProfile_MethodType_t and QnnProfile_EventUnit_t, which src/api asserts.
inline constexpr uint32_t kNamedMethods = 18;
inline constexpr uint32_t kExecuteMethod = 1;       // QNN_SYSTEM_PROFILE_METHOD_TYPE_BACKEND_EXECUTE
inline constexpr uint32_t kFinalizeMethod = 2;      // …BACKEND_FINALIZE
inline constexpr uint32_t kExecuteAsyncMethod = 3;  // …BACKEND_EXECUTE_ASYNC
std::string method_name(uint32_t method);

// The log for people and for programs. `title` says which file it is.
std::string log_text(const ProfileLog& log, std::string_view title);
std::string log_json(const ProfileLog& log, std::string_view title);
// A record of the JSON on one line.
std::string record_json_line(const LogRecord& record, size_t session);
std::string session_json_line(const LogHead& head, size_t session);
// "us", "cycles"; empty for an event without a unit.
std::string unit_name(uint32_t unit);

}  // namespace openqnn::profile
