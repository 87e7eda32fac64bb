// SPDX-License-Identifier: BSD-3-Clause
// Log lines on their way to whoever listens. A Logger is a value handed down, not a global: two backends in
// one process must not share one.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string_view>

namespace openqnn {

enum class LogLevel : uint8_t { kError = 1, kWarning, kInfo, kVerbose, kDebug };  // QnnLog_Level_t's values

// Where lines go. The level may change while others write.
class LogSink {
 public:
  explicit LogSink(LogLevel level) : level_(level) {}
  virtual ~LogSink() = default;
  LogSink(const LogSink&) = delete;
  LogSink& operator=(const LogSink&) = delete;

  void set_level(LogLevel level) { level_.store(level, std::memory_order_relaxed); }
  bool wants(LogLevel level) const { return level <= level_.load(std::memory_order_relaxed); }
  virtual void write(LogLevel level, std::string_view line) = 0;  // from any thread

 private:
  std::atomic<LogLevel> level_;
};

class Logger {
 public:
  Logger() = default;  // silent
  explicit Logger(std::shared_ptr<LogSink> sink) : sink_(std::move(sink)) {}

  bool wants(LogLevel level) const { return sink_ && sink_->wants(level); }
  void operator()(LogLevel level, std::string_view line) const {
    if (wants(level)) sink_->write(level, line);
  }
  void error(std::string_view line) const { (*this)(LogLevel::kError, line); }
  void warn(std::string_view line) const { (*this)(LogLevel::kWarning, line); }
  void info(std::string_view line) const { (*this)(LogLevel::kInfo, line); }
  void verbose(std::string_view line) const { (*this)(LogLevel::kVerbose, line); }

 private:
  std::shared_ptr<LogSink> sink_;
};

}  // namespace openqnn
