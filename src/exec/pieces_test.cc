// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "ops/share.h"

namespace openqnn::exec {
namespace {

using ops::kPiecesPerThread;

// Sizes along an axis; the pieces must follow each other from the first element to the last.
std::vector<uint32_t> sizes_of(const std::vector<ir::Box>& pieces, const ir::Box& whole, size_t axis) {
  std::vector<uint32_t> sizes;
  uint32_t at = whole.begin[axis];
  for (const ir::Box& piece : pieces) {
    EXPECT_EQ(piece.begin[axis], at);
    EXPECT_GT(piece.extent(axis), 0U);
    at = piece.end[axis];
    sizes.push_back(piece.extent(axis));
  }
  EXPECT_EQ(at, whole.end[axis]);
  return sizes;
}

double time_of(const std::vector<uint32_t>& sizes, size_t threads) {
  return ops::time_of(std::vector<double>(sizes.begin(), sizes.end()), threads);
}

TEST(ShareOut, CoversAnAxisOnce) {
  for (const uint32_t extent : {1U, 2U, 7U, 14U, 28U, 100U, 1000U})
    for (const uint64_t granularity : {1U, 8U, 32U})
      for (const size_t threads : {1U, 2U, 3U, 16U}) {
        const ir::Box whole = ir::Box::whole({2, extent, 5});
        const size_t finest = ops::finest_part(threads * kPiecesPerThread);
        const auto pieces = ops::share_out(whole, 1, granularity, threads, finest);
        const auto sizes = sizes_of(pieces, whole, 1);
        EXPECT_LE(sizes.size(), finest);
        for (size_t i = 0; i + 1 < sizes.size(); ++i) EXPECT_EQ(sizes[i] % granularity, 0U);
      }
}

// The extents of images in common models, which four pieces for each of two threads do not divide evenly.
TEST(ShareOut, LetsThreadsEndTogether) {
  for (const uint32_t extent : {12U, 14U, 28U, 56U, 112U})
    for (const size_t threads : {2U, 4U}) {
      const ir::Box whole = ir::Box::whole({1, extent});
      const auto pieces = ops::share_out(whole, 1, 1, threads, ops::finest_part(threads * kPiecesPerThread));
      const auto sizes = sizes_of(pieces, whole, 1);
      EXPECT_LE(sizes.size(), 3 * threads * kPiecesPerThread / 2) << extent;
      const size_t ideal = (extent + threads - 1) / threads;
      EXPECT_LE(time_of(sizes, threads), 1.05 * static_cast<double>(ideal)) << extent;
    }
}

TEST(ShareOut, WakesNobodyForFewElements) {
  const ir::Box whole = ir::Box::whole({1, 8, 8, 32});
  const std::vector<ops::SplitAxis> axes = {{1, 1}, {3, 32}};
  EXPECT_EQ(ops::share_out(whole, axes, whole.elements(), 2 * kPiecesPerThread).size(), 1U);
  EXPECT_GT(ops::share_out(whole, axes, 1'000'000, 2 * kPiecesPerThread).size(), 2U);
  EXPECT_EQ(ops::share_out(whole, axes, 1'000'000, kPiecesPerThread).size(), 1U) << "one thread alone";
}

TEST(ShareOut, TakesTheOutermostAxis) {
  const ir::Box whole = ir::Box::whole({1, 20, 8, 640});
  for (const ir::Box& piece : ops::share_out(whole, {{3, 32}, {1, 1}}, whole.elements(), 8))
    EXPECT_EQ(piece.extent(3), 640U);
}

// ---- Products ----

// The pieces of [..., rows, columns] = in * weights for two threads.
std::vector<ir::Box> pieces_of_product(const ir::Shape& in, const ir::Shape& weights, const ir::Shape& out,
                                       ir::Layout layout) {
  const ir::TensorDesc input{ir::DataType::kFloat16, in, {}};
  ir::TensorDesc weight{ir::DataType::kFloat16, weights, {}};
  weight.layout = layout;
  const ir::TensorDesc output{ir::DataType::kFloat16, out, {}};
  const ir::Params params;
  const ops::OpDef& def = *ops::find_op("MatMul");
  const auto tiles = std::ranges::find(def.kernels, "tiles", &ops::Kernel::name);
  return pieces_of(def, *tiles, {.params = &params, .inputs = {&input, &weight}, .outputs = {&output}}, 2);
}

TEST(PiecesOfAProduct, AreRowsWhereTheyFillTiles) {
  const auto pieces = pieces_of_product({1, 196, 64}, {64, 96}, {1, 196, 96}, ir::Layout::kHmx16);
  EXPECT_GT(pieces.size(), 2U);
  for (const ir::Box& piece : pieces) EXPECT_EQ(piece.extent(2), 96U) << piece.to_string();
}

TEST(PiecesOfAProduct, AreColumnsWhereThereAreFewRows) {
  const auto pieces = pieces_of_product({1, 20, 512}, {512, 960}, {1, 20, 960}, ir::Layout::kHmx16);
  EXPECT_GT(pieces.size(), 2U);
  for (const ir::Box& piece : pieces) EXPECT_EQ(piece.extent(1), 20U) << piece.to_string();
}

// Each piece brings the weights of its matrices into blocks.
TEST(PiecesOfAProduct, AreWholeMatricesOfWeightsThatComeAtRunTime) {
  const auto pieces =
      pieces_of_product({1, 12, 197, 64}, {1, 12, 64, 197}, {1, 12, 197, 197}, ir::Layout::kPlain);
  EXPECT_GT(pieces.size(), 2U);
  for (const ir::Box& piece : pieces) {
    EXPECT_EQ(piece.extent(2), 197U) << piece.to_string();
    EXPECT_EQ(piece.extent(3), 197U) << piece.to_string();
  }
}

TEST(PiecesOfAProduct, IsOneWhereThereIsLittleToDo) {
  EXPECT_EQ(pieces_of_product({1, 1, 20}, {20, 480}, {1, 1, 480}, ir::Layout::kHmx16).size(), 1U);
}

TEST(TimeOf, IsThatOfTheLastThread) {
  EXPECT_EQ(ops::time_of({3, 2, 2, 1}, 2), 4);
  EXPECT_EQ(ops::time_of({3, 2, 2, 1}, 1), 8);
  EXPECT_EQ(ops::time_of({5}, 4), 5);
}

}  // namespace
}  // namespace openqnn::exec
