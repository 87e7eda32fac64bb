// SPDX-License-Identifier: BSD-3-Clause
// The power votes of a run: those of --perf_profile, or of the extension's file. They go up before each stage
// and down after it, as the HTP page tells; what they did is in the device's history.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "tools/backend_library.h"
#include "tools/extensions/htp_power.h"
#include "tools/qnn/extension_library.h"

namespace openqnn::tools {

// As --perf_profile takes them.
inline constexpr std::string_view kPerfProfileNames =
    "default burst sustained_high_performance high_performance balanced low_balanced high_power_saver "
    "power_saver low_power_saver extreme_power_saver system_settings";
// Without the word that leaves the choice to a file.
inline constexpr std::string_view kChosenPerfProfiles =
    kPerfProfileNames.substr(std::string_view("default ").size());

// "default" leaves the choice to the file.
inline std::string chosen_profile(const std::string& name) { return name == "default" ? "" : name; }

// Where a run leaves the history of its votes, beside its other results.
inline constexpr const char* kPowerHistoryFile = "power_history.json";

// Must go before the backend library and the extension.
class PowerVotes {
 public:
  // With an extension the file's votes, which the command line's profile has changed already; else the
  // profile's. Nothing is cast yet.
  static Result<std::unique_ptr<PowerVotes>> open(const BackendLibrary& backend, const Extension* extension,
                                                  const std::string& profile);
  ~PowerVotes() { withdraw(); }
  PowerVotes(const PowerVotes&) = delete;
  PowerVotes& operator=(const PowerVotes&) = delete;

  // Around init, each inference and de-init; a device must exist. A profile that is held by a timer stays up
  // at an end, until it has idled long enough.
  Status begin_stage();
  Status end_stage();
  Status lower();   // whatever the timer says: nothing follows
  void withdraw();  // all of them

  bool casts_any() const { return extension_ != nullptr || !up_.empty(); }

  // The modelled device idles until so long after the first call of this. Where the backend is no model,
  // nothing is declared.
  Status idle_until(double seconds);
  // The device's history as JSON; nothing where the backend keeps none.
  Result<std::optional<std::string>> history() const;

 private:
  explicit PowerVotes(const BackendLibrary& backend) : backend_(backend) {}
  Status raise();
  Status declare_idle(uint64_t nanoseconds);

  const BackendLibrary& backend_;
  const Extension* extension_ = nullptr;
  CoreVotes core_;
  std::vector<PowerConfig> up_, down_;  // of --perf_profile alone
  CastVotes own_;
  uint64_t hold_us_ = 0;
  bool is_up_ = false;
  std::optional<uint64_t> paced_from_;
};

}  // namespace openqnn::tools
