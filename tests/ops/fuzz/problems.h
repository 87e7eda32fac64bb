// SPDX-License-Identifier: BSD-3-Clause
// Problem lines out of a fuzzer's bytes: shapes that end within a vector, within a block and behind both,
// with every stride, padding and dilation that small shapes allow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/split_mix.h"
#include "oracle/oracle.h"

namespace openqnn::ops {

// Decisions out of bytes. When they run out, the throws go on at random, always the same ones after the same
// bytes: a few bytes are a call of some size, and not the smallest one of each op.
class Dice {
 public:
  explicit Dice(std::span<const uint8_t> bytes) : left_(bytes), state_(seed_of(bytes)) {}

  uint8_t byte() {
    if (left_.empty()) return static_cast<uint8_t>(split_mix(state_ += kGoldenGamma));
    const uint8_t value = left_.front();
    left_ = left_.subspan(1);
    return value;
  }
  uint32_t below(size_t count) { return byte() % static_cast<uint32_t>(count); }
  uint32_t word() {
    uint32_t value = 0;
    for (int i = 0; i < 4; ++i) value = value << 8 | byte();
    return value;
  }
  template <class T>
  const T& of(const std::vector<T>& items) {
    return items[word() % items.size()];
  }

 private:
  static uint64_t seed_of(std::span<const uint8_t> bytes) {
    uint64_t seed = 0;
    for (const uint8_t byte : bytes) seed = seed * 0x100000001B3U + byte + 1;
    return seed;
  }

  std::span<const uint8_t> left_;
  uint64_t state_;
};

// A problem of some op that has a fast kernel, or once in a while of any op, with types and words that go
// together; nothing where there are none.
std::optional<oracle::Problem> problem_from(Dice& dice);

}  // namespace openqnn::ops
