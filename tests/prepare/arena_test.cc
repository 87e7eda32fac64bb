// SPDX-License-Identifier: BSD-3-Clause
#include "prepare/passes.h"

namespace openqnn::prepare {
namespace {

using program::Storage;
using T = GraphBuilder::T;

program::Program planned(const ir::Graph& graph) {
  Draft draft = legalise(graph, part(), {});
  fuse(draft, {}, Logger());
  lay_out(draft);
  plan_arena(draft.program);
  return draft.program;
}

bool share_bytes(const program::Tensor& a, const program::Tensor& b) {
  return a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes;
}

// Runs the ops in order over a map of who owns each byte: what an op reads must still be its own.
void expect_values_survive(const program::Program& program) {
  std::vector<T> owner(program.arena_bytes, ir::kNoTensor);
  const auto write = [&](T index) {
    const program::Tensor& tensor = program.tensors[index];
    if (tensor.storage != Storage::kArena) return;
    ASSERT_LE(tensor.offset + tensor.bytes, program.arena_bytes);
    std::fill_n(owner.begin() + static_cast<std::ptrdiff_t>(tensor.offset), tensor.bytes, index);
  };
  const auto expect_owned = [&](T index, const std::string& by) {
    const program::Tensor& tensor = program.tensors[index];
    if (tensor.storage != Storage::kArena) return;
    for (uint64_t byte = tensor.offset; byte < tensor.offset + tensor.bytes; ++byte)
      ASSERT_EQ(owner[byte], index) << "byte " << byte << " of '" << tensor.name << "' for " << by;
  };
  for (T i = 0; i < program.tensors.size(); ++i)
    if (program.tensors[i].role == ir::TensorRole::kInput) write(i);
  for (const program::Op& op : program.ops) {
    for (const T output : op.outputs)
      if (output != ir::kNoTensor) write(output);
    for (const T output : op.outputs)  // none over another
      if (output != ir::kNoTensor) expect_owned(output, op.name);
    for (const T input : op.inputs)  // after the output is written: an op may not write over its own inputs
      if (input != ir::kNoTensor) expect_owned(input, op.name);
  }
  for (T i = 0; i < program.tensors.size(); ++i)
    if (program.tensors[i].role == ir::TensorRole::kOutput) expect_owned(i, "the client");
}

TEST(Arena, LiveTensorsOfRandomGraphsNeverShareAByte) {
  for (uint32_t seed = 0; seed < 80; ++seed) {
    SCOPED_TRACE(seed);
    expect_values_survive(planned(random_graph(seed, kFloat32, 3 + seed % 25)));
    if (HasFailure()) return;
  }
}

TEST(Arena, AChainNeedsTheTwoLargestNeighboursAndNotTheSum) {
  EXPECT_EQ(planned(chain(20, {1, 8, 8, 32}, kFloat32)).arena_bytes, 2U * 8 * 8 * 32 * 2);
}

// The most bytes of activations that are needed at once, which no plan can do without.
uint64_t alive_at_once(const program::Program& program) {
  std::vector<uint64_t> alive(program.ops.size(), 0);
  for (T t = 0; t < program.tensors.size(); ++t) {
    const program::Tensor& tensor = program.tensors[t];
    if (tensor.storage != Storage::kArena) continue;
    size_t first = 0;
    size_t last = 0;
    for (size_t i = 0; i < program.ops.size(); ++i) {
      if (std::ranges::count(program.ops[i].outputs, t)) first = last = i;
      if (std::ranges::count(program.ops[i].inputs, t)) last = i;
    }
    if (tensor.role == ir::TensorRole::kOutput) last = program.ops.size() - 1;
    for (size_t i = first; i <= last; ++i) alive[i] += round_up(tensor.bytes, program::kTensorAlignment);
  }
  return *std::ranges::max_element(alive);
}

// A block of a residual network, whose shortcut outlives tensors of several sizes.
TEST(Arena, ResidualBlocksNeedWhatIsAliveAtOnce) {
  GraphBuilder g(kFloat32);
  T x = g.input({1, 16, 16, 8});
  for (int block = 0; block < 4; ++block) {
    const T narrow = g.conv(g.conv(x, 16, {.filter = 1, .pad = 0}), 16);
    const T wide = g.conv(narrow, 64, {.filter = 1, .pad = 0});
    x = g.relu(g.add(wide, block == 0 ? g.conv(x, 64, {.filter = 1, .pad = 0}) : x));
  }
  g.output(x);
  const program::Program program = planned(g.build());
  expect_values_survive(program);
  EXPECT_EQ(program.arena_bytes, alive_at_once(program));
}

TEST(Arena, RandomGraphsNeedLittleMoreThanWhatIsAliveAtOnce) {
  uint64_t needed = 0;
  uint64_t least = 0;
  for (uint32_t seed = 0; seed < 40; ++seed) {
    const program::Program program = planned(random_graph(seed, kFloat32, 25));
    needed += program.arena_bytes;
    least += alive_at_once(program);
  }
  EXPECT_LE(needed, least * 103 / 100);
}

TEST(Arena, WhatTheClientReadsIsKeptToTheEnd) {
  GraphBuilder g(kFloat32);
  const T early = g.output(g.relu(g.input({1, 64})));
  T last = early;
  for (int i = 0; i < 6; ++i) last = g.relu(last);
  g.output(last);
  const program::Program program = planned(g.build());
  const program::Tensor& kept = program.tensors[early];
  for (const program::Tensor& other : program.tensors) {
    const bool later = other.id > kept.id;
    EXPECT_FALSE(later && share_bytes(kept, other)) << other.name;
  }
}

TEST(Arena, AnOpMayReadOneTensorTwice) {
  GraphBuilder g(kFloat32);
  const T wide = g.matmul(g.input({1, 64}), 128);  // above the bytes of the input, which become free
  const T twice = g.add(wide, wide);               // released twice, its bytes would be given out twice
  g.output(g.add(g.relu(twice), g.softmax(twice)));
  expect_values_survive(planned(g.build()));
}

TEST(Arena, AResultNobodyReadsMakesRoomAtOnce) {
  GraphBuilder g(kFloat32);
  const T x = g.input({1, 64});
  for (int i = 0; i < 8; ++i) g.relu(x);
  g.output(g.relu(x));
  EXPECT_EQ(planned(g.build()).arena_bytes, 2U * 128);
}

TEST(Arena, OutputsOfOneOpLieApart) {
  GraphBuilder g(kFloat32);
  const std::vector<T> pieces = g.split(g.relu(g.input({4, 96})), 1, {32, 64});
  g.output(g.add(pieces[0], pieces[2]));  // nobody reads the one in the middle
  const program::Program program = planned(g.build());
  expect_values_survive(program);
  const auto& outputs = program.ops[1].outputs;
  ASSERT_EQ(outputs.size(), 3U);
  for (size_t i = 0; i < 3; ++i)
    for (size_t j = i + 1; j < 3; ++j)
      EXPECT_FALSE(share_bytes(program.tensors[outputs[i]], program.tensors[outputs[j]])) << i << j;
}

TEST(Arena, AnAbsentOutputTakesNoRoom) {
  Draft draft = legalise(chain(3, {4, 32}, kFloat32), part(), {});
  draft.program.ops[1].outputs.push_back(ir::kNoTensor);
  lay_out(draft);
  plan_arena(draft.program);
  expect_values_survive(draft.program);
  EXPECT_EQ(draft.program.arena_bytes, 2U * 4 * 32 * 2);
}

TEST(Arena, TensorsBeginOnACacheLine) {
  for (const program::Tensor& tensor : planned(chain(5, {1, 3, 3, 5}, kFloat32)).tensors)
    EXPECT_EQ(tensor.offset % program::kTensorAlignment, 0U) << tensor.name;
}

TEST(Arena, ClientBuffersTakeNoneOfIt) {
  const program::Program program = planned(chain(1, {1, 8, 8, 32}, kUfixed8));
  EXPECT_EQ(program.arena_bytes, 0U);
}

}  // namespace
}  // namespace openqnn::prepare
