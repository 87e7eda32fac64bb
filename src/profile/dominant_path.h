// SPDX-License-Identifier: BSD-3-Clause
// The dominant path: which one task counts, at each moment of a timeline on which several run side by side.
#pragma once

#include <cstdint>
#include <vector>

#include "base/units.h"
#include "program/program.h"
#include "sim/sim.h"

namespace openqnn::profile {

// A stretch of the timeline and the most important task running in it.
struct DominantSegment {
  Cycles start;
  Cycles cycles;      // never 0
  uint32_t task = 0;  // into Schedule::tasks
  size_t event = 0;   // into Timeline::events: a task may have one on each of two units

  Cycles end() const { return start + cycles; }
};

// In the order of time, without gaps but for the cycles in which nothing runs. The documented order of
// importance (004): HMX, HVX, DMA reads, DMA writes, checkpoints, sync. Schedules have neither of the last
// two; scalar tasks, which the documents do not rank, stand behind HVX; the lowest instance goes first (both
// ours).
std::vector<DominantSegment> dominant_path(const program::Program& program, const sim::Timeline& timeline);

}  // namespace openqnn::profile
