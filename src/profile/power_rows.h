// SPDX-License-Identifier: BSD-3-Clause
// Words for power states that the reports share.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/power_history.h"

namespace openqnn::profile {

std::string_view activity_name(sim::Activity activity);                             // "waking up"
std::string corner_text(const sim::ClockVote& vote, const soc::PowerModel& model);  // "SVS2..SVS"
// What a vote says beside its corners: "DCVS off, sleep 100 us, polling 9999 us"
std::string vote_details(const sim::PowerVote& vote);
std::string permille_text(uint32_t permille);  // "92.0 %"
// Hertz of the core under these clocks.
uint64_t core_hz(const sim::PowerHistory& history, const sim::Clocks& clocks);

// A moment of a history (a vote, a timer, a stage), or a stretch of time in which nothing changes.
struct PowerRow {
  Nanos at;
  std::optional<Nanos> lasts;  // of a stretch
  std::string what;            // "vote of 1", "stage init", "executing"
  std::string core;            // voted corners; of a stretch "SVS, 507 MHz"
  std::string hmx;
  std::string bus;
  std::string details;         // what else is voted
  uint32_t core_permille = 0;  // of a stretch
};
// By time; what is cast at the same moment before the stretch that it begins.
std::vector<PowerRow> power_rows(const sim::PowerHistory& history, const sim::PowerTimeline& timeline,
                                 const soc::PowerModel& model);

inline constexpr std::string_view kPowerNote =
    "All times are simulated. The clock of a corner and the waiting times are coefficients of openqnn, "
    "because no\n"
    "source states them: data/power_model.json has each with its bounds, docs/power.md the rules.\n";

}  // namespace openqnn::profile
