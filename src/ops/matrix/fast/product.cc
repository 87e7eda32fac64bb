// SPDX-License-Identifier: BSD-3-Clause
#include "ops/matrix/fast/product.h"

#include <algorithm>

#include "base/units.h"
#include "ops/matrix/conv_geometry.h"
#include "ops/matrix/dot.h"
#include "ops/matrix/fast/operands.h"
#include "ops/matrix/fast/typed_products.h"
#include "ops/share.h"

namespace openqnn::ops::fast {

const TileFunctions& tile_functions(Isa isa) {
#if OPENQNN_X86
  if (isa == Isa::kAvx512) return kAvx512Tiles;
  if (isa == Isa::kAvx2) return kAvx2Tiles;
#endif
  static_cast<void>(isa);
  return kPortableTiles;
}

namespace {

// Below this many products other threads are not worth waking: it takes some two microseconds.
constexpr uint64_t kLeastProducts = 30'000;

// What gathering and widening the rows of a tile costs beside its product with one block of columns. Every
// piece does it for its rows, so that pieces which share them do it several times.
constexpr double kCostOfRows = 0.2;

// How long a piece takes, in products of a tile of rows and a block of columns.
double cost_of(const ir::Box& piece) {
  const size_t last = piece.rank() - 1;
  const uint64_t positions = piece.elements() / piece.extent(last);
  // The last tile may be a part of one, which takes half as long at least.
  const double tiles = static_cast<double>(ceil_div(2 * positions, kTileRows)) / 2;
  return tiles * (static_cast<double>(ceil_div(piece.extent(last), kTileColumns)) + kCostOfRows);
}

double time_of(const std::vector<ir::Box>& pieces, size_t threads) {
  std::vector<double> costs;
  for (const ir::Box& piece : pieces) costs.push_back(cost_of(piece));
  return ops::time_of(costs, threads);
}

}  // namespace

std::vector<ir::Box> divide_product(const OpCall& call, size_t wanted) {
  const ir::Box whole = ir::Box::whole(call.out().shape);
  const size_t last = whole.rank() - 1;
  const size_t threads = wanted / kPiecesPerThread;
  const uint64_t positions = whole.elements() / std::max<uint64_t>(whole.extent(last), 1);
  if (threads < 2 || positions * call.in(kWeight).shape.elements() < kLeastProducts) return {whole};
  std::vector<ir::Box> best = share_out(whole, last, kTileColumns, threads, finest_part(wanted));
  double time_of_best = time_of(best, threads);
  // Weights that come at run time are brought into blocks by every piece: one with some rows of a matrix
  // would do it for all of its columns.
  const size_t end = at_run_time(call) && last > 0 ? last - 1 : last;
  for (size_t axis = end; axis-- > 0;) {
    if (whole.extent(axis) < 2) continue;
    const uint64_t steps = ceil_div(kTileRows * whole.extent(axis), positions);  // that fill a tile
    std::vector<ir::Box> pieces = share_out(whole, axis, steps, threads, finest_part(wanted));
    if (const double time = time_of(pieces, threads); time <= time_of_best) {
      best = std::move(pieces);
      time_of_best = time;
    }
  }
  return best;
}

std::optional<std::string> declines_product(const OpCall& call, const WeightMatrices& matrices) {
  if (call.in(kInput).type == ir::DataType::kFloat32) return "the activations are single precision";
  if (is_depth_wise(matrices)) return "channels are not mixed";
  if (is_half(call)) return declines_halves(call, matrices);
  return declines_bytes(call, matrices);
}

std::unique_ptr<const KernelPlan> plan_product(const KernelArgs& args, const WeightMatrices& matrices) {
  if (!at_run_time(args.call) && !args.inputs[kWeight]) return nullptr;
  if (args.call.has_input(kBias) && !args.inputs[kBias]) return nullptr;
  if (is_half(args.call)) return plan_halves(args, matrices);
  return plan_bytes(args, matrices);
}

uint64_t product_scratch(const OpCall& call, const WeightMatrices& matrices) {
  if (is_half(call)) return half_scratch(call, matrices);
  return byte_scratch(call, matrices);
}

Columns columns_of(const ColumnSpan& span, uint64_t first, uint64_t most) {
  Columns columns{.first = first / kTileColumns * kTileColumns};
  columns.blocks = std::min<uint64_t>(most, ceil_div(span.end - columns.first, kTileColumns));
  if (span.begin > columns.first) columns.in_first = UINT32_MAX << (span.begin - columns.first);
  const uint64_t end = columns.first + columns.blocks * kTileColumns;
  if (span.end < end) columns.in_last = UINT32_MAX >> (end - span.end);
  return columns;
}

void run_product(const KernelArgs& args, const WeightMatrices& matrices, ColumnSpan columns, RowSource next) {
  if (columns.begin >= columns.end) return;
  if (is_half(args.call))
    run_halves(args, matrices, columns, next);
  else
    run_bytes(args, matrices, columns, next);
}

}  // namespace openqnn::ops::fast
