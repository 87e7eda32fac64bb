// SPDX-License-Identifier: BSD-3-Clause
// Any bytes: refused, or a run of what was read can be reported on.
#include <cstdint>
#include <vector>

#include "profile/linting.h"
#include "profile/report.h"
#include "profile/schematic.h"

namespace {

using namespace openqnn;           // NOLINT: the names of this file
using namespace openqnn::profile;  // NOLINT

// Every task takes a cycle, one after the other.
sim::Timeline run_of(const program::Program& program) {
  sim::Timeline timeline;
  timeline.power.clock_hz = 1e9;
  for (const program::Task& task : program.schedule.tasks) {
    sim::Event event;
    event.task = static_cast<uint32_t>(timeline.events.size());
    event.unit = task.unit;
    event.start = timeline.total;
    event.duration = {1};
    timeline.events.push_back(event);
    timeline.total = event.end();
  }
  return timeline;
}

void read(std::span<const std::byte> bytes) {
  const auto schematic = read_schematic(bytes);
  if (!schematic) return;
  for (const program::Program& program : schematic->programs) {
    const sim::Timeline timeline = run_of(program);
    const RunView run{&program, &timeline};
    const Traceback traceback = traceback_of(program);
    TraceOptions options;
    options.data_flows = options.sequence_flows = options.runtrace = options.memory = true;
    options.traceback = &traceback;
    if (chrometrace(std::span(&run, 1), options).empty() || htp_json(std::span(&run, 1), traceback).empty())
      __builtin_trap();
    if (linting_events(program, timeline).empty()) __builtin_trap();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::span bytes(reinterpret_cast<const std::byte*>(data), size);
  read(bytes);
  read(seal(kSchematicKind, bytes));  // behind a right outside
  return 0;
}
