// SPDX-License-Identifier: BSD-3-Clause
#include "prepare/operands.h"
#include "prepare/passes.h"

namespace openqnn::prepare {
namespace {

using T = GraphBuilder::T;

Draft laid_out(const ir::Graph& graph, uint64_t vtcm, uint32_t hvx_threads = 1) {
  Draft draft = legalise(graph, part_with_vtcm(vtcm), {.hvx_threads = hvx_threads});
  lay_out(draft);
  return draft;
}

Tiling tiles(const ir::Graph& graph, uint64_t vtcm, uint32_t hvx_threads = 1) {
  auto tiling = tile(laid_out(graph, vtcm, hvx_threads).program);
  if (!tiling) {
    ADD_FAILURE() << tiling.error().to_string();
    return {{}};
  }
  return *std::move(tiling);
}

ir::Graph one_conv(ir::DataType type = kUfixed8) {
  GraphBuilder g(type);
  g.output(g.conv(g.input({1, 32, 32, 32}), 64));
  return g.build();
}

TEST(Tile, AnOpThatFitsIsOneTile) {
  const Tiling tiling = tiles(one_conv(), 8 * kMiB);
  ASSERT_EQ(tiling[0].size(), 1U);
  EXPECT_EQ(tiling[0][0], ir::Box::whole({1, 32, 32, 64}));
}

TEST(Tile, LessVtcmGivesMoreTiles) {
  size_t before = 1;
  for (const uint64_t kib : {192, 96, 64}) {
    const size_t now = tiles(one_conv(), kib * kKiB)[0].size();
    EXPECT_GT(now, before) << kib << " KiB";
    before = now;
  }
}

// The tile in the middle lies in the large input, the one at an end in hundreds of small ones.
TEST(Tile, AJoinIsCutWhereverItsInputsCrowd) {
  const auto expect_prepared = [](const std::vector<ir::Shape>& inputs) {
    GraphBuilder g(kUfixed8);
    std::vector<T> pieces;
    for (const ir::Shape& shape : inputs) pieces.push_back(g.input(shape));
    g.output(g.concat(pieces, 0));
    const auto set = prepare(g.build(), part_with_vtcm(64 * kKiB), {.optimization = 1}, Logger());
    EXPECT_TRUE(set) << set.error().to_string();
  };
  std::vector<ir::Shape> small_ones_last(593, {1, 32});
  small_ones_last.front() = {7600, 32};
  expect_prepared(small_ones_last);
  std::vector<ir::Shape> small_ones_first(601, {1});
  small_ones_first.back() = {100000};
  expect_prepared(small_ones_first);
}

TEST(Tile, TilesCoverTheOutputOnce) {
  for (uint32_t seed = 0; seed < 60; ++seed) {
    const ir::Graph graph = random_graph(seed, seed % 2 ? kUfixed8 : kFloat32, 6);
    const Draft draft = laid_out(graph, 128 * kKiB, 4);
    const auto tiling = tile(draft.program);
    if (!tiling) continue;  // too small for this graph: another test's subject
    for (size_t op = 0; op < draft.program.ops.size(); ++op) {
      const ir::Shape& shape = draft.program.tensors[draft.program.ops[op].outputs[0]].desc.shape;
      std::vector<int> times(shape.elements(), 0);
      for (const ir::Box& box : (*tiling)[op])
        ir::for_each_index(box, [&](const ir::Shape& index) { ++times[ir::offset_of(shape, index)]; });
      ASSERT_EQ(std::ranges::count(times, 1), static_cast<std::ptrdiff_t>(times.size()))
          << "seed " << seed << ", " << draft.program.ops[op].name;
    }
  }
}

// Half of VTCM, so that the next tile can be fetched meanwhile.
TEST(Tile, TheOperandsOfATileFitHalfOfVtcm) {
  for (const uint64_t kib : {1024, 256, 128}) {
    const Draft draft = laid_out(one_conv(), kib * kKiB);
    const program::Op& op = draft.program.ops[0];
    const ops::OpDef& def = *ops::find_op(op.type);
    const ops::OpCall call = program::call_of(draft.program, op);
    const auto tiling = tile(draft.program);
    ASSERT_TRUE(tiling) << tiling.error().to_string();
    for (const ir::Box& box : (*tiling)[0]) {
      const std::vector<Operand> operands =
          operands_of(op, def, call, box, ops::needed_parts(def, call, box));
      EXPECT_LE(total_bytes(operands), kib * kKiB / 2) << box.to_string();
    }
  }
}

// A task is spread over all threads; tiles are for VTCM alone.
TEST(Tile, ThreadsDoNotChangeTiles) {
  for (const uint32_t threads : {1, 2, 4, 6})
    EXPECT_EQ(tiles(chain(1, {1, 32, 32, 32}), 8 * kMiB, threads)[0].size(), 1U);
}

TEST(Tile, ASmallerShareOfVtcmGivesBandsOfWholeChunks) {
  const Draft draft = laid_out(chain(1, {1, 100, 32, 32}), 8 * kMiB);
  const auto tiling = tile(draft.program, {1.0 / 64});
  ASSERT_TRUE(tiling);
  EXPECT_GT((*tiling)[0].size(), 1U);
  for (const ir::Box& box : (*tiling)[0]) EXPECT_EQ(box.begin[1] % 8, 0U) << box.to_string();
}

TEST(Tile, AVectorOpTooSmallToSplitHasOneTile) {
  EXPECT_EQ(tiles(chain(1, {1, 1, 8, 32}), 8 * kMiB, 4)[0].size(), 1U);
}

TEST(Tile, MatrixOpsAreNotSpreadOverHvxThreads) { EXPECT_EQ(tiles(one_conv(), 8 * kMiB, 4)[0].size(), 1U); }

TEST(Tile, ChannelsAreCutInWholeMatrixBlocks) {
  GraphBuilder g(kUfixed8);
  g.output(g.conv(g.input({1, 8, 8, 256}), 200));
  const std::vector<ir::Box> boxes = tiles(g.build(), 512 * kKiB)[0];
  EXPECT_GT(boxes.size(), 1U);
  for (const ir::Box& box : boxes) EXPECT_EQ(box.begin[3] % 32, 0U) << box.to_string();
}

TEST(Tile, AnOpWhoseSmallestTileDoesNotFitIsNotDivided) {
  GraphBuilder g(kUfixed8);
  g.output(g.softmax(g.input({16, 100000})));
  // A row in and out takes 2 x 8 x 100000 bytes; each tile would be streamed in any case.
  EXPECT_EQ(tiles(g.build(), 64 * kKiB, 4)[0], std::vector<ir::Box>{ir::Box::whole({16, 100000})});
}

TEST(Tile, RowsOfAMatrixFillChunks) {
  GraphBuilder g(kUfixed8);
  g.output(g.softmax(g.input({64, 2048})));
  // A row, which takes a chunk of 64, in and out: 2 x 64 x 2048 bytes.
  EXPECT_EQ(tiles(g.build(), 256 * kKiB)[0].size(), 1U);
  EXPECT_EQ(tiles(g.build(), 256 * kKiB - 128)[0].size(), 1U) << "streamed: no smaller tile would fit";
}

// An operand that alone takes more than half of VTCM must not drive the tiles down to single rows.
TEST(Tile, WhatNeedsTheWholeVtcmIsCutNoSmallerThanThat) {
  GraphBuilder g(kUfixed8);
  g.output(g.gather(g.constant({320, 64}), 1024));  // a table of 20 KiB, of which every tile needs all
  const size_t count = tiles(g.build(), 32 * kKiB)[0].size();
  EXPECT_GE(count, 1024U * 64 / (12 * kKiB));
  EXPECT_LE(count, 32U);
}

TEST(Tile, AnOpWithSeveralOutputsIsOneTile) {
  GraphBuilder g(kUfixed8);
  g.output(g.split(g.input({1, 64, 64, 64}), 1, {16})[1]);
  const Tiling tiling = tiles(g.build(), 8 * kMiB, 4);
  EXPECT_EQ(tiling[0], std::vector<ir::Box>{ir::Box::whole({1, 16, 64, 64})});
}

TEST(Tile, WithoutRoomForAWindowOnEachOperandTheErrorNamesNodeNeedAndRemedy) {
  GraphBuilder g(kUfixed8);
  g.output(g.add(g.input({1, 100000}), g.constant({1, 100000})));
  EXPECT_TRUE(tile(laid_out(g.build(), 3 * kLeastWindow).program));
  const auto tiling = tile(laid_out(g.build(), 3 * kLeastWindow - 1).program);
  ASSERT_FALSE(tiling);
  const Diagnostic& error = tiling.error();
  EXPECT_EQ(error.failure, Failure::kExhausted);
  EXPECT_EQ(error.code, "tile-vtcm");
  EXPECT_EQ(error.where.object, "graph 'g', node 'ElementWiseAdd0'");
  EXPECT_NE(error.message.find("383 bytes of VTCM"), std::string::npos) << error.message;
  EXPECT_NE(error.message.find("3 operands"), std::string::npos) << error.message;
  EXPECT_NE(error.fix.find("VTCM"), std::string::npos);
}

TEST(Tile, AnAbsurdSizeIsRefusedBeforeItIsPlanned) {
  GraphBuilder g(kUfixed8);
  g.output(g.relu(g.input({1 << 19, 1 << 20})));
  const auto set = prepare(g.build(), part(), {}, Logger());
  ASSERT_FALSE(set);
  EXPECT_EQ(set.error().code, "tile-count");
  EXPECT_EQ(set.error().failure, Failure::kExhausted);
}

}  // namespace
}  // namespace openqnn::prepare
