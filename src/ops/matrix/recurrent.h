// SPDX-License-Identifier: BSD-3-Clause
// What recurrent layers share: weights [units, n] times vectors, in double.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ops/common.h"
#include "ops/op.h"
#include "ops/optional_elements.h"

namespace openqnn::ops {

// Row `row` of weights [rows, vector.size()] times the vector, in ascending order.
inline double row_product(const OptionalReader& weights, uint64_t row, std::span<const double> vector) {
  double sum = 0.0;
  for (size_t i = 0; i < vector.size(); ++i) sum += weights(row * vector.size() + i) * vector[i];
  return sum;
}

// `steps` products of [batch, k] with [k, n] on the matrix unit, and all operands once through VTCM.
Work recurrent_work(const OpCall& call, uint64_t steps, uint64_t batch, uint64_t k, uint64_t n);

}  // namespace openqnn::ops
