// SPDX-License-Identifier: BSD-3-Clause
// Quantized models: what is absorbed, which encodings come out, what is left at the edges.
#include "frontend/onnx/absorb_quantization.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "frontend/onnx/model_builder.h"

namespace openqnn::frontend::onnx {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using Kind = ir::Quantization::Kind;

// scale 0.5 and zero point 3 as "s" and "z"; another scale as "s2".
ModelBuilder& with_parameters(ModelBuilder& model) {
  model.reals("s", {}, {0.5F}).reals("s2", {}, {0.25F});
  return model.constant("z", ElementType::kUint8, {}, std::vector<uint8_t>{3});
}

ir::TensorEncodings encodings_of(const ModelBuilder& model) {
  auto converted = BuiltModel(model).convert();
  return converted ? converted->encodings : ir::TensorEncodings();
}

TEST(AbsorbQuantization, RemovesPairsAndKeepsTheEncoding) {
  ModelBuilder model(13);
  with_parameters(model).input("x", {1, 4});
  model.node("Relu", {"x"}, {"r"}).node("QuantizeLinear", {"r", "s", "z"}, {"q"});
  model.node("DequantizeLinear", {"q", "s", "z"}, {"d"}).node("Relu", {"d"}, {"y"}).output("y");
  EXPECT_THAT(lowered(model), ElementsAre("Relu", "Relu"));
  const auto encodings = encodings_of(model);
  ASSERT_TRUE(encodings.contains("r"));
  EXPECT_EQ(encodings.at("r").type, ir::DataType::kUfixed8);
  EXPECT_EQ(encodings.at("r").quantization, ir::Quantization::per_tensor(0.5F, -3));
}

TEST(AbsorbQuantization, GoesThroughOpsThatMoveIntegers) {
  ModelBuilder model(13);
  with_parameters(model).input("x", {1, 2, 4, 4}).integers("shape", {1, -1});
  model.node("Relu", {"x"}, {"r"}).node("QuantizeLinear", {"r", "s", "z"}, {"q"});
  model.node("MaxPool", {"q"}, {"p"}, {attr("kernel_shape", std::vector<int64_t>{2, 2})});
  model.node("Reshape", {"p", "shape"}, {"f"}).node("DequantizeLinear", {"f", "s", "z"}, {"d"});
  model.node("Relu", {"d"}, {"y"}).output("y");
  EXPECT_THAT(lowered(model), Not(Contains("Cast")));
  EXPECT_THAT(lowered(model), Not(Contains("Dequantize")));
  EXPECT_TRUE(encodings_of(model).contains("f"));
}

// Quantizers drop a Relu where the integers begin at 0 anyway; reals do not end there by themselves.
TEST(AbsorbQuantization, SaysWhatTheRangeCutsOff) {
  const auto ops = [](std::string_view type, uint8_t zero) {
    ModelBuilder model(13);
    model.input("x", {1, 4})
        .reals("s", {}, {0.5F})
        .constant("z", ElementType::kUint8, {}, std::vector<uint8_t>{zero});
    model.node(type, {"x", "x"}, {"r"}).node("QuantizeLinear", {"r", "s", "z"}, {"q"});
    return lowered(model.node("DequantizeLinear", {"q", "s", "z"}, {"y"}).output("y"));
  };
  EXPECT_THAT(ops("Add", 0), ElementsAre("ElementWiseAdd", "ReluMinMax"));
  EXPECT_THAT(ops("Add", 3), ElementsAre("ElementWiseAdd"));
  EXPECT_THAT(ops("Max", 0), ElementsAre("ElementWiseMaximum"));
}

// A Clip or Relu of the model's own behind it does what both do.
TEST(AbsorbQuantization, JoinsWhatTheRangeCutsOffWithTheModelsOwnActivation) {
  const auto model_with = [](std::string_view type, float most) {
    ModelBuilder model(13);
    model.input("x", {1, 4}).reals("s", {}, {0.5F}).reals("low", {}, {0}).reals("high", {}, {most});
    model.constant("z", ElementType::kUint8, {}, std::vector<uint8_t>{0});
    model.node("Add", {"x", "x"}, {"r"}).node("QuantizeLinear", {"r", "s", "z"}, {"q"});
    model.node("DequantizeLinear", {"q", "s", "z"}, {"d"});
    if (type == "Relu") return model.node("Relu", {"d"}, {"y"}).output("y");
    return model.node("Clip", {"d", "low", "high"}, {"y"}).output("y");
  };
  const auto high_of = [](const ModelBuilder& model) {
    const auto converted = BuiltModel(model).convert();
    float high = 0;
    std::memcpy(&high, converted->graph->nodes()[1].params.find("max_value")->data.data(), sizeof(high));
    return high;
  };
  for (const char* type : {"Relu", "Clip"})
    EXPECT_THAT(lowered(model_with(type, 6)), ElementsAre("ElementWiseAdd", "ReluMinMax")) << type;
  EXPECT_EQ(high_of(model_with("Clip", 6)), 6.0F);
  EXPECT_EQ(high_of(model_with("Clip", 1000)), 127.5F);  // the greatest that the integers stand for
  EXPECT_EQ(high_of(model_with("Relu", 0)), 127.5F);
  // Who else takes what the range cuts off still gets it.
  EXPECT_THAT(lowered(model_with("Clip", 6).node("Sigmoid", {"d"}, {"y2"}).output("y2")),
              testing::UnorderedElementsAre("ElementWiseAdd", "ReluMinMax", "ReluMinMax", "Sigmoid"));
}

// A value has one encoding; a second quantization of it is computed.
TEST(AbsorbQuantization, ComputesAChangeOfEncoding) {
  ModelBuilder model(13);
  with_parameters(model).input("x", {1, 4});
  model.node("Relu", {"x"}, {"r"}).node("QuantizeLinear", {"r", "s", "z"}, {"q"});
  model.node("QuantizeLinear", {"r", "s2", "z"}, {"q2"});
  model.node("DequantizeLinear", {"q", "s", "z"}, {"a"}).node("DequantizeLinear", {"q2", "s2", "z"}, {"b"});
  model.node("Add", {"a", "b"}, {"y"}).output("y");
  EXPECT_THAT(lowered(model), ElementsAre("Relu", "Quantize", "Dequantize", "ElementWiseAdd"));
}

// Integers at the edges are the client's fixed point.
TEST(AbsorbQuantization, LeavesFixedPointAtTheEdges) {
  ModelBuilder model(13);
  with_parameters(model).input("x", {1, 4}, ElementType::kUint8);
  model.node("DequantizeLinear", {"x", "s", "z"}, {"d"}).node("Relu", {"d"}, {"r"});
  model.node("QuantizeLinear", {"r", "s2", "z"}, {"y"}).output("y");
  EXPECT_THAT(lowered(model), ElementsAre("Dequantize", "Relu", "Quantize"));
  const auto converted = BuiltModel(model).convert();
  const auto& tensors = converted->graph->tensors();
  EXPECT_EQ(tensors[0].desc.type, ir::DataType::kUfixed8);
  EXPECT_EQ(tensors[0].desc.quantization, ir::Quantization::per_tensor(0.5F, -3));
  EXPECT_EQ(tensors[1].desc.quantization, ir::Quantization::per_tensor(0.25F, -3));
}

// ---- Weights ----

TEST(AbsorbQuantization, DequantizesConstantsBySlice) {
  ModelBuilder model(13);
  model.constant("w", ElementType::kInt8, {2, 2}, std::vector<int8_t>{1, 2, 3, -4});
  model.reals("s", {2}, {0.5F, 2});
  model.node("DequantizeLinear", {"w", "s"}, {"y"}, {attr("axis", 0)}).output("y");
  EXPECT_THAT(folded(model), ElementsAre(0.5, 1, 6, -8));
}

TEST(AbsorbQuantization, DequantizesConstantsByBlock) {
  ModelBuilder model(21);
  model.constant("w", ElementType::kInt8, {4, 1}, std::vector<int8_t>{1, 2, 3, 4});
  model.reals("s", {2, 1}, {0.5F, 2});
  model.node("DequantizeLinear", {"w", "s"}, {"y"}, {attr("axis", 0), attr("block_size", 2)}).output("y");
  EXPECT_THAT(folded(model), ElementsAre(0.5, 1, 6, 8));
}

TEST(AbsorbQuantization, QuantizesConstants) {
  ModelBuilder model(13);
  with_parameters(model).reals("x", {5}, {0.25F, 0.75F, -9, 1000, 1});
  model.node("QuantizeLinear", {"x", "s", "z"}, {"y"}).output("y");
  EXPECT_THAT(folded(model), ElementsAre(3, 5, 0, 255, 5));  // ties to even, saturated
}

// In double precision 0.35F / 0.1F is a little less than 3.5, and 1.75F / 0.7F a little more than 2.5.
TEST(AbsorbQuantization, DividesConstantsAsOnnxDoes) {
  for (const auto& [number, scale, steps] :
       {std::tuple(0.35F, 0.1F, 4), std::tuple(1.05F, 0.7F, 2), std::tuple(1.75F, 0.7F, 2)}) {
    ModelBuilder model(13);
    model.reals("x", {1}, {number}).reals("s", {}, {scale});
    model.node("QuantizeLinear", {"x", "s"}, {"y"}).output("y");
    EXPECT_THAT(folded(model), ElementsAre(steps)) << number;
  }
}

// The channels of a convolution's weights are its first dimension in ONNX, and lie last in the graph.
TEST(AbsorbQuantization, MapsTheAxisOfWeights) {
  ModelBuilder model(13);
  with_parameters(model).input("x", {1, 1, 4, 4}, ElementType::kUint8);
  model.constant("w", ElementType::kInt8, {2, 1, 1, 1}, std::vector<int8_t>{1, 2});
  model.reals("ws", {2}, {0.5F, 2}).constant("wz", ElementType::kInt8, {2}, std::vector<int8_t>{0, 0});
  model.node("QLinearConv", {"x", "s", "z", "w", "ws", "wz", "s2", "z"}, {"y"}).output("y");
  EXPECT_THAT(lowered(model), ElementsAre("Dequantize", "Reshape", "Conv2d", "Quantize", "Transpose"));
  bool found = false;
  for (const auto& [name, encoding] : encodings_of(model)) {
    if (encoding.quantization.kind != Kind::kPerAxis) continue;
    found = true;
    EXPECT_EQ(encoding.quantization.axis, 3U);
    EXPECT_EQ(encoding.type, ir::DataType::kSfixed8);
  }
  EXPECT_TRUE(found);
}

// Weights as PyTorch holds them are turned for a MatMul, and back for the backend's FullyConnected.
TEST(AbsorbQuantization, KeepsTheEncodingOfWeightsThatAreMoved) {
  ModelBuilder model(13);
  model.input("x", {1, 3})
      .constant("w", ElementType::kInt4, {2, 3, 1}, std::vector<uint8_t>{0x21, 0x43, 0x65});
  model.reals("s", {2}, {0.5F, 2}).integers("last", {2});
  model.node("DequantizeLinear", {"w", "s"}, {"d"}, {attr("axis", 0)}).node("Squeeze", {"d", "last"}, {"q"});
  model.node("Identity", {"q"}, {"i"});
  model.node("Transpose", {"i"}, {"t"}, {attr("perm", std::vector<int64_t>{1, 0})});
  model.node("MatMul", {"x", "t"}, {"y"}).output("y");
  const auto encodings = encodings_of(model);
  ASSERT_EQ(encodings.size(), 1U);
  EXPECT_EQ(encodings.begin()->second.quantization, ir::Quantization::per_axis(0, {{0.5F, 0}, {2.0F, 0}}, 4));
}

// The bias of a QGemm counts alpha * a_scale * b_scale.
TEST(AbsorbQuantization, CountsABiasInWhatAlphaLeavesOfTheProducts) {
  ModelBuilder model(13);
  with_parameters(model).input("a", {1, 1}, ElementType::kUint8);
  model.constant("b", ElementType::kUint8, {1, 1}, std::vector<uint8_t>{4});
  model.constant("c", ElementType::kInt32, {1}, std::vector<int32_t>{8});
  model.node("com.microsoft.QGemm", {"a", "s", "z", "b", "s", "z", "c"}, {"y"}, {attr("alpha", 0.25F)});
  const auto converted = BuiltModel(model.output("y")).convert();
  ASSERT_TRUE(converted->graph) << refused_nodes(*converted).to_string();
  const ir::Graph& graph = *converted->graph;
  ASSERT_EQ(graph.nodes()[1].type, "FullyConnected");
  float bias = 0;
  std::memcpy(&bias, graph.tensors()[graph.nodes()[1].inputs[2]].data.data(), sizeof(bias));
  EXPECT_EQ(bias, 8 * 0.25F * 0.5F * 0.5F);
}

TEST(AbsorbQuantization, RefusesABiasInUnitsThatAreNone) {
  ModelBuilder model(13);
  with_parameters(model).input("a", {1, 1}, ElementType::kUint8).input("b", {1, 1}, ElementType::kUint8);
  model.constant("c", ElementType::kInt32, {1}, std::vector<int32_t>{8});
  model.node("com.microsoft.QGemm", {"a", "s", "z", "b", "s", "z", "c"}, {"y"}, {attr("alpha", -1.0F)});
  EXPECT_THAT(refusal_of(model.output("y")), HasSubstr("units of alpha, which is not above 0"));
}

TEST(AbsorbQuantization, KnowsTheOpsOfOnnxRuntime) {
  ModelBuilder model(13);
  with_parameters(model).input("a", {1, 4}, ElementType::kUint8).input("b", {1, 4}, ElementType::kUint8);
  model.node("com.microsoft.QLinearAdd", {"a", "s", "z", "b", "s2", "z", "s", "z"}, {"c"});
  model.node("com.microsoft.QLinearConcat", {"s", "z", "c", "s", "z", "a", "s", "z"}, {"d"},
             {attr("axis", 1)});
  model.node("com.microsoft.QLinearSigmoid", {"d", "s", "z", "s2", "z"}, {"y"}).output("y");
  EXPECT_THAT(lowered(model),
              ElementsAre("Dequantize", "Dequantize", "ElementWiseAdd", "Concat", "Sigmoid", "Quantize"));
}

TEST(AbsorbQuantization, RefusesWhatMakesNoSense) {
  const auto refusal = [](const std::vector<float>& scales, const Dims& dims, int64_t axis) {
    ModelBuilder model(13);
    model.input("x", {2, 3}, ElementType::kUint8).reals("s", dims, scales);
    return refusal_of(model.node("DequantizeLinear", {"x", "s"}, {"y"}, {attr("axis", axis)}).output("y"));
  };
  EXPECT_EQ(refusal({1, 2, 3}, {3}, 1), "");
  EXPECT_THAT(refusal({1, 2}, {2}, 1), HasSubstr("do not fit axis 1"));
  EXPECT_THAT(refusal({1, 2}, {2}, 7), HasSubstr("axis 7 does not exist"));
  EXPECT_THAT(refusal({1, 2}, {2}, INT64_MIN), HasSubstr("does not exist"));
  EXPECT_THAT(refusal({0}, {}, 1), HasSubstr("not a positive number"));
  EXPECT_THAT(refusal({-1}, {}, 1), HasSubstr("not a positive number"));
}

TEST(AbsorbQuantization, RefusesIntegerSums) {
  ModelBuilder model(13);
  model.input("a", {2, 2}, ElementType::kUint8).input("b", {2, 2}, ElementType::kUint8);
  EXPECT_THAT(refusal_of(model.node("MatMulInteger", {"a", "b"}, {"y"}).output("y")),
              HasSubstr("16-bit reals"));
}

}  // namespace
}  // namespace openqnn::frontend::onnx
