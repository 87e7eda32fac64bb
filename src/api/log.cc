// SPDX-License-Identifier: BSD-3-Clause
// QnnLog.h
#include "api/answer.h"
#include "base/text.h"

namespace openqnn::api {
namespace {

Outcome<LogLevel> to_level(QnnLog_Level_t level) {
  const uint32_t number = number_of(level);
  if (number < QNN_LOG_LEVEL_ERROR || number > QNN_LOG_LEVEL_DEBUG)
    return ApiError(QNN_LOG_ERROR_INVALID_ARGUMENT,
                    invalid("log-level", concat("log level ", number, " is not 1 (error) to 5 (debug)")));
  return static_cast<LogLevel>(number);
}

}  // namespace
}  // namespace openqnn::api

using namespace openqnn;       // NOLINT: the C API has no namespace of its own
using namespace openqnn::api;  // NOLINT

Qnn_ErrorHandle_t QnnLog_create(QnnLog_Callback_t callback, QnnLog_Level_t maxLogLevel,
                                Qnn_LogHandle_t* logger) {
  return answer("QnnLog_create", [&]() -> Outcome<> {
    if (!logger) return null_argument(QNN_LOG_ERROR_INVALID_ARGUMENT, "logger");
    OPENQNN_ASSIGN(const LogLevel level, to_level(maxLogLevel));
    OPENQNN_ASSIGN(*logger, publish(std::make_unique<runtime::Log>(callback, level)));
    return {};
  });
}

Qnn_ErrorHandle_t QnnLog_setLogLevel(Qnn_LogHandle_t logger, QnnLog_Level_t maxLogLevel) {
  return answer("QnnLog_setLogLevel", [&]() -> Outcome<> {
    OPENQNN_ASSIGN(const auto log, find<runtime::Log>(logger));
    OPENQNN_ASSIGN(const LogLevel level, to_level(maxLogLevel));
    log->set_level(level);
    return {};
  });
}

Qnn_ErrorHandle_t QnnLog_free(Qnn_LogHandle_t logger) {
  return answer("QnnLog_free", [&] { return free_handle<runtime::Log>(logger); });
}
