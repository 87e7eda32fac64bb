// SPDX-License-Identifier: BSD-3-Clause
// A power history for people and programs: pure functions of the history and the model's facts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/power_history.h"

namespace openqnn::profile {

// Votes and stretches of time in order, with a bar for the core's clock, then what each execute paid for. At
// most `limit` rows of each; 0: all.
std::string power_text(const sim::PowerHistory& history, const soc::PowerModel& model, size_t limit);
std::string power_json(const sim::PowerHistory& history, const soc::PowerModel& model);
// A page of its own: clocks over time as a chart, and the executes.
std::string power_page(const sim::PowerHistory& history, const soc::PowerModel& model);

// ---- Words for power states that the reports share

inline constexpr uint64_t kHzPerMhz = 1'000'000;

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

// ---- What a run's votes did, as reports of that run show it

// Rows of its power history, and whose votes they were.
struct PowerRecord {
  std::string perf_profile;    // whose votes the execute ran under; empty where none fits, or nobody voted
  Nanos power_up;              // what waking up and powering units up added to the execute
  std::vector<PowerRow> rows;  // by time; empty where the run left no history, or nobody voted
  uint64_t rows_left_out = 0;  // behind the most that are kept
};
inline constexpr size_t kMostRecordRows = 1000;

// Without `power_up`, which the log of the execute tells. `graph`: the one that was executed.
PowerRecord power_record(const sim::PowerHistory& history, const soc::PowerModel& model,
                         const std::string& graph);

}  // namespace openqnn::profile
