// SPDX-License-Identifier: BSD-3-Clause
// What recurrent layers share: weights [units, n] times vectors, in double.
#pragma once

#include <cstdint>
#include <span>

#include "base/units.h"
#include "ops/common.h"
#include "ops/matrix/dot.h"
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
inline Work recurrent_work(const OpCall& call, uint64_t steps, uint64_t batch, uint64_t k, uint64_t n) {
  const bool half = call.in(0).type == ir::DataType::kFloat16;
  const uint64_t weight_bytes = half ? 1 : ir::byte_size(call.in(1).type);
  const uint64_t rows = issued_rows(call, batch);
  const uint64_t block = saturating_multiply(round_up(k, kHmxBlock), round_up(n, kHmxBlock));
  // Gates take about 40 instructions per vector of half floats (ours).
  constexpr uint64_t kInstructionsPerVector = 40;
  const uint64_t gate_bytes = saturating_multiply(saturating_multiply(steps, batch), 2 * n);
  return {
      .unit = soc::Unit::kHmx,
      .arithmetic = arithmetic_of(call.in(0)),
      .macs = saturating_multiply(saturating_multiply(steps, weight_bytes), saturating_multiply(rows, block)),
      .vector_ops = saturating_multiply(ceil_div(gate_bytes, kVectorBytes), kInstructionsPerVector),
      .vtcm_bytes = all_bytes(call)};
}

}  // namespace openqnn::ops
