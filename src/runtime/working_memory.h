// SPDX-License-Identifier: BSD-3-Clause
// What the finalized graphs of a context take of the memory that a client may provide for them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/context.h"
#include "runtime/memory.h"

namespace openqnn::runtime {

class WorkingMemory {
 public:
  explicit WorkingMemory(Context& context);

  // Bytes: of spill-fill and VTCM backup those of the largest graph, because graphs that share a buffer run
  // one after the other; of weights those of all graphs, what they have in common once.
  uint64_t needed(MemoryUse use) const;

  // A graph that is not finalized, and so not counted; nothing when all are.
  const std::optional<std::string>& unfinished() const { return unfinished_; }

  // Fills a buffer of needed(kWeights) bytes or more. (Ours: one constant after the other, each at a multiple
  // of kTensorAlignment.)
  void copy_weights(std::span<std::byte> to) const;

 private:
  std::vector<std::shared_ptr<ExecutionPlan>> plans_;
  std::vector<std::span<const std::byte>> weights_;  // each constant once; kept alive by the plans
  std::optional<std::string> unfinished_;
};

}  // namespace openqnn::runtime
