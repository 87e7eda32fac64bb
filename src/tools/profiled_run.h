// SPDX-License-Identifier: BSD-3-Clause
// A simulated run, from whatever a user names: a model, a context binary, the folder of an earlier report, or
// its JSON.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "openqnn/simulate.h"
#include "profile/qhas/model.h"
#include "tools/args.h"

namespace openqnn::tools {

struct ProfiledRun {
  std::string source;                                         // as the user named it
  std::string stem;                                           // what its files begin with
  std::vector<std::pair<std::string, std::string>> settings;  // what it was made with: option and value
  std::filesystem::path binary;          // gone where it was compiled only to be looked at
  std::filesystem::path dlc;             // with the framework's names; may be empty
  std::optional<Simulation> simulation;  // none of a run that was read from its JSON
  profile::qhas::Model model;
};

// --soc and --graph, --dlc, and all that compiling a model reads.
std::vector<OptionSpec> run_options();

// Whether `path` is a model, which has to be compiled before it can be simulated.
bool is_model(const std::filesystem::path& path);

// The numbers of a *_qnn_htp_analysis_summary.json are taken as they are; everything else is simulated anew.
// A model is compiled into `folder`, each step told; with no folder, into one that is gone afterwards, and
// silently.
Result<ProfiledRun> profiled_run(const std::string& path, const Args& args,
                                 const std::filesystem::path& folder = {});

// As fail(); as fail_usage() where an option is what is wrong.
int fail_run(std::string_view what, const Diagnostic& diagnostic);

// What `openqnn report` leaves in its folder, so that it can be named later.
inline constexpr std::string_view kRecordName = "run.json";
Status write_record(const ProfiledRun& run, const std::filesystem::path& folder);

}  // namespace openqnn::tools
