// SPDX-License-Identifier: BSD-3-Clause
// What a run's votes did, as reports of that run show it: rows of its power history, and whose votes they
// were.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "profile/power_rows.h"

namespace openqnn::profile {

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
