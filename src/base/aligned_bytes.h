// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>

#include "base/units.h"

namespace openqnn {

// Memory that begins at a multiple of a cache line. It is not touched here: a page costs memory when somebody
// writes it.
class AlignedBytes {
 public:
  static constexpr uint64_t kAlignment = 64;

  AlignedBytes() = default;
  explicit AlignedBytes(uint64_t size) : size_(size) {
    if (size == 0) return;
    data_.reset(static_cast<std::byte*>(std::aligned_alloc(kAlignment, round_up(size, kAlignment))));
    if (!data_) throw std::bad_alloc();  // the C API turns it into its documented code
  }

  std::byte* data() const { return data_.get(); }
  uint64_t size() const { return size_; }
  std::span<std::byte> bytes() const { return {data_.get(), size_}; }

 private:
  struct Free {
    void operator()(std::byte* memory) const { std::free(memory); }
  };
  std::unique_ptr<std::byte, Free> data_;
  uint64_t size_ = 0;
};

}  // namespace openqnn
