// SPDX-License-Identifier: BSD-3-Clause
// The event order: who runs where and when.
#include "sim/sim.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/text.h"

namespace openqnn::sim {
namespace {

Nanos nearest_nanos(double nanos) { return {nanos > 0 ? static_cast<uint64_t>(std::floor(nanos + 0.5)) : 0}; }

// The instances of one class of units, by the cycle at which each is free again.
class UnitClass {
 public:
  explicit UnitClass(uint32_t instances) : free_at_(std::max<uint32_t>(instances, 1)) {}

  // Occupies the instance that is free first for `duration`, from no earlier than `ready`.
  Event occupy(Cycles ready, Cycles duration) {
    const auto first = std::min_element(free_at_.begin(), free_at_.end());  // a handful: a scan beats a heap
    Event event;
    event.instance = static_cast<uint32_t>(first - free_at_.begin());
    event.start = std::max(ready, *first);
    event.duration = duration;
    *first = event.end();
    return event;
  }

 private:
  std::vector<Cycles> free_at_;
};

std::array<UnitClass, soc::kUnitCount> units_of(const program::Schedule& schedule,
                                                const soc::Target& target) {
  // In the order of soc::Unit: HMX, HVX, DMA, scalar.
  return {UnitClass(target.hmx_units), UnitClass(schedule.hvx_threads), UnitClass(1), UnitClass(1)};
}

std::vector<Event> run(const program::Schedule& schedule, const soc::Target& target,
                       const PowerState& power) {
  auto units = units_of(schedule, target);
  std::vector<Event> events;
  events.reserve(schedule.tasks.size());
  for (const program::Task& task : schedule.tasks) {
    Cycles ready;
    for (const uint32_t before : task.after) ready = std::max(ready, events[before].end());
    const Cost cost = cost_of(task, target, power);
    Event event = units[static_cast<size_t>(task.unit)].occupy(ready, cost.cycles);
    event.task = static_cast<uint32_t>(events.size());
    event.unit = task.unit;
    event.bound = cost.bound;
    events.push_back(event);
  }
  return events;
}

}  // namespace

PowerState PowerState::of(const soc::Target& target) { return {target.timing.clock_hz}; }

Nanos PowerState::time(Cycles cycles) const {
  if (!(clock_hz > 0)) return {};
  return nearest_nanos(static_cast<double>(cycles.value) * 1e9 / clock_hz);
}

Timeline simulate(const program::Schedule& schedule, const soc::Target& target, const PowerState& power) {
  const soc::Timing& timing = target.timing;
  Timeline timeline;
  timeline.events = run(schedule, target, power);
  for (const Event& event : timeline.events) timeline.total = std::max(timeline.total, event.end());
  std::sort(timeline.events.begin(), timeline.events.end(), [](const Event& a, const Event& b) {
    return a.start != b.start ? a.start < b.start : a.task < b.task;
  });

  timeline.power = power;
  timeline.accelerator = power.time(timeline.total);
  timeline.rpc = timeline.accelerator + nearest_nanos(timing.rpc_us * 1e3);
  timeline.client = timeline.rpc + nearest_nanos(timing.client_us * 1e3);
  timeline.model = concat("roofline model, uncalibrated, v", target.arch, " rates (",
                          timing.source.empty() ? "source not stated" : timing.source, ")");
  timeline.error_band = timing.error_band;
  return timeline;
}

}  // namespace openqnn::sim
