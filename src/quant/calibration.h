// SPDX-License-Identifier: BSD-3-Clause
// What the values of a tensor are like over many runs, and which part of their range is worth its steps.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "quant/encoding.h"

namespace openqnn::quant {

enum class Calibration : uint8_t {
  kMinMax,      // everything that was seen
  kPercentile,  // the values that are farthest out are cut off
  kMse,         // the range with the smallest squared error
  kEntropy,     // the range whose quantized histogram tells most of the true one
};
// What kPercentile can keep, in percent (documented: 90 to 100).
inline constexpr double kLowestPercentile = 90.0;
inline constexpr double kHighestPercentile = 100.0;
// "min-max", "percentile", "mse", "sqnr" (the same search as mse), "entropy".
std::optional<Calibration> calibration_from(std::string_view name);

// Masks fill with minus infinity, or with a number that is as good. Ours: scores are not that large, so that
// this is far enough, and all numbers below it are masks.
inline constexpr float kMaskLevel = -1e4F;

// Counts values in bins of one width, which doubles as the range grows, so that one pass is enough.
class Histogram {
 public:
  void add(std::span<const float> values);

  bool empty() const { return count_ == 0; }
  uint64_t count() const { return count_; }  // numbers; NaN and infinities are in the next
  uint64_t not_finite() const { return not_finite_; }
  uint64_t minus_infinities() const { return minus_infinities_; }
  Range min_max() const { return seen_; }
  // One number and minus infinity, and nothing else.
  bool is_mask() const { return minus_infinities_ != 0 && seen_.low == seen_.high; }

  // `bits` and `scheme` are those of the encoding that will be made of it; `percentile` is of kPercentile.
  Range range(Calibration calibration, uint32_t bits, Scheme scheme, double percentile) const;

 private:
  void widen_to(double low, double high);
  double centre(size_t bin) const {
    return (static_cast<double>(first_) + static_cast<double>(bin) + 0.5) * width_;
  }
  double error_of(Range range, uint32_t bits, Scheme scheme) const;
  Range by_percentile(double percentile) const;
  Range by_error(uint32_t bits, Scheme scheme) const;
  Range by_entropy(uint32_t bits) const;

  double width_ = 0.0;  // of a bin; 0 before the first value
  int64_t first_ = 0;   // bin 0 begins at first_ * width_
  std::vector<uint64_t> bins_;
  Range seen_;
  uint64_t count_ = 0;
  uint64_t not_finite_ = 0;
  uint64_t minus_infinities_ = 0;  // of these
};

}  // namespace openqnn::quant
