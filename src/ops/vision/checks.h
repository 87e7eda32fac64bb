// SPDX-License-Identifier: BSD-3-Clause
// Checks that many ops of this family share, and what an op that is computed in one piece moves.
#pragma once

#include <cmath>
#include <string_view>

#include "base/result.h"
#include "base/text.h"
#include "ops/common.h"
#include "ops/op.h"

namespace openqnn::ops {

inline Status check_rank(const ir::TensorDesc& desc, std::string_view operand, size_t rank,
                         std::string_view form) {
  if (desc.shape.rank() == rank) return {};
  return invalid("op-rank",
                 concat(operand, " has shape ", desc.shape.to_string(), " where ", form, " is needed"));
}

// An enumeration from 0 to `largest`, u32 or i32; `meaning` lists its values.
inline Status check_choice(const OpCall& call, std::string_view name, uint32_t largest,
                           std::string_view meaning) {
  const uint32_t value = call.params->u32(name, 0);
  if (value <= largest) return {};
  return invalid("op-param-value", concat(name, " ", value, " is not known")).fix_by(concat("use ", meaning));
}

// All `count` numbers of a float parameter, where it is given.
inline Status check_finite(const OpCall& call, std::string_view name, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (const float value = call.params->f32_at(name, i, 0.0F); !std::isfinite(value))
      return invalid("op-param-value", concat(name, " has the value ", value)).fix_by("use a finite number");
  return {};
}

// The same, and none may be 0 or below.
inline Status check_positive(const OpCall& call, std::string_view name, size_t count) {
  OPENQNN_TRY(check_finite(call, name, count));
  for (size_t i = 0; i < count; ++i)
    if (const float value = call.params->f32_at(name, i, 1.0F); !(value > 0.0F))
      return invalid("op-param-value", concat(name, " has the value ", value)).fix_by("use a number above 0");
  return {};
}

// A fraction of overlap.
inline Status check_unit(const OpCall& call, std::string_view name) {
  const float value = call.params->f32(name, 0.0F);
  if (value >= 0.0F && value <= 1.0F) return {};
  return invalid("op-param-value", concat(name, " has the value ", value)).fix_by("use a number from 0 to 1");
}

// Bytes of all operands.
inline uint64_t all_bytes(const OpCall& call) {
  uint64_t bytes = 0;
  for (const auto* side : {&call.inputs, &call.outputs})
    for (const ir::TensorDesc* desc : *side)
      if (desc) bytes += ir::plain_bytes(*desc);
  return bytes;
}

// Work of an op in one piece: `lanes` elements, each through `instructions`, 32 to a vector.
inline Work whole_work(const OpCall& call, uint64_t lanes, uint64_t instructions) {
  constexpr uint64_t kLanes = kVectorBytes / sizeof(float);
  return {.unit = soc::Unit::kHvx,
          .vector_ops = saturating_multiply(ceil_div(lanes, kLanes) + 1, instructions),
          .vtcm_bytes = all_bytes(call)};
}

}  // namespace openqnn::ops
