// SPDX-License-Identifier: BSD-3-Clause
// The order in which numbers that belong together are added: eight sums side by side, so that every
// instruction set can, and all give the same bits (ours).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace openqnn::ops {

inline constexpr size_t kSumLanes = 8;

inline double total_of(std::array<double, kSumLanes> sums) {
  for (size_t half = kSumLanes / 2; half > 0; half /= 2)
    for (size_t lane = 0; lane < half; ++lane) sums[lane] += sums[lane + half];
  return sums[0];
}

// Numbers that come one by one.
class LaneSum {
 public:
  void add(double term) { sums_[next_++ % kSumLanes] += term; }
  double total() const { return total_of(sums_); }

 private:
  std::array<double, kSumLanes> sums_{};
  uint64_t next_ = 0;
};

// The same of term(i) for i in [0, count).
template <class Term>
double sum_of(uint64_t count, const Term& term) {
  std::array<double, kSumLanes> sums{};
  uint64_t i = 0;
  for (; i + kSumLanes <= count; i += kSumLanes)
    for (size_t lane = 0; lane < kSumLanes; ++lane) sums[lane] += term(i + lane);
  for (size_t lane = 0; i < count; ++i, ++lane) sums[lane] += term(i);
  return total_of(sums);
}

}  // namespace openqnn::ops
