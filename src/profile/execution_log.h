// SPDX-License-Identifier: BSD-3-Clause
// A profile log of one execution that was simulated and not run, as qnn-net-run with --profiling_option
// optrace leaves it: every program that reads such a log reads this one.
#pragma once

#include <cstddef>
#include <vector>

#include "profile/log.h"
#include "program/program.h"
#include "sim/sim.h"

namespace openqnn::profile {

// The schematic is in the record of the finalize, the events of the detailed level and the op trace in that
// of the execute. Nothing of it took time on the host, whose clock stands at 0. `head` without its producer.
std::vector<std::byte> execution_log(const program::Program& program, const sim::Timeline& timeline,
                                     LogHead head);

}  // namespace openqnn::profile
