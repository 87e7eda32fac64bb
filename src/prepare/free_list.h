// SPDX-License-Identifier: BSD-3-Clause
// Allocation of byte ranges: for the executor's arena (unbounded) and for VTCM (bounded).
#pragma once

#include <cstdint>
#include <iterator>
#include <limits>
#include <map>
#include <optional>

namespace openqnn::prepare {

class FreeList {
 public:
  explicit FreeList(uint64_t capacity = std::numeric_limits<uint64_t>::max()) { free_.emplace(0, capacity); }

  // The lowest free offset with room for `bytes`.
  std::optional<uint64_t> allocate(uint64_t bytes) { return take_from(free_.begin(), free_.end(), bytes); }

  // The next one behind what was allocated last, and round again: what was released long ago is used before
  // what somebody may still be reading.
  std::optional<uint64_t> allocate_onward(uint64_t bytes) {
    const auto next = free_.lower_bound(onward_);
    std::optional<uint64_t> offset = take_from(next, free_.end(), bytes);
    if (!offset) offset = take_from(free_.begin(), free_.end(), bytes);
    if (offset) onward_ = *offset + bytes;
    return offset;
  }

  void release(uint64_t begin, uint64_t bytes) {
    uint64_t end = begin + bytes;
    auto next = free_.lower_bound(begin);
    if (next != free_.end() && next->first == end) {
      end = next->second;
      next = free_.erase(next);
    }
    if (next != free_.begin()) {
      const auto previous = std::prev(next);
      if (previous->second == begin) {
        previous->second = end;
        return;
      }
    }
    free_.emplace(begin, end);
  }

 private:
  using Ranges = std::map<uint64_t, uint64_t>;

  std::optional<uint64_t> take_from(Ranges::iterator range, Ranges::iterator last, uint64_t bytes) {
    for (; range != last; ++range) {
      const auto [begin, end] = *range;
      if (end - begin < bytes) continue;
      free_.erase(range);
      if (end - begin > bytes) free_.emplace(begin + bytes, end);
      return begin;
    }
    return std::nullopt;
  }

  Ranges free_;  // begin -> end, never touching
  uint64_t onward_ = 0;
};

}  // namespace openqnn::prepare
