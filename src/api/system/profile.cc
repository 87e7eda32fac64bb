// SPDX-License-Identifier: BSD-3-Clause
// System/QnnSystemProfile.h: profile data to log files.
#include <algorithm>
#include <mutex>
#include <span>

#include "System/QnnSystemProfile.h"
#include "api/answer.h"
#include "api/system/profile_events.h"
#include "base/text.h"
#include "profile/log_file.h"

namespace openqnn::api {
namespace {

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
