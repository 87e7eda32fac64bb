// SPDX-License-Identifier: BSD-3-Clause
// What the backend's log warns of while a call of this package works: a log that nobody asked for is not
// printed, but its warnings are the caller's.
#pragma once

#include <cstdarg>
#include <cstdint>
#include <string>
#include <vector>

#include "QnnLog.h"

namespace openqnn::python {

// Hears this thread, from its making to its end. The C API's callbacks are told nothing but the line, so that
// there is one listener for each thread at a time.
class LogWarnings {
 public:
  LogWarnings();
  ~LogWarnings();
  LogWarnings(const LogWarnings&) = delete;
  LogWarnings& operator=(const LogWarnings&) = delete;

  const std::vector<std::string>& lines() const { return lines_; }

  // Callbacks of a log.
  static void keep(const char* format, QnnLog_Level_t level, uint64_t timestamp, va_list arguments);
  static void keep_and_print(const char* format, QnnLog_Level_t level, uint64_t timestamp, va_list arguments);

 private:
  std::vector<std::string> lines_;
};

}  // namespace openqnn::python
