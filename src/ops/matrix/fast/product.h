// SPDX-License-Identifier: BSD-3-Clause
// Fast sums of products with packed weights, for every op whose outputs are rows of inputs times columns of
// weights: convolutions, fully connected layers, matrix products. The op says which inputs a row has
// (RowSource); everything else is here. Results are those of the reference kernels (dot.h), bit for bit.
//
// A product runs tile by tile: the rows of a tile are gathered once (or read where they lie), and meet one
// block of columns after another.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/cpu.h"
#include "ops/matrix/fast/rows.h"
#include "ops/matrix/packed_weights.h"
#include "ops/op.h"

namespace openqnn::ops::fast {

// The functions of a kernel (Kernel in op.h) for an op whose weight matrices are `matrices`.
std::optional<std::string> declines_product(const OpCall& call, const WeightMatrices& matrices);
std::unique_ptr<const KernelPlan> plan_product(const KernelArgs& args, const WeightMatrices& matrices);
uint64_t product_scratch(const OpCall& call, const WeightMatrices& matrices);

// The columns [begin, end) of one weight matrix, for every row of the source. Output channel 0 of the matrix
// is channel `group` * columns of the bias and of the plan.
struct ColumnSpan {
  uint64_t group = 0;
  uint64_t begin = 0;
  uint64_t end = 0;
};
// At most `most` blocks of it, from the one that column `first` is in on.
Columns columns_of(const ColumnSpan& span, uint64_t first, uint64_t most);
void run_product(const KernelArgs& args, const WeightMatrices& matrices, ColumnSpan columns, RowSource next);

// Regions of whole tiles: along the outermost axis that has enough positions, or along the channels.
std::vector<ir::Box> divide_product(const OpCall& call, size_t wanted);

// The kernel that `run` is, which calls run_product, for an op whose weight matrices `matrices_of` gives.
template <WeightMatrices (*matrices_of)(const OpCall&)>
Kernel product_kernel(KernelFn run) {
  return {.name = "tiles",
          .declines = [](const OpCall& call) { return declines_product(call, matrices_of(call)); },
          .run = run,
          .plan = [](const KernelArgs& args) { return plan_product(args, matrices_of(args.call)); },
          .scratch_bytes = [](const OpCall& call) { return product_scratch(call, matrices_of(call)); },
          .divide = divide_product};
}

const TileFunctions& tile_functions(Isa isa);

}  // namespace openqnn::ops::fast
