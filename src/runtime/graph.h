// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "QnnGraph.h"
#include "exec/executor.h"
#include "ir/graph.h"
#include "prepare/prepare.h"
#include "program/program.h"
#include "runtime/backend.h"
#include "runtime/outcome.h"
#include "runtime/profile.h"
#include "sim/sim.h"

namespace openqnn::runtime {

// Bytes of a context binary that graphs run from, and whether their checksums were verified yet.
class LoadedBinary {
 public:
  LoadedBinary(std::span<const std::byte> bytes, bool verified) : bytes_(bytes), verified_(verified) {}
  // Checks the data once, at the first call; later calls repeat the answer.
  Status verify_once();

 private:
  const std::span<const std::byte> bytes_;
  std::once_flag once_;
  Status status_;
  const bool verified_;
};

// A client's buffer for one input or output of an execute.
struct Binding {
  uint32_t id = 0;  // of the tensor
  std::byte* data = nullptr;
  uint64_t bytes = 0;
  // What the client says of the tensor; checked where it says something.
  ir::DataType type = ir::DataType::kUndefined;
  std::optional<ir::Shape> shape;
};

// A tensor as a node names it. The name is for messages; ir::kNoTensor as id stands for an absent optional
// input.
struct TensorRef {
  uint32_t id;
  std::string name;
};

class Graph : public Object {
 public:
  static constexpr Kind kKind = Kind::kGraph;
  static constexpr const char* kName = "graph";
  static constexpr Qnn_ErrorHandle_t kInvalidHandle = QNN_GRAPH_ERROR_INVALID_HANDLE;

  // A graph that the client composes.
  Graph(std::string name, Logger log, std::shared_ptr<DeviceState> device, prepare::Options options);
  // A graph of a context binary, ready to run.
  Graph(program::ProgramSet set, size_t index, std::shared_ptr<LoadedBinary> binary, Logger log,
        std::shared_ptr<DeviceState> device);

  const std::string& name() const { return name_; }
  const Logger& log() const { return log_; }
  bool finalized() const { return executor() != nullptr; }
  // The one Program of a finalized graph and its constants.
  const program::ProgramSet& programs() const { return set_; }
  // Checks the bytes it was loaded from, once; a composed graph has none.
  Status verify_constants() { return binary_ ? binary_->verify_once() : Status(); }

  Outcome<> set_options(const prepare::Options& options);  // before finalize
  prepare::Options options() const;

  Outcome<uint32_t> add_tensor(ir::Tensor tensor);  // answers the tensor's id
  Outcome<> add_node(ir::Node node, std::span<const TensorRef> inputs, std::span<const TensorRef> outputs);
  Outcome<> finalize(Profile* profile);
  Outcome<> execute(std::span<const Binding> inputs, std::span<const Binding> outputs, Profile* profile);

  // How often the device was simulated; an execute without a profile never does.
  uint64_t simulations() const { return simulations_.load(std::memory_order_relaxed); }

 private:
  exec::Executor* executor() const { return published_.load(std::memory_order_acquire); }
  void publish(program::ProgramSet set, size_t index);
  Outcome<> bind(std::span<const Binding> bindings, ir::TensorRole role, std::span<std::byte*> buffers) const;
  Status check_binding(const Binding& binding, const program::Tensor& tensor) const;
  // Outputs must not lie in each other or in an input: kernels read while they write.
  Outcome<> check_apart(std::span<std::byte* const> buffers) const;
  const sim::Timeline& timeline();
  std::string where() const { return "graph '" + name_ + "'"; }

  const std::string name_;
  const Logger log_;
  const std::shared_ptr<DeviceState> device_;
  const std::shared_ptr<LoadedBinary> binary_;  // null for a composed graph

  mutable std::mutex mutex_;  // guards composing and the memoised timeline
  prepare::Options options_;
  std::unique_ptr<ir::Graph> composing_;
  program::ProgramSet set_;
  std::unordered_map<uint32_t, ir::TensorIndex> tensor_of_id_;  // inputs and outputs
  std::vector<ir::TensorIndex> io_;                             // the same, in order
  std::unique_ptr<exec::Executor> owned_executor_;
  std::atomic<exec::Executor*> published_{nullptr};  // set once; execute reads it without a lock
  std::unique_ptr<const sim::Timeline> timeline_;
  std::atomic<uint64_t> simulations_{0};
};

}  // namespace openqnn::runtime
