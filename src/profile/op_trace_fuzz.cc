// SPDX-License-Identifier: BSD-3-Clause
// Any bytes: refused, or the same trace is written and read again, and can be reported on.
#include <cstdint>
#include <vector>

#include "profile/linting.h"
#include "profile/op_trace.h"
#include "profile/report.h"
#include "profile/schematic.h"

namespace {

using namespace openqnn;           // NOLINT: the names of this file
using namespace openqnn::profile;  // NOLINT

// A task on each unit, for the events to name.
program::Program small_program() {
  program::Program program;
  program.ops.emplace_back();
  program.tensors.emplace_back();
  program.schedule.hvx_threads = 4;
  for (const soc::Unit unit : {soc::Unit::kHmx, soc::Unit::kHvx, soc::Unit::kDma, soc::Unit::kScalar}) {
    program::Task& task = program.schedule.tasks.emplace_back();
    task.kind = unit == soc::Unit::kDma ? program::TaskKind::kLoad : program::TaskKind::kCompute;
    task.unit = unit;
  }
  return program;
}

void report(OpTrace trace) {
  static const program::Program kProgram = small_program();
  trace.fingerprint = fingerprint_of(kProgram);
  if (!check_belongs(trace, kProgram)) return;
  const RunView run{&kProgram, &trace.timeline};
  const Traceback traceback;
  TraceOptions options;
  options.data_flows = options.sequence_flows = options.runtrace = options.memory = true;
  if (chrometrace(std::span(&run, 1), options).empty() || htp_json(std::span(&run, 1), traceback).empty())
    __builtin_trap();
  if (linting_events(kProgram, trace.timeline).empty()) __builtin_trap();
}

void read(std::span<const std::byte> bytes) {
  const auto trace = read_op_trace(bytes);
  if (!trace) return;
  const auto again = read_op_trace(write_op_trace(*trace));
  if (!again || again->timeline.events.size() != trace->timeline.events.size()) __builtin_trap();
  report(*trace);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::span bytes(reinterpret_cast<const std::byte*>(data), size);
  read(bytes);
  read(seal(kOpTraceKind, bytes));  // behind a right outside
  return 0;
}
