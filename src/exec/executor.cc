// SPDX-License-Identifier: BSD-3-Clause
#include "exec/executor.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "base/aligned_bytes.h"
#include "base/cpu.h"
#include "base/deterministic.h"
#include "base/half.h"
#include "base/text.h"
#include "ops/kernel_memory.h"
#include "ops/share.h"

namespace openqnn::exec {
namespace {

// The tiles of every op's output, as the Schedule says.
std::vector<std::vector<ir::Box>> tiles_of(const program::Program& program) {
  std::vector<std::vector<ir::Box>> tiles(program.ops.size());
  for (const program::Task& task : program.schedule.tasks)
    if (task.kind == program::TaskKind::kCompute) tiles[task.op].push_back(task.box);
  return tiles;
}

const ops::Kernel& kernel_for(const ops::OpDef& def, const ops::OpCall& call, Mode mode, std::string_view op,
                              const Logger& log) {
  if (mode == Mode::kTiled) return def.kernels.back();
  std::vector<std::string> reasons;
  const ops::Kernel& kernel = ops::choose_kernel(def, call, &reasons);
  if (log.wants(LogLevel::kVerbose)) {
    for (const std::string& reason : reasons) log.verbose(concat("op '", op, "' skips kernel ", reason));
    log.verbose(concat("op '", op, "' runs on kernel ", kernel.name));
  }
  return kernel;
}

// Bytes of one batch of an input or output in the client's buffer.
uint64_t client_bytes(const program::Tensor& tensor) {
  return tensor.desc.shape.elements() * ir::byte_size(tensor.client_type);
}

}  // namespace

Mode mode_from_environment(const Logger& log) {
  const char* value = std::getenv("OPENQNN_EXEC");
  const std::string_view mode = value ? value : "";
  if (mode == "tiled") return Mode::kTiled;
  if (!mode.empty() && mode != "whole")
    log.warn(concat("OPENQNN_EXEC='", mode, "' is neither 'whole' nor 'tiled': it has no effect"));
  return Mode::kWhole;
}

struct Executor::Step {
  const program::Op& op;
  const ops::OpDef& def;
  ops::OpCall call;
  const ops::Kernel* kernel;
  std::vector<ir::Box> regions;
  std::vector<ir::Box> for_one_thread;  // the same in fewer pieces
  size_t first_pointer;                 // into Workspace::pointers: the inputs, then the outputs
  std::unique_ptr<const ops::KernelPlan> plan = nullptr;
};

struct Executor::Workspace {
  AlignedBytes arena;
  AlignedBytes scratch;              // a part for each thread
  std::vector<std::byte*> tensors;   // beside Program::tensors
  std::vector<std::byte*> pointers;  // operands of every step, in order
  std::vector<std::byte*> slices;    // the client's buffers of the batch under way, from the second on
  Withheld withheld;                 // of the run under way
  std::unique_ptr<Workspace> next;   // of the idle ones

  explicit Workspace(size_t tensor_count) : withheld(tensor_count) {}
};

Executor::Executor(program::ProgramSet set, Mode mode, const Logger& log)
    : set_(std::move(set)), program_(set_.programs[0]), state_(*program_) {
  if (const auto threads = ThreadPool::default_threads(); !threads) log.warn(threads.error().sentence());
  if (const auto isa = isa_from_environment(); !isa) log.warn(isa.error().sentence());
  if (is_deterministic_misspelt()) log.warn("OPENQNN_DETERMINISTIC is neither 1 nor 0: it has no effect");
  std::vector<std::vector<ir::Box>> tiles;
  if (mode == Mode::kTiled) tiles = tiles_of(*program_);
  size_t pointer = 0;
  for (uint32_t i = 0; i < program_->ops.size(); ++i) {
    const program::Op& op = program_->ops[i];
    const ops::OpDef& def = *ops::find_op(op.type);
    ops::OpCall call = program::call_of(*program_, op);
    const ops::Kernel& kernel = kernel_for(def, call, mode, op.name, log);
    const auto regions_for = [&](size_t threads) {
      return mode == Mode::kTiled ? tiles[i] : ops::pieces_of(def, kernel, call, threads);
    };
    std::vector<ir::Box> regions = regions_for(ThreadPool::shared().threads());
    std::vector<ir::Box> for_one_thread = regions_for(1);
    scratch_bytes_ = std::max(scratch_bytes_, ops::granted_scratch(kernel, call));
    // With some constants the reference serves after all: make_plans.
    if (kernel.plan)
      scratch_bytes_ = std::max(scratch_bytes_, ops::granted_scratch(def.kernels.back(), call));
    steps_.push_back(
        {op, def, std::move(call), &kernel, std::move(regions), std::move(for_one_thread), pointer});
    for (const auto* operands : {&op.inputs, &op.outputs})
      for (const ir::TensorIndex tensor : *operands) {
        if (tensor != ir::kNoTensor && program_->tensors[tensor].storage == program::Storage::kClient)
          client_operands_.emplace_back(pointer, tensor);
        ++pointer;
      }
  }
  scratch_bytes_ = round_up(scratch_bytes_, AlignedBytes::kAlignment);
  for (ir::TensorIndex i = 0; i < program_->tensors.size(); ++i)
    if (ir::is_io(program_->tensors[i].role)) io_.push_back(i);
}

Executor::~Executor() = default;

void Executor::Releaser::operator()(Workspace* workspace) const {
  const std::lock_guard lock(executor->mutex_);
  workspace->next = std::move(executor->idle_);  // no list that grows: a destructor runs this
  executor->idle_.reset(workspace);
}

// At the first run and not before: plans look at all constants, which a mapped file has not read until then.
void Executor::make_plans() {
  for (Step& step : steps_) {
    if (!step.kernel->plan) continue;
    std::vector<const std::byte*> constants;
    for (const ir::TensorIndex i : step.op.inputs) {
      const bool constant = i != ir::kNoTensor && program_->tensors[i].storage == program::Storage::kConstant;
      constants.push_back(constant ? set_.bytes_of(program_->tensors[i]).data() : nullptr);
    }
    step.plan = step.kernel->plan({.call = step.call, .inputs = constants, .outputs = {}});
    if (!step.plan) step.kernel = &step.def.kernels.back();
  }
}

std::unique_ptr<Executor::Workspace, Executor::Releaser> Executor::acquire_workspace() {
  {
    const std::lock_guard lock(mutex_);
    if (idle_) {
      Workspace* workspace = idle_.release();
      idle_ = std::move(workspace->next);
      return {workspace, Releaser{this}};
    }
  }
  auto workspace = std::make_unique<Workspace>(program_->tensors.size());
  place_tensors(*workspace);
  return {workspace.release(), Releaser{this}};
}

// Everything that stays where it is from one execution to the next.
void Executor::place_tensors(Workspace& workspace) const {
  static_assert(AlignedBytes::kAlignment >= program::kTensorAlignment);
  workspace.arena = AlignedBytes(std::max<uint64_t>(program_->arena_bytes, 1));
  workspace.scratch = AlignedBytes(scratch_bytes_ * ThreadPool::shared().threads());
  for (const program::Tensor& tensor : program_->tensors) {
    std::byte* place = nullptr;  // of a client's buffer: comes with each run
    if (tensor.storage == program::Storage::kArena) place = workspace.arena.data() + tensor.offset;
    // Kernels take inputs as pointers to const; the cast only lets one table hold all operands.
    if (tensor.storage == program::Storage::kConstant)
      place = const_cast<std::byte*>(set_.bytes_of(tensor).data());
    workspace.tensors.push_back(place);
  }
  for (const program::Op& op : program_->ops)
    for (const auto* operands : {&op.inputs, &op.outputs})
      for (const ir::TensorIndex tensor : *operands)
        workspace.pointers.push_back(tensor == ir::kNoTensor ? nullptr : workspace.tensors[tensor]);
}

void Executor::convert_inputs(Workspace& workspace, std::span<std::byte* const> client_buffers) const {
  for (const ir::TensorIndex i : io_) {
    const program::Tensor& tensor = program_->tensors[i];
    if (tensor.role == ir::TensorRole::kInput && !client_buffers[i])
      workspace.withheld.add(i);
    else if (tensor.role == ir::TensorRole::kInput && tensor.storage == program::Storage::kArena)
      floats_to_halves(client_buffers[i], workspace.tensors[i], tensor.desc.shape.elements());
  }
}

void Executor::convert_outputs(Workspace& workspace, std::span<std::byte* const> client_buffers) const {
  for (const ir::TensorIndex i : io_) {
    const program::Tensor& tensor = program_->tensors[i];
    if (workspace.withheld.has(i)) continue;
    if (tensor.role == ir::TensorRole::kOutput && tensor.storage == program::Storage::kArena)
      halves_to_floats(workspace.tensors[i], client_buffers[i], tensor.desc.shape.elements());
  }
}

bool Executor::asks_for_reset(const Step& step, const Workspace& workspace) {
  const size_t input = step.def.reset_input;
  if (input >= step.op.inputs.size()) return false;
  const ir::TensorIndex tensor = step.op.inputs[input];
  if (tensor == ir::kNoTensor || workspace.withheld.has(tensor)) return false;
  return *workspace.pointers[step.first_pointer + input] != std::byte{0};
}

void Executor::run_step(size_t index, Workspace& workspace) {
  const Step& step = steps_[index];
  if (workspace.withheld.has_any_of(step.op.inputs)) {
    if (asks_for_reset(step, workspace)) state_.empty(index);
    return workspace.withheld.add_all(step.op.outputs);
  }
  const size_t inputs = step.call.inputs.size();
  std::byte* const* pointers = workspace.pointers.data() + step.first_pointer;
  const ops::KernelArgs args{.call = step.call,
                             .inputs = {pointers, inputs},
                             .outputs = {pointers + inputs, step.call.outputs.size()},
                             .state = state_.of(index),
                             .plan = step.plan.get()};
  ThreadPool& pool = ThreadPool::shared();
  const std::vector<ir::Box>& regions = pool.has_no_room() ? step.for_one_thread : step.regions;
  pool.parallel_for(regions.size(), [&](size_t region, size_t lane) {
    ops::KernelArgs own = args;
    own.scratch = {workspace.scratch.data() + lane * scratch_bytes_, scratch_bytes_};
    step.kernel->run(own, regions[region]);
  });
  if (step.def.withholds && step.def.withholds(step.call, args.state))
    workspace.withheld.add_all(step.op.outputs);
}

// Answers false where it was stopped.
bool Executor::run_once(Workspace& workspace, std::span<std::byte* const> client_buffers,
                        const std::function<bool()>& stop) {
  workspace.withheld.clear();
  for (const auto& [pointer, tensor] : client_operands_) workspace.pointers[pointer] = client_buffers[tensor];
  convert_inputs(workspace, client_buffers);
  for (size_t i = 0; i < steps_.size(); ++i) {
    if (stop && stop()) return false;
    run_step(i, workspace);
  }
  convert_outputs(workspace, client_buffers);
  return true;
}

// Adds the outputs that a run withheld to those of the batches before.
void Executor::add_withheld(const Workspace& workspace, std::set<ir::TensorIndex>& outputs) const {
  if (workspace.withheld.none()) return;
  for (const ir::TensorIndex i : io_)
    if (program_->tensors[i].role == ir::TensorRole::kOutput && workspace.withheld.has(i)) outputs.insert(i);
}

std::vector<ir::TensorIndex> Executor::run(std::span<std::byte* const> client_buffers, uint32_t batches,
                                           const std::function<bool()>& stop) {
  std::call_once(planned_, [&] { make_plans(); });
  const auto turn = state_.take_turn();
  const ThreadPool::Caller caller(ThreadPool::shared());
  const auto workspace = acquire_workspace();
  std::set<ir::TensorIndex> withheld;
  std::vector<std::byte*>& slices = workspace->slices;
  for (uint32_t batch = 0; batch < batches; ++batch) {
    if (!run_once(*workspace, batch == 0 ? client_buffers : std::span<std::byte* const>(slices), stop)) break;
    add_withheld(*workspace, withheld);
    if (batch + 1 == batches) break;
    if (batch == 0) slices.assign(client_buffers.begin(), client_buffers.end());
    for (const ir::TensorIndex i : io_)
      if (slices[i]) slices[i] += client_bytes(program_->tensors[i]);
  }
  return {withheld.begin(), withheld.end()};
}

}  // namespace openqnn::exec
