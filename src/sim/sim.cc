// SPDX-License-Identifier: BSD-3-Clause
// The event order: who runs where and when.
#include "sim/sim.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/text.h"

namespace openqnn::sim {
namespace {

// The nearest whole number, from 0 to `most`. 0 stands first, so that what is no number becomes it.
uint64_t nearest(double value, double most) {
  return static_cast<uint64_t>(std::min(std::max(0.0, std::floor(value + 0.5)), most));
}

Nanos nearest_nanos(double nanos) { return {nearest(nanos, 0x1p63)}; }

// One unit. It takes a task as soon as its operands are there, also one that comes later in the schedule than
// a task that still waits: what stands idle in between is remembered.
class Instance {
 public:
  // When a task that is ready then and takes so long starts.
  Cycles take(Cycles ready, Cycles duration) {
    auto gap = std::ranges::lower_bound(gaps_, ready + duration, {}, &Gap::end);
    for (; gap != gaps_.end(); ++gap) {
      const Cycles start = std::max(ready, gap->begin);
      if (start + duration > gap->end) continue;
      fill(gap, start, start + duration);
      return start;
    }
    const Cycles start = std::max(ready, free_at_);
    if (start > free_at_) add_gap(gaps_.end(), {free_at_, start});
    free_at_ = start + duration;
    return start;
  }
  Cycles free_at() const { return free_at_; }

 private:
  // The latest: older ones were passed over by many tasks already.
  static constexpr size_t kMostGaps = 16;
  struct Gap {
    Cycles begin, end;
  };

  void add_gap(std::vector<Gap>::iterator place, const Gap& gap) {
    gaps_.insert(place, gap);
    if (gaps_.size() > kMostGaps) gaps_.erase(gaps_.begin());
  }

  void fill(std::vector<Gap>::iterator gap, Cycles from, Cycles to) {
    const Gap before = {gap->begin, from}, behind = {to, gap->end};
    if (before.begin == before.end && behind.begin == behind.end) {
      gaps_.erase(gap);
    } else if (before.begin == before.end) {
      *gap = behind;
    } else {
      *gap = before;
      if (behind.begin < behind.end) add_gap(gap + 1, behind);
    }
  }

  Cycles free_at_;
  std::vector<Gap> gaps_;  // by time
};

// The instances of one class of units.
using UnitClass = std::vector<Instance>;

// The one that is free first; a handful, so a scan beats a heap.
size_t first_free(const UnitClass& units) {
  return static_cast<size_t>(std::ranges::min_element(units, {}, &Instance::free_at) - units.begin());
}

class Device {
 public:
  Device(const program::Schedule& schedule, const soc::Target& target, const PowerState& power,
         ModelLevel level)
      : schedule_(schedule),
        target_(target),
        power_(power),
        level_(level),
        cores_(schedule.cores, Core{.hmx = UnitClass(std::max<uint32_t>(target.hmx_units, 1))}),
        threads_(schedule.hvx_threads) {
    events_.reserve(schedule.tasks.size());
    ends_.reserve(schedule.tasks.size());
  }

  std::vector<Event> run() && {
    for (uint32_t i = 0; i < schedule_.tasks.size(); ++i) run_task(i, schedule_.tasks[i]);
    return std::move(events_);
  }

 private:
  // What each core has of its own.
  struct Core {
    UnitClass hmx;
    UnitClass hvx = UnitClass(1);  // all contexts, which work on one task together
    UnitClass scalar = UnitClass(1);
  };

  void run_task(uint32_t index, const program::Task& task) {
    Cycles ready;
    Cost cost = cost_of(task, target_, power_, threads_);
    if (level_ == ModelLevel::kRoofline) {
      cost.overhead = cost.dma = {};
    } else {
      for (const uint32_t before : task.after) ready = std::max(ready, ends_[before]);
    }
    const Bound bound = cost.bound();
    Core& core = cores_[task.core];
    if (task.unit != soc::Unit::kHmx) {
      UnitClass& units = task.unit == soc::Unit::kDma   ? dma_
                         : task.unit == soc::Unit::kHvx ? core.hvx
                                                        : core.scalar;
      ends_.push_back(add(index, task.unit, units, 0, ready, cost.cycles(), bound));
      return;
    }
    // The vector part first; whatever starts the task comes with the part that begins it.
    Cycles overhead = cost.overhead;
    if (cost.vector > Cycles{}) {
      const Cycles converted = add(index, soc::Unit::kHvx, core.hvx, 0, ready, overhead + cost.vector, bound);
      if (level_ != ModelLevel::kRoofline) ready = converted;
      overhead = {};
    }
    ends_.push_back(
        add(index, soc::Unit::kHmx, core.hmx, first_free(core.hmx), ready, overhead + cost.matrix, bound));
  }

  Cycles add(uint32_t task, soc::Unit unit, UnitClass& units, size_t instance, Cycles ready, Cycles duration,
             Bound bound) {
    Event event{.task = task, .unit = unit, .instance = static_cast<uint32_t>(instance), .bound = bound};
    if (unit == soc::Unit::kHvx) event.instances = std::max<uint32_t>(threads_, 1);
    if (unit != soc::Unit::kDma)
      event.instance += schedule_.tasks[task].core *
                        (unit == soc::Unit::kHvx ? event.instances : static_cast<uint32_t>(units.size()));
    event.start = units[instance].take(ready, duration);
    event.duration = duration;
    events_.push_back(event);
    return event.end();
  }

  const program::Schedule& schedule_;
  const soc::Target& target_;
  const PowerState& power_;
  ModelLevel level_;
  std::vector<Core> cores_;
  UnitClass dma_ = UnitClass(1);  // the cores' transfers take turns on DDR
  uint32_t threads_;
  std::vector<Event> events_;
  std::vector<Cycles> ends_;  // by task
};

}  // namespace

PowerState PowerState::of(const soc::Target& target) { return {target.timing.clock_hz}; }

Nanos PowerState::time(Cycles cycles) const {
  if (!(clock_hz > 0)) return {};
  return nearest_nanos(static_cast<double>(cycles.value) * 1e9 / clock_hz);
}

Cycles PowerState::cycles(Nanos time) const {
  return {nearest(static_cast<double>(time.value) * clock_hz / 1e9, 0x1p53)};
}

std::string_view level_name(ModelLevel level) {
  return level == ModelLevel::kRoofline ? "roofline" : "event";
}

Timeline simulate(const program::Schedule& schedule, const soc::Target& target, const PowerState& power,
                  ModelLevel level) {
  const soc::Timing& timing = target.timing;
  Timeline timeline;
  timeline.events = Device(schedule, target, power, level).run();
  for (const Event& event : timeline.events) timeline.total = std::max(timeline.total, event.end());
  std::ranges::stable_sort(timeline.events, {},
                           [](const Event& event) { return std::pair(event.start, event.task); });

  timeline.power = power;
  timeline.accelerator = power.time(timeline.total);
  timeline.rpc = timeline.accelerator + nearest_nanos(timing.rpc_us * 1e3);
  timeline.client = timeline.rpc + nearest_nanos(timing.client_us * 1e3);
  timeline.model =
      concat(level_name(level), " model, ", level == ModelLevel::kRoofline ? "a lower bound, v" : "v",
             target.arch, ": ", timing.source.empty() ? "source not stated" : timing.source);
  timeline.error_band = timing.error_band;
  return timeline;
}

}  // namespace openqnn::sim
