// SPDX-License-Identifier: BSD-3-Clause
// What a product of bytes works out once: the constants of its columns.
#pragma once

#include <vector>

#include "ops/matrix/dot.h"
#include "ops/matrix/fast/finish_plan.h"
#include "ops/matrix/fast/tile.h"
#include "ops/op.h"

namespace openqnn::ops::fast {

struct BytePlan : KernelPlan {
  explicit BytePlan(uint64_t columns) : finish(columns), terms(columns) {}

  // Beside every padded column of every matrix.
  FinishPlan finish;
  std::vector<ColumnTerms> terms;
  std::vector<std::byte> zeros;  // a row of padding
  // The same for WideFinish, where that serves: 16-bit activations and results, weights that are constants.
  bool fits_wide = false;
  bool has_real_bias = false;
  std::vector<double> starts, factors, units, biases;

  void settle_wide();
  WideFinish wide_finish(const OpCall& call, uint64_t term, uint32_t columns) const;
};

}  // namespace openqnn::ops::fast
