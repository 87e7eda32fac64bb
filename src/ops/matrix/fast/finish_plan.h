// SPDX-License-Identifier: BSD-3-Clause
// What ByteFinish and WideFinish (tile.h) need of an op, worked out once: constants beside every column of
// its weights.
#pragma once

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

}  // namespace openqnn::ops::fast
