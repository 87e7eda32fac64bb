// SPDX-License-Identifier: BSD-3-Clause
// What the extension libraries of all backends share: the run they work for, the backend's file, and the walk
// over its options.
#pragma once

#include <algorithm>
#include <functional>
#include <limits>
#include <string>
#include <string_view>

#include "base/result.h"
#include "config/check.h"
#include "config/read.h"
#include "tools/extensions/extension.h"

namespace openqnn::tools {

// For whom options are lowered.
struct ExtensionRun {
  std::optional<config::Tool> tool;  // none: a program that the tables do not know, which reads all
  config::Stage stage = config::Stage::kOffline;
  std::string perf_profile;  // of the command line; empty when there is none
};
ExtensionRun run_of(const OpenQnnExtension_Request_t& request);

// Whether this run reads the option and is at a stage at which it acts. Those left out are for the check to
// tell (the rules ignored-by-tool and ignored-at-stage).
bool acts_in(const config::OptionDef& option, const ExtensionRun& run);

// Reads and checks a file of this kind. Warnings are not told: the program has checked the file together with
// the one that names it.
Result<config::Document> read_backend_file(const std::string& path, config::Kind kind,
                                           const ExtensionRun& run);

// One option that a record of the file has.
struct Setting {
  const config::Record& record;
  std::string_view option;

  bool flag() const { return record.boolean(option).or_else(false); }
  int64_t integer() const { return record.integer(option).or_else(0); }
  // As the C API's fields take it. A larger number becomes the largest, which the backend refuses where it
  // has a limit, instead of another number that it would take.
  uint32_t uint32() const {
    return static_cast<uint32_t>(std::clamp<int64_t>(integer(), 0, std::numeric_limits<uint32_t>::max()));
  }
  double number() const { return record.number(option).or_else(0); }
  std::string_view text() const { return record.text(option).or_else(""); }
};

// Calls `visit` for the options that are set in the record and act in this run, in the order of the table, so
// that a file's order does not count. Containers are left to the caller.
void for_each_setting(const config::Record& record, const ExtensionRun& run,
                      const std::function<void(const Setting&)>& visit);

}  // namespace openqnn::tools
