// SPDX-License-Identifier: BSD-3-Clause
// Reductions as vectors of real numbers. Where the last dimension stays, results lie side by side, each
// folded in the order of the reference. Where it is reduced, numbers of one result are folded side by side:
// which ops do so only where that gives the same bits.
#pragma once

#include <optional>
#include <string>

#include "ops/normalise/axes.h"
#include "ops/normalise/fast/rows.h"
#include "ops/op.h"

namespace openqnn::ops::fast {

struct Reduction {
  Fold fold = Fold::kSum;
  double start = 0.0;
  bool divides = false;  // by how many there are: a mean
};

std::optional<std::string> declines_reduction(const OpCall& call, const Reduced& reduced,
                                              const Reduction& how);
void run_reduction(const KernelArgs& args, const Reduced& reduced, const Reduction& how,
                   const ir::Box& region);

}  // namespace openqnn::ops::fast
