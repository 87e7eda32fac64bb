// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/log.h"

#include <chrono>
#include <cstdarg>
#include <cstdio>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <vector>

#include "base/until_exit.h"

namespace openqnn::runtime {
namespace {

uint64_t microseconds_now() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(now).count());
}

// The callback takes a va_list, which only a variadic function can make.
void call_back(QnnLog_Callback_t callback, QnnLog_Level_t level, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  callback(format, level, microseconds_now(), arguments);
  va_end(arguments);
}

struct LiveSinks {
  std::mutex mutex;
  std::vector<std::weak_ptr<LogSink>> sinks;
};

}  // namespace

// Lines for one client. After close() the callback is not called again and no call of it is under way: the
// client may unload it.
class ClientSink : public LogSink {
 public:
  ClientSink(QnnLog_Callback_t callback, LogLevel level) : LogSink(level), callback_(callback) {}

  void write(LogLevel level, std::string_view line) override {
    const std::string text(line);
    const std::shared_lock lock(mutex_);
    if (closed_) return;
    if (callback_)
      call_back(callback_, static_cast<QnnLog_Level_t>(level), "%s", text.c_str());
    else
      std::fprintf(stderr, "[openqnn] %s\n", text.c_str());
  }

  void close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }

 private:
  const QnnLog_Callback_t callback_;
  std::shared_mutex mutex_;
  bool closed_ = false;
};

Log::Log(QnnLog_Callback_t callback, LogLevel level) : sink_(std::make_shared<ClientSink>(callback, level)) {
  LiveSinks* live = UntilExit<LiveSinks>::get();
  if (!live) return;
  const std::lock_guard lock(live->mutex);
  std::erase_if(live->sinks, [](const auto& sink) { return sink.expired(); });
  live->sinks.push_back(sink_);
}

Log::~Log() { sink_->close(); }

Logger Log::log() const { return Logger(sink_); }

void Log::set_level(LogLevel level) { sink_->set_level(level); }

void log_error_everywhere(std::string_view line) {
  LiveSinks* live = UntilExit<LiveSinks>::get();
  if (!live) return;
  std::vector<std::shared_ptr<LogSink>> sinks;  // called without the lock: a callback may come back to us
  {
    const std::lock_guard lock(live->mutex);
    for (const auto& weak : live->sinks)
      if (auto sink = weak.lock()) sinks.push_back(std::move(sink));
  }
  for (const auto& sink : sinks) Logger(sink).error(line);
}

}  // namespace openqnn::runtime
