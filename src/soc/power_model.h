// SPDX-License-Identifier: BSD-3-Clause
// How votes become clocks and waiting times: data/power_model.json. The clock of a corner is in no public
// document; the file says which numbers are this project's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace openqnn::soc {

// A coefficient and the range in which it is physically plausible.
struct Bounded {
  uint64_t value = 0;
  uint64_t low = 0;
  uint64_t high = 0;
};

// A voltage corner, with its number on either scale of the C API where it has one.
struct CornerLevel {
  std::string name;       // as in data/power_profiles.json, e.g. "TURBO"
  std::string fine_name;  // where the finer scale calls it otherwise, e.g. "TUR"
  std::optional<uint32_t> coarse;
  std::optional<uint32_t> fine;
  Bounded core_permille;  // of the part's burst clock
  Bounded bus_permille;   // of the memory's bandwidth
};

struct PowerModel {
  std::vector<CornerLevel> corners;  // slowest first; the first is "voted off", the last the burst clock
  std::string corners_source;
  Bounded power_up_us;         // of HVX and HMX
  Bounded deepest_sleep_us;    // the longest that waking the device up takes
  Bounded cpu_wake_up_us;      // of the CPU that waits for an answer, when nothing shortens it
  Bounded adaptive_window_us;  // how long it polls under adaptive polling
  Bounded hmx_timeout_us;      // after which idle units are switched off
  Bounded hold_timer_us;       // for which burst and sustained keep their vote

  // Places in `corners`. A fine number between two corners is the lower one; a coarse number that does not
  // exist is nothing.
  std::optional<size_t> by_name(std::string_view name) const;
  std::optional<size_t> by_coarse(uint32_t number) const;
  size_t by_fine(uint32_t number) const;
  size_t top() const { return corners.empty() ? 0 : corners.size() - 1; }
};

Result<PowerModel> power_model();
// Of a facts file; `source` names the text in diagnostics. Refuses corners whose clocks are not monotone, and
// values outside their own bounds.
Result<PowerModel> read_power_model(std::string_view text, std::string_view source);

}  // namespace openqnn::soc
