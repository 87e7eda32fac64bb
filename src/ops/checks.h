// SPDX-License-Identifier: BSD-3-Clause
// Checks of shapes and parameters that many ops share.
#pragma once

#include <cmath>
#include <string_view>

#include "base/result.h"
#include "base/text.h"
#include "ops/op.h"

namespace openqnn::ops {

// `axis`, the value of the parameter `name`, is a dimension of `shape`.
inline Status check_axis(std::string_view name, uint64_t axis, const ir::Shape& shape) {
  if (axis < shape.rank()) return {};
  return invalid("op-param-value", concat(name, " ", axis, " is not a dimension of ", shape.to_string()))
      .fix_by("count axes from 0");
}

// `form` writes the dimensions: "[b, h, w, c]".
inline Status check_rank(const ir::TensorDesc& desc, std::string_view operand, size_t rank,
                         std::string_view form) {
  if (desc.shape.rank() == rank) return {};
  return invalid("op-rank",
                 concat(operand, " has shape ", desc.shape.to_string(), " where ", form, " is needed"));
}

// A rank that is computed from those of inputs.
inline Status check_rank_limit(std::string_view what, size_t rank) {
  if (rank <= ir::kMaxRank) return {};
  return invalid("op-rank",
                 concat(what, " would have ", rank, " dimensions; ", ir::kMaxRank, " are the most"));
}

// An enumeration from 0 to `largest`, u32 or i32; `meaning` lists its values.
inline Status check_choice(const OpCall& call, std::string_view name, uint32_t largest,
                           std::string_view meaning) {
  const ir::Param* given = call.params->find(name);
  const bool is_signed = given && given->type == ir::DataType::kInt32;
  const int64_t value = is_signed ? int64_t{call.params->i32(name, 0)} : int64_t{call.params->u32(name, 0)};
  if (value >= 0 && value <= int64_t{largest}) return {};
  return invalid("op-param-value", concat(name, " ", value, " is not known")).fix_by(concat("use ", meaning));
}

// All `count` numbers of a float parameter, where it is given.
inline Status check_finite(const OpCall& call, std::string_view name, size_t count = 1) {
  for (size_t i = 0; i < count; ++i)
    if (const float value = call.params->f32_at(name, i, 0.0F); !std::isfinite(value))
      return invalid("op-param-value", concat(name, " is ", value)).fix_by("use a finite number");
  return {};
}

// The same, and none may be 0 or below.
inline Status check_positive(const OpCall& call, std::string_view name, size_t count = 1) {
  OPENQNN_TRY(check_finite(call, name, count));
  for (size_t i = 0; i < count; ++i)
    if (const float value = call.params->f32_at(name, i, 1.0F); !(value > 0.0F))
      return invalid("op-param-value", concat(name, " is ", value)).fix_by("use a number above 0");
  return {};
}

// What keeps divisors of norms above 0.
inline Status check_epsilon(const OpCall& call) {
  const float epsilon = call.params->f32("epsilon", 0.0F);
  if (std::isfinite(epsilon) && epsilon >= 0.0F) return {};
  return invalid("op-param-value", concat("epsilon ", epsilon, " is not a finite number of 0 or more"));
}

// A fraction of overlap.
inline Status check_unit(const OpCall& call, std::string_view name) {
  const float value = call.params->f32(name, 0.0F);
  if (value >= 0.0F && value <= 1.0F) return {};
  return invalid("op-param-value", concat(name, " is ", value)).fix_by("use a number from 0 to 1");
}

}  // namespace openqnn::ops
