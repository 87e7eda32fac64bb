// SPDX-License-Identifier: BSD-3-Clause
// A device with round numbers and a builder of schedules, so that each behaviour is a few lines.
#pragma once

#include <vector>

#include "sim/sim.h"

namespace openqnn::sim {

// 1000 MACs (8 bit) or 500 (half) and a vector instruction a cycle; 16 DMA bytes a cycle at 1 GHz; no
// overheads unless a test sets them.
inline soc::Target toy_target() {
  soc::Target target;
  target.soc = "TOY";
  target.arch = 75;
  target.hvx_contexts = 4;
  target.hmx_units = 1;
  target.timing.source = "toy numbers";
  target.timing.hmx_macs_per_cycle_8 = 1000;
  target.timing.hmx_macs_per_cycle_16 = 500;
  target.timing.vector_cycles.fill(2);
  target.timing.dma_bytes_per_second = 16e9;
  target.timing.clock_hz = 1e9;
  target.timing.error_band = 0.5;
  return target;
}

inline program::Task hvx(uint64_t vector_ops, std::vector<uint32_t> after = {}) {
  program::Task task;
  task.unit = soc::Unit::kHvx;
  task.work.unit = soc::Unit::kHvx;
  task.work.vector_ops = vector_ops;
  task.after = std::move(after);
  return task;
}

inline program::Task hmx(uint64_t macs, uint32_t bits, std::vector<uint32_t> after = {}) {
  program::Task task;
  task.unit = soc::Unit::kHmx;
  task.work.unit = soc::Unit::kHmx;
  task.work.macs = macs;
  task.work.arithmetic = bits == 8 ? soc::Arithmetic::kBytes : soc::Arithmetic::kHalf;
  task.after = std::move(after);
  return task;
}

inline program::Task load(uint64_t bytes, std::vector<uint32_t> after = {}) {
  program::Task task;
  task.kind = program::TaskKind::kLoad;
  task.unit = soc::Unit::kDma;
  task.bytes = bytes;
  task.after = std::move(after);
  return task;
}

inline program::Task store(uint64_t bytes, std::vector<uint32_t> after = {}) {
  program::Task task = load(bytes, std::move(after));
  task.kind = program::TaskKind::kStore;
  return task;
}

inline program::Schedule schedule(uint32_t hvx_threads, std::vector<program::Task> tasks) {
  program::Schedule made;
  made.hvx_threads = hvx_threads;
  made.tasks = std::move(tasks);
  return made;
}

inline Timeline run_on(const soc::Target& target, const program::Schedule& what) {
  return simulate(what, target, PowerState::of(target));
}

inline Timeline run(const program::Schedule& what) { return run_on(toy_target(), what); }

inline Cost cost_on(const soc::Target& target, const program::Task& task) {
  return cost_of(task, target, PowerState::of(target), 1);
}

// The event of a task, wherever it stands in the Timeline.
inline const Event& event_of(const Timeline& timeline, uint32_t task) {
  for (const Event& event : timeline.events) {
    if (event.task == task) return event;
  }
  static const Event kNone{.task = UINT32_MAX, .unit = soc::Unit::kScalar, .start = {UINT64_MAX}};
  return kNone;
}

}  // namespace openqnn::sim
