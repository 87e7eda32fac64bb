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
#include "profile/zoom.h"
#include "tools/args.h"
#include "tools/compiled_run.h"

namespace openqnn::tools {

struct ProfiledRun : RunOrigin {
  std::filesystem::path power_history;   // beside the log; else empty
  std::optional<Simulation> simulation;  // none of a run that was read from its JSON
  std::vector<std::byte> schematic;      // of what was logged
  profile::Traceback traceback;          // names in the model's file
  profile::qhas::Model model;
};

// --soc, --graph, --dlc, --schematic, --perf_profile, and all that compiling a model reads.
std::vector<OptionSpec> run_options();

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
