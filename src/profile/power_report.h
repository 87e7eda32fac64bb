// SPDX-License-Identifier: BSD-3-Clause
// A power history for people and programs: a pure function of the history and the model's facts.
#pragma once

#include <cstddef>
#include <string>

#include "sim/power_history.h"

namespace openqnn::profile {

// Votes and stretches of time in order, with a bar for the core's clock, then what each execute paid for. At
// most `limit` rows of each; 0: all.
std::string power_text(const sim::PowerHistory& history, const soc::PowerModel& model, size_t limit);
std::string power_json(const sim::PowerHistory& history, const soc::PowerModel& model);
// A page of its own: clocks over time as a chart, and the executes.
std::string power_page(const sim::PowerHistory& history, const soc::PowerModel& model);

}  // namespace openqnn::profile
