// SPDX-License-Identifier: BSD-3-Clause
// Executing one graph again and again: inputs from files, outputs to files, several executions under way at
// once where they are asynchronous.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>

#include "base/result.h"
#include "tools/qnn/client.h"
#include "tools/qnn/input_files.h"
#include "tools/qnn/io_buffers.h"
#include "tools/qnn/output_files.h"
#include "tools/qnn/power.h"
#include "tools/qnn/profiling.h"

namespace openqnn::tools {

double seconds_since(std::chrono::steady_clock::time_point start);

inline constexpr uint64_t kDefaultQueue = 10;  // documented default of the queue's depth

struct ExecutionOptions {
  std::optional<uint64_t> inferences;  // as many, instead of once through the list
  std::optional<double> seconds;       // as long
  std::optional<double> per_second;    // not faster than this
  uint64_t kept = UINT64_MAX;          // results of so many are written
  uint32_t batches = 1;
  bool interruptible = false;   // a signal (interrupt.h) ends them before their number
  bool rereads_inputs = false;  // for every execution, also those that its buffers hold already
  uint64_t queue = 1;           // executions under way at once; 1: one after the other, synchronous
  std::optional<uint64_t> timeout_us;
  PowerVotes* power = nullptr;                        // whose votes go up for executions; null: none
  std::shared_ptr<const SharedMemoryLibrary> shared;  // null: memory of this program's own
};

// How long executions took, from the call to the answer.
struct ExecutionTimes {
  uint64_t count = 0;
  uint64_t total_us = 0;
  uint64_t shortest_us = UINT64_MAX;
  uint64_t longest_us = 0;
  void add(uint64_t microseconds);
  void add_all(const ExecutionTimes& more);
};

// The executions of one graph: each is begun, and ended when its turn comes. All that is given must outlive
// it, and it must be gone before the context.
class Executions {
 public:
  Executions(const Client& client, const RunnableGraph& graph, const InputSource& inputs, OutputSink& outputs,
             const ExecutionOptions& options, Profiling* profiling);
  ~Executions();  // waits for those under way
  Executions(const Executions&) = delete;
  Executions& operator=(const Executions&) = delete;

  // Executes, or queues the execution and waits while the queue is full.
  Status begin(uint64_t execution);
  Status end_all();
  const ExecutionTimes& times() const;
  uint64_t under_way() const;

 private:
  class Runner;
  const std::unique_ptr<Runner> runner_;
};

// As often and as long as the options say, with progress on a terminal. Answers how many executions were
// done.
Result<uint64_t> execute_all(const Client& client, const RunnableGraph& graph, const InputSource& inputs,
                             OutputSink& outputs, const ExecutionOptions& options, Profiling& profiling);

}  // namespace openqnn::tools
