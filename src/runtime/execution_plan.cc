// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/execution_plan.h"

#include <algorithm>
#include <functional>
#include <set>

#include "QnnGraph.h"
#include "base/text.h"

namespace openqnn::runtime {
namespace {

std::string tensor_at(const std::string& where, const IoTensor& tensor) {
  return concat(where, ", tensor '", tensor.name, "'");
}

// How many times the prepared batch a shape is; nothing when it differs otherwise.
std::optional<uint32_t> batches_of(const ir::Shape& given, const ir::Shape& prepared) {
  if (given == prepared) return 1;
  if (given.rank() != prepared.rank() || given.rank() == 0) return std::nullopt;
  for (size_t i = 1; i < given.rank(); ++i)
    if (given[i] != prepared[i]) return std::nullopt;
  if (given[0] == 0 || given[0] % prepared[0] != 0) return std::nullopt;
  return given[0] / prepared[0];
}

// What the executor asks between two ops; nothing where nothing can stop the call.
std::function<bool()> stop_of(const SignalledCall& signal) {
  if (!signal) return {};
  return [&signal] { return signal.should_stop(); };
}

}  // namespace

// ---- Making ----

ExecutionPlan::ExecutionPlan(program::ProgramSet set, const Logger& log) {
  const program::Program& program = *set.programs[0];
  for (const program::Tensor& tensor : program.tensors)
    if (is_io(tensor.role))
      io_.push_back(
          {tensor.name, tensor.id, tensor.role, tensor.client_type, tensor.desc.shape, tensor.client_memory});
  index_io();
  add_program(std::move(set), io_of_id_, log);
}

void ExecutionPlan::index_io() {
  for (size_t i = 0; i < io_.size(); ++i) {
    io_of_id_[io_[i].id] = i;
    io_memory_.add(io_[i].bytes(), io_[i].declared);
  }
}

void ExecutionPlan::add_program(program::ProgramSet set, const std::unordered_map<uint32_t, Slot>& slot_of_id,
                                const Logger& log) {
  Stage& stage = stages_.emplace_back();
  stage.set = std::make_unique<program::ProgramSet>(std::move(set));
  programs_.push_back(stage.set.get());
  const std::vector<program::Tensor>& tensors = stage.set->programs[0]->tensors;
  for (ir::TensorIndex i = 0; i < tensors.size(); ++i)
    if (is_io(tensors[i].role)) stage.operands.emplace_back(i, slot_of_id.at(tensors[i].id));
  stage.executor = std::make_unique<exec::Executor>(*stage.set, exec::mode_from_environment(log), log);
}

// Cuts a graph into runs of built-in nodes and single nodes of packages, in the client's order.
class ExecutionPlan::Cutter {
 public:
  Cutter(const ir::Graph& graph, const PackageNodes& packages, ExecutionPlan& plan)
      : graph_(graph), packages_(packages), plan_(plan), slots_(graph.tensors().size(), kNoSlot) {}

  Status cut(const soc::Target& target, const prepare::Options& options, const Logger& log,
             prepare::Follower* follower) {
    number_stages();
    OPENQNN_TRY(give_slots());
    for (uint32_t node = 0; node < graph_.nodes().size();) {
      const auto package = packages_.find(node);
      if (package != packages_.end()) {
        OPENQNN_TRY(add_package_op(node, package->second));
        ++node;
        continue;
      }
      uint32_t end = node;
      while (end < graph_.nodes().size() && stage_of_node_[end] == stage_of_node_[node]) ++end;
      OPENQNN_TRY(add_built_in(node, end, target, options, log, follower));
      node = end;
    }
    return {};
  }

 private:
  void number_stages() {
    uint32_t stage = 0;
    for (uint32_t node = 0; node < graph_.nodes().size(); ++node) {
      const bool alone = packages_.contains(node) || packages_.contains(node - 1);
      if (node > 0 && alone) ++stage;
      stage_of_node_.push_back(stage);
    }
  }

  // Every tensor that is not of one stage alone gets a slot.
  Status give_slots() {
    const std::vector<ir::Tensor>& tensors = graph_.tensors();
    for (ir::TensorIndex i = 0; i < tensors.size(); ++i) {
      if (!is_io(tensors[i].role)) continue;
      slots_[i] = plan_.io_.size();
      const ir::TensorDesc& desc = tensors[i].desc;
      plan_.io_.push_back(
          {tensors[i].name, i + 1, tensors[i].role, desc.type, desc.shape, tensors[i].client_memory});
    }
    for (uint32_t node = 0; node < graph_.nodes().size(); ++node)
      for (const ir::TensorIndex input : graph_.nodes()[node].inputs)
        if (input != ir::kNoTensor && crosses(input, node)) between_.insert(input);
    // An output of a package op that nobody reads needs memory, too.
    for (const auto& [node, package] : packages_)
      for (const ir::TensorIndex output : graph_.nodes()[node].outputs)
        if (output != ir::kNoTensor) between_.insert(output);
    for (const ir::TensorIndex i : between_) {
      if (slots_[i] != kNoSlot) continue;
      if (tensors[i].desc.is_sparse())
        return unsupported("graph-sparse-package",
                           "a node of an op package has it as an operand, or stands "
                           "between the nodes that write and read it")
            .at(concat("graph '", graph_.name(), "', sparse tensor '", tensors[i].name, "'"))
            .fix_by("add nodes of packages before CreateSparse or after SparseToDense");
      slots_[i] = plan_.io_.size() + plan_.between_bytes_.size();
      plan_.between_bytes_.push_back(ir::plain_bytes(tensors[i].desc));
    }
    return {};
  }

  bool crosses(ir::TensorIndex tensor, uint32_t reader) const {
    const std::optional<uint32_t> producer = graph_.producer(tensor);
    return producer && stage_of_node_[*producer] != stage_of_node_[reader];
  }

  Slot slot_for_package(ir::TensorIndex tensor) {
    if (tensor == ir::kNoTensor) return kNoSlot;
    if (slots_[tensor] == kNoSlot) {  // a constant
      slots_[tensor] = plan_.io_.size() + plan_.between_bytes_.size() + plan_.constants_.size();
      plan_.constants_.push_back(graph_.tensors()[tensor].data);
    }
    return slots_[tensor];
  }

  Status add_package_op(uint32_t node, const std::shared_ptr<OpPackage>& package) {
    const ir::Node& source = graph_.nodes()[node];
    Stage stage;
    OPENQNN_ASSIGN(stage.op, PackageOp::make(package, source, graph_));
    for (const ir::TensorIndex input : source.inputs) stage.inputs.push_back(slot_for_package(input));
    for (const ir::TensorIndex output : source.outputs) stage.outputs.push_back(slot_for_package(output));
    plan_.stages_.push_back(std::move(stage));
    return {};
  }

  // A graph of its own from some nodes: what comes from outside is its input, what others read its output.
  Status add_built_in(uint32_t begin, uint32_t end, const soc::Target& target,
                      const prepare::Options& options, const Logger& log, prepare::Follower* follower) {
    ir::Graph part(graph_.name());
    std::map<ir::TensorIndex, ir::TensorIndex> index_in_part;
    std::unordered_map<uint32_t, Slot> slot_of_id;
    const auto place = [&](ir::TensorIndex tensor) -> Result<ir::TensorIndex> {
      if (tensor == ir::kNoTensor) return tensor;
      const auto [entry, is_new] = index_in_part.try_emplace(tensor, part.tensors().size());
      if (!is_new) return entry->second;
      ir::Tensor copy = graph_.tensors()[tensor];
      copy.role = role_in(tensor, begin, end);
      OPENQNN_TRY(part.add_tensor(std::move(copy)));
      slot_of_id[entry->second + 1] = slots_[tensor];  // ids count from 1
      return entry->second;
    };
    for (uint32_t i = begin; i < end; ++i) {
      ir::Node node = graph_.nodes()[i];
      for (auto* operands : {&node.inputs, &node.outputs})
        for (ir::TensorIndex& tensor : *operands) {
          OPENQNN_ASSIGN(tensor, place(tensor));
        }
      OPENQNN_TRY(part.add_node(std::move(node)));
    }
    OPENQNN_ASSIGN(program::ProgramSet set, openqnn::prepare::prepare(part, target, options, log, follower));
    plan_.add_program(std::move(set), slot_of_id, log);
    return {};
  }

  ir::TensorRole role_in(ir::TensorIndex tensor, uint32_t begin, uint32_t end) const {
    const ir::TensorRole role = graph_.tensors()[tensor].role;
    if (role == ir::TensorRole::kStatic) return role;
    const std::optional<uint32_t> producer = graph_.producer(tensor);
    if (!producer || *producer < begin || *producer >= end) return ir::TensorRole::kInput;
    return slots_[tensor] != kNoSlot ? ir::TensorRole::kOutput : ir::TensorRole::kNative;
  }

  const ir::Graph& graph_;
  const PackageNodes& packages_;
  ExecutionPlan& plan_;
  std::vector<Slot> slots_;  // beside the graph's tensors
  std::vector<uint32_t> stage_of_node_;
  std::set<ir::TensorIndex> between_;
};

Result<std::unique_ptr<ExecutionPlan>> ExecutionPlan::prepare(
    const ir::Graph& graph, const PackageNodes& packages, const soc::Target& target,
    const prepare::Options& options, const Logger& log, prepare::Follower* follower) {
  if (packages.empty()) {
    OPENQNN_ASSIGN(program::ProgramSet set, openqnn::prepare::prepare(graph, target, options, log, follower));
    return std::make_unique<ExecutionPlan>(std::move(set), log);
  }
  OPENQNN_TRY(graph.check_complete());
  std::unique_ptr<ExecutionPlan> plan(new ExecutionPlan());
  plan->has_package_ops_ = true;
  OPENQNN_TRY(Cutter(graph, packages, *plan).cut(target, options, log, follower));
  plan->index_io();
  return plan;
}

uint64_t ExecutionPlan::spill_fill_bytes() const {
  uint64_t most = 0;
  for (const program::ProgramSet* set : programs())
    most = std::max(most, program::spill_fill_bytes(*set->programs[0]));
  return most;
}

// ---- Binding ----

Result<uint32_t> ExecutionPlan::check(const Binding& binding, const IoTensor& tensor) const {
  if (binding.type != ir::DataType::kUndefined && binding.type != tensor.type)
    return invalid("execute-type", concat("it is passed as ", ir::name(binding.type),
                                          ", but the graph has it as ", ir::name(tensor.type)));
  const std::optional<uint32_t> batches = binding.shape ? batches_of(*binding.shape, tensor.shape) : 1;
  if (!batches)
    return invalid("execute-shape", concat("it is passed with shape ", binding.shape->to_string(),
                                           ", but the graph has it as ", tensor.shape.to_string()))
        .fix_by("only dimension 0 may differ, by a multiple that is the same for all inputs and outputs");
  uint64_t needed = 0;
  if (__builtin_mul_overflow(tensor.bytes(), uint64_t{*batches}, &needed))
    return invalid("execute-shape", concat("it is passed with shape ", binding.shape->to_string(),
                                           ", which is larger than any memory"));
  if (!binding.data && needed > 0) return invalid("execute-buffer", "the buffer is null");
  if (binding.bytes < needed)
    return invalid("execute-buffer",
                   concat("the buffer has ", binding.bytes, " bytes where shape ",
                          binding.shape.value_or(tensor.shape).to_string(), " needs ", needed));
  return *batches;
}

Outcome<> ExecutionPlan::bind_side(std::span<const Binding> bindings, ir::TensorRole role,
                                   const std::string& where, BoundBuffers& bound,
                                   std::optional<size_t>& first) const {
  const auto refuse = [](Diagnostic reason) {
    return ApiError(QNN_GRAPH_ERROR_INVALID_TENSOR, std::move(reason));
  };
  for (const Binding& binding : bindings) {
    const auto known = io_of_id_.find(binding.id);
    if (known == io_of_id_.end() || io_[known->second].role != role) continue;
    const IoTensor& tensor = io_[known->second];
    auto batches = check(binding, tensor);
    if (!batches) {
      Diagnostic reason = std::move(batches).error();
      reason.where.object = tensor_at(where, tensor);
      return refuse(std::move(reason));
    }
    if (!first) {
      first = known->second;
      bound.batches = *batches;
    }
    if (*batches != bound.batches)
      return refuse(invalid("execute-batch",
                            concat("its shape is ", *batches, " times the prepared batch, but that of '",
                                   io_[*first].name, "' is ", bound.batches, " times"))
                        .at(tensor_at(where, tensor))
                        .fix_by("pass every input and output with the same multiple of dimension 0"));
    std::byte*& buffer = bound.buffers[known->second];
    if (buffer)
      return refuse(invalid("execute-twice", concat("tensor id ", binding.id, " is passed twice")).at(where));
    buffer = binding.data;
    bound.traffic.passed[known->second] = binding.memory;
    if (binding.memory == ir::ClientMemory::kRaw) bound.traffic.copied += tensor.bytes() * *batches;
  }
  for (size_t i = 0; i < io_.size(); ++i)
    if (io_[i].role == role && !bound.buffers[i])
      return refuse(invalid("execute-missing-tensor", "no buffer was passed for this tensor")
                        .at(concat(tensor_at(where, io_[i]), " (id ", io_[i].id, ")"))
                        .fix_by("pass every input and output of the graph; they are matched by id"));
  return {};
}

Status ExecutionPlan::check_apart(BoundBuffers& bound, const std::string& where) const {
  const auto end_of = [&](size_t i) { return bound.buffers[i] + io_[i].bytes() * bound.batches; };
  const auto is_output = [&](size_t i) { return io_[i].role == ir::TensorRole::kOutput; };
  std::vector<size_t>& order = bound.by_address;
  order.clear();
  for (size_t i = 0; i < io_.size(); ++i)
    if (end_of(i) > bound.buffers[i]) order.push_back(i);
  std::ranges::sort(order, {}, [&](size_t i) { return bound.buffers[i]; });
  // Of those that begin before, the one that reaches farthest, and the output that does.
  std::optional<size_t> farthest;
  std::optional<size_t> farthest_output;
  const auto reach = [&](std::optional<size_t>& far, size_t i) {
    if (!far || end_of(i) > end_of(*far)) far = i;
  };
  for (const size_t i : order) {
    const std::optional<size_t> before = is_output(i) ? farthest : farthest_output;
    if (before && end_of(*before) > bound.buffers[i])
      return invalid("execute-overlap",
                     concat("the client buffers of output '", io_[is_output(i) ? i : *before].name,
                            "' and of '", io_[is_output(i) ? *before : i].name, "' overlap"))
          .at(where)
          .fix_by("give every output memory of its own");
    reach(farthest, i);
    if (is_output(i)) reach(farthest_output, i);
  }
  return {};
}

Outcome<> ExecutionPlan::bind(std::span<const Binding> inputs, std::span<const Binding> outputs,
                              const std::string& where, BoundBuffers& bound) const {
  bound.buffers.assign(io_.size(), nullptr);
  bound.batches = 1;
  bound.traffic.passed.assign(io_.size(), ir::ClientMemory::kRaw);
  bound.traffic.copied = 0;
  std::optional<size_t> first;  // the tensor that set the batch
  OPENQNN_TRY(bind_side(inputs, ir::TensorRole::kInput, where, bound, first));
  OPENQNN_TRY(bind_side(outputs, ir::TensorRole::kOutput, where, bound, first));
  OPENQNN_TRY_AS(QNN_GRAPH_ERROR_INVALID_TENSOR, check_apart(bound, where));
  return {};
}

// ---- Running ----

Status ExecutionPlan::run_stages(std::vector<std::byte*>& slots, const SignalledCall& signal) const {
  const auto pointers = [&](const std::vector<Slot>& operands) {
    std::vector<std::byte*> found;
    for (const Slot slot : operands) found.push_back(slot == kNoSlot ? nullptr : slots[slot]);
    return found;
  };
  const auto is_withheld = [&](Slot slot) { return slot != kNoSlot && !slots[slot]; };
  for (const Stage& stage : stages_) {
    if (signal.should_stop()) break;
    if (stage.op && std::ranges::any_of(stage.inputs, is_withheld)) {
      for (const Slot slot : stage.outputs)
        if (slot != kNoSlot) slots[slot] = nullptr;
      continue;
    }
    if (stage.op) {
      OPENQNN_TRY(stage.op->run(pointers(stage.inputs), pointers(stage.outputs)));
      continue;
    }
    std::vector<std::byte*> buffers(stage.set->programs[0]->tensors.size(), nullptr);
    for (const auto& [tensor, slot] : stage.operands) buffers[tensor] = slots[slot];
    for (const ir::TensorIndex withheld : stage.executor->run(buffers, 1, stop_of(signal)))
      for (const auto& [tensor, slot] : stage.operands)
        if (tensor == withheld) slots[slot] = nullptr;
  }
  return {};
}

void ExecutionPlan::run_program(BoundBuffers& bound, const SignalledCall& signal) const {
  const Stage& only = stages_[0];
  const std::vector<program::Tensor>& tensors = only.set->programs[0]->tensors;
  bound.of_program.assign(tensors.size(), nullptr);
  for (const auto& [tensor, slot] : only.operands) bound.of_program[tensor] = bound.buffers[slot];
  for (const ir::TensorIndex tensor : only.executor->run(bound.of_program, bound.batches, stop_of(signal)))
    bound.withheld.push_back(io_of_id_.at(tensors[tensor].id));
}

Outcome<> ExecutionPlan::run_batches(BoundBuffers& bound, const SignalledCall& signal,
                                     const std::string& where) {
  std::unique_lock<std::mutex> turn;
  const auto keeps_state = [](const Stage& stage) { return stage.executor && stage.executor->keeps_state(); };
  if (std::ranges::any_of(stages_, keeps_state)) turn = std::unique_lock(turn_);
  std::vector<std::vector<std::byte>> between;  // operator new aligns for every element type
  std::vector<std::byte*> slots = bound.buffers;
  for (const uint64_t bytes : between_bytes_) slots.push_back(between.emplace_back(bytes).data());
  for (const ir::Blob& constant : constants_) slots.push_back(const_cast<std::byte*>(constant.data()));
  for (uint32_t batch = 0; batch < bound.batches; ++batch) {
    std::vector<std::byte*> slots_of_batch = slots;
    OPENQNN_TRY_AS(QNN_GRAPH_ERROR_GENERAL, run_stages(slots_of_batch, signal));
    for (size_t i = 0; i < io_.size(); ++i)
      if (!slots_of_batch[i] && std::ranges::count(bound.withheld, i) == 0) bound.withheld.push_back(i);
    if (signal.should_stop()) return signal.stopped(concat("executing ", where));
    for (size_t i = 0; i < io_.size(); ++i) slots[i] += io_[i].bytes();
  }
  return {};
}

Outcome<> ExecutionPlan::run(BoundBuffers& bound, const SignalledCall& signal, const std::string& where,
                             const Logger& log) {
  const auto interrupted = [&] { return signal.stopped(concat("executing ", where)); };
  if (signal.should_stop()) return interrupted();
  if (const uint64_t added = io_memory_.reserve(bound.traffic); added != 0)
    log.info(concat(where, ": the modelled device reserves ", added,
                    " bytes for tensors that were declared as mem handles and are passed raw"));
  bound.withheld.clear();
  if (has_package_ops_)
    OPENQNN_TRY(run_batches(bound, signal, where));
  else
    run_program(bound, signal);
  if (signal.should_stop()) return interrupted();
  for (const size_t i : bound.withheld)
    log.info(concat(where, ": output '", io_[i].name,
                    "' is left as it was: a Buffer before it is in blocking mode and not full yet"));
  return {};
}

bool ExecutionPlan::is_prepared_for_slc() const {
  return std::ranges::any_of(programs(),
                             [](const program::ProgramSet* set) { return set->programs[0]->bandwidth.slc; });
}

const program::Program& ExecutionPlan::modelled(size_t program) {
  const std::lock_guard lock(mutex_);
  return modelled_now(program, without_slc_);
}

const program::Program& ExecutionPlan::modelled_now(size_t program, bool without_slc) {
  const program::Program& prepared = *programs()[program]->programs[0];
  if (!without_slc || !prepared.bandwidth.slc) return prepared;
  std::unique_ptr<const program::Program>& twin = twins_[program];
  if (!twin) {
    auto made = std::make_unique<program::Program>(prepared);
    for (program::Task& task : made->schedule.tasks) task.in_slc = false;
    twin = std::move(made);
  }
  return *twin;
}

std::shared_ptr<const sim::Timeline> ExecutionPlan::timeline(size_t program, const soc::Target& target,
                                                             const sim::Clocks& clocks, Nanos added) {
  constexpr size_t kMostKept = 32;  // a client that votes differently for every execute fills no memory
  const std::lock_guard lock(mutex_);
  if (timelines_.size() + 2 > kMostKept) timelines_.clear();
  const bool without_slc = without_slc_;
  std::shared_ptr<const sim::Timeline>& alone = timelines_[{program, without_slc, clocks, {}}];
  if (!alone) {
    const soc::Target part = sim::target_under(target, clocks);
    alone = std::make_shared<const sim::Timeline>(
        sim::simulate(modelled_now(program, without_slc).schedule, part, sim::PowerState::of(part)));
    simulations_.fetch_add(1, std::memory_order_relaxed);
  }
  if (added.value == 0) return alone;
  std::shared_ptr<const sim::Timeline>& longer = timelines_[{program, without_slc, clocks, added}];
  if (!longer) {
    auto timeline = std::make_shared<sim::Timeline>(*alone);
    timeline->rpc += added;
    timeline->client += added;
    longer = std::move(timeline);
  }
  return longer;
}

}  // namespace openqnn::runtime
