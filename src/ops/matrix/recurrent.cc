// SPDX-License-Identifier: BSD-3-Clause
#include "ops/matrix/recurrent.h"

#include "base/units.h"
#include "ops/matrix/dot.h"

namespace openqnn::ops {

Work recurrent_work(const OpCall& call, uint64_t steps, uint64_t batch, uint64_t k, uint64_t n) {
  const bool half = call.in(0).type == ir::DataType::kFloat16;
  const uint64_t weight_bytes = half ? 1 : ir::byte_size(call.in(1).type);
  const uint64_t rows = round_up(batch, half ? kHmxRows16 : kHmxRows8);
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
