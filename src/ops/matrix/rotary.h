// SPDX-License-Identifier: BSD-3-Clause
// Rotary position embedding of one feature vector.
#pragma once

#include <cstdint>

namespace openqnn::ops {

// Which features turn together: the two halves of the rotated part, or neighbours.
enum class RotaryPairs : uint8_t { kHalves, kNeighbours };

// Feature `at` after rotation of the first `rotated` (even) features; the others stay. read(i) is feature i,
// cosine(p) and sine(p) belong to pair p.
template <class Read, class Cosine, class Sine>
double rotate(uint64_t at, uint64_t rotated, RotaryPairs pairs, const Read& read, const Cosine& cosine,
              const Sine& sine) {
  if (at >= rotated) return read(at);
  const uint64_t half = rotated / 2;
  const bool halves = pairs == RotaryPairs::kHalves;
  const uint64_t pair = halves ? at % half : at / 2;
  const bool is_first = halves ? at < half : at % 2 == 0;
  const double first = read(halves ? pair : 2 * pair);
  const double second = read(halves ? pair + half : 2 * pair + 1);
  return is_first ? first * cosine(pair) - second * sine(pair) : second * cosine(pair) + first * sine(pair);
}

}  // namespace openqnn::ops
