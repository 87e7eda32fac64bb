// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "profile/event_tallies.h"

namespace openqnn::profile {

// Averaged linting events of a graph as trace-event JSON: the main thread with its waits, and below it what
// ran beside it. Detailed events, which tell no more than each op's cycles, give the main thread alone. Time
// is in cycles: one microsecond of the viewer is one cycle. Nothing where the events tell of no op.
std::string linting_chrometrace(const std::string& graph, const std::vector<EventNode>& events);

}  // namespace openqnn::profile
