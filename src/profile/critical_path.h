// SPDX-License-Identifier: BSD-3-Clause
// Which tasks decided how long an execution took.
#pragma once

#include <cstddef>
#include <vector>

#include "program/program.h"
#include "sim/sim.h"

namespace openqnn::profile {

// Events, by their index in Timeline::events, from the first to the one that ends last. Each had to wait for
// the one before it; between two of them may be time in which neither runs.
std::vector<size_t> critical_path(const program::Schedule& schedule, const sim::Timeline& timeline);

}  // namespace openqnn::profile
