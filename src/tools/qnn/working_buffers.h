// SPDX-License-Identifier: BSD-3-Clause
// Memory that this program provides for the graphs of a context themselves: what they move out of VTCM, and
// their weights. `spill_fill_buffer` and `weights_buffer` of the outer configuration file ask for it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "QnnMem.h"
#include "base/result.h"
#include "tools/backend_library.h"
#include "tools/qnn/io_buffers.h"

namespace openqnn::tools {

inline constexpr int64_t kAsLargeAsNeeded = -1;

// In bytes; 0: none.
struct WorkingBufferSizes {
  int64_t spill_fill = 0;
  int64_t weights = 0;
  bool any() const { return spill_fill != 0 || weights != 0; }
};

// Registered with a context whose graphs are ready; must be gone before it.
class WorkingBuffers {
 public:
  static Result<std::unique_ptr<WorkingBuffers>> make(const BackendLibrary& backend,
                                                      Qnn_ContextHandle_t context,
                                                      const WorkingBufferSizes& sizes);
  ~WorkingBuffers();
  WorkingBuffers(const WorkingBuffers&) = delete;
  WorkingBuffers& operator=(const WorkingBuffers&) = delete;

  // A sentence for each buffer that was asked for.
  const std::vector<std::string>& sentences() const { return sentences_; }

 private:
  struct Use;
  struct Buffer {
    void* address = nullptr;
    Qnn_MemHandle_t handle = nullptr;
  };
  WorkingBuffers(const BackendLibrary& backend, Qnn_ContextHandle_t context)
      : backend_(backend), context_(context) {}
  Result<uint64_t> needed(const Use& use) const;
  Status add(const Use& use, int64_t asked);

  const BackendLibrary& backend_;
  const Qnn_ContextHandle_t context_;
  std::shared_ptr<const SharedMemoryLibrary> memory_;
  std::vector<Buffer> buffers_;
  std::vector<std::string> sentences_;
};

}  // namespace openqnn::tools
