// SPDX-License-Identifier: BSD-3-Clause
#include "prepare/passes.h"

namespace openqnn::prepare {
namespace {

using T = GraphBuilder::T;

Draft laid_out(const ir::Graph& graph, const Options& options = {}) {
  Draft draft = legalise(graph, part(), options);
  fuse(draft, options, Logger());
  lay_out(draft);
  return draft;
}

const program::Tensor& input_of(const program::Program& program, size_t op, size_t input) {
  return program.tensors[program.ops[op].inputs[input]];
}

TEST(LayOut, WeightsArePackedForTheMatrixUnit) {
  for (const ir::DataType type : {kUfixed8, kFloat32}) {
    GraphBuilder g(type);
    g.output(g.matmul(g.conv(g.input({1, 8, 8, 32}), 40), 8));
    const program::Program program = laid_out(g.build()).program;
    const bool half = type == kFloat32;
    for (size_t op = 0; op < 2; ++op) {
      const program::Tensor& weights = input_of(program, op, 1);
      EXPECT_EQ(weights.desc.layout, half ? ir::Layout::kHmx16 : ir::Layout::kHmx8);
      EXPECT_TRUE(weights.desc.is_static);
    }
    // 3x3x32 by 40 in blocks of 32 x 32: 9 x 2 of them.
    EXPECT_EQ(input_of(program, 0, 1).bytes, 9U * 2 * 1024 * (half ? 2 : 1));
  }
}

TEST(LayOut, AQuantizedBiasCountsInAccumulatorUnits) {
  GraphBuilder g(kUfixed8);
  g.output(g.conv(g.input({1, 8, 8, 32}), 32));
  EXPECT_EQ(input_of(laid_out(g.build()).program, 0, 2).desc.type, ir::DataType::kInt32);
}

TEST(LayOut, TensorsNobodyNamesAnyMoreAreDropped) {
  GraphBuilder g(kUfixed8);
  const T between = g.conv(g.input({1, 8, 8, 32}), 32);
  g.output(g.relu(between));
  g.constant({7});  // of no node
  const std::string gone = g.tensor(between).name;
  const program::Program program = laid_out(g.build()).program;
  EXPECT_FALSE(has_tensor(program, gone)) << "the fusion removed it";
  EXPECT_EQ(program.tensors.size(), 4U);  // input, weights, bias, output
}

TEST(LayOut, AnInputThatNoNodeReadsStays) {
  GraphBuilder g(kUfixed8);
  const std::string unread = g.tensor(g.input({1, 4})).name;
  g.output(g.relu(g.input({1, 4})));
  EXPECT_TRUE(has_tensor(laid_out(g.build()).program, unread));
}

std::vector<std::byte> bytes_of(const ir::Tensor& tensor) {
  return {tensor.data.bytes().begin(), tensor.data.bytes().end()};
}

TEST(LayOut, EqualConstantsAreStoredOnce) {
  GraphBuilder g(kUfixed8);
  const T first = g.constant({64});
  const T twin = g.constant({64});
  const T other = g.constant({64});
  g.tensor(twin).data = ir::Blob::of(bytes_of(g.tensor(first)));
  g.output(g.add(g.add(g.add(g.input({4, 64}), first), twin), other));
  const Draft draft = laid_out(g.build());
  EXPECT_EQ(draft.constants.size(), 128U);
  EXPECT_EQ(input_of(draft.program, 0, 1).offset, input_of(draft.program, 1, 1).offset);
  EXPECT_NE(input_of(draft.program, 0, 1).offset, input_of(draft.program, 2, 1).offset);
}

TEST(LayOut, ConstantsBeginOnACacheLine) {
  GraphBuilder g(kUfixed8);
  T last = g.input({3, 7});
  for (int i = 0; i < 5; ++i) last = g.add(last, g.constant({7}));
  g.output(last);
  const Draft draft = laid_out(g.build());
  for (size_t op = 0; op < 5; ++op) {
    const program::Tensor& constant = input_of(draft.program, op, 1);
    EXPECT_EQ(constant.offset % 64, 0U);
    EXPECT_LE(constant.offset + constant.bytes, draft.constants.size());
  }
}

TEST(LayOut, ConstantsHoldTheStoredBytes) {
  GraphBuilder g(kUfixed8);
  const T k1 = g.constant({7});
  const T k2 = g.constant({9});
  g.output(g.add(g.input({3, 7}), k1));
  g.output(g.add(g.input({3, 9}), k2));
  const Draft draft = laid_out(g.build());
  const T operands[] = {k1, k2};
  for (size_t op = 0; op < 2; ++op) {
    const program::Tensor& constant = input_of(draft.program, op, 1);
    const auto* stored = draft.constants.data() + constant.offset;
    EXPECT_EQ(std::vector<std::byte>(stored, stored + constant.bytes), bytes_of(g.tensor(operands[op])));
  }
}

// Two convolutions of one client tensor: a network that shares weights (a siamese one, a recurrent one).
TEST(LayOut, OpsMayShareWeightsAndBias) {
  for (const ir::DataType type : {kUfixed8, kFloat32}) {
    GraphBuilder g(type);
    const T w = g.weights({1, 1, 32, 32});
    const T b = g.bias(32);
    const T first = g.conv(g.input({1, 8, 8, 32}), w, b, {.filter = 1, .pad = 0});
    g.output(g.conv(first, w, b, {.filter = 1, .pad = 0}));
    const program::ProgramSet set = prepared(g.build());
    const program::Program& program = *set.programs[0];
    ASSERT_EQ(program.ops.size(), 2U);
    EXPECT_EQ(input_of(program, 0, 1).offset, input_of(program, 1, 1).offset) << "stored twice";
  }
}

// The same tensor as a bias, stored in accumulator units, and as an operand that stays as it is.
TEST(LayOut, AConstantMayBeStoredInTwoForms) {
  GraphBuilder g(kFloat32);
  const T k = g.constant({32, 32});
  const T in = g.input({32, 32});
  g.output(g.matmul(g.add(in, k), k, false));
  const program::Program program = program_of(g.build());
  ASSERT_EQ(program.ops.size(), 2U);
  EXPECT_EQ(input_of(program, 0, 1).desc.layout, ir::Layout::kPlain);
  EXPECT_EQ(input_of(program, 1, 1).desc.layout, ir::Layout::kHmx16);
}

}  // namespace
}  // namespace openqnn::prepare
