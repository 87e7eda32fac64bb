// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/aligned_bytes.h"
#include "base/units.h"

namespace openqnn::ops::fast {

// The memory of a region (Kernel::scratch_bytes), given out one thing after another, each at the start of a
// cache line. Without memory it only counts, so that the code which takes is also the one that says how much.
class Scratch {
 public:
  explicit Scratch(std::byte* memory = nullptr) : memory_(memory) {}

  template <class T>
  T* take(uint64_t count) {
    T* taken = memory_ ? reinterpret_cast<T*>(memory_ + used_) : nullptr;
    used_ += round_up(count * sizeof(T), AlignedBytes::kAlignment);
    return taken;
  }
  uint64_t used() const { return used_; }

 private:
  std::byte* memory_;
  uint64_t used_ = 0;
};

// Bytes from one row of a tile to the next: an odd number of cache lines, because rows that lie a multiple of
// 4 KiB apart drive each other out of the cache.
inline uint64_t spaced(uint64_t row_bytes) {
  return (ceil_div(row_bytes, AlignedBytes::kAlignment) | 1) * AlignedBytes::kAlignment;
}

}  // namespace openqnn::ops::fast
