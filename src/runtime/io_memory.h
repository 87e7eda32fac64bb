// SPDX-License-Identifier: BSD-3-Clause
// What the modelled device keeps for the inputs and outputs of a graph, and what it copies through it. The
// host computes in the client's memory in any case; this is the account that a device's would be:
//
//   declared    passed        memory of the device           copied by an execute
//   raw         raw           from the start                 every byte
//   raw         mem handle    from the start                 nothing
//   mem handle  raw           from the first such execute    every byte
//   mem handle  mem handle    none                           nothing
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <vector>

#include "ir/graph.h"
#include "profile/events.h"

namespace openqnn::runtime {

// How one execute passes its tensors.
struct IoTraffic {
  std::vector<ir::ClientMemory> passed;  // beside the tensors
  uint64_t copied = 0;                   // bytes
};

class IoMemory {
 public:
  // One more input or output of the graph.
  void add(uint64_t bytes, ir::ClientMemory declared);

  // Before an execute computes: reserves memory for what is passed raw and has none yet. Answers how many
  // bytes that took, 0 except for the first.
  uint64_t reserve(const IoTraffic& traffic);

  uint64_t reserved() const { return reserved_bytes_.load(std::memory_order_relaxed); }
  // The tensors that were declared as mem handles.
  uint32_t declared_by_handle() const { return by_handle_; }

 private:
  struct Tensor {
    Tensor(uint64_t size, bool is_reserved) : bytes(size), reserved(is_reserved) {}
    const uint64_t bytes;
    std::atomic<bool> reserved;
  };
  std::deque<Tensor> tensors_;  // in the order of add; a deque, because an atomic cannot be moved
  std::atomic<uint64_t> reserved_bytes_{0};
  uint32_t by_handle_ = 0;
};

// What a detailed profile shows of it.
std::vector<profile::ProfileEvent> io_events(const IoMemory& memory, const IoTraffic& traffic);

}  // namespace openqnn::runtime
