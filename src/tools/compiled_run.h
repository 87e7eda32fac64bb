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

struct Compiled {
  std::filesystem::path binary;
  std::filesystem::path dlc;
  Settings settings;
  std::vector<std::string> assumptions;  // what was taken unasked, and where that differs from others
  bool has_assumed_ranges = false;       // nothing was run to find them
  Conditions conditions;                 // under which it is to be timed
};

// Leaves NAME.dlc and NAME.bin in the folder, and tells each step.
Result<Compiled> compile(const std::string& path, const Args& args, const std::filesystem::path& folder);

}  // namespace openqnn::tools
