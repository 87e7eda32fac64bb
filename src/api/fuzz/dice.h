// SPDX-License-Identifier: BSD-3-Clause
// Decisions out of a fuzzer's bytes: when they run out, every throw is 0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace openqnn::api::fuzz {

class Dice {
 public:
  Dice(const uint8_t* data, size_t size) : left_(data, size) {}

  bool empty() const { return left_.empty(); }
  uint8_t byte() {
    if (left_.empty()) return 0;
    const uint8_t value = left_.front();
    left_ = left_.subspan(1);
    return value;
  }
  uint32_t below(uint32_t count) { return count == 0 ? 0 : byte() % count; }
  bool one_in(uint32_t count) { return below(count) == 1; }
  uint32_t word() {
    uint32_t value = 0;
    for (int i = 0; i < 4; ++i) value = value << 8 | byte();
    return value;
  }
  template <class T>
  const T& of(const std::vector<T>& items) {
    return items[below(static_cast<uint32_t>(items.size()))];
  }
  // A number that is mostly small and now and then one of those that break things.
  uint32_t number() {
    static constexpr uint32_t kNasty[] = {0, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 65536, 1U << 30};
    return one_in(16) ? kNasty[below(6)] : below(5);
  }
  // Bytes of no meaning, over whatever `bytes` hold.
  void fill(std::span<std::byte> bytes) {
    for (std::byte& each : bytes) each = static_cast<std::byte>(byte());
  }
  // Dice of its own over the next bytes, for another thread.
  Dice split(size_t count) {
    const std::span<const uint8_t> taken = left_.first(std::min(count, left_.size()));
    left_ = left_.subspan(taken.size());
    return {taken.data(), taken.size()};
  }

 private:
  std::span<const uint8_t> left_;
};

}  // namespace openqnn::api::fuzz
