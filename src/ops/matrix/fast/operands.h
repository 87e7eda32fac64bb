// SPDX-License-Identifier: BSD-3-Clause
// What fast products and depth-wise convolutions ask about the operands of a call.
#pragma once

#include "ops/elements.h"
#include "ops/matrix/dot.h"
#include "ops/op.h"

namespace openqnn::ops::fast {

inline bool is_half(const OpCall& call) { return call.in(kInput).type == ir::DataType::kFloat16; }
inline bool is_wide(const OpCall& call) { return ir::byte_size(call.in(kInput).type) == 2; }
inline bool is_signed(const OpCall& call) { return is_signed_fixed(call.in(kInput).type); }
inline bool adds_even_and_odd_apart(const OpCall& call) {
  return call.half_accumulation == soc::HalfAccumulation::kEvenOdd;
}

// What is added to a fixed-point activation after its move to unsigned, by half the range of a signed type.
inline int64_t activation_offset(const OpCall& call) {
  const int64_t offset = call.in(kInput).quantization.at(0).offset;
  if (!is_signed(call)) return offset;
  return offset - (is_wide(call) ? 1 << 15 : 1 << 7);
}

// Whether some stored activation, which padding then is, stands for 0.
inline bool has_zero(const OpCall& call) {
  const int64_t zero = -activation_offset(call);
  return zero >= 0 && zero <= (is_wide(call) ? UINT16_MAX : UINT8_MAX);
}

// Weights that are not packed come at run time, or are treated so.
inline bool at_run_time(const OpCall& call) { return call.in(kWeight).layout == ir::Layout::kPlain; }

// A bias of one number for each column of a matrix counts for all matrices; else each has its own.
inline uint64_t bias_channel(const OpCall& call, const WeightMatrices& matrices, uint64_t group,
                             uint64_t column) {
  const bool shared = call.in(kBias).shape[0] == matrices.columns;
  return shared ? column : group * matrices.columns + column;
}

}  // namespace openqnn::ops::fast
