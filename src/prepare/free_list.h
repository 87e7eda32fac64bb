// SPDX-License-Identifier: BSD-3-Clause
// First-fit allocation of byte ranges: for the executor's arena (unbounded) and for VTCM (bounded).
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
  std::optional<uint64_t> allocate(uint64_t bytes) {
    for (auto range = free_.begin(); range != free_.end(); ++range) {
      const auto [begin, end] = *range;
      if (end - begin < bytes) continue;
      free_.erase(range);
      if (end - begin > bytes) free_.emplace(begin + bytes, end);
      return begin;
    }
    return std::nullopt;
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
  std::map<uint64_t, uint64_t> free_;  // begin -> end, never touching
};

}  // namespace openqnn::prepare
