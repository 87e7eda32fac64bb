// SPDX-License-Identifier: BSD-3-Clause
// Contexts of one list that share their resources. The host gives each context memory of its own, so that
// results are right in any case; on a device, sharers of the sequential types that run at the same time
// overwrite each other's buffers. That is found out here, and said.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "base/log.h"
#include "base/text.h"

namespace openqnn::runtime {

class ResourceSharing {
 public:
  explicit ResourceSharing(bool sequential) : sequential_(sequential) {}

  // One execute of a graph of a sharer, while it lives.
  class Use {
   public:
    Use(ResourceSharing* sharing, uint32_t batches, const std::string& where, const Logger& log)
        : sharing_(sharing) {
      if (!sharing_) return;
      const bool others_run = sharing_->running_.fetch_add(1, std::memory_order_relaxed) > 0;
      if (others_run && sharing_->sequential_)
        log.warn(concat(where, ": runs while another graph runs that shares its resources; on a device both ",
                        "would write to the same buffers (execute them one after the other, or share with ",
                        "the type CONCURRENT_OPTIMIZATION)"));
      if (batches > 1)
        log.warn(concat(where, ": runs ", batches, " batches with shared resources; on a device the shared ",
                        "buffer is allocated again for that (execute one batch at a time)"));
    }
    ~Use() {
      if (sharing_) sharing_->running_.fetch_sub(1, std::memory_order_relaxed);
    }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

   private:
    ResourceSharing* const sharing_;  // null: the context shares nothing
  };

 private:
  const bool sequential_;
  std::atomic<uint32_t> running_{0};
};

}  // namespace openqnn::runtime
