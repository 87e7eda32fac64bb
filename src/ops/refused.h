// SPDX-License-Identifier: BSD-3-Clause
// Op types that are known but not computed, and why.
#pragma once

#include <span>
#include <string_view>

namespace openqnn::ops {

struct RefusedOp {
  std::string_view type;
  std::string_view why;  // reads on from "it is not computed: "
};

// Those with a reason of their own.
std::span<const RefusedOp> refused_ops();

// Why `type`, which find_schema knows, is not computed; empty when it is.
std::string_view why_not_computed(std::string_view type);

}  // namespace openqnn::ops
