// SPDX-License-Identifier: BSD-3-Clause
// How sums become results. What ByteFinish and WideFinish (tile.h) need of an op is worked out once:
// constants beside every column of its weights.
#pragma once

#include <cstddef>
#include <vector>

#include "ops/matrix/fast/tile.h"
#include "ops/op.h"

namespace openqnn::ops::fast {

class FinishPlan {
 public:
  // All of them 0 at first.
  explicit FinishPlan(uint64_t columns) : starts_(columns), exact_factors_(columns) {}

  void set(uint64_t column, int64_t start, double factor) {
    starts_[column] = start;
    exact_factors_[column] = factor;
  }
  // After the last `set`. `largest_sum`: how far a sum may be from 0 without its start.
  void settle(const OpCall& call, int64_t largest_sum);

  // Whether sums with their constants stay in 32 bits, and float is near enough to decide most roundings; if
  // not, `of` is of no use.
  bool fits() const { return fits_; }
  int64_t start(uint64_t column) const { return starts_[column]; }
  double factor(uint64_t column) const { return exact_factors_[column]; }
  // For the columns from `first` on.
  ByteFinish of(uint64_t first) const;

 private:
  bool fits_ = false;
  ByteFinish finish_;  // what is the same for all columns
  std::vector<int64_t> starts_;
  std::vector<int32_t> starts32_;
  std::vector<double> exact_factors_;
  std::vector<float> factors_;
};

class WidePlan {
 public:
  explicit WidePlan(uint64_t columns) : starts_(columns), factors_(columns), biases_(columns) {}

  void set(uint64_t column, int64_t start, double factor, double bias) {
    starts_[column] = static_cast<double>(start);
    factors_[column] = factor;
    biases_[column] = bias;
  }
  // After the last `set`. `largest_sum`: how far a sum may be from 0 without its start.
  void settle(int64_t largest_sum);
  // For the columns from `first` on.
  WideFinish of(const OpCall& call, uint64_t first) const;

 private:
  bool has_biases_ = false;
  bool is_small_ = false;
  std::vector<double> starts_, factors_, biases_;
};

// Sums to halves as reference kernels (HalfDot) end them: bias, activation, one rounding.
class HalfEnd {
 public:
  HalfEnd(const OpCall& call, const TileFunctions& functions);

  // Whether the activation leaves a range, so that HalfFinish says it all. `bias` may be null.
  bool is_range() const { return is_range_; }
  HalfFinish range(const float* bias) const;

  // `bias` may be null.
  void operator()(const float* sums, const float* bias, size_t count, std::byte* out) const;

 private:
  const OpCall& call_;
  const TileFunctions& functions_;
  HalfFinish range_;
  bool is_range_ = true;  // else the activation is a function
};

}  // namespace openqnn::ops::fast
