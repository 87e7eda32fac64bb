// SPDX-License-Identifier: BSD-3-Clause
// The analysis summary of one execution (QHAS): everything that its JSON, its page and `openqnn profile`
// show, as plain tables. A pure function of Program, Timeline and source map; it keeps no pointer into them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/units.h"
#include "frontend/trace.h"
#include "ir/shape.h"
#include "profile/figures.h"
#include "profile/power_report.h"
#include "profile/tracks.h"
#include "program/program.h"
#include "sim/sim.h"

namespace openqnn::profile::qhas {

using profile::Traffic;

// What a group of HTP ops cost.
struct Cost {
  uint64_t htp_ops = 0;
  Cycles cycles;    // of computing units; those run side by side, so sums may exceed the timeline
  Cycles dma;       // of DMA engines
  Cycles dominant;  // of the dominant path
  Traffic traffic;

  Cost& operator+=(const Cost& other);
};

// One instance of a unit.
struct Resource {
  std::string type;  // "HMX", "HVX", "DMA", "scalar"
  uint32_t instance = 0;
  uint32_t tid = 0;  // 256 and 512 on are the vendor's numbers of HMX and HVX; the others are ours
  Cycles start;      // of its first task
  Cycles end;        // of its last
  Cycles used;
  Traffic traffic;

  std::string name() const;  // "HVX 3"
};

// An op of the prepared graph: a node of the client, or several that were fused.
struct QnnOp {
  std::string name;
  std::string type;
  std::vector<std::string> nodes;      // the client's
  std::vector<std::string> framework;  // nodes of the model's own file; empty where nothing tells
  std::string units;                   // "HMX", "HMX+HVX", "-"
  std::string dtype;                   // of output 0, e.g. "ufx8"
  std::string shape;                   // of output 0: "[1, 8, 8, 32]"
  std::string tile;                    // extents of its largest tile
  uint32_t tiles = 0;
  std::string bound;  // what would have to be faster
  Cost cost;
};

struct OpType {
  std::string type;
  uint64_t instances = 0;
  Cost cost;
};

struct HtpOpType {
  std::string name;           // "q::Conv2d", "q::DramToTcm"
  bool reference_op = false;  // on the scalar core
  Cost cost;
};

struct Tensor {
  std::string name;
  std::string dtype;
  double step_size = 0;  // of a tensor with one encoding; else 0
  int64_t zero_offset = 0;
};

// One task of the Schedule, as it ran.
struct HtpOp {
  uint32_t id = 0;               // of the task
  uint32_t type = 0;             // into htp_op_types
  uint32_t resource = 0;         // into resources: the first that it occupies
  uint32_t instances = 1;        // so many from there on: vector work is spread over threads
  uint32_t op = 0;               // into ops
  uint32_t tensor = 0;           // into tensors: computed, loaded or stored
  ir::Shape dims;                // of the part of the tensor
  std::vector<uint32_t> inputs;  // ids of the tasks whose data it takes
  Cycles start;
  Cycles cycles;
  Cycles dominant;
  Traffic traffic;
  sim::Bound bound = sim::Bound::kOverhead;
};

// A stretch of the dominant path.
struct PathStep {
  Cycles start;
  Cycles cycles;
  uint32_t htp_op = 0;  // into htp_ops
};

// A category of ops that belong to no operation of the network (004).
struct Service {
  std::string name;
  std::string meaning;
  std::string unavailable;  // why there is none; empty where the model has them
  Cost cost;
};

// Something that a device would tell and this run does not, and why.
struct Unavailable {
  std::string what;
  std::string because;
};

using profile::VtcmUse;

// What Model::transfers may hold.
inline constexpr std::string_view kDlbcOfActivations = "dlbc of activations";
inline constexpr std::string_view kDlbcMeasured = "dlbc by a measured share";
inline constexpr std::string_view kDlbcOfWeights = "dlbc of weights";
inline constexpr std::string_view kSystemCache = "system-level cache";

struct Model {
  std::string model_id;
  std::string graph;
  std::string soc;
  std::string prepared_for;
  uint32_t arch = 0;
  uint32_t optimization = 0;
  uint32_t hvx_threads = 0;
  uint64_t vtcm_bytes = 0;               // of each core
  uint32_t cores = 1;                    // that tiles are divided over
  std::vector<std::string> transfers;    // what makes them smaller or faster: kDlbcOfActivations, ...
  std::vector<std::string> assumptions;  // about the part, where no source states a value

  // The timing model's card.
  std::string timing;
  double error_band = 0;
  double clock_hz = 0;

  Cycles total;
  Cycles busy;  // in which some unit ran
  Nanos accelerator;
  Nanos rpc;
  Nanos client;

  std::vector<Resource> resources;  // HMX, HVX, scalar, DMA
  std::vector<OpType> op_types;     // by cycles on the dominant path, the most first
  std::vector<QnnOp> ops;           // in the Program's order
  std::vector<HtpOpType> htp_op_types;
  std::vector<Tensor> tensors;  // in the Program's order
  std::vector<HtpOp> htp_ops;   // by start
  std::vector<PathStep> dominant_path;
  std::vector<Service> services;
  std::vector<VtcmUse> vtcm;  // of all cores, by time; empty when nothing was placed there
  uint64_t vtcm_peak = 0;     // of them
  std::vector<sim::Yield> yields;
  Cycles acquire;          // waiting for VTCM before the first cycle
  std::string power_vote;  // what the clock stands for
  PowerRecord power;       // what the votes of a logged run did
  std::vector<Unavailable> unavailable;

  uint64_t vtcm_of_all_cores() const { return vtcm_bytes * cores; }
  Traffic traffic() const;               // of all HTP ops
  double inferences_per_second() const;  // by accelerator time alone; 0 when no time passes
};

// What the Program and the Timeline do not say.
struct Context {
  std::string model_id;      // how the user calls the model; the graph's name where empty
  std::string prepared_for;  // the Program's part where empty
  std::vector<std::string> assumptions;
  const frontend::Trace* trace = nullptr;  // names in the model's file, before those that the Program tells
  const PowerRecord* power = nullptr;      // of a run that was logged
  // A part of the graph: whether each op of the Program is in it. What is outside is left out, cycle 0 is the
  // part's first, and the times of the whole call are unavailable. Null: all of it.
  const std::vector<bool>* part = nullptr;
};

Model qhas_model_of(const program::Program& program, const sim::Timeline& timeline, const Context& context);

// Reads what qhas_json() wrote; files of other programs are refused. `source` names the text in diagnostics.
// Tensors are those that HTP ops name.
Result<Model> read_qhas(std::string_view text, std::string_view source);

// A part of a whole in percent; 0 of nothing.
double percent(uint64_t part, uint64_t whole);

// The JSON of [model]_qnn_htp_analysis_summary.json: the vendor's field names where a source states them,
// ours beside them.
std::string qhas_json(const Model& model);
// The JSON Schema of it: qhas_schema.json.
std::string_view qhas_schema();

}  // namespace openqnn::profile::qhas
