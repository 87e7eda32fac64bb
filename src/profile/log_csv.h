// SPDX-License-Identifier: BSD-3-Clause
// A log as tables for programs, written record by record: the viewer's public CSV, and JSON lines with all
// that a log holds.
#pragma once

#include <string>

#include "profile/htp_text.h"
#include "profile/log.h"

namespace openqnn::profile {

// One row per event, after five lines of head. Fields with commas, quotes or line ends are quoted (ours).
class LogCsv : public LogVisitor {
 public:
  LogCsv(Print print, std::string log_path, std::string viewer_version)
      : print_(std::move(print)),
        log_path_(std::move(log_path)),
        viewer_version_(std::move(viewer_version)) {}

  Status on_session(size_t session, const LogHead& head) override;
  Status on_record(size_t session, LogRecord record) override;
  Status on_left_out(size_t session, uint64_t count) override;

 private:
  Print print_;
  std::string log_path_;
  std::string viewer_version_;
  bool has_head_ = false;
  std::map<std::string, size_t> number_of_;  // of graphs
};

// Sessions are counted through all logs.
class LogJsonLines : public LogVisitor {
 public:
  explicit LogJsonLines(Print print) : print_(std::move(print)) {}

  Status on_session(size_t session, const LogHead& head) override;
  Status on_record(size_t session, LogRecord record) override;
  Status on_left_out(size_t session, uint64_t count) override;

 private:
  Print print_;
  size_t sessions_ = 0;
  size_t before_ = 0;  // sessions of the logs before this one
};

}  // namespace openqnn::profile
