// SPDX-License-Identifier: BSD-3-Clause
#include "ops/refused.h"

#include <algorithm>
#include <array>

#include "ops/op.h"

namespace openqnn::ops {
namespace {

constexpr std::array kRefused = {
    RefusedOp{"ElementWiseMux", "its operands are not public"},
    RefusedOp{"If", "it runs subgraphs, and how their tensors bind is not public"},
};

}  // namespace

std::span<const RefusedOp> refused_ops() { return kRefused; }

std::string_view why_not_computed(std::string_view type) {
  if (find_op(type)) return {};
  const auto found = std::ranges::find(kRefused, type, &RefusedOp::type);
  if (found != kRefused.end()) return found->why;
  const Schema* schema = find_schema(type);
  return schema && schema->listed ? "this backend has no kernel for it" : "the HTP tables do not list it";
}

}  // namespace openqnn::ops
