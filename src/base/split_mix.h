// SPDX-License-Identifier: BSD-3-Clause
// SplitMix64 (Steele, Lea, Flood 2014): numbers that look random and are the same on every host. The n-th
// draw of a seed is split_mix(seed + n * kGoldenGamma), in any order.
#pragma once

#include <cstdint>

namespace openqnn {

inline constexpr uint64_t kGoldenGamma = 0x9E3779B97F4A7C15;

constexpr uint64_t split_mix(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

// The upper 53 bits as a number in [0, 1).
constexpr double unit_interval(uint64_t bits) { return static_cast<double>(bits >> 11) * 0x1p-53; }

}  // namespace openqnn
