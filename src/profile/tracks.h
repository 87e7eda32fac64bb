// SPDX-License-Identifier: BSD-3-Clause
// What traces and the analysis summary have in common: a track for each unit of the device, and arrows
// between tasks.
#pragma once

#include <array>
#include <cstdint>

#include "program/program.h"
#include "sim/sim.h"

namespace openqnn::profile {

// The order in which people read them.
inline constexpr std::array kUnitOrder = {soc::Unit::kHmx, soc::Unit::kHvx, soc::Unit::kScalar,
                                          soc::Unit::kDma};

// The number of a unit's track: "tid" in both files.
uint32_t track_id(soc::Unit unit, uint32_t instance);
// Below those of the units: the inference as a whole (ours).
inline constexpr uint32_t kRuntraceTrack = 2048;
inline constexpr uint32_t kYieldTrack = 2049;

// How many of each unit there are: those that the part grants, and any that ran.
class UnitCounts {
 public:
  UnitCounts(const program::Schedule& schedule, const sim::Timeline& timeline);
  uint32_t of(soc::Unit unit) const { return counts_[static_cast<size_t>(unit)]; }

 private:
  std::array<uint32_t, soc::kUnitCount> counts_{};
};

// Whether data goes from one task to one that waits for it. A dependency that leads back to a load only says
// that its place in VTCM is free again.
bool carries_data(program::TaskKind from, program::TaskKind to);

}  // namespace openqnn::profile
