// SPDX-License-Identifier: BSD-3-Clause
#include "profile/qhas/model.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "base/text.h"
#include "profile/paths.h"
#include "profile/report.h"
#include "profile/tracks.h"
#include "profile/zoom.h"

namespace openqnn::profile::qhas {
namespace {

using program::TaskKind;
using soc::Unit;

std::string htp_op_name(const program::Program& program, const program::Task& task) {
  return concat("q::",
                task.kind == TaskKind::kCompute ? program.ops[task.op].type : system_service(task.kind));
}

// The categories of ops that the documents call system services, all of them and in their order. Those that
// Schedules have no tasks for say so.
std::vector<Service> service_categories() {
  const std::string in_dependencies = "tasks name the tasks they wait for; no op of its own says so";
  return {
      {std::string(system_service(TaskKind::kLoad)), "Brings data from DRAM into VTCM.", "", {}},
      {std::string(system_service(TaskKind::kStore)), "Brings data from VTCM to DRAM.", "", {}},
      {"Sync Op", "Orders HVX ops that depend on each other.", in_dependencies, {}},
      {"DmaCheckpointSet",
       "Tells that a producer has written what a consumer waits for.",
       in_dependencies,
       {}},
      {"DmaCheckpointWait", "Waits for a DmaCheckpointSet.", in_dependencies, {}},
      {"BlockZapOp",
       "Fills blocks of a tensor that its data does not fill.",
       "the work of padding is counted in the op",
       {}},
      {"SystemService", "Fetches data into the L2 cache ahead of its use.", "the model has no L2 cache", {}},
  };
}

// Even parts of bytes; what is left over is the first one's.
Traffic part_of(const Traffic& whole, uint32_t number, uint32_t parts) {
  const auto part = [&](uint64_t bytes) { return bytes / parts + (number == 0 ? bytes % parts : 0); };
  return {.dram_read = part(whole.dram_read),
          .dram_write = part(whole.dram_write),
          .vtcm_read = part(whole.vtcm_read),
          .vtcm_write = part(whole.vtcm_write)};
}

class Builder {
 public:
  Builder(const program::Program& program, const sim::Timeline& timeline, const Context& context)
      : program_(program), timeline_(timeline), context_(context) {}

  Model build() {
    head();
    tensors();
    ops();
    resources();
    htp_ops();
    dominant();
    if (context_.part != nullptr) drop_ops_outside();
    op_types();
    services();
    vtcm();
    power();
    return std::move(model_);
  }

 private:
  void head() {
    model_.model_id = context_.model_id.empty() ? program_.graph : context_.model_id;
    model_.graph = program_.graph;
    model_.soc = program_.soc;
    model_.prepared_for = context_.prepared_for.empty() ? program_.soc : context_.prepared_for;
    model_.arch = program_.arch;
    model_.optimization = program_.optimization;
    model_.hvx_threads = program_.schedule.hvx_threads;
    model_.vtcm_bytes = program_.schedule.vtcm_bytes;
    model_.cores = program_.schedule.cores;
    const program::Bandwidth& bandwidth = program_.bandwidth;
    if (bandwidth.compressed_activations) model_.transfers.emplace_back(kDlbcOfActivations);
    if (bandwidth.measured_activations) model_.transfers.emplace_back(kDlbcMeasured);
    if (bandwidth.compressed_weights) model_.transfers.emplace_back(kDlbcOfWeights);
    if (bandwidth.slc) model_.transfers.emplace_back(kSystemCache);
    model_.assumptions = context_.assumptions;
    model_.timing = timeline_.model;
    model_.error_band = timeline_.error_band;
    model_.clock_hz = timeline_.power.clock_hz;
    model_.total = timeline_.total;
    model_.accelerator = timeline_.accelerator;
    model_.rpc = timeline_.rpc;
    model_.client = timeline_.client;
  }

  void tensors() {
    for (const program::Tensor& source : program_.tensors) {
      Tensor tensor{source.name, std::string(ir::name(source.desc.type)), 0, 0};
      const ir::Quantization& encoding = source.desc.quantization;
      if (encoding.kind == ir::Quantization::Kind::kPerTensor && !encoding.encodings.empty()) {
        tensor.step_size = static_cast<double>(encoding.encodings[0].scale);
        tensor.zero_offset = encoding.encodings[0].offset;
      }
      model_.tensors.push_back(std::move(tensor));
    }
  }

  // ---- QNN ops

  void ops() {
    std::map<std::string_view, const std::vector<std::string>*> in_file;
    for (size_t i = 0; i < program_.framework_nodes.size(); ++i)
      in_file[program_.source_nodes[i]] = &program_.framework_nodes[i];
    if (context_.trace != nullptr)  // said by hand: it goes before what the Program tells
      for (const frontend::Trace::Node& node : context_.trace->nodes) in_file[node.name] = &node.sources;
    for (const OpTotals& totals : op_totals(program_, timeline_)) {
      const program::Op& source = program_.ops[totals.op];
      QnnOp op;
      op.name = source.name;
      op.type = source.type;
      for (const uint32_t node : source.source_nodes)
        if (node < program_.source_nodes.size()) op.nodes.push_back(program_.source_nodes[node]);
      if (op.nodes.empty()) op.nodes.push_back(source.name);
      for (const std::string& node : op.nodes) {
        const auto found = in_file.find(node);
        if (found == in_file.end()) continue;
        for (const std::string& name : *found->second)
          if (std::ranges::find(op.framework, name) == op.framework.end()) op.framework.push_back(name);
      }
      op.units = units_text(totals);
      if (!source.outputs.empty() && source.outputs[0] < program_.tensors.size()) {
        const ir::TensorDesc& desc = program_.tensors[source.outputs[0]].desc;
        op.dtype = ir::name(desc.type);
        op.shape = desc.shape.to_string();
      }
      op.tiles = totals.tiles;
      op.bound = sim::bound_name(totals.bound);
      model_.ops.push_back(std::move(op));
    }
  }

  // ---- Units

  void resources() {
    const UnitCounts counts(program_.schedule, timeline_);
    for (const Unit unit : kUnitOrder) {
      first_resource_[static_cast<size_t>(unit)] = static_cast<uint32_t>(model_.resources.size());
      for (uint32_t i = 0; i < counts.of(unit); ++i)
        model_.resources.push_back({std::string(soc::unit_name(unit)), i, track_id(unit, i), {}, {}, {}, {}});
    }
  }

  // `number`: which of the instances that the op is spread over, each of which moves its part of the bytes.
  void occupy(Resource& resource, const HtpOp& op, uint32_t number) {
    const Cycles end = op.start + op.cycles;
    const bool first = resource.used.value == 0 && resource.end.value == 0;
    resource.start = first ? op.start : std::min(resource.start, op.start);
    resource.end = std::max(resource.end, end);
    resource.used += op.cycles;
    resource.traffic += part_of(op.traffic, number, op.instances);
  }

  // ---- HTP ops

  uint32_t htp_type(const program::Task& task) {
    const std::string name = htp_op_name(program_, task);
    const bool reference = task.unit == Unit::kScalar;
    const auto [at, is_new] =
        type_index_.try_emplace({name, reference}, static_cast<uint32_t>(model_.htp_op_types.size()));
    if (is_new) model_.htp_op_types.push_back({name, reference, {}});
    return at->second;
  }

  void htp_ops() {
    std::vector<uint64_t> largest(program_.ops.size());
    auto next_id = static_cast<uint32_t>(program_.schedule.tasks.size());
    for (const sim::Event& event : timeline_.events) {
      const program::Task& task = program_.schedule.tasks[event.task];
      HtpOp op;
      // The vectors of a task of the matrix unit are an op of their own, behind all others.
      op.id = event.unit == task.unit ? event.task : next_id++;
      op.type = htp_type(task);
      op.resource = first_resource_[static_cast<size_t>(event.unit)] + event.instance;
      op.instances = event.instances;
      op.op = task.op;
      op.tensor = task.tensor;
      op.dims = task.box.extents();
      for (const uint32_t before : task.after)
        if (carries_data(program_.schedule.tasks[before].kind, task.kind)) op.inputs.push_back(before);
      op.start = event.start;
      op.cycles = event.duration;
      if (event.unit == task.unit) op.traffic = traffic_of(program_, task);
      op.bound = event.bound;
      if (const uint64_t elements = op.dims.elements();
          task.kind == TaskKind::kCompute && elements > largest[task.op]) {
        largest[task.op] = elements;
        model_.ops[task.op].tile = op.dims.to_string();
      }
      for (uint32_t i = 0; i < event.instances; ++i) occupy(model_.resources[op.resource + i], op, i);
      model_.htp_ops.push_back(std::move(op));
    }
  }

  void dominant() {
    for (const DominantSegment& segment : profile::dominant_path(program_, timeline_)) {
      const auto index = static_cast<uint32_t>(segment.event);  // there is an HTP op for each event
      model_.htp_ops[index].dominant += segment.cycles;
      model_.busy += segment.cycles;
      model_.dominant_path.push_back({segment.start, segment.cycles, index});
    }
    for (const HtpOp& op : model_.htp_ops) {
      const Cost cost = cost_of(op);
      model_.ops[op.op].cost += cost;
      model_.htp_op_types[op.type].cost += cost;
    }
  }

  Cost cost_of(const HtpOp& op) const {
    const bool moves = model_.resources[op.resource].type == soc::unit_name(Unit::kDma);
    return {1, moves ? Cycles{} : op.cycles, moves ? op.cycles : Cycles{}, op.dominant, op.traffic};
  }

  void drop_ops_outside() {
    std::vector<uint32_t> place(model_.ops.size());
    std::vector<QnnOp> kept;
    for (uint32_t i = 0; i < model_.ops.size(); ++i) {
      place[i] = static_cast<uint32_t>(kept.size());
      if ((*context_.part)[i]) kept.push_back(std::move(model_.ops[i]));
    }
    model_.ops = std::move(kept);
    for (HtpOp& op : model_.htp_ops) op.op = place[op.op];
  }

  // ---- Sums

  void op_types() {
    std::map<std::string, OpType> by_name;
    for (const QnnOp& op : model_.ops) {
      OpType& type = by_name[op.type];
      type.type = op.type;
      ++type.instances;
      type.cost += op.cost;
    }
    for (auto& [name, type] : by_name) model_.op_types.push_back(std::move(type));
    std::stable_sort(model_.op_types.begin(), model_.op_types.end(),
                     [](const OpType& a, const OpType& b) { return a.cost.dominant > b.cost.dominant; });
  }

  void services() {
    model_.services = service_categories();
    for (Service& service : model_.services)
      for (const HtpOpType& type : model_.htp_op_types)
        if (type.name == concat("q::", service.name)) service.cost += type.cost;
  }

  void vtcm() {
    model_.vtcm = vtcm_use(program_.schedule, timeline_);
    for (const VtcmUse& use : model_.vtcm) model_.vtcm_peak = std::max(model_.vtcm_peak, use.bytes);
  }

  void power() {
    if (context_.power != nullptr) model_.power = *context_.power;
    if (model_.clock_hz > 0) model_.power_vote = concat("one clock for the whole run: ", votes_text());
    model_.yields = timeline_.yields;
    model_.acquire = timeline_.acquire;
    if (model_.power.rows.empty())
      model_.unavailable.push_back(
          {"power votes over time", "the timeline has one clock, and votes do not change while it runs"});
    model_.unavailable.push_back({"energy", "no source states what a unit or a byte costs in energy"});
  }

  std::string votes_text() const {
    const std::string& profile = model_.power.perf_profile;
    return profile.empty() ? "that of the votes it ran under, or burst where nobody votes"
                           : concat("that of the votes of ", profile);
  }

  const program::Program& program_;
  const sim::Timeline& timeline_;
  const Context& context_;
  Model model_;
  std::array<uint32_t, soc::kUnitCount> first_resource_{};
  std::map<std::pair<std::string, bool>, uint32_t> type_index_;
};

}  // namespace

Cost& Cost::operator+=(const Cost& other) {
  htp_ops += other.htp_ops;
  cycles += other.cycles;
  dma += other.dma;
  dominant += other.dominant;
  traffic += other.traffic;
  return *this;
}

std::string Resource::name() const {
  return type == "HVX" || instance > 0 ? concat(type, " ", instance) : type;
}

Traffic Model::traffic() const {
  Traffic sum;
  for (const Resource& resource : resources) sum += resource.traffic;
  return sum;
}

double Model::inferences_per_second() const {
  return accelerator.value == 0 ? 0.0 : 1e9 / static_cast<double>(accelerator.value);
}

double percent(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

namespace {

// The timeline of some ops alone, from the first of their cycles on.
sim::Timeline timeline_of_part(const program::Program& program, const sim::Timeline& whole,
                               const std::vector<bool>& part) {
  sim::Timeline timeline = whole;
  keep_part(timeline, [&](const sim::Event& event) { return part[program.schedule.tasks[event.task].op]; });
  return timeline;
}

}  // namespace

Model qhas_model_of(const program::Program& program, const sim::Timeline& timeline, const Context& context) {
  if (context.part == nullptr) return Builder(program, timeline, context).build();
  const sim::Timeline part = timeline_of_part(program, timeline, *context.part);
  Model model = Builder(program, part, context).build();
  model.unavailable.push_back(
      {"RPC and QNN execute time", "they are of the whole call, and a part of the graph is shown"});
  return model;
}

}  // namespace openqnn::profile::qhas
