// SPDX-License-Identifier: BSD-3-Clause
// The modelled device: runs a Schedule and answers with a Timeline. Knows no values and no options.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"
#include "program/program.h"
#include "soc/target.h"

namespace openqnn::sim {

// The only place where cycles become time.
struct PowerState {
  double clock_hz = 0;
  static PowerState of(const soc::Target& target);  // the default vote
  Nanos time(Cycles cycles) const;                  // to the nearest nanosecond; 0 without a clock
  Cycles cycles(Nanos time) const;                  // the other way, to the nearest
};

// Why a task takes as long as it does: the largest part of its duration.
enum class Bound : uint8_t {
  kHmx,       // the matrix unit's rate
  kHvx,       // the vector contexts'
  kDma,       // set-up of the transfer
  kDdr,       // bytes between DDR and VTCM
  kOverhead,  // start of the op, its tile and its matrices
};
inline constexpr size_t kBoundCount = 5;
std::string_view bound_name(Bound bound);  // "HMX", "HVX", "DMA", "DDR", "overhead"

// What one task takes: its parts follow one another.
struct Cost {
  Cycles overhead;
  Cycles vector;
  Cycles matrix;
  Cycles dma;
  Cycles ddr;

  Cycles cycles() const { return overhead + vector + matrix + dma + ddr; }
  Bound bound() const;  // the largest part
};

// A task on a unit. A task of the matrix unit that has vector work as well (packing, conversion) is two
// events, the vectors' first.
struct Event {
  uint32_t task = 0;  // into Schedule::tasks
  soc::Unit unit = soc::Unit::kHvx;
  uint32_t instance = 0;   // the first HVX context, matrix unit or DMA engine
  uint32_t instances = 1;  // that are busy together: vector work is spread over the contexts granted
  Cycles start;
  Cycles duration;
  Bound bound = Bound::kOverhead;

  Cycles end() const { return start + duration; }
};

// The device, given to a client of higher priority and taken back: no task starts, and none runs after
// `save`.
struct Yield {
  Cycles start;
  Cycles save;     // what runs ends, and what is alive in VTCM goes to DDR
  Cycles wait;     // until the device is free again
  Cycles restore;  // VTCM as it was
  Bytes bytes;     // saved, and restored

  Cycles cycles() const { return save + wait + restore; }
  Cycles end() const { return start + cycles(); }
};

// How much of the device is modelled.
enum class ModelLevel : uint8_t {
  kRoofline,  // each unit does its work at its rate and waits for nothing: the least that it could take
  kEvent,     // tasks wait for one another and for their units, and cost something to start
};

std::string_view level_name(ModelLevel level);  // "roofline", "event"

// Everything that happened in one execution, on the device's own clock (cycle 0 is its start).
struct Timeline {
  std::vector<Event> events;  // by start, ties by task
  std::vector<Yield> yields;  // by start; nobody interferes unless clients were declared (concurrency.h)
  Cycles acquire;             // waiting for VTCM before cycle 0; in `rpc` and `client`
  Cycles total;
  PowerState power;  // the clock it ran under
  // Durations of one execute call as a client sees it; each contains the one before.
  Nanos accelerator;
  Nanos rpc;
  Nanos client;
  std::string model;      // which level and numbers made it, e.g. "event model, v75: fitted to …"
  double error_band = 0;  // relative: 0.5 is ±50 %
};

// What a task costs with so many HVX contexts.
Cost cost_of(const program::Task& task, const soc::Target& target, const PowerState& power, uint32_t threads);

// What so many bytes take between DDR and VTCM.
Cycles transfer_cycles(Bytes bytes, const soc::Target& target, const PowerState& power);

// Runs a verified Schedule. In schedule order, each task takes its unit (the matrix unit that is free first,
// the DMA engine, all vector contexts together) and starts there once the tasks it waits for have ended;
// before others of the schedule that wait, where it does not delay them. The one estimator: prepare asks it
// which schedule is the fastest, and cannot then disagree with the Timeline.
Timeline simulate(const program::Schedule& schedule, const soc::Target& target, const PowerState& power,
                  ModelLevel level = ModelLevel::kEvent);

}  // namespace openqnn::sim
