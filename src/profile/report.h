// SPDX-License-Identifier: BSD-3-Clause
// Reports: pure functions of Timeline, Program and source map.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "profile/zoom.h"
#include "program/program.h"
#include "sim/sim.h"

namespace openqnn::profile {

// What one op cost. `dominant` divides the timeline: each cycle belongs to the op of the most important task
// running then (HMX, HVX, scalar, load, store; lowest instance first), so that the ops' sum plus the idle
// cycles is the total. `busy` counts unit cycles and may exceed the total: units run side by side.
struct OpTotals {
  uint32_t op = 0;  // into Program::ops
  uint32_t tiles = 0;
  bool hmx = false, hvx = false, scalar = false;  // units that computed for it
  Cycles busy;                                    // of the computing units
  Cycles dma;                                     // of the DMA engine
  Cycles dominant;
  Bytes loaded;  // DDR to VTCM
  Bytes stored;  // VTCM to DDR
  // What would have to be faster: the DMA engine when it was busy longer for this op than the computing units
  // (which share the work among their instances); else what bound most of the computing cycles.
  sim::Bound bound = sim::Bound::kOverhead;
};

// One entry per op of the Program, in its order.
std::vector<OpTotals> op_totals(const program::Program& program, const sim::Timeline& timeline);
// The units that computed for it: "HMX+HVX"; "-" for none.
std::string units_text(const OpTotals& op);

// Totals by op, for people; then the timing model's card.
std::string op_table(const program::Program& program, const sim::Timeline& timeline);

// The documented category of a task that is no op of the graph, "DramToTcm" or "TcmToDram"; empty for one
// that computes. (The other categories have no task in this model.)
std::string_view system_service(program::TaskKind kind);

// What a trace shows beside the tasks: nothing, unless who asks for it says so.
struct TraceOptions {
  bool data_flows = false;               // arrows along the way of the data
  bool sequence_flows = false;           // arrows where a task only waits for its turn
  bool runtrace = false;                 // the inference as a whole
  bool memory = false;                   // counters: bandwidth of VTCM and DRAM, and the VTCM that is in use
  const Traceback* traceback = nullptr;  // names of nodes in the graph and in the model's file; null: none
};

// Trace-event JSON that Perfetto and chrome://tracing open: one process per Program, with one track per unit
// instance. Programs run one after the other.
struct RunView {
  const program::Program* program = nullptr;
  const sim::Timeline* timeline = nullptr;
};
std::string chrometrace(std::span<const RunView> runs, const TraceOptions& options);
// The same of one Program with all but the sequence's arrows: what openqnn's own commands write. Names of the
// model's file are in it where the Program tells them.
std::string chrometrace(const program::Program& program, const sim::Timeline& timeline);

// NAME_htp.json: the ops of a run and what connects them, in the layout of a converter's NAME_net.json, which
// Netron opens. Each op has what the run tells of it among its parameters.
std::string htp_json(std::span<const RunView> runs, const Traceback& traceback);

}  // namespace openqnn::profile
