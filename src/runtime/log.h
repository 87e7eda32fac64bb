// SPDX-License-Identifier: BSD-3-Clause
// Log handles, and the way from an error to everyone who listens.
#pragma once

#include <memory>
#include <string_view>

#include "QnnLog.h"
#include "base/log.h"
#include "runtime/handles.h"

namespace openqnn::runtime {

class ClientSink;

class Log : public Object {
 public:
  static constexpr Kind kKind = Kind::kLog;
  static constexpr const char* kName = "log";
  static constexpr Qnn_ErrorHandle_t kInvalidHandle = QNN_LOG_ERROR_INVALID_HANDLE;

  // Without a callback, lines go to standard error.
  Log(QnnLog_Callback_t callback, LogLevel level);

  ~Log() override;  // the callback is not called any more, whoever still holds the Logger

  Logger log() const;
  void set_level(LogLevel level);

 private:
  std::shared_ptr<ClientSink> sink_;
};

// Hands an error to every live log.
void log_error_everywhere(std::string_view line);

}  // namespace openqnn::runtime
