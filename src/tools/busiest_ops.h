// SPDX-License-Identifier: BSD-3-Clause
// A short table of where a simulated inference spends its time.
#pragma once

#include <cstddef>
#include <string>

#include "openqnn/simulate.h"

namespace openqnn::tools {

// The ops alone, without what goes before them.
std::string busiest_ops_table(const Simulation& simulation, size_t most);

// The `most` ops with the largest part of the timeline, the largest first, and one line for all others.
std::string busiest_ops(const Simulation& simulation, size_t most);

}  // namespace openqnn::tools
