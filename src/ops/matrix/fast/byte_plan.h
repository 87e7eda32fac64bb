// SPDX-License-Identifier: BSD-3-Clause
// What a product of bytes works out once: the constants of its columns.
#pragma once

#include <optional>
#include <vector>

#include "ops/matrix/dot.h"
#include "ops/matrix/fast/finish_plan.h"
#include "ops/matrix/fast/tile.h"
#include "ops/op.h"

namespace openqnn::ops::fast {

struct BytePlan : KernelPlan {
  explicit BytePlan(uint64_t columns) : finish(columns), biases(columns) {}

  // Beside every padded column of every matrix.
  FinishPlan finish;
  std::vector<double> biases;    // in steps of the results: those that are no part of the sums
  std::vector<std::byte> zeros;  // a row of padding
  // The same for WideFinish, where that serves: 16-bit activations and results, weights that are constants.
  std::optional<WidePlan> wide;

  // `largest_sum`: how far a sum may be from 0 without its start.
  void settle_wide(int64_t largest_sum);
};

}  // namespace openqnn::ops::fast
