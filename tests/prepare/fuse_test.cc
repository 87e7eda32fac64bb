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

TEST(Fuse, TheResultHasTheEncodingAfterTheActivation) {
  GraphBuilder g(kUfixed8);
  const auto relu = g.output(g.relu(g.conv(g.input({1, 8, 8, 32}), 32)));
  const ir::Quantization encoding = g.tensor(relu).desc.quantization;
  const program::Program program = fused(g.build());
  EXPECT_EQ(program.tensors[program.ops[0].outputs[0]].desc.quantization, encoding);
}

// conv -> an activation of one input -> output
program::Program after_conv(const std::string& type, ir::DataType data, const Options& options = {}) {
  GraphBuilder g(data);
  g.output(g.unary(type, g.conv(g.input({1, 8, 8, 32}), 32)));
  return fused(g.build(), options);
}

// feature: B6 (inside)
TEST(Fuse, AdvancedFusionIsForFloatAtEveryLevel) {
  for (const char* type : {"Sigmoid", "Tanh", "Gelu"}) {
    EXPECT_EQ(op_types(after_conv(type, kFloat32)), Types{"Conv2d"}) << type;
    EXPECT_EQ(op_types(after_conv(type, kFloat32, {.optimization = 1})), Types{"Conv2d"}) << type;
    EXPECT_EQ(op_types(after_conv(type, kUfixed8)), (Types{"Conv2d", type}));
    EXPECT_EQ(op_types(after_conv(type, kFloat32, {.advanced_fusion = false})), (Types{"Conv2d", type}));
  }
}

TEST(Fuse, ClampsFoldAsReluDoes) {
  const program::Program program = after_conv("Relu6", kUfixed8);
  ASSERT_EQ(op_types(program), Types{"Conv2d"});
  EXPECT_EQ(program.ops[0].epilogue.activation, ops::Activation::kClamp);
  EXPECT_EQ(program.ops[0].epilogue.high, 6.0F);
  EXPECT_EQ(op_types(after_conv("Relu6", kUfixed8, {.fold_relu = false})), (Types{"Conv2d", "Relu6"}));
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

TEST(Fuse, AtO1OnlyWhatChangesTheResult) {
  EXPECT_EQ(op_types(fused(conv_relu(kFloat32).build(), {.optimization = 1})), (Types{"Conv2d", "Relu"}));
  EXPECT_EQ(op_types(fused(conv_relu(kFloat32).build(), {.optimization = 3})), Types{"Conv2d"});
  EXPECT_EQ(op_types(fused(conv_relu().build(), {.optimization = 1})), Types{"Conv2d"});
}

TEST(Fuse, NotWhenFoldingIsSwitchedOff) {
  EXPECT_EQ(op_types(fused(conv_relu().build(), {.fold_relu = false})), (Types{"Conv2d", "Relu"}));
}

TEST(Fuse, NotWhenTheActivationLeavesFewerBits) {
  GraphBuilder g(kUfixed8);
  const auto relu = g.output(g.relu(g.conv(g.input({1, 8, 8, 32}), 32)));
  g.tensor(relu).desc.quantization.bits = 4;
  EXPECT_EQ(op_types(program_of(g.build())), (Types{"Conv2d", "Relu"}));
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

// x -> sigmoid -> times x -> output
GraphBuilder swish(ir::DataType type) {
  GraphBuilder g(type);
  const auto x = g.input({1, 8, 8, 32});
  g.output(g.multiply(x, g.unary("Sigmoid", x)));
  return g;
}

TEST(Fuse, AFunctionTimesItsInputIsOneOp) {
  for (const ir::DataType type : {kUfixed8, kFloat32}) {
    const program::Program program = fused(swish(type).build());
    ASSERT_EQ(op_types(program), Types{"Sigmoid"});
    EXPECT_EQ(program.ops[0].epilogue.activation, ops::Activation::kTimesInput);
    EXPECT_EQ(program.ops[0].source_nodes, (std::vector<uint32_t>{0, 1}));
    EXPECT_EQ(op_types(fused(swish(type).build(), {.optimization = 1})),
              (Types{"Sigmoid", "ElementWiseMultiply"}));
  }
}

TEST(Fuse, AProductOfTheFamilyIsOne) {
  constexpr uint32_t kAdd = 0;
  constexpr uint32_t kMultiply = 13;
  for (const uint32_t operation : {kAdd, kMultiply}) {
    GraphBuilder g(kUfixed8);
    const auto x = g.input({1, 8, 8, 32});
    g.output(g.binary(x, g.unary("Sigmoid", x), operation));
    EXPECT_EQ(op_types(fused(g.build())),
              operation == kMultiply ? Types{"Sigmoid"} : (Types{"Sigmoid", "ElementWiseBinary"}));
  }
}

TEST(Fuse, AnOffsetAsFarAsAnyMayLieInBetween) {
  GraphBuilder g(ir::DataType::kUfixed16);
  const auto x = g.input({1, 8, 8, 32});
  const auto gate = g.unary("Sigmoid", x);
  g.tensor(gate).desc.quantization = ir::Quantization::per_tensor(0.01F, -(1 << 17));
  g.output(g.multiply(x, gate));
  EXPECT_EQ(op_types(program_of(g.build())), Types{"Sigmoid"});
}

TEST(Fuse, NotTimesPlainIntegers) {
  GraphBuilder g(ir::DataType::kInt32);
  const auto x = g.input({1, 8, 8, 32});
  g.output(g.multiply(x, g.unary("ElementWiseAbs", x)));
  EXPECT_EQ(op_types(program_of(g.build())), (Types{"ElementWiseAbs", "ElementWiseMultiply"}));
}

TEST(Fuse, NotTimesAnotherTensor) {
  GraphBuilder g(kUfixed8);
  const auto x = g.input({1, 8, 8, 32});
  const auto relu = g.relu(x);
  g.output(g.multiply(relu, g.unary("Sigmoid", x)));
  EXPECT_EQ(op_types(fused(g.build())), (Types{"Relu", "Sigmoid", "ElementWiseMultiply"}));
}

TEST(Fuse, NotWhenTheFunctionIsReadElsewhere) {
  GraphBuilder g(kUfixed8);
  const auto x = g.input({1, 8, 8, 32});
  const auto gate = g.unary("Sigmoid", x);
  g.output(g.add(g.multiply(x, gate), gate));
  EXPECT_EQ(op_types(fused(g.build())), (Types{"Sigmoid", "ElementWiseMultiply", "ElementWiseAdd"}));
}

}  // namespace
}  // namespace openqnn::prepare
