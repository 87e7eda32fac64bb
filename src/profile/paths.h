// SPDX-License-Identifier: BSD-3-Clause
// Ways through a timeline: which tasks decided how long it took, and which one counts at each moment.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/units.h"
#include "program/program.h"
#include "sim/sim.h"

namespace openqnn::profile {

// The critical path: events, by their index in Timeline::events, from the first to the one that ends last.
// Each had to wait for the one before it; between two of them may be time in which neither runs.
std::vector<size_t> critical_path(const program::Schedule& schedule, const sim::Timeline& timeline);

// A stretch of the timeline and the most important task running in it.
struct DominantSegment {
  Cycles start;
  Cycles cycles;      // never 0
  uint32_t task = 0;  // into Schedule::tasks
  size_t event = 0;   // into Timeline::events: a task may have one on each of two units

  Cycles end() const { return start + cycles; }
};

// The dominant path: in the order of time, without gaps but for the cycles in which nothing runs. The
// documented order of importance (004): HMX, HVX, DMA reads, DMA writes, checkpoints, sync. Schedules have
// neither of the last two; scalar tasks, which the documents do not rank, stand behind HVX; the lowest
// instance goes first (both ours).
std::vector<DominantSegment> dominant_path(const program::Program& program, const sim::Timeline& timeline);

}  // namespace openqnn::profile
