// SPDX-License-Identifier: BSD-3-Clause
#include "network/log_warnings.h"

#include <cstdio>

#include "tools/session.h"

namespace openqnn::python {
namespace {

thread_local std::vector<std::string>* t_heard = nullptr;

std::string formatted(const char* format, va_list arguments) {
  va_list counted;
  va_copy(counted, arguments);
  const int length = std::vsnprintf(nullptr, 0, format, counted);
  va_end(counted);
  std::string line(length < 0 ? 0 : static_cast<size_t>(length), '\0');
  std::vsnprintf(line.data(), line.size() + 1, format, arguments);
  return line;
}

}  // namespace

LogWarnings::LogWarnings() { t_heard = &lines_; }

LogWarnings::~LogWarnings() { t_heard = nullptr; }

void LogWarnings::keep(const char* format, QnnLog_Level_t level, uint64_t /*timestamp*/, va_list arguments) {
  if (level == QNN_LOG_LEVEL_WARN && t_heard != nullptr) t_heard->push_back(formatted(format, arguments));
}

void LogWarnings::keep_and_print(const char* format, QnnLog_Level_t level, uint64_t timestamp,
                                 va_list arguments) {
  va_list printed;
  va_copy(printed, arguments);
  tools::print_log_line(format, level, timestamp, printed);
  va_end(printed);
  keep(format, level, timestamp, arguments);
}

}  // namespace openqnn::python
