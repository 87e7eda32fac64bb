// SPDX-License-Identifier: BSD-3-Clause
// A simulated execution in a few numbers.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "program/program.h"
#include "sim/sim.h"

namespace openqnn::profile {

// The cycles of a timeline by what was critical in each (ours): the matrix unit where it works, else the
// vector contexts, else the start of a task on either, else the transfer that is under way, else nothing,
// which counts as overhead. They add up to the total.
using BoundCycles = std::array<Cycles, sim::kBoundCount>;  // by sim::Bound
BoundCycles bound_cycles(const sim::Timeline& timeline);

// Moved between DDR and VTCM, both ways.
Bytes ddr_traffic(const program::Schedule& schedule);

// VTCM in use over time. A block is, from the start of the task that fills it to the end of the last that
// touches it; tasks that the timeline does not have count for nothing.
struct VtcmUse {
  Cycles at;
  uint64_t bytes = 0;  // in use from here on
};
std::vector<VtcmUse> vtcm_use(const program::Schedule& schedule, const sim::Timeline& timeline);
// The most of it.
Bytes vtcm_peak(const program::Schedule& schedule, const sim::Timeline& timeline);

}  // namespace openqnn::profile
