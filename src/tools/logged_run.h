// SPDX-License-Identifier: BSD-3-Clause
// A run that was executed and logged: the folder that qnn-net-run leaves, or the profile log in it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"
#include "openqnn/simulate.h"
#include "profile/schematic.h"

namespace openqnn::tools {

// How such a log is made, for those who have none.
inline constexpr std::string_view kHowToLog =
    "qnn-net-run --profiling_level detailed --profiling_option optrace --output_dir DIR";

// The log in a folder; empty where there is none.
std::filesystem::path profile_log_in(const std::filesystem::path& folder);

struct LoggedRun {
  Simulation simulation;  // as it was logged
  profile::Schematic schematic;
  std::filesystem::path power_history;  // of the run's votes, beside its log; empty where there is none
};

struct LogRequest {
  std::filesystem::path log;
  std::filesystem::path
      schematic;      // empty: in the log, else beside it, above its folder or in the working folder
  std::string graph;  // empty: the first that was executed
};

// The first execution in the log.
Result<LoggedRun> logged_run(const LogRequest& request);

}  // namespace openqnn::tools
