// SPDX-License-Identifier: BSD-3-Clause
#include "frontend/onnx/fuse/fusion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "frontend/onnx/model_builder.h"

namespace openqnn::frontend::onnx {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

std::vector<std::string> without(const ModelBuilder& builder, const std::string& fusion) {
  ConvertOptions options;
  options.without_fusions = {fusion};
  return ops_of(*BuiltModel(builder).convert(options)->graph);
}

std::vector<float> floats_of(const ir::Graph& graph, size_t node, size_t input) {
  const ir::Tensor& tensor = graph.tensors()[graph.nodes()[node].inputs[input]];
  std::vector<float> values(tensor.data.size() / sizeof(float));
  std::memcpy(values.data(), tensor.data.data(), tensor.data.size());
  return values;
}

ConvertOptions channels_last_io() {
  ConvertOptions options;
  options.input_orders["x"] = channels_last(4);
  options.output_orders["y"] = channels_last(4);
  return options;
}

TEST(Fusions, HaveNamesOfTheirOwn) {
  std::set<std::string_view> names;
  for (const Fusion& fusion : all_fusions()) EXPECT_TRUE(names.insert(fusion.name).second) << fusion.name;
}

// ---- Batch normalisation ----

ModelBuilder conv_and_batch_norm() {
  ModelBuilder model;
  model.input("x", {1, 2, 4, 4});
  model.reals("w", {2, 2, 1, 1}, {1, 2, 3, 4}).reals("b", {2}, {10, 20});
  model.reals("scale", {2}, {2, 3})
      .reals("shift", {2}, {1, -1})
      .reals("mean", {2}, {4, 5})
      .reals("var", {2}, {4, 9});
  model.node("Conv", {"x", "w", "b"}, {"c"});
  model.node("BatchNormalization", {"c", "scale", "shift", "mean", "var"}, {"y"}, {attr("epsilon", 0.0)});
  model.output("y");
  return model;
}

TEST(BatchNorm, GoesIntoTheWeightsAndTheBias) {
  const auto converted = BuiltModel(conv_and_batch_norm()).convert(channels_last_io());
  ASSERT_TRUE(converted->graph) << refused_nodes(*converted).to_string();
  EXPECT_THAT(ops_of(*converted->graph), ElementsAre("Conv2d"));
  // Channel 0: times 2/2, plus 1 - 4; channel 1: times 3/3, plus -1 - 5. The backend's order is [in, out].
  EXPECT_THAT(floats_of(*converted->graph, 0, 1), ElementsAre(1, 3, 2, 4));
  EXPECT_THAT(floats_of(*converted->graph, 0, 2), ElementsAre(7, 14));
  EXPECT_THAT(converted->trace.nodes[0].sources, ElementsAre("Conv_1", "BatchNormalization_2"));
}

TEST(BatchNorm, StaysWhenItIsSwitchedOff) {
  EXPECT_THAT(without(conv_and_batch_norm(), "batch_norm"), testing::Contains("Batchnorm"));
}

TEST(BatchNorm, StaysWhenTheConvolutionHasAnotherUser) {
  ModelBuilder model = conv_and_batch_norm();
  model.output("c");
  EXPECT_THAT(lowered(model), testing::Contains("Batchnorm"));
}

TEST(BatchNorm, ScalesTheGroupsOfATransposedConvolution) {
  ModelBuilder model;
  model.input("x", {1, 2, 3, 3});
  model.reals("w", {2, 1, 1, 1}, {5, 7}).reals("k", {2, 1, 1}, {10, 100});
  model.node("ConvTranspose", {"x", "w"}, {"c"}, {attr("group", 2)});
  model.node("Mul", {"c", "k"}, {"y"}).output("y");
  const auto converted = BuiltModel(model).convert(channels_last_io());
  ASSERT_TRUE(converted->graph) << refused_nodes(*converted).to_string();
  const auto types = ops_of(*converted->graph);
  EXPECT_THAT(types, testing::Not(testing::Contains("ElementWiseMultiply")));
  const auto conv = std::find(types.begin(), types.end(), "TransposeConv2d");
  ASSERT_NE(conv, types.end());
  EXPECT_THAT(floats_of(*converted->graph, static_cast<size_t>(conv - types.begin()), 1),
              ElementsAre(50, 700));
}

// ---- HardSwish ----

ModelBuilder hard_swish(bool divide_last, float three = 3, const Dims& six = {}) {
  ModelBuilder model;
  model.input("x", {1, 8});
  model.reals("three", {}, {three}).reals("zero", {}, {0}).reals("most", {}, {6}).reals("six", six, {6});
  model.node("Add", {"x", "three"}, {"a"}).node("Clip", {"a", "zero", "most"}, {"c"});
  if (divide_last)
    model.node("Mul", {"x", "c"}, {"m"}).node("Div", {"m", "six"}, {"y"});
  else
    model.node("Div", {"c", "six"}, {"d"}).node("Mul", {"x", "d"}, {"y"});
  model.output("y");
  return model;
}

TEST(HardSwish, IsFoundInBothOrders) {
  for (const bool divide_last : {true, false}) {
    const auto types = lowered(hard_swish(divide_last));
    EXPECT_THAT(types, ElementsAre(testing::AnyOf("HardSwish", "ElementWiseNeuron")));
    EXPECT_EQ(without(hard_swish(divide_last), "hard_swish").size(), 4U);
  }
}

TEST(HardSwish, IsNotFoundWithOtherNumbers) { EXPECT_EQ(lowered(hard_swish(true, 2)).size(), 4U); }

// A constant of more dimensions gives its own to the result.
std::vector<std::string> fusions_of(const ModelBuilder& model) {
  return BuiltModel(model).convert()->fusions;
}

TEST(HardSwish, IsNotFoundWhereAConstantAddsDimensions) {
  for (const bool divide_last : {true, false}) {
    EXPECT_THAT(fusions_of(hard_swish(divide_last, 3, {1})), SizeIs(1));
    EXPECT_THAT(fusions_of(hard_swish(divide_last, 3, {1, 1, 1})), IsEmpty());
  }
}

// ---- Gelu ----

ModelBuilder gelu(int half_at, const Dims& half = {}) {
  ModelBuilder model;
  model.input("x", {1, 8});
  model.reals("root", {}, {std::sqrt(2.0F)}).reals("one", {}, {1}).reals("half", half, {0.5F});
  model.node("Div", {"x", "root"}, {"s"}).node("Erf", {"s"}, {"e"}).node("Add", {"e", "one"}, {"b"});
  if (half_at == 0)
    model.node("Mul", {"x", "half"}, {"h"}).node("Mul", {"h", "b"}, {"y"});
  else
    model.node("Mul", {"x", "b"}, {"h"}).node("Mul", {"h", "half"}, {"y"});
  return model.output("y");
}

TEST(Gelu, IsFoundWhereverTheHalfStands) {
  for (const int half_at : {0, 1}) {
    EXPECT_THAT(lowered(gelu(half_at)), ElementsAre(testing::AnyOf("Gelu", "ElementWiseNeuron")));
    EXPECT_THAT(fusions_of(gelu(half_at, {1, 1, 1})), IsEmpty());
  }
}

// 0.5 * x * (1 + tanh(0.7978846 * (x + share * x^3))).
ModelBuilder tanh_gelu(bool by_power, float share) {
  ModelBuilder model;
  model.input("x", {1, 8});
  model.reals("three", {}, {3}).reals("share", {}, {share}).reals("slope", {}, {0.7978845608F});
  model.reals("one", {}, {1}).reals("half", {}, {0.5F});
  if (by_power)
    model.node("Pow", {"x", "three"}, {"c"});
  else
    model.node("Mul", {"x", "x"}, {"q"}).node("Mul", {"x", "q"}, {"c"});
  model.node("Mul", {"share", "c"}, {"s"}).node("Add", {"x", "s"}, {"a"}).node("Mul", {"a", "slope"}, {"m"});
  model.node("Tanh", {"m"}, {"t"}).node("Add", {"t", "one"}, {"b"}).node("Mul", {"x", "half"}, {"h"});
  model.node("Mul", {"h", "b"}, {"y"}).output("y");
  return model;
}

TEST(TanhGelu, IsFoundWithAPowerAndWithProducts) {
  for (const bool by_power : {true, false}) {
    EXPECT_THAT(lowered(tanh_gelu(by_power, 0.044715F)), ElementsAre("Gelu"));
    EXPECT_EQ(without(tanh_gelu(by_power, 0.044715F), "tanh_gelu").size(), by_power ? 8U : 9U);
  }
}

TEST(TanhGelu, IsNotFoundWithOtherNumbers) { EXPECT_EQ(lowered(tanh_gelu(true, 0.05F)).size(), 8U); }

TEST(TanhGelu, IsWhatAnApproximateGeluBecomes) {
  ModelBuilder model(20);
  model.input("x", {1, 8}).node("Gelu", {"x"}, {"y"}, {attr("approximate", "tanh")}).output("y");
  EXPECT_THAT(lowered(model), ElementsAre("Gelu"));
  EXPECT_GT(without(model, "tanh_gelu").size(), 1U);
}

// ---- Products with a bias ----

ModelBuilder matmul_and_add(const Dims& x, const Dims& bias, bool bias_first = false) {
  ModelBuilder model;
  model.input("x", x).reals("w", {2, 3}, {1, 2, 3, 4, 5, 6});
  model.reals("b", bias, std::vector<float>(count_of(bias), 7));
  model.node("MatMul", {"x", "w"}, {"p"});
  if (bias_first)
    model.node("Add", {"b", "p"}, {"y"});
  else
    model.node("Add", {"p", "b"}, {"y"});
  model.output("y");
  return model;
}

TEST(MatMulBias, BecomesAnInputOfTheProduct) {
  for (const bool bias_first : {false, true}) {
    const auto converted = BuiltModel(matmul_and_add({1, 4, 2}, {3}, bias_first)).convert();
    ASSERT_TRUE(converted->graph) << refused_nodes(*converted).to_string();
    EXPECT_THAT(ops_of(*converted->graph), ElementsAre("MatMul"));
    EXPECT_THAT(floats_of(*converted->graph, 0, 2), ElementsAre(7, 7, 7));
    EXPECT_THAT(converted->fusions, ElementsAre("matmul_bias: Add_2"));
  }
  EXPECT_THAT(lowered(matmul_and_add({1, 4, 2}, {1, 1, 3})), ElementsAre("MatMul"));
  EXPECT_THAT(lowered(matmul_and_add({4, 2}, {3})), ElementsAre("FullyConnected"));
  EXPECT_THAT(without(matmul_and_add({1, 4, 2}, {3}), "matmul_bias"),
              ElementsAre("MatMul", "ElementWiseAdd"));
}

TEST(MatMulBias, StaysWhenItIsNotOneNumberPerColumn) {
  EXPECT_THAT(lowered(matmul_and_add({1, 3, 2}, {3, 1})), testing::Contains("ElementWiseAdd"));
  EXPECT_THAT(lowered(matmul_and_add({1, 4, 2}, {4, 3})), testing::Contains("ElementWiseAdd"));
  EXPECT_THAT(lowered(matmul_and_add({1, 4, 2}, {2, 1, 1, 3})), testing::Contains("ElementWiseAdd"));
}

TEST(MatMulBias, StaysWhenTheProductHasAnotherUser) {
  EXPECT_THAT(lowered(matmul_and_add({1, 4, 2}, {3}).output("p")), testing::Contains("ElementWiseAdd"));
}

// A quantized model rounds between the two.
TEST(MatMulBias, StaysWhereTheModelRounds) {
  ModelBuilder model(13);
  model.input("x", {1, 4, 2}).reals("w", {2, 3}, {1, 2, 3, 4, 5, 6}).reals("b", {3}, {7, 7, 7});
  model.reals("s", {}, {0.5F}).constant("z", ElementType::kUint8, {}, std::vector<uint8_t>{3});
  model.node("MatMul", {"x", "w"}, {"p"}).node("QuantizeLinear", {"p", "s", "z"}, {"q"});
  model.node("DequantizeLinear", {"q", "s", "z"}, {"d"}).node("Add", {"d", "b"}, {"y"}).output("y");
  EXPECT_THAT(lowered(model), ElementsAre("MatMul", "ElementWiseAdd"));
}

// ---- The scale of a product ----

// Scores as exporters write them: scale the product, or the query before it.
struct Scores {
  bool before = false;   // the query is scaled, not the product
  bool divides = false;  // by 4 instead of times 0.25
  float scale = 0.25F;
  bool rounds = false;  // the model is quantized after the product
};

ModelBuilder scores(const Scores& how) {
  ModelBuilder model(13);
  model.input("x", {1, 3, 4}).input("k", {1, 2, 2, 3});
  model.reals("w", {4, 4}, {4, 8, 12, 16, 4, 8, 12, 16, 4, 8, 12, 16, 4, 8, 12, 16})
      .reals("b", {4}, {4, 8, 12, 16});
  model.reals("s", {}, {how.divides ? 1 / how.scale : how.scale});
  model.constant("shape", ElementType::kInt64, {4}, std::vector<int64_t>{1, 3, 2, 2});
  const char* const type = how.divides ? "Div" : "Mul";
  model.node("MatMul", {"x", "w"}, {"p"})
      .node("Add", {"p", "b"}, {"a"})
      .node("Reshape", {"a", "shape"}, {"r"});
  model.node("Transpose", {"r"}, {"t"}, {attr("perm", std::vector<int64_t>{0, 2, 1, 3})});
  if (how.before) {
    model.node(type, {"t", "s"}, {"q"}).node("MatMul", {"q", "k"}, {"m"});
  } else if (how.rounds) {
    model.reals("step", {}, {0.5F}).constant("zero", ElementType::kUint8, {}, std::vector<uint8_t>{3});
    model.node("MatMul", {"t", "k"}, {"d"}).node("QuantizeLinear", {"d", "step", "zero"}, {"i"});
    model.node("DequantizeLinear", {"i", "step", "zero"}, {"o"}).node(type, {"o", "s"}, {"m"});
  } else {
    model.node("MatMul", {"t", "k"}, {"o"}).node(type, {"o", "s"}, {"m"});
  }
  model.node("Softmax", {"m"}, {"y"}, {attr("axis", -1)}).output("y");
  return model;
}

bool scales(const std::vector<std::string>& types) {
  return std::ranges::any_of(types, [](const std::string& type) {
    return type.find("Multiply") + 1 != 0 || type.find("Divide") + 1 != 0;
  });
}

TEST(ProductScale, GoesIntoTheWeightsBeforeIt) {
  for (const bool before : {false, true})
    for (const bool divides : {false, true}) {
      const auto converted = BuiltModel(scores({.before = before, .divides = divides})).convert();
      ASSERT_TRUE(converted->graph) << refused_nodes(*converted).to_string();
      EXPECT_FALSE(scales(ops_of(*converted->graph)));
      const auto weights = floats_of(*converted->graph, 0, 1);
      EXPECT_EQ(*std::ranges::max_element(weights), 4);
      EXPECT_THAT(floats_of(*converted->graph, 0, 2), ElementsAre(1, 2, 3, 4));
      EXPECT_TRUE(scales(without(scores({.before = before, .divides = divides}), "product_scale")));
    }
}

TEST(ProductScale, ReachesALayerRightBeforeIt) {
  ModelBuilder model;
  model.input("x", {1, 3, 2}).reals("w", {2, 2}, {2, 4, 6, 8}).reals("s", {}, {0.5F});
  model.node("MatMul", {"x", "w"}, {"p"}).node("Mul", {"s", "p"}, {"y"}).output("y");
  const auto converted = BuiltModel(model).convert();
  ASSERT_TRUE(converted->graph) << refused_nodes(*converted).to_string();
  EXPECT_THAT(ops_of(*converted->graph), ElementsAre("MatMul"));
  EXPECT_THAT(floats_of(*converted->graph, 0, 1), testing::UnorderedElementsAre(1, 2, 3, 4));
  EXPECT_THAT(converted->trace.nodes[0].sources, ElementsAre("MatMul_1", "Mul_2"));
}

TEST(ProductScale, StaysWhenSomethingElseTakesWhatIsScaled) {
  EXPECT_TRUE(scales(lowered(scores({}).output("o"))));
  EXPECT_TRUE(scales(lowered(scores({}).output("t"))));
  EXPECT_TRUE(scales(lowered(scores({}).output("a"))));
}

TEST(ProductScale, StaysWhereTheModelRounds) { EXPECT_TRUE(scales(lowered(scores({.rounds = true})))); }

TEST(ProductScale, StaysWhenTheFactorWouldLeaveTheRangeOfHalf) {
  EXPECT_TRUE(scales(lowered(scores({.scale = 1e6F}))));
  EXPECT_TRUE(scales(lowered(scores({.scale = 0}))));
}

// ---- Normalisations ----

ModelBuilder layer_norm(int64_t axis, const Dims& epsilon = {}) {
  ModelBuilder model;
  model.input("x", {2, 4});
  model.reals("two", {}, {2}).reals("eps", epsilon, {1e-5F});
  model.reals("g", {4}, {1, 2, 3, 4}).reals("b", {4}, {0, 0, 0, 1});
  model.node("ReduceMean", {"x"}, {"m"}, {attr("axes", std::vector<int64_t>{axis})});
  model.node("Sub", {"x", "m"}, {"d"}).node("Pow", {"d", "two"}, {"p"});
  model.node("ReduceMean", {"p"}, {"v"}, {attr("axes", std::vector<int64_t>{axis})});
  model.node("Add", {"v", "eps"}, {"e"}).node("Sqrt", {"e"}, {"r"}).node("Div", {"d", "r"}, {"n"});
  model.node("Mul", {"n", "g"}, {"s"}).node("Add", {"s", "b"}, {"y"}).output("y");
  return model;
}

TEST(LayerNorm, IsFoundOverTheLastDimension) {
  EXPECT_THAT(lowered(layer_norm(-1)), ElementsAre("LayerNorm"));
  EXPECT_THAT(without(layer_norm(-1), "layer_norm"), testing::Not(testing::Contains("LayerNorm")));
}

TEST(LayerNorm, IsNotFoundOverAnotherDimension) {
  EXPECT_THAT(lowered(layer_norm(0)), testing::Not(testing::Contains("LayerNorm")));
}

TEST(LayerNorm, IsNotFoundWhereAConstantAddsDimensions) {
  EXPECT_THAT(fusions_of(layer_norm(-1, {1, 1, 1})), IsEmpty());
}

ModelBuilder rms_norm(bool reciprocal, const Dims& epsilon = {}) {
  ModelBuilder model;
  model.input("x", {2, 4});
  model.reals("two", {}, {2}).reals("eps", epsilon, {1e-5F}).reals("g", {4}, {1, 2, 3, 4});
  model.node("Pow", {"x", "two"}, {"p"});
  model.node("ReduceMean", {"p"}, {"v"}, {attr("axes", std::vector<int64_t>{-1})});
  model.node("Add", {"v", "eps"}, {"e"}).node("Sqrt", {"e"}, {"r"});
  if (reciprocal)
    model.node("Reciprocal", {"r"}, {"i"}).node("Mul", {"x", "i"}, {"n"});
  else
    model.node("Div", {"x", "r"}, {"n"});
  return model.node("Mul", {"g", "n"}, {"y"}).output("y");
}

TEST(RmsNorm, IsFoundWithADivisionAndWithAReciprocal) {
  for (const bool reciprocal : {false, true}) {
    EXPECT_THAT(lowered(rms_norm(reciprocal)), ElementsAre("RmsNorm"));
    EXPECT_THAT(fusions_of(rms_norm(reciprocal, {1, 1, 1})), IsEmpty());
  }
}

// ---- Channels and space ----

ModelBuilder shuffle(const Dims& from, const std::vector<int64_t>& between, const std::vector<int64_t>& perm,
                     const std::vector<int64_t>& to, ElementType type = ElementType::kFloat) {
  ModelBuilder model;
  model.input("x", from, type);
  model.integers("between", between).integers("to", to);
  const ProtoWriter zeros = attr("allowzero", 1);
  model.node("Reshape", {"x", "between"}, {"a"}, {zeros});
  model.node("Transpose", {"a"}, {"t"}, {attr("perm", perm)});
  model.node("Reshape", {"t", "to"}, {"y"}, {zeros}).output("y");
  return model;
}

std::vector<std::string> lowered_channels_last(const ModelBuilder& model) {
  return ops_of(*BuiltModel(model).convert(channels_last_io())->graph);
}

TEST(DepthToSpace, IsFoundInBothModes) {
  EXPECT_THAT(
      lowered_channels_last(shuffle({1, 8, 2, 3}, {1, 2, 2, 2, 2, 3}, {0, 1, 4, 2, 5, 3}, {1, 2, 4, 6})),
      ElementsAre("DepthToSpace"));
  EXPECT_THAT(
      lowered_channels_last(shuffle({1, 8, 2, 3}, {1, 2, 2, 2, 2, 3}, {0, 3, 4, 1, 5, 2}, {1, 2, 4, 6})),
      ElementsAre("DepthToSpace"));
}

TEST(ChannelShuffle, IsFoundAndKeepsChannelsLast) {
  EXPECT_THAT(lowered_channels_last(shuffle({1, 6, 2, 2}, {1, 3, 2, 2, 2}, {0, 2, 1, 3, 4}, {1, 6, 2, 2})),
              ElementsAre("ChannelShuffle"));
}

TEST(DepthToSpace, IsNotFoundInNothing) {
  for (const int64_t block : {int64_t{0}, int64_t{1} << 32}) {
    const std::vector<int64_t> between{1, 0, block, block, 4, 4};
    EXPECT_NE(refusal_of(shuffle({1, 0, 4, 4}, between, {0, 1, 4, 2, 5, 3}, {1, 0, 4, 4})), "");
  }
}

// The backend's ops take four dimensions and reals.
TEST(ChannelShuffle, IsNotFoundWhereTheBackendHasNone) {
  const auto made =
      lowered(shuffle({1, 6, 2, 2, 2}, {1, 3, 2, 2, 2, 2}, {0, 2, 1, 3, 4, 5}, {1, 6, 2, 2, 2}));
  EXPECT_THAT(made, ElementsAre("Reshape", "Transpose", "Reshape"));
  const auto integers =
      lowered(shuffle({1, 6, 2, 2}, {1, 3, 2, 2, 2}, {0, 2, 1, 3, 4}, {1, 6, 2, 2}, ElementType::kInt32));
  EXPECT_THAT(integers, ElementsAre("Reshape", "Transpose", "Reshape"));
}

TEST(DepthToSpace, IsNotFoundInIntegers) {
  EXPECT_THAT(lowered(shuffle({1, 8, 2, 3}, {1, 2, 2, 2, 2, 3}, {0, 1, 4, 2, 5, 3}, {1, 2, 4, 6},
                              ElementType::kInt32)),
              ElementsAre("Reshape", "Transpose", "Reshape"));
}

TEST(ChannelShuffle, IsNotFoundWithAnotherPermutation) {
  const auto types =
      lowered_channels_last(shuffle({1, 6, 2, 2}, {1, 3, 2, 2, 2}, {0, 2, 1, 4, 3}, {1, 6, 2, 2}));
  EXPECT_THAT(types, testing::Not(testing::Contains("ChannelShuffle")));
}

// ---- More dimensions than the backend has ----

std::vector<uint32_t> perm_of_the_transpose(const ir::Graph& graph) {
  for (const ir::Node& node : graph.nodes()) {
    if (node.type != "Transpose") continue;
    const ir::Param* perm = node.params.find("perm");
    std::vector<uint32_t> values(perm->data.size() / sizeof(uint32_t));
    std::memcpy(values.data(), perm->data.data(), perm->data.size());
    return values;
  }
  return {};
}

// Windows of 2 by 3 of an image [1, 4, 9, 5].
TEST(JoinedDims, AWindowPartitionNeedsFour) {
  const ModelBuilder windows = shuffle({1, 36, 5}, {1, 2, 2, 3, 3, 5}, {0, 1, 3, 2, 4, 5}, {6, 6, 5});
  const auto converted = BuiltModel(windows).convert();
  ASSERT_TRUE(converted->graph) << refused_nodes(*converted).to_string();
  EXPECT_THAT(ops_of(*converted->graph), ElementsAre("Reshape", "Transpose", "Reshape"));
  EXPECT_THAT(perm_of_the_transpose(*converted->graph), ElementsAre(0, 2, 1, 3));  // [2, 2, 3, 3 * 5]
  EXPECT_EQ(converted->fusions.size(), 1U);
  ConvertOptions options;
  options.without_fusions = {"joined_dims"};
  EXPECT_FALSE(BuiltModel(windows).convert(options)->refusals.empty());
}

TEST(JoinedDims, SixThatAllMoveAreRefused) {
  EXPECT_THAT(refusal_of(shuffle({64}, {2, 2, 2, 2, 2, 2}, {5, 4, 3, 2, 1, 0}, {64})),
              testing::HasSubstr("rank 6"));
}

// ---- The converter's own ops ----

TEST(Fusions, MakeOpsThatNoFileMayName) {
  for (const char* type : {"openqnn.ChannelShuffle", "openqnn.Rearrange", "openqnn.MatMulWithBias"}) {
    EXPECT_THAT(refusal_of(ModelBuilder().node(type, {}, {"y"}).output("y")),
                testing::HasSubstr("the converter's own"));
  }
}

}  // namespace
}  // namespace openqnn::frontend::onnx
