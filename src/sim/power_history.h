// SPDX-License-Identifier: BSD-3-Clause
// What happened to a device's power state, as a list of events that can be written, read and played again. A
// run records one; a person may declare one (docs/power.md).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "sim/power.h"
#include "soc/power_profiles.h"

namespace openqnn::sim {

struct PowerEvent {
  enum class Kind : uint8_t { kVote, kRemove, kTimer, kStage, kIdle, kExecute };
  Kind kind = Kind::kVote;
  uint32_t client = 0;    // of vote, remove, timer
  PowerVote vote;         // of vote; of timer: what it falls to
  std::string label;      // of stage: its name; of execute: the graph
  Nanos duration;         // of idle; of timer: when it ends after the last execute
  ExecuteTimes times;     // of execute
  bool at_burst = false;  // times.accelerator is what it takes under burst, and grows with the core's clock
};

struct PowerHistory {
  std::string soc;
  uint32_t arch = 0;
  uint64_t clock_hz = 0;  // of the core under burst
  std::vector<PowerEvent> events;
  uint64_t left_out = 0;  // events after the most that are kept
};
inline constexpr size_t kMostPowerEvents = 65536;

// The history of a part at which nothing happened yet.
PowerHistory history_of(const soc::Target& target);

// The history, played on the model.
struct PowerTimeline {
  std::vector<Nanos> at;  // beside the events: when each began
  std::vector<PowerInterval> intervals;
  std::vector<ExecuteCost> executes;  // in order
  Nanos end;
};
PowerTimeline power_timeline(const soc::PowerModel& model, const PowerHistory& history);

// What a profile votes, without the defaults of a file. `system_settings` votes nothing.
Result<PowerVote> vote_of(const soc::PowerProfile& profile, const soc::PowerModel& model);

// Inferences under one profile, as the programs vote: up before init, inferences and de-init, down after
// each, held by a timer where the profile says so.
struct Scenario {
  std::string profile;
  uint32_t inferences = 3;
  Nanos accelerator;  // of one, under burst
  Nanos idle;         // between two
};
Result<PowerHistory> scenario_history(const soc::Target& target, const soc::PowerModel& model,
                                      const Scenario& scenario);

// JSON; read_power_history() reads it back equal, and what a person wrote.
std::string history_json(const PowerHistory& history, const soc::PowerModel& model);
Result<PowerHistory> read_power_history(std::string_view text, std::string_view source,
                                        const soc::PowerModel& model);

}  // namespace openqnn::sim
