// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/graph.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <unordered_map>

#include "QnnGraph.h"
#include "QnnTensor.h"
#include "base/text.h"
#include "ops/op.h"
#include "ops/operand_names.h"
#include "profile/op_trace.h"
#include "profile/schematic.h"
#include "program/context_binary.h"
#include "program/update_section.h"
#include "runtime/thread_priority.h"
#include "soc/part_name.h"

namespace openqnn::runtime {
namespace {

// ir::Graph knows no QNN codes; two of its reasons have one of their own.
Qnn_ErrorHandle_t code_of_refused_node(const Diagnostic& reason) {
  if (reason.code == "node-order") return QNN_GRAPH_ERROR_UNCONNECTED_NODE;
  if (reason.code == "node-name-taken") return QNN_GRAPH_ERROR_INVALID_NAME;
  return QNN_GRAPH_ERROR_INVALID_OP_CONFIG;
}

ApiError already_finalized(const char* message, std::string where) {
  return {QNN_GRAPH_ERROR_GRAPH_FINALIZED, invalid("graph-finalized", message).at(std::move(where))};
}

// Some tensors of a graph with other values or encodings, until it is known that all of it holds together.
class Replacement {
 public:
  explicit Replacement(ir::Graph& graph) : graph_(graph) {}
  ~Replacement() {
    if (is_kept_) return;
    for (auto& [index, tensor] : before_) static_cast<void>(graph_.replace_tensor(index, std::move(tensor)));
  }
  Replacement(const Replacement&) = delete;
  Replacement& operator=(const Replacement&) = delete;

  Status add(const TensorUpdate& update) {
    const ir::TensorIndex index = update.id - 1;
    ir::Tensor tensor = graph_.tensors()[index];
    tensor.desc.quantization = update.tensor.desc.quantization;
    if (tensor.role == ir::TensorRole::kStatic && update.tensor.data) tensor.data = update.tensor.data;
    OPENQNN_ASSIGN(ir::Tensor before, graph_.replace_tensor(index, std::move(tensor)));
    before_.emplace(index, std::move(before));  // the first, of a tensor that is updated twice
    return {};
  }

  // Ops judge encodings: a node that was legal may not be after an update.
  Status validate_nodes(const PackageNodes& packages) const {
    const auto is_replaced = [this](ir::TensorIndex tensor) { return before_.contains(tensor); };
    for (uint32_t i = 0; i < graph_.nodes().size(); ++i) {
      const ir::Node& node = graph_.nodes()[i];
      const bool is_touched =
          std::ranges::any_of(node.inputs, is_replaced) || std::ranges::any_of(node.outputs, is_replaced);
      if (!is_touched || packages.contains(i)) continue;
      OPENQNN_TRY(
          ops::with_names(ops::validate(node.type, ops::call_of(graph_, node)), ops::names_of(graph_, node)));
    }
    return {};
  }

  void keep() { is_kept_ = true; }

 private:
  ir::Graph& graph_;
  std::unordered_map<ir::TensorIndex, ir::Tensor> before_;
  bool is_kept_ = false;
};

bool has_updateable(const ir::Graph& graph) {
  return std::any_of(graph.tensors().begin(), graph.tensors().end(),
                     [](const ir::Tensor& tensor) { return tensor.updateable; });
}

}  // namespace

Status LoadedBinary::verify_once() {
  if (verified_) return {};
  std::call_once(once_, [this] { status_ = program::verify_data(bytes_); });
  return status_;
}

Graph::Graph(std::string name, Logger log, ContextParts parts, GraphOptions options)
    : name_(std::move(name)),
      log_(std::move(log)),
      parts_(std::move(parts)),
      options_(std::move(options)),
      composing_(std::make_unique<ir::Graph>(name_)) {
  if (options_.priority != QNN_PRIORITY_DEFAULT)
    log_.info(concat(where(), ": ", priority_text(options_.priority)));
}

Graph::Graph(program::ProgramSet set, size_t index, std::shared_ptr<LoadedBinary> binary, Logger log,
             ContextParts parts)
    : name_(set.programs[index]->graph),
      log_(std::move(log)),
      parts_(std::move(parts)),
      binary_(std::move(binary)) {
  program::ProgramSet own{{set.programs[index]}, set.constants, set.owner};
  publish(std::make_unique<ExecutionPlan>(std::move(own), log_));
}

void Graph::publish(std::unique_ptr<ExecutionPlan> plan) {
  if (const uint32_t by_handle = plan->io_memory().declared_by_handle(); by_handle != 0)
    log_.info(concat(where(), ": the modelled device reserves ", plan->io_memory().reserved(),
                     " bytes for inputs and outputs, and nothing for ", by_handle,
                     " declared as mem handles"));
  const std::lock_guard lock(plan_mutex_);
  if (plan_) plan->use_slc(plan_->uses_slc());  // a session's choice outlives what it was made for
  plan_ = std::move(plan);
}

std::shared_ptr<ExecutionPlan> Graph::plan() const {
  const std::lock_guard lock(plan_mutex_);
  return plan_;
}

bool Graph::has_pending_updates() const {
  const std::lock_guard lock(mutex_);
  return has_updates_;
}

uint64_t Graph::fixed_constants(const program::ProgramSet& set) {
  const std::lock_guard lock(mutex_);
  if (!fixed_constants_) fixed_constants_ = program::fixed_constants_checksum(set);
  return *fixed_constants_;
}

GraphOptions Graph::options() const {
  const std::lock_guard lock(mutex_);
  return options_;
}

Outcome<> Graph::set_options(const GraphOptions& options) {
  const std::lock_guard lock(mutex_);
  if (finalized()) return already_finalized("preparation options cannot change after finalize", where());
  if (options.priority != options_.priority)
    log_.info(concat(where(), ": ", priority_text(options.priority)));
  options_ = options;
  return {};
}

void Graph::set_priority(uint32_t priority) {
  const std::lock_guard lock(mutex_);
  if (options_.priority == priority) return;
  options_.priority = priority;
  log_.info(concat(where(), ": ", priority_text(priority)));
}

Outcome<> Graph::check_hvx_threads(uint32_t threads) const {
  const auto plan = this->plan();
  const auto refuse = [&](Qnn_ErrorHandle_t code, std::string message) {
    return ApiError(code, invalid("graph-hvx-threads", std::move(message)).at(where()));
  };
  if (executed_)
    return refuse(QNN_GRAPH_ERROR_GRAPH_FINALIZED, "HVX threads cannot change after the first execute");
  if (!plan || plan->has_package_ops())
    return refuse(QNN_GRAPH_ERROR_UNSUPPORTED_FEATURE,
                  "HVX threads of a graph with ops of a package can be set before finalize only");
  const soc::Target& target = parts_.device->target;
  if (threads > target.hvx_contexts)
    return refuse(QNN_GRAPH_ERROR_INVALID_ARGUMENT, concat(threads, " HVX threads asked for, but ",
                                                           part_name(target), " has ", target.hvx_contexts));
  return {};
}

Outcome<> Graph::change_finalized(std::optional<bool> slc, std::optional<uint32_t> hvx_threads) {
  const std::lock_guard lock(mutex_);
  const auto plan = this->plan();
  if (slc.value_or(false) && !plan->is_prepared_for_slc())
    return already_finalized("the graph was prepared without the SLC allocator, and cannot get it later",
                             where());
  if (hvx_threads) OPENQNN_TRY(check_hvx_threads(*hvx_threads));
  if (slc) {
    plan->use_slc(*slc);
    log_.info(concat(where(), *slc ? ": the system-level cache is used again"
                                   : ": the system-level cache is not used any more"));
  }
  if (!hvx_threads) return {};
  program::ProgramSet set = *plan->programs()[0];
  auto program = std::make_shared<program::Program>(*set.programs[0]);
  program->schedule.hvx_threads = *hvx_threads;
  set.programs = {std::move(program)};
  publish(std::make_unique<ExecutionPlan>(std::move(set), log_));
  options_.prepare.hvx_threads = *hvx_threads;
  return {};
}

Outcome<uint32_t> Graph::add_tensor(ir::Tensor tensor) {
  const std::lock_guard lock(mutex_);
  if (finalized()) return already_finalized("a finalized graph takes no more tensors", where());
  auto index = composing_->add_tensor(std::move(tensor));
  if (index) return *index + 1;
  const bool unsupported = index.error().failure == Failure::kUnsupported;
  return ApiError(
      unsupported ? QNN_TENSOR_ERROR_UNSUPPORTED_TENSOR_PARAM : QNN_TENSOR_ERROR_INVALID_TENSOR_PARAM,
      std::move(index).error());
}

Outcome<ir::TensorIndex> Graph::index_of(const TensorRef& ref, const std::string& where) const {
  if (ref.id == ir::kNoTensor) return ir::kNoTensor;
  if (ref.id != 0 && ref.id <= composing_->tensors().size()) return ref.id - 1;
  return ApiError(QNN_GRAPH_ERROR_INVALID_TENSOR,
                  invalid("node-tensor",
                          concat("tensor '", ref.name, "' (id ", ref.id, ") was not created in this graph"))
                      .at(where)
                      .fix_by("create the tensor first and pass on the id it received"));
}

Outcome<> Graph::add_node(ir::Node node, std::span<const TensorRef> inputs,
                          std::span<const TensorRef> outputs, std::shared_ptr<OpPackage> package) {
  const std::lock_guard lock(mutex_);
  const std::string node_where = concat(where(), ", node '", node.name, "'");
  if (finalized()) return already_finalized("a finalized graph takes no more nodes", node_where);
  ops::OpCall call{.node = node.name, .params = &node.params};
  const auto resolve = [&](std::span<const TensorRef> refs, std::vector<ir::TensorIndex>& indices,
                           std::vector<const ir::TensorDesc*>& descs) -> Outcome<> {
    for (const TensorRef& ref : refs) {
      OPENQNN_ASSIGN(const ir::TensorIndex index, index_of(ref, node_where));
      indices.push_back(index);
      descs.push_back(index == ir::kNoTensor ? nullptr : &composing_->tensors()[index].desc);
    }
    return {};
  };
  OPENQNN_TRY(resolve(inputs, node.inputs, call.inputs));
  OPENQNN_TRY(resolve(outputs, node.outputs, call.outputs));
  OPENQNN_TRY_AS(QNN_GRAPH_ERROR_INVALID_OP_CONFIG,
                 package ? ops::check_all_dense(call)
                         : ops::with_names(ops::validate(node.type, call), ops::names_of(*composing_, node)));
  if (Status status = composing_->add_node(std::move(node)); !status) {
    const Qnn_ErrorHandle_t code = code_of_refused_node(status.error());
    return ApiError(code, std::move(status).error());
  }
  if (package) package_nodes_.emplace(composing_->nodes().size() - 1, std::move(package));
  return {};
}

// ---- Updates ----

Outcome<> Graph::check_update(const TensorUpdate& update) const {
  const bool exists = update.id != 0 && update.id <= composing_->tensors().size();
  if (!exists)
    return ApiError(QNN_TENSOR_ERROR_DOES_NOT_EXIST,
                    invalid("tensor-unknown", concat("no tensor has the id ", update.id)).at(where()));
  const ir::Tensor& tensor = composing_->tensors()[update.id - 1];
  const auto refuse = [&](std::string message, const char* fix) {
    return ApiError(QNN_TENSOR_ERROR_INCOMPATIBLE_TENSOR_UPDATE,
                    invalid("tensor-update", std::move(message))
                        .at(concat(where(), ", tensor '", tensor.name, "'"))
                        .fix_by(fix));
  };
  if (!tensor.updateable)
    return refuse("the tensor was not created as an updateable one", "create it with an UPDATEABLE type");
  if (update.tensor.role != tensor.role || !update.tensor.updateable)
    return refuse("the tensor is of another type", "only data and encoding may differ");
  if (update.tensor.desc.sparsity != tensor.desc.sparsity)
    return refuse("it has other sparse dimensions or specified elements, or is dense where it was sparse",
                  "only data and encoding may differ");
  if (update.tensor.desc.type != tensor.desc.type || update.tensor.desc.shape != tensor.desc.shape)
    return refuse(concat("it is passed as ", update.tensor.desc.shape.to_string(), " of ",
                         ir::name(update.tensor.desc.type), ", but the graph has it as ",
                         tensor.desc.shape.to_string(), " of ", ir::name(tensor.desc.type)),
                  "only data and encoding may differ");
  const bool has_data = update.tensor.data && !update.tensor.data.empty();
  if (tensor.role == ir::TensorRole::kStatic && has_data &&
      update.tensor.data.size() != ir::plain_bytes(tensor.desc))
    return refuse(concat("the data has ", update.tensor.data.size(), " bytes where the tensor needs ",
                         ir::plain_bytes(tensor.desc)),
                  "pass all of the data, or none to keep it");
  return {};
}

Outcome<> Graph::update_tensors(std::span<const TensorUpdate> updates) {
  const std::lock_guard lock(mutex_);
  if (!composing_)
    return ApiError(
        QNN_TENSOR_ERROR_INCOMPATIBLE_TENSOR_UPDATE,
        invalid("tensor-update", binary_ ? "the graph was loaded from a binary: nothing of it can be "
                                           "prepared again"
                                         : "the graph has no updateable tensor")
            .at(where())
            .fix_by(binary_ ? "apply a binary section, made where the graph was composed"
                            : "create the tensor with an UPDATEABLE type"));
  for (const TensorUpdate& update : updates) OPENQNN_TRY(check_update(update));
  Replacement replacement(*composing_);
  for (const TensorUpdate& update : updates)
    OPENQNN_TRY_AS(QNN_TENSOR_ERROR_INCOMPATIBLE_TENSOR_UPDATE, replacement.add(update));
  OPENQNN_TRY_AS(QNN_TENSOR_ERROR_INCOMPATIBLE_TENSOR_UPDATE, replacement.validate_nodes(package_nodes_));
  replacement.keep();
  has_updates_ = true;
  return {};
}

// ---- Finalize and execute ----

namespace {

// The stages of a finalize, told in the log as they come and kept for the profile.
class StageLog : public prepare::Follower {
 public:
  // Stops the preparation once `stop` is true; null: never.
  StageLog(Logger log, const std::atomic<bool>* stop) : log_(std::move(log)), stop_(stop) {}

  void stage_begins(prepare::Stage stage) override {
    log_.info(concat("Starting stage: ", prepare::stage_name(stage)));
    began_ = std::chrono::steady_clock::now();
  }
  void stage_ends(prepare::Stage stage) override {
    const std::chrono::nanoseconds took = std::chrono::steady_clock::now() - began_;
    took_[static_cast<size_t>(stage)] += took;
    const auto micros = std::chrono::duration_cast<std::chrono::microseconds>(took).count();
    log_.info(concat("Completed stage: ", prepare::stage_name(stage),
                     host_times() == profile::HostTimes::kKeep ? concat(" (", micros, " us)") : ""));
  }
  bool wants_to_stop() override { return stop_ != nullptr && stop_->load(std::memory_order_relaxed); }

  // Of all preparations that it followed: a graph with ops of packages takes several.
  std::vector<profile::HostStage> stages() const {
    std::vector<profile::HostStage> stages;
    for (size_t i = 0; i < took_.size(); ++i)
      stages.push_back({std::string(prepare::stage_name(static_cast<prepare::Stage>(i))),
                        Nanos{static_cast<uint64_t>(took_[i].count())}});
    return stages;
  }

 private:
  const Logger log_;
  const std::atomic<bool>* const stop_;
  std::chrono::steady_clock::time_point began_;
  std::array<std::chrono::nanoseconds, prepare::kStageCount> took_{};
};

}  // namespace

Outcome<> Graph::finalize(Profile* profile) {
  const std::lock_guard lock(mutex_);
  if (finalized() && !has_updates_) return already_finalized("the graph is finalized already", where());
  const auto start = std::chrono::steady_clock::now();
  StageLog stages(log_, options_.stop);
  auto prepared = ExecutionPlan::prepare(*composing_, package_nodes_, parts_.device->target, options_.prepare,
                                         log_, &stages);
  if (!prepared) {
    Diagnostic why = std::move(prepared).error();
    if (why.where.empty()) why.where = {where()};
    const bool stopped = why.code == prepare::kStopped;
    const bool exhausted = why.failure == Failure::kExhausted;
    return ApiError(stopped     ? QNN_GRAPH_ERROR_ABORTED
                    : exhausted ? QNN_GRAPH_ERROR_MEM_ALLOC
                                : QNN_GRAPH_ERROR_FINALIZE_FAILED,
                    std::move(why));
  }
  OPENQNN_TRY_AS(QNN_GRAPH_ERROR_FINALIZE_FAILED,
                 parts_.memory->check_spill_fill((*prepared)->spill_fill_bytes(), where()));
  publish(*std::move(prepared));
  options_.stop = nullptr;  // it need not live on until tensors are updated and the graph is finalized again
  parts_.device->clock.begin_stage("init");
  has_updates_ = false;
  if (!has_updateable(*composing_)) composing_.reset();
  if (!profile) return {};
  profile->add_host_call(profile::host_call::kFinalize, start, stages.stages());
  if (!profile->traces_ops()) return {};
  std::vector<const program::Program*> programs;
  const auto published = plan();
  for (const program::ProgramSet* const set : published->programs())
    programs.push_back(set->programs[0].get());
  profile->add({profile::schematic_event(name(), programs)}, host_now());
  return {};
}

void Execution::clear() {
  plan.reset();
  inputs.clear();
  outputs.clear();
  memory.clear();
}

bool Execution::withheld(uint32_t id) const {
  return std::ranges::any_of(bound.withheld, [&](size_t i) { return plan->io()[i].id == id; });
}

void Graph::Recycler::operator()(Execution* execution) const {
  execution->clear();
  const std::lock_guard lock(graph->plan_mutex_);
  graph->idle_.emplace_back(execution);
}

Graph::ExecutionPtr Graph::begin_execution() {
  const std::lock_guard lock(plan_mutex_);
  if (idle_.empty()) {
    idle_.reserve(executions_ + 1);  // so that giving it back cannot fail
    idle_.push_back(std::make_unique<Execution>());
    ++executions_;
  }
  Execution* const execution = idle_.back().release();
  idle_.pop_back();
  execution->plan = plan_;
  return {execution, Recycler{this}};
}

Outcome<> Graph::bind(Execution& execution) {
  if (!execution.plan)
    return ApiError(QNN_GRAPH_ERROR_GRAPH_NOT_FINALIZED,
                    invalid("graph-not-finalized", "the graph was not finalized")
                        .at(where())
                        .fix_by("finalize it first"));
  OPENQNN_TRY_AS(QNN_GRAPH_ERROR_GENERAL, verify_constants());
  return execution.plan->bind(execution.inputs, execution.outputs, where(), execution.bound);
}

Outcome<> Graph::run(Execution& execution, Profile* profile, const SignalledCall& signal) {
  ExecutionPlan& plan = *execution.plan;
  executed_ = true;
  OPENQNN_ASSIGN_AS(const SequentialUse working_memory, QNN_GRAPH_ERROR_GENERAL,
                    SequentialUse::begin(*parts_.memory));
  const ResourceSharing::Use shared(parts_.sharing.get(), execution.bound.batches, where(), log_);
  const auto began = std::chrono::steady_clock::now();
  OPENQNN_TRY(plan.run(execution.bound, signal, where(), log_));
  if (!profile) return {};
  const auto& programs = plan.programs();
  if (programs.empty()) profile->add_host_call(profile::host_call::kPackageExecute, began);
  for (uint32_t batch = 0; batch < execution.bound.batches; ++batch)
    for (size_t i = 0; i < programs.size(); ++i) model_execute(plan, i, *profile);
  if (profile->level() == profile::Level::kDetailed)
    profile->add(io_events(plan.io_memory(), execution.bound.traffic), parts_.device->clock.now());
  return {};
}

void Graph::model_execute(ExecutionPlan& plan, size_t index, Profile& profile) const {
  DeviceState& device = *parts_.device;
  const program::Program& program = plan.modelled(index);
  const sim::Clocks clocks = device.clock.clocks();
  std::shared_ptr<const sim::Timeline> modelled = plan.timeline(index, device.target, clocks);
  std::shared_ptr<sim::Timeline> among;
  if (const std::vector<OtherClient> others = device.others.all(); !others.empty()) {
    among = std::make_shared<sim::Timeline>(execute_among(
        others, options().priority, program.schedule, *modelled, sim::target_under(device.target, clocks)));
    modelled = among;
  }
  const Nanos on_device = modelled->power.time(modelled->acquire + modelled->total);
  sim::ExecuteCost cost = device.clock.execute(name_, {on_device, modelled->client - on_device});
  cost.clocks = clocks;  // a vote of another thread in between counts from the next execute on
  if (among) {
    among->rpc += cost.added();
    among->client += cost.added();
  } else {
    modelled = plan.timeline(index, device.target, clocks, cost.added());
  }
  profile.add(profile::execute_events(program, *modelled, profile.level(), cost), cost.start);
  // It fits the schematic, which was written when the graph was finalized.
  if (profile.traces_ops())
    profile.add({profile::op_trace_event(static_cast<uint32_t>(index), *plan.programs()[index]->programs[0],
                                         *modelled)},
                cost.start);
}

uint64_t Graph::simulations() const {
  const auto plan = this->plan();
  return plan ? plan->simulations() : 0;
}

}  // namespace openqnn::runtime
