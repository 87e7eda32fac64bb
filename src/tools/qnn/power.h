// SPDX-License-Identifier: BSD-3-Clause
// The power votes of a run, cast while this lives: those of --perf_profile, or of the extension's file.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "tools/backend_library.h"
#include "tools/extensions/htp_power.h"
#include "tools/qnn/extension_library.h"

namespace openqnn::tools {

// As --perf_profile takes them.
inline constexpr std::string_view kPerfProfileNames =
    "default burst sustained_high_performance high_performance balanced low_balanced high_power_saver "
    "power_saver low_power_saver extreme_power_saver system_settings";

// "default" leaves the choice to the file.
inline std::string chosen_profile(const std::string& name) { return name == "default" ? "" : name; }

class PowerVotes {
 public:
  // With an extension the file's votes, which the command line's profile has changed already; else the
  // profile's. A device must exist.
  static Result<std::unique_ptr<PowerVotes>> cast(const BackendLibrary& backend, const Extension* extension,
                                                  const std::string& profile);
  ~PowerVotes();
  PowerVotes(const PowerVotes&) = delete;
  PowerVotes& operator=(const PowerVotes&) = delete;

 private:
  PowerVotes() = default;
  const Extension* extension_ = nullptr;
  CastVotes own_;
};

}  // namespace openqnn::tools
