// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "QnnGraph.h"
#include "ir/graph.h"
#include "prepare/prepare.h"
#include "program/program.h"
#include "runtime/async_queue.h"
#include "runtime/backend.h"
#include "runtime/dsp_heap.h"
#include "runtime/execution_plan.h"
#include "runtime/memory.h"
#include "runtime/outcome.h"
#include "runtime/profile.h"
#include "runtime/resource_sharing.h"
#include "runtime/signal.h"

namespace openqnn::runtime {

// Bytes of a context binary that graphs run from, and whether their checksums were verified yet.
class LoadedBinary {
 public:
  LoadedBinary(std::span<const std::byte> bytes, bool verified)
      : bytes_(bytes), verified_(verified), on_device_(bytes.size()) {}
  // Checks the data once, at the first call; later calls repeat the answer.
  Status verify_once();

 private:
  const std::span<const std::byte> bytes_;
  std::once_flag once_;
  Status status_;
  const bool verified_;
  const DspHeap::Share on_device_;
};

// New contents of an updateable tensor.
struct TensorUpdate {
  uint32_t id = 0;
  ir::Tensor tensor;  // as the client describes it
};

// A tensor as a node names it. The name is for messages; ir::kNoTensor as id stands for an absent optional
// input.
struct TensorRef {
  uint32_t id;
  std::string name;
};

// What a client sets on a graph: how it is prepared, and how it runs beside others.
struct GraphOptions {
  prepare::Options prepare;
  uint32_t priority = QNN_PRIORITY_DEFAULT;
  const std::atomic<bool>* stop = nullptr;  // once it is true, finalize gives up; null: never
};

// What the graphs of a context share.
struct ContextParts {
  std::shared_ptr<DeviceState> device;
  std::shared_ptr<ContextMemory> memory = std::make_shared<ContextMemory>();
  std::shared_ptr<AsyncQueue> queue = std::make_shared<AsyncQueue>(AsyncQueue::kDefaultDepth);
  std::shared_ptr<OpPackages> packages = std::make_shared<OpPackages>(Logger());
  bool prepare_only = false;
  std::shared_ptr<ResourceSharing> sharing;  // null: nothing is shared
  bool priority_is_frozen = false;           // a concurrent group runs at one priority
};

// One execute, from its arguments to its end. It keeps what it computes with alive, whatever happens to the
// graph meanwhile.
struct Execution {
  std::shared_ptr<ExecutionPlan> plan;  // null: the graph was not finalized
  std::vector<Binding> inputs, outputs;
  std::vector<Ref<Memory>> memory;  // behind the handles among them
  BoundBuffers bound;

  // Lets go of everything but its own memory.
  void clear();
  // Whether the output with this id was left as it was: see BoundBuffers::withheld.
  bool withheld(uint32_t id) const;
};

class Graph : public Object {
 public:
  static constexpr Kind kKind = Kind::kGraph;
  static constexpr const char* kName = "graph";
  static constexpr Qnn_ErrorHandle_t kInvalidHandle = QNN_GRAPH_ERROR_INVALID_HANDLE;

  // A graph that the client composes.
  Graph(std::string name, Logger log, ContextParts parts, GraphOptions options);
  // A graph of a context binary, ready to run.
  Graph(program::ProgramSet set, size_t index, std::shared_ptr<LoadedBinary> binary, Logger log,
        ContextParts parts);

  const std::string& name() const { return name_; }
  const Logger& log() const { return log_; }
  const ContextParts& parts() const { return parts_; }
  bool finalized() const { return plan() != nullptr; }
  // What executes run now; null before finalize.
  std::shared_ptr<ExecutionPlan> plan() const;
  // Checks the bytes it was loaded from, once; a composed graph has none.
  Status verify_constants() { return binary_ ? binary_->verify_once() : Status(); }
  bool is_loaded() const { return binary_ != nullptr; }
  // Checksum of the constants that no update reaches, of the set it runs. They are always the same ones.
  uint64_t fixed_constants(const program::ProgramSet& set);

  GraphOptions options() const;
  // How a graph is prepared can change before finalize only; the priority at any time.
  Outcome<> set_options(const GraphOptions& options);
  void set_priority(uint32_t priority);
  // After finalize, both or neither: the modelled device does without the system-level cache that the graph
  // was prepared for, or with it again; until the first execute, it runs the graph on so many HVX threads.
  Outcome<> change_finalized(std::optional<bool> slc, std::optional<uint32_t> hvx_threads);

  Outcome<uint32_t> add_tensor(ir::Tensor tensor);  // answers the tensor's id
  // With a package, the op is its; else a built-in one, which is validated here.
  Outcome<> add_node(ir::Node node, std::span<const TensorRef> inputs, std::span<const TensorRef> outputs,
                     std::shared_ptr<OpPackage> package = nullptr);
  // New data or encodings for updateable tensors, all or none. They count from the next finalize on; executes
  // before it run with the old ones. (Ours: no document says when.)
  Outcome<> update_tensors(std::span<const TensorUpdate> updates);
  bool has_pending_updates() const;
  // What executes run from now on; those that run go on with what they have.
  void publish(std::unique_ptr<ExecutionPlan> plan);
  // Again after update_tensors.
  Outcome<> finalize(Profile* profile);

  // Gives an Execution back to its graph, which must still live.
  struct Recycler {
    Graph* graph;
    void operator()(Execution* execution) const;
  };
  using ExecutionPtr = std::unique_ptr<Execution, Recycler>;

  // An execute of what the graph runs now. Its inputs and outputs are the caller's to fill in, and to bind.
  // One that ended serves the next: in the steady state nothing is allocated.
  ExecutionPtr begin_execution();
  Outcome<> bind(Execution& execution);  // checks; only the computing is left
  Outcome<> run(Execution& execution, Profile* profile, const SignalledCall& signal);

  // How often the device was simulated; an execute without a profile never does.
  uint64_t simulations() const;

 private:
  Outcome<ir::TensorIndex> index_of(const TensorRef& ref, const std::string& where) const;
  Outcome<> check_update(const TensorUpdate& update) const;
  Outcome<> check_hvx_threads(uint32_t threads) const;
  // One execute of a Program on the device's clock, under the votes and among the clients that count now.
  void model_execute(ExecutionPlan& plan, size_t program, Profile& profile) const;
  const std::string& where() const { return where_; }

  const std::string name_;
  const std::string where_ = "graph '" + name_ + "'";
  const Logger log_;
  const ContextParts parts_;
  const std::shared_ptr<LoadedBinary> binary_;  // null for a composed graph

  mutable std::mutex mutex_;  // guards composing
  GraphOptions options_;
  // The client's graph: until finalize, and longer where updates will need it again.
  std::unique_ptr<ir::Graph> composing_;
  PackageNodes package_nodes_;
  bool has_updates_ = false;  // that no finalize has seen
  std::optional<uint64_t> fixed_constants_;

  std::atomic<bool> executed_{false};
  mutable std::mutex plan_mutex_;  // guards what follows; held for moments only
  std::shared_ptr<ExecutionPlan> plan_;
  std::vector<std::unique_ptr<Execution>> idle_;
  size_t executions_ = 0;  // idle ones and those under way
};

}  // namespace openqnn::runtime
