// SPDX-License-Identifier: BSD-3-Clause
#include "ops/matrix/fast/product.h"

#include <algorithm>

#include "base/units.h"
#include "ops/common.h"
#include "ops/matrix/conv_geometry.h"
#include "ops/matrix/dot.h"
#include "ops/matrix/fast/byte_product.h"
#include "ops/matrix/fast/half_product.h"
#include "ops/matrix/fast/operands.h"

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

// Below this many results other threads are not worth waking.
constexpr uint64_t kLeastElements = 256;

}  // namespace

std::vector<ir::Box> divide_product(const OpCall& call, size_t wanted) {
  const ir::Box whole = ir::Box::whole(call.out().shape);
  const size_t last = whole.rank() - 1;
  if (wanted < 2 || whole.elements() < kLeastElements) return {whole};
  // A piece that has two tiles of rows or more reads its weights often enough.
  for (size_t axis = 0; axis < last; ++axis) {
    if (whole.extent(axis) < 2) continue;
    const uint64_t positions = whole.elements() / whole.extent(last) / whole.extent(axis);  // a step has
    const uint64_t steps = ceil_div(2 * kTileRows, positions);
    const uint64_t pieces = std::min<uint64_t>(wanted, whole.extent(axis) / steps);
    if (pieces >= wanted) return cut(whole, axis, 1, pieces);
  }
  const uint64_t blocks = ceil_div(whole.extent(last), kTileColumns);
  return cut(whole, last, kTileColumns, std::min<uint64_t>(wanted, blocks));
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
