// SPDX-License-Identifier: BSD-3-Clause
// What traces and the analysis summary have in common: a track for each unit of the device, and arrows
// between tasks.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "program/program.h"
#include "sim/sim.h"

namespace openqnn::profile {

// The order in which people read them.
inline constexpr std::array kUnitOrder = {soc::Unit::kHmx, soc::Unit::kHvx, soc::Unit::kScalar,
                                          soc::Unit::kDma};

// The number of a unit's track: "tid" in both files.
inline uint32_t track_id(soc::Unit unit, uint32_t instance) {
  // In the order of soc::Unit. 256 and 512 are those of the vendor's analysis files; the others are ours.
  constexpr std::array<uint32_t, soc::kUnitCount> kFirst = {256, 512, 1024, 768};
  return kFirst[static_cast<size_t>(unit)] + instance;
}
// Below those of the units: the inference as a whole (ours).
inline constexpr uint32_t kRuntraceTrack = 2048;
inline constexpr uint32_t kYieldTrack = 2049;

// How many of each unit there are: those that the part grants, and any that ran.
class UnitCounts {
 public:
  UnitCounts(const program::Schedule& schedule, const sim::Timeline& timeline) {
    counts_[static_cast<size_t>(soc::Unit::kHmx)] = 1;
    counts_[static_cast<size_t>(soc::Unit::kHvx)] = schedule.hvx_threads;
    counts_[static_cast<size_t>(soc::Unit::kDma)] = 1;
    for (const sim::Event& event : timeline.events) {
      uint32_t& seen = counts_[static_cast<size_t>(event.unit)];
      seen = std::max(seen, event.instance + event.instances);
    }
  }
  uint32_t of(soc::Unit unit) const { return counts_[static_cast<size_t>(unit)]; }

 private:
  std::array<uint32_t, soc::kUnitCount> counts_{};
};

// Bytes that moved.
struct Traffic {
  uint64_t dram_read = 0;
  uint64_t dram_write = 0;
  uint64_t vtcm_read = 0;
  uint64_t vtcm_write = 0;

  Traffic& operator+=(const Traffic& other) {
    dram_read += other.dram_read;
    dram_write += other.dram_write;
    vtcm_read += other.vtcm_read;
    vtcm_write += other.vtcm_write;
    return *this;
  }
  uint64_t saved() const { return vtcm_read + vtcm_write - dram_read - dram_write; }  // of a transfer
};

// A compute task writes its tile to VTCM; the rest of the bytes that it touches there, it reads.
inline Traffic traffic_of(const program::Program& program, const program::Task& task) {
  if (task.kind == program::TaskKind::kLoad) return {.dram_read = task.ddr_bytes(), .vtcm_write = task.bytes};
  if (task.kind == program::TaskKind::kStore)
    return {.dram_write = task.ddr_bytes(), .vtcm_read = task.bytes};
  const uint64_t tile = ir::plain_bytes(program.tensors[task.tensor].desc, task.box);
  const uint64_t written = std::min(tile, task.work.vtcm_bytes);
  return {.vtcm_read = task.work.vtcm_bytes - written, .vtcm_write = written};
}

// Whether data goes from one task to one that waits for it. A dependency that leads back to a load only says
// that its place in VTCM is free again.
inline bool carries_data(program::TaskKind from, program::TaskKind to) {
  return from != program::TaskKind::kStore && to != program::TaskKind::kLoad;
}

}  // namespace openqnn::profile
