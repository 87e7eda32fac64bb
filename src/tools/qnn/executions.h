// SPDX-License-Identifier: BSD-3-Clause
// Executing one graph again and again: inputs from files, outputs to files, several executions under way at
// once where they are asynchronous.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "base/result.h"
#include "tools/qnn/client.h"
#include "tools/qnn/input_files.h"
#include "tools/qnn/io_buffers.h"
#include "tools/qnn/output_files.h"
#include "tools/qnn/profiling.h"

namespace openqnn::tools {

struct ExecutionOptions {
  std::optional<uint64_t> inferences;  // as many, instead of once through the list
  std::optional<double> seconds;       // as long
  std::optional<double> per_second;    // not faster than this
  uint64_t kept = UINT64_MAX;          // results of so many are written
  uint32_t batches = 1;
  uint64_t queue = 1;  // executions under way at once; 1: one after the other, synchronous
  std::optional<uint64_t> timeout_us;
  std::shared_ptr<const SharedMemoryLibrary> shared;  // null: memory of this program's own
};

// Answers how many executions were done.
Result<uint64_t> execute_all(const Client& client, const RunnableGraph& graph, const InputFiles& inputs,
                             const OutputFiles& outputs, const ExecutionOptions& options,
                             Profiling& profiling);

}  // namespace openqnn::tools
