// SPDX-License-Identifier: BSD-3-Clause
// A model that is compiled to be looked at: as `openqnn simulate` prepares it, but through the backend, so
// that there is a context binary.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "api/cxx/simulation.h"
#include "base/result.h"
#include "tools/args.h"

namespace openqnn::tools {

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

}  // namespace openqnn::tools
