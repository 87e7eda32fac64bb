// SPDX-License-Identifier: BSD-3-Clause
#include "profile/events.h"

#include <algorithm>

#include "base/text.h"

namespace openqnn::profile {
namespace {

using Unit = ProfileEvent::Unit;

// To the nearest, which keeps the nesting of durations.
uint64_t microseconds(Nanos nanos) { return (nanos.value + 500) / 1000; }

ProfileEvent device_event(std::string name, uint32_t type, uint64_t value, Unit unit) {
  return {std::move(name), type, value, unit, Clock::kDevice, true, {}};
}

ProfileEvent host_event(std::string name, uint32_t type, Nanos host, HostTimes times) {
  const bool keep = times == HostTimes::kKeep;
  return {std::move(name), type, keep ? microseconds(host) : 0, Unit::kMicroseconds, Clock::kHost, keep, {}};
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

// Per op: the cycles of the units that computed for it, in the order of the Program.
std::vector<ProfileEvent> node_events(const program::Program& program, const sim::Timeline& timeline) {
  std::vector<uint64_t> busy(program.ops.size());
  for (const sim::Event& event : timeline.events) {
    const program::Task& task = program.schedule.tasks[event.task];
    if (task.kind == program::TaskKind::kCompute) busy[task.op] += event.duration.value;
  }
  std::vector<ProfileEvent> events;
  events.reserve(busy.size());
  for (size_t i = 0; i < busy.size(); ++i) {
    events.push_back(device_event(concat(program.ops[i].name, ":OpId_", i, " (cycles)"), event_type::kNode,
                                  busy[i], Unit::kCycles));
  }
  return events;
}

}  // namespace

std::vector<ProfileEvent> execute_events(const program::Program& program, const sim::Timeline& timeline,
                                         Level level, const sim::ExecuteCost& cost) {
  const uint64_t accelerator = microseconds(timeline.accelerator);
  std::vector<ProfileEvent> events;
  const auto add = [&](const char* name, uint32_t type, uint64_t value, Unit unit) {
    events.push_back(device_event(name, type, value, unit));
  };
  // The vendor also reports the time to acquire VTCM; the model has no number for it.
  add("Number of HVX threads used", event_type::kHvxThreads, program.schedule.hvx_threads, Unit::kCount);
  add("RPC (execute) time", event_type::kExecuteRpc, microseconds(timeline.rpc), Unit::kMicroseconds);
  // Between the call's arrival on the device and the graph's start the device wakes up.
  const Nanos woken = cost.wake_up + cost.power_up;
  add("QNN accelerator (execute) time", event_type::kExecuteQnnAccelerator,
      microseconds(timeline.accelerator + woken), Unit::kMicroseconds);
  add("Num times yield occured", event_type::kExecuteYields, 0, Unit::kCount);  // sic; one client: none
  if (cost.voted)
    add("Time for HVX + HMX power on and acquire", event_type::kExecutePowerUp, microseconds(woken),
        Unit::kMicroseconds);
  add("Accelerator (execute) time (cycles)", event_type::kExecuteAcceleratorCycles, timeline.total.value,
      Unit::kCycles);
  if (level == Level::kDetailed) events.back().children = node_events(program, timeline);
  add("Accelerator (execute) time", event_type::kExecuteAccelerator, accelerator, Unit::kMicroseconds);
  add("Accelerator (execute excluding wait) time", event_type::kExecuteAcceleratorWithoutWait,
      microseconds(timeline.power.time(computing_cycles(timeline))), Unit::kMicroseconds);
  add("QNN (execute) time", event_type::kExecute, microseconds(timeline.client), Unit::kMicroseconds);
  return events;
}

std::vector<ProfileEvent> load_binary_events(Nanos host, HostTimes times) {
  return {host_event("QNN (load binary) time", event_type::kInit, host, times)};
}

std::vector<ProfileEvent> finalize_events(Nanos host, HostTimes times, std::span<const HostStage> stages) {
  ProfileEvent whole = host_event("QNN (finalize) time", event_type::kFinalize, host, times);
  for (const HostStage& stage : stages) {
    whole.children.push_back(host_event(stage.name, event_type::kBackend, stage.host, times));
  }
  return {whole};
}

std::vector<ProfileEvent> deinit_events(Nanos host, HostTimes times) {
  return {host_event("QNN (deinit) time", event_type::kDeinit, host, times)};
}

std::vector<ProfileEvent> package_execute_events(Nanos host, HostTimes times) {
  return {host_event("QNN (execute) time", event_type::kExecute, host, times)};
}

std::vector<ProfileEvent> get_section_events(Nanos host, HostTimes times) {
  return {host_event("QNN (get binary section) time", event_type::kBackend, host, times)};
}

std::vector<ProfileEvent> apply_section_events(Nanos host, HostTimes times) {
  return {host_event("QNN (apply binary section) time", event_type::kApplySection, host, times)};
}

}  // namespace openqnn::profile
