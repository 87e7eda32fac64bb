// SPDX-License-Identifier: BSD-3-Clause
// What finalize makes of a graph, and what an execute needs: stages to run one after the other. A graph of
// built-in ops is one stage; ops of a package are stages of their own, between Programs.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "exec/executor.h"
#include "ir/graph.h"
#include "prepare/prepare.h"
#include "program/program.h"
#include "runtime/io_memory.h"
#include "runtime/op_package_node.h"
#include "runtime/outcome.h"
#include "runtime/signal.h"
#include "sim/power.h"
#include "sim/sim.h"

namespace openqnn::runtime {

// A client's buffer for one input or output of an execute.
struct Binding {
  uint32_t id = 0;  // of the tensor
  std::byte* data = nullptr;
  uint64_t bytes = 0;
  // What the client says of the tensor; checked where it says something.
  ir::DataType type = ir::DataType::kUndefined;
  std::optional<ir::Shape> shape;
  ir::ClientMemory memory = ir::ClientMemory::kRaw;  // what `data` is
};

// An input or output as the client reads and writes it.
struct IoTensor {
  std::string name;
  uint32_t id = 0;
  ir::TensorRole role = ir::TensorRole::kInput;
  ir::DataType type = ir::DataType::kUndefined;
  ir::Shape shape;
  ir::ClientMemory declared = ir::ClientMemory::kRaw;
  uint64_t bytes() const { return shape.elements() * ir::byte_size(type); }
};

// The client's buffers of one execute, checked: beside ExecutionPlan::io. Whoever keeps one for the next
// execute keeps its memory, so that executes allocate nothing.
struct BoundBuffers {
  std::vector<std::byte*> buffers;
  uint32_t batches = 1;  // every buffer holds so many of its tensor, one after the other
  IoTraffic traffic;
  std::vector<size_t> by_address;      // indices of io, while the buffers are checked
  std::vector<std::byte*> of_program;  // the same beside program::Program::tensors; filled while it runs
  // Which of io were left as they are, at least in one batch: an op that keeps state gives nothing yet.
  std::vector<size_t> withheld;
};

// Which nodes of a graph a package computes, by their index.
using PackageNodes = std::map<uint32_t, std::shared_ptr<OpPackage>>;

class ExecutionPlan {
 public:
  // One Program, prepared before: set.programs[0].
  ExecutionPlan(program::ProgramSet set, const Logger& log);
  // Prepares a graph, cut where a package computes a node.
  static Result<std::unique_ptr<ExecutionPlan>> prepare(const ir::Graph& graph, const PackageNodes& packages,
                                                        const soc::Target& target,
                                                        const prepare::Options& options, const Logger& log,
                                                        prepare::Follower* follower = nullptr);

  const std::vector<IoTensor>& io() const { return io_; }
  bool has(uint32_t id) const { return io_of_id_.contains(id); }
  const IoMemory& io_memory() const { return io_memory_; }
  // The most that one of its Programs spills; see program::spill_fill_bytes.
  uint64_t spill_fill_bytes() const;
  bool has_package_ops() const { return has_package_ops_; }
  // The Programs of its stages. A plan without package ops has one.
  const std::vector<const program::ProgramSet*>& programs() const { return programs_; }

  // Matches buffers and tensors by id; what the graph does not have is left alone.
  Outcome<> bind(std::span<const Binding> inputs, std::span<const Binding> outputs, const std::string& where,
                 BoundBuffers& bound) const;
  Outcome<> run(BoundBuffers& bound, const SignalledCall& signal, const std::string& where,
                const Logger& log);

  // The modelled run of one of programs() under these clocks, simulated at the first call with them. What the
  // power state adds to a call lies between the accelerator's time and the client's.
  std::shared_ptr<const sim::Timeline> timeline(size_t program, const soc::Target& target,
                                                const sim::Clocks& clocks, Nanos added = {});
  // One of programs() as the modelled device runs it: the one that was prepared, or where the session does
  // without the system-level cache, its twin without.
  const program::Program& modelled(size_t program);
  void use_slc(bool on) { without_slc_ = !on; }
  bool uses_slc() const { return !without_slc_; }
  bool is_prepared_for_slc() const;
  uint64_t simulations() const { return simulations_.load(std::memory_order_relaxed); }

 private:
  // Operands are slots: first the inputs and outputs in the order of io_, then what stages hand each other,
  // then constants of package ops.
  using Slot = size_t;
  static constexpr Slot kNoSlot = SIZE_MAX;
  struct Stage {
    // Either a Program, and the slot of each of its inputs and outputs …
    std::unique_ptr<program::ProgramSet> set;
    std::unique_ptr<exec::Executor> executor;
    std::vector<std::pair<ir::TensorIndex, Slot>> operands;
    // … or an op of a package, with a slot (or none) per operand.
    std::unique_ptr<PackageOp> op;
    std::vector<Slot> inputs, outputs;
  };
  // With mutex_ held.
  const program::Program& modelled_now(size_t program, bool without_slc);
  class Cutter;  // makes the stages of a graph with package ops

  ExecutionPlan() = default;
  void add_program(program::ProgramSet set, const std::unordered_map<uint32_t, Slot>& slot_of_id,
                   const Logger& log);
  void index_io();  // once io_ is complete
  Outcome<> bind_side(std::span<const Binding> bindings, ir::TensorRole role, const std::string& where,
                      BoundBuffers& bound, std::optional<size_t>& first) const;
  Result<uint32_t> check(const Binding& binding, const IoTensor& tensor) const;
  // Outputs must not lie in each other or in an input: kernels read while they write.
  Status check_apart(BoundBuffers& bound, const std::string& where) const;
  // What a stage withholds becomes a null slot, and so does what depends on it.
  Status run_stages(std::vector<std::byte*>& slots, const SignalledCall& signal) const;
  // All batches, one after the other.
  void run_program(BoundBuffers& bound, const SignalledCall& signal) const;
  Outcome<> run_batches(BoundBuffers& bound, const SignalledCall& signal, const std::string& where);

  std::vector<IoTensor> io_;
  std::unordered_map<uint32_t, size_t> io_of_id_;
  IoMemory io_memory_;  // beside io_
  std::vector<Stage> stages_;
  std::vector<const program::ProgramSet*> programs_;  // of those stages that have one
  std::vector<uint64_t> between_bytes_;               // of each tensor that stages hand each other
  std::vector<ir::Blob> constants_;                   // of package ops
  bool has_package_ops_ = false;
  std::mutex turn_;  // held by executes where stages keep state from one to the next
  std::atomic<bool> without_slc_{false};
  std::mutex mutex_;  // guards the next two
  std::map<size_t, std::unique_ptr<const program::Program>> twins_;
  struct TimelineKey {
    size_t program;
    bool without_slc;
    sim::Clocks clocks;
    Nanos added;
    auto operator<=>(const TimelineKey&) const = default;
  };
  std::map<TimelineKey, std::shared_ptr<const sim::Timeline>> timelines_;
  std::atomic<uint64_t> simulations_{0};
};

}  // namespace openqnn::runtime
