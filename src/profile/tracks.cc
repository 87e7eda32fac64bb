// SPDX-License-Identifier: BSD-3-Clause
#include "profile/tracks.h"

#include <algorithm>

namespace openqnn::profile {

using program::TaskKind;
using soc::Unit;

uint32_t track_id(Unit unit, uint32_t instance) {
  // In the order of soc::Unit. 256 and 512 are those of the vendor's analysis files; the others are ours.
  constexpr std::array<uint32_t, soc::kUnitCount> kFirst = {256, 512, 1024, 768};
  return kFirst[static_cast<size_t>(unit)] + instance;
}

UnitCounts::UnitCounts(const program::Schedule& schedule, const sim::Timeline& timeline) {
  counts_[static_cast<size_t>(Unit::kHmx)] = 1;
  counts_[static_cast<size_t>(Unit::kHvx)] = schedule.hvx_threads;
  counts_[static_cast<size_t>(Unit::kDma)] = 1;
  for (const sim::Event& event : timeline.events) {
    uint32_t& seen = counts_[static_cast<size_t>(event.unit)];
    seen = std::max(seen, event.instance + event.instances);
  }
}

bool carries_data(TaskKind from, TaskKind to) { return from != TaskKind::kStore && to != TaskKind::kLoad; }

}  // namespace openqnn::profile
