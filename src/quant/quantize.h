// SPDX-License-Identifier: BSD-3-Clause
// A float graph becomes one of integers: as the plan says, with conversions where float and integers meet.
#pragma once

#include "base/result.h"
#include "ir/graph.h"
#include "quant/plan.h"

namespace openqnn::quant {

// `plan` must have been made for `graph`.
Result<ir::Graph> apply(const ir::Graph& graph, const Plan& plan, const Options& options);

}  // namespace openqnn::quant
