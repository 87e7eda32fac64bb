// SPDX-License-Identifier: BSD-3-Clause
// A simulated run, from whatever a user names: a model, a context binary, the folder or the log of a run by
// qnn-net-run, the folder of an earlier report, or its JSON.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/cxx/simulation.h"
#include "base/result.h"
#include "openqnn/simulate.h"
#include "profile/qhas/model.h"
#include "profile/schematic.h"
#include "profile/zoom.h"
#include "tools/args.h"

namespace openqnn::tools {

// ---- A model that is compiled to be looked at (compiled_run.cc): as `openqnn simulate` prepares it, but
// through the backend, so that there is a context binary ----

// What a run was made with: option and value.
using Settings = std::vector<std::pair<std::string, std::string>>;

// Those that belong to models alone.
std::vector<OptionSpec> compiling_options();
Status refuse_compiling_options(const Args& args, const std::string& path);

// Where a run comes from, and what it was made with.
struct RunOrigin {
  std::string source;            // as the user named it
  std::string stem;              // what its files begin with
  std::filesystem::path binary;  // gone where it was compiled only to be looked at
  std::filesystem::path dlc;     // with the framework's names; may be empty
  std::filesystem::path log;     // that it was read from; else empty
  Settings settings;
  std::vector<std::string> assumed;  // by those who made it, beside what is assumed about the part
  bool has_assumed_ranges = false;   // of its tensors: nothing was run to find them
  Conditions conditions;             // under which it is timed
};

// Leaves NAME.dlc and NAME.bin in the folder, and tells each step.
Result<RunOrigin> compile(const std::string& path, const Args& args, const std::filesystem::path& folder);

// ---- A run that was executed and logged (logged_run.cc): the folder that qnn-net-run leaves, or the profile
// log in it ----

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

// ---- Any of them ----

struct ProfiledRun : RunOrigin {
  std::filesystem::path power_history;   // beside the log; else empty
  std::optional<Simulation> simulation;  // none of a run that was read from its JSON
  std::vector<std::byte> schematic;      // of what was logged
  profile::Traceback traceback;          // names in the model's file
  profile::qhas::Model model;
};

// --soc, --graph, --dlc, --schematic, --perf_profile, and all that compiling a model reads.
std::vector<OptionSpec> run_options();

// What `path` ends in, also where that is "." or "..", or a "/" follows.
std::filesystem::path named_place(const std::filesystem::path& path);

// Whether `path` is a model, which has to be compiled before it can be simulated.
bool is_model(const std::filesystem::path& path);

// The numbers of a log and of a *_qnn_htp_analysis_summary.json are taken as they are; everything else is
// simulated anew. What was assumed of a model is among the assumptions of the run.
// A model is compiled into `folder`, each step told; with no folder, into one that is gone afterwards, and
// silently.
Result<ProfiledRun> profiled_run(const std::string& path, const Args& args,
                                 const std::filesystem::path& folder = {});

// The name that --perf_profile gives; empty where it leaves the choice to a file, or is not given.
Result<std::string> perf_profile_from(const Args& args);

// What `openqnn report` leaves in its folder, so that it can be named later.
inline constexpr std::string_view kRecordName = "run.json";
// `schematic`: the name of the file in the folder that a logged run needs.
Status write_record(const ProfiledRun& run, const std::filesystem::path& folder,
                    const std::string& schematic);

}  // namespace openqnn::tools
