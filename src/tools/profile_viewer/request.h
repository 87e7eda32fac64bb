// SPDX-License-Identifier: BSD-3-Clause
// What a reader is asked, as its code sees it, and what the readers share.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "profile/viewer_reports.h"
#include "tools/profile_viewer/reader.h"

namespace openqnn::tools {

struct ReaderRequest {
  std::vector<std::string> logs;
  std::string output, schematic, dlc, config, zoom_start, zoom_end;  // empty: not given
  bool gzip = false;
  profile::Print print;
  std::function<void(QnnLog_Level_t, const std::string&)> tell;

  void info(const std::string& line) const { tell(QNN_LOG_LEVEL_INFO, line); }
  void warn(const std::string& line) const { tell(QNN_LOG_LEVEL_WARN, line); }
};

struct Reader {
  std::string_view description;
  const char* options;
  Status (*read)(const ReaderRequest& request);
};

// A library's own; each has one (entry.cc).
Reader this_reader();

// Reads logs one after the other, holding one block of one of them at a time. What is wrong with one is said
// with its path; a log that is cut is told and read up to there.
Status visit_logs(const ReaderRequest& request, profile::LogVisitor& visitor);
// The same of one log.
Status visit_log(const std::string& path, const ReaderRequest& request, profile::LogVisitor& visitor);

// Says above the first execution, and by it, whose times these are: the layout has no place for it.
class LabelledText : public profile::HtpText {
 public:
  LabelledText(profile::Print print, Runs runs) : HtpText(print, runs), print_(std::move(print)) {}
  Status on_record(size_t session, profile::LogRecord record) override;

 private:
  profile::Print print_;
  bool is_labelled_ = false;
};

// The name that a file gets: with ".gz" where it is compressed.
std::string file_name(const ReaderRequest& request, const std::string& path);

// Writes a file piece by piece, compressed where that is wanted, and tells it. There is a new file when all
// went well, else the old one or none.
Status write_output(const ReaderRequest& request, const std::string& path,
                    const std::function<Status(const profile::Print&)>& produce);
Status write_output(const ReaderRequest& request, const std::string& path, std::string_view text);

}  // namespace openqnn::tools
