// SPDX-License-Identifier: BSD-3-Clause
#include "profile/events.h"

#include <algorithm>

#include "base/text.h"
#include "profile/linting.h"

namespace openqnn::profile {
namespace {

using EventUnit = ProfileEvent::Unit;

ProfileEvent timed_event(std::string name, uint32_t type, Nanos host, HostTimes times) {
  const bool keep = times == HostTimes::kKeep;
  return {std::move(name),          type,         keep ? whole_microseconds(host) : 0,
          EventUnit::kMicroseconds, Clock::kHost, keep};
}

// Cycles in which at least one unit computes. The rest is waiting for data.
Cycles computing_cycles(const sim::Timeline& timeline) {
  Cycles covered;
  Cycles until;
  for (const sim::Event& event : timeline.events) {  // by start
    if (event.unit == soc::Unit::kDma || event.end() <= until) continue;
    covered += event.end() - std::max(event.start, until);
    until = event.end();
  }
  return covered;
}

// Per op: the cycles of the units that computed for it, in the order of the Program. Before and behind them
// what DMA took for the graph's inputs and outputs.
std::vector<ProfileEvent> node_events(const program::Program& program, const sim::Timeline& timeline) {
  std::vector<uint64_t> busy(program.ops.size());
  uint64_t input = 0;
  uint64_t output = 0;
  for (const sim::Event& event : timeline.events) {
    const program::Task& task = program.schedule.tasks[event.task];
    const ir::TensorRole role = program.tensors[task.tensor].role;
    if (task.kind == program::TaskKind::kCompute) busy[task.op] += event.duration.value;
    if (task.kind == program::TaskKind::kLoad && role == ir::TensorRole::kInput)
      input += event.duration.value;
    if (task.kind == program::TaskKind::kStore && role == ir::TensorRole::kOutput)
      output += event.duration.value;
  }
  std::vector<ProfileEvent> events;
  events.reserve(busy.size() + 2);
  const auto add = [&](std::string_view name, uint64_t cycles) {
    events.push_back({concat(name, " (cycles)"), event_type::kNode, cycles, EventUnit::kCycles});
  };
  add(kInputName, input);
  for (size_t i = 0; i < busy.size(); ++i) add(op_event_name(program, i), busy[i]);
  add(kOutputName, output);
  return events;
}

}  // namespace

std::string op_event_name(const program::Program& program, size_t op) {
  return concat(program.ops[op].name, ":OpId_", op_id::kFirst + op);
}

ProfileEvent yields_event(const sim::Timeline& timeline) {
  ProfileEvent count{"Num times yield occured", event_type::kExecuteYields, timeline.yields.size(),
                     EventUnit::kCount};  // sic
  for (const sim::Yield& yield : timeline.yields) {
    const auto add = [&](const char* name, uint32_t type, Cycles cycles) {
      count.children.push_back({name, type, whole_microseconds(timeline.power.time(cycles))});
    };
    add("Yield release time", event_type::kYieldRelease, yield.save);
    add("Yield wait time", event_type::kYieldWait, yield.wait);
    add("Yield restore time", event_type::kYieldRestore, yield.restore);
  }
  return count;
}

Nanos accelerator_of_call(const sim::Timeline& timeline, const sim::ExecuteCost& cost) {
  return timeline.accelerator + timeline.power.time(timeline.acquire) + cost.wake_up + cost.power_up;
}

std::vector<ProfileEvent> execute_events(const program::Program& program, const sim::Timeline& timeline,
                                         Level level, const sim::ExecuteCost& cost) {
  if (level == Level::kLinting) return linting_events(program, timeline, cost);
  const uint64_t accelerator = whole_microseconds(timeline.accelerator);
  std::vector<ProfileEvent> events;
  const auto add = [&](const char* name, uint32_t type, uint64_t value, EventUnit unit) {
    events.push_back({name, type, value, unit});
  };
  add("Number of HVX threads used", event_type::kHvxThreads, program.schedule.hvx_threads, EventUnit::kCount);
  add("RPC (execute) time", event_type::kExecuteRpc, whole_microseconds(timeline.rpc),
      EventUnit::kMicroseconds);
  // Between the call's arrival on the device and the graph's start the device wakes up.
  const Nanos woken = cost.wake_up + cost.power_up;
  add("QNN accelerator (execute) time", event_type::kExecuteQnnAccelerator,
      whole_microseconds(accelerator_of_call(timeline, cost)), EventUnit::kMicroseconds);
  events.push_back(yields_event(timeline));
  add("Time for initial VTCM acquire", event_type::kExecuteVtcmAcquire,
      whole_microseconds(timeline.power.time(timeline.acquire)), EventUnit::kMicroseconds);
  if (cost.voted)
    add("Time for HVX + HMX power on and acquire", event_type::kExecutePowerUp, whole_microseconds(woken),
        EventUnit::kMicroseconds);
  add("Accelerator (execute) time (cycles)", event_type::kExecuteAcceleratorCycles, timeline.total.value,
      EventUnit::kCycles);
  if (level == Level::kDetailed) events.back().children = node_events(program, timeline);
  add("Accelerator (execute) time", event_type::kExecuteAccelerator, accelerator, EventUnit::kMicroseconds);
  add("Accelerator (execute excluding wait) time", event_type::kExecuteAcceleratorWithoutWait,
      whole_microseconds(timeline.power.time(computing_cycles(timeline))), EventUnit::kMicroseconds);
  add("QNN (execute) time", event_type::kExecute, whole_microseconds(timeline.client),
      EventUnit::kMicroseconds);
  return events;
}

ProfileEvent memory_event(std::string name, uint64_t bytes) {
  return {std::move(name), event_type::kBackend, bytes, EventUnit::kBytes};
}

ProfileEvent object_event(std::string name, std::vector<std::byte> bytes, std::string file) {
  ProfileEvent event{std::move(name), event_type::kTrace, 0, EventUnit::kObject};
  event.object = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
  event.file = std::move(file);
  return event;
}

ProfileEvent host_event(const HostCall& call, Nanos host, HostTimes times,
                        std::span<const HostStage> stages) {
  ProfileEvent whole = timed_event(call.name, call.type, host, times);
  for (const HostStage& stage : stages)
    whole.children.push_back(timed_event(stage.name, event_type::kBackend, stage.host, times));
  return whole;
}

}  // namespace openqnn::profile
