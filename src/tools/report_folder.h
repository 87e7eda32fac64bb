// SPDX-License-Identifier: BSD-3-Clause
// The files of a report: everything that there is to know about one run, in one folder.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "tools/profiled_run.h"

namespace openqnn::tools {

class ReportFolder {
 public:
  struct File {
    std::filesystem::path path;
    std::string what;  // for people
  };

  // `stem` is what the names of its files begin with.
  ReportFolder(std::filesystem::path folder, std::string stem)
      : folder_(std::move(folder)), stem_(std::move(stem)) {}

  // What is going to be written, so that nobody's file is replaced unasked.
  std::vector<std::filesystem::path> names(const std::filesystem::path& source) const;

  // All that is made of the run alone. The run must be one that has a simulation.
  Status write(const ProfiledRun& run);
  Status add(const std::filesystem::path& path, std::string_view text, std::string_view what);

  std::filesystem::path page() const { return named("_qnn_htp_analysis_summary.html"); }
  std::filesystem::path advice_text() const { return named("_advice.txt"); }
  std::filesystem::path advice_json() const { return named("_advice.json"); }
  std::filesystem::path check_list() const { return named("_config_check.txt"); }
  const std::vector<File>& files() const { return files_; }  // that were written, in this order

 private:
  std::filesystem::path named(std::string_view ending) const {
    return folder_ / (stem_ + std::string(ending));
  }
  std::filesystem::path log() const;
  std::filesystem::path votes() const;
  Status write_views(const ProfiledRun& run);
  Status write_log(const ProfiledRun& run);
  Status write_trail(const ProfiledRun& run);

  std::filesystem::path folder_;
  std::string stem_;
  std::vector<File> files_;
};

}  // namespace openqnn::tools
