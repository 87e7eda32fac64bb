// SPDX-License-Identifier: BSD-3-Clause
// Fast sums of products with packed weights, for every op whose outputs are rows of inputs times columns of
// weights: convolutions, fully connected layers, matrix products. The op says which inputs a row has
// (RowSource); everything else is here. Results are those of the reference kernels (dot.h), bit for bit.
//
// A product runs tile by tile: the rows of a tile are gathered once (or read where they lie), and meet one
// block of columns after another.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/cpu.h"
#include "base/function_ref.h"
#include "ops/matrix/fast/tile.h"
#include "ops/matrix/packed_weights.h"
#include "ops/op.h"

namespace openqnn::ops::fast {

inline constexpr int64_t kPadding = -1;

// Some rows of the product: which elements of the input each has, and where its results go.
struct Rows {
  size_t count = 0;
  std::array<uint64_t, kTileRows> outputs{};  // element of the output that column 0 of the matrix goes to
  // [tap][kTileRows]: the element of the input from which `channels` of them are the row's k of that tap, or
  // kPadding.
  std::span<int64_t> taps;
};
// Fills in up to `most` of the next rows; none (count 0) at the end.
using RowSource = FunctionRef<void(Rows& rows, size_t most)>;

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
void run_product(const KernelArgs& args, const WeightMatrices& matrices, ColumnSpan columns, RowSource next);

// Rows of `k` elements that lie `stride` apart, of which some go to consecutive rows of `columns` results.
class DenseRows {
 public:
  DenseRows(uint64_t first_input, uint64_t stride, uint64_t first_output, uint64_t columns, uint64_t count)
      : input_(first_input), stride_(stride), output_(first_output), columns_(columns), left_(count) {}

  void operator()(Rows& rows, size_t most) {
    for (rows.count = 0; rows.count < most && left_ > 0; ++rows.count, --left_) {
      rows.taps[rows.count] = static_cast<int64_t>(input_);
      rows.outputs[rows.count] = output_;
      input_ += stride_;
      output_ += columns_;
    }
  }

 private:
  uint64_t input_;
  uint64_t stride_;
  uint64_t output_;
  uint64_t columns_;
  uint64_t left_;
};

// Regions of whole tiles: along the outermost axis that has enough positions, or along the channels.
std::vector<ir::Box> divide_product(const OpCall& call, size_t wanted);

const TileFunctions& tile_functions(Isa isa);

}  // namespace openqnn::ops::fast
