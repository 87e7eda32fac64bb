// SPDX-License-Identifier: BSD-3-Clause
// What a reference kernel keeps while it computes a region: vectors out of KernelArgs::scratch, so that it
// asks nobody for memory.
//
//   uint64_t flip_scratch(const OpCall& call) { return room_for<double>(call.out().shape.from_end(0)); }
//   void run_flip(const KernelArgs& args, const ir::Box& region) {
//     KernelMemory memory(args);
//     auto row = memory.vector<double>(args.call.out().shape.from_end(0));
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <vector>

#include "ops/common.h"
#include "ops/op.h"

namespace openqnn::ops {

template <class T>
using KernelVector = std::pmr::vector<T>;

// Bytes of one vector of `count` elements, and of the gap before it.
template <class T>
uint64_t room_for(uint64_t count) {
  static_assert(alignof(T) <= alignof(std::max_align_t));
  return saturating_add(saturating_multiply(count, sizeof(T)), alignof(T));
}

// What is freed is not used again: vectors are made once and stay. What does not fit comes from the heap; for
// those who run a kernel without scratch, or a call that would need very much of it.
class KernelMemory {
 public:
  explicit KernelMemory(const KernelArgs& args)
      : resource_(args.scratch.data(), args.scratch.size(), std::pmr::new_delete_resource()) {}

  template <class T>
  KernelVector<T> vector(uint64_t size) {
    return KernelVector<T>(size, &resource_);
  }
  // Empty, with room for `most` elements.
  template <class T>
  KernelVector<T> room(uint64_t most) {
    KernelVector<T> empty(&resource_);
    empty.reserve(most);
    return empty;
  }

 private:
  std::pmr::monotonic_buffer_resource resource_;
};

// The reference kernel of an op that needs `scratch_bytes`.
inline Kernel reference_kernel(KernelFn run, uint64_t (*scratch_bytes)(const OpCall& call)) {
  return {.name = "reference", .declines = nullptr, .run = run, .scratch_bytes = scratch_bytes};
}

// The scratch that a kernel gets, within the limit for each thread: all it wants, unless it is a reference
// kernel that finds the rest on the heap.
uint64_t granted_scratch(const Kernel& kernel, const OpCall& call);

}  // namespace openqnn::ops
