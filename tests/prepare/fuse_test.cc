// SPDX-License-Identifier: BSD-3-Clause
#include "prepare/passes.h"

namespace openqnn::prepare {
namespace {

using Types = std::vector<std::string>;

program::Program fused(const ir::Graph& graph, const Options& options = {}) {
  Draft draft = legalise(graph, part(), options);
  fuse(draft, options, Logger());
  return draft.program;
}

// conv -> relu -> output
GraphBuilder conv_relu(ir::DataType type = kUfixed8) {
  GraphBuilder g(type);
  g.output(g.relu(g.conv(g.input({1, 8, 8, 32}), 32)));
  return g;
}

TEST(Fuse, ReluFoldsIntoTheConvolutionBeforeIt) {
  for (const ir::DataType type : {kUfixed8, kFloat32}) {
    const program::Program program = fused(conv_relu(type).build());
    ASSERT_EQ(op_types(program), Types{"Conv2d"});
    EXPECT_EQ(program.ops[0].epilogue.activation, ops::Activation::kRelu);
    EXPECT_EQ(program.tensors[program.ops[0].outputs[0]].role, ir::TensorRole::kOutput);
  }
}

TEST(Fuse, TheFusedOpListsBothSourceNodes) {
  const program::Program program = fused(conv_relu().build());
  EXPECT_EQ(program.ops[0].name, "Conv2d0");
  EXPECT_EQ(program.ops[0].source_nodes, (std::vector<uint32_t>{0, 1}));
}

TEST(Fuse, TheRoundingOfTheTensorInBetweenIsKept) {
  GraphBuilder g(kUfixed8);
  const auto between = g.conv(g.input({1, 8, 8, 32}), 32);
  g.output(g.relu(between));
  const ir::Quantization encoding = g.tensor(between).desc.quantization;
  EXPECT_EQ(fused(g.build()).ops[0].epilogue.via, encoding);
}

TEST(Fuse, NotWhenTheTensorInBetweenHasTwoReaders) {
  GraphBuilder g(kUfixed8);
  const auto between = g.conv(g.input({1, 8, 8, 32}), 32);
  g.output(g.add(g.relu(between), between));
  EXPECT_EQ(op_types(fused(g.build())), (Types{"Conv2d", "Relu", "ElementWiseAdd"}));
}

TEST(Fuse, NotWhenTheClientReadsTheTensorInBetween) {
  GraphBuilder g(kUfixed8);
  const auto between = g.output(g.conv(g.input({1, 8, 8, 32}), 32));
  g.output(g.relu(between));
  EXPECT_EQ(op_types(fused(g.build())), (Types{"Conv2d", "Relu"}));
}

TEST(Fuse, NotWhenTheClientMayUpdateTheTensorInBetween) {
  GraphBuilder g(kUfixed8);
  const auto between = g.conv(g.input({1, 8, 8, 32}), 32);
  g.tensor(between).updateable = true;
  g.output(g.relu(between));
  EXPECT_EQ(op_types(fused(g.build())), (Types{"Conv2d", "Relu"}));
}

TEST(Fuse, NotAtO1) {
  EXPECT_EQ(op_types(fused(conv_relu().build(), {.optimization = 1})), (Types{"Conv2d", "Relu"}));
  EXPECT_EQ(op_types(fused(conv_relu().build(), {.optimization = 3})), Types{"Conv2d"});
}

TEST(Fuse, NotWhenFoldingIsSwitchedOff) {
  EXPECT_EQ(op_types(fused(conv_relu().build(), {.fold_relu = false})), (Types{"Conv2d", "Relu"}));
}

TEST(Fuse, NotIntoAnOpThatCannotEndInIt) {
  GraphBuilder g(kUfixed8);
  g.output(g.relu(g.pool(g.input({1, 8, 8, 32}))));
  EXPECT_EQ(op_types(fused(g.build())), (Types{"PoolMax2d", "Relu"}));
}

TEST(Fuse, AReluOfAnInputStays) { EXPECT_EQ(op_types(fused(chain(1))), Types{"Relu"}); }

TEST(Fuse, OnlyOneOfTwoReluesFolds) {
  GraphBuilder g(kUfixed8);
  g.output(g.relu(g.relu(g.conv(g.input({1, 8, 8, 32}), 32))));
  const program::Program program = fused(g.build());
  EXPECT_EQ(op_types(program), (Types{"Conv2d", "Relu"}));
  EXPECT_EQ(program.ops[0].outputs, program.ops[1].inputs);
}

}  // namespace
}  // namespace openqnn::prepare
