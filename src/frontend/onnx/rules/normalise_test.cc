// SPDX-License-Identifier: BSD-3-Clause
// Normalisations: which op they become, what is folded, layouts, refusals.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/onnx/model_builder.h"

namespace openqnn::frontend::onnx {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<float> static_values(const ir::Graph& graph, ir::TensorIndex tensor) {
  const auto data = graph.tensors()[tensor].data.bytes();
  std::vector<float> values(data.size() / sizeof(float));
  std::memcpy(values.data(), data.data(), data.size());
  return values;
}

ModelBuilder batch_norm(const std::vector<ProtoWriter>& attributes = {}) {
  ModelBuilder model(15);
  model.input("x", {1, 2, 4, 4}).reals("scale", {2}, {2, 3}).reals("bias", {2}, {1, 1});
  model.reals("mean", {2}, {0.5F, 0}).reals("var", {2}, {4, 9});
  return model.node("BatchNormalization", {"x", "scale", "bias", "mean", "var"}, {"y"}, attributes)
      .output("y");
}

// y = x * scale / sqrt(var) + bias - mean * that.
TEST(OnnxBatchNorm, BecomesScaleAndShift) {
  const auto converted = BuiltModel(batch_norm({attr("epsilon", 0.0F)})).convert();
  ASSERT_TRUE(converted && converted->graph);
  const ir::Node& node = converted->graph->nodes()[1];
  ASSERT_EQ(node.type, "Batchnorm");
  EXPECT_THAT(static_values(*converted->graph, node.inputs[1]), ElementsAre(1, 1));
  EXPECT_THAT(static_values(*converted->graph, node.inputs[2]), ElementsAre(0.5F, 1));
}

TEST(OnnxBatchNorm, RefusesTraining) {
  EXPECT_THAT(refusal_of(batch_norm({attr("training_mode", 1)})), HasSubstr("training mode"));
}

TEST(OnnxGroupNorm, TakesOneNumberPerGroupOrPerChannel) {
  const auto ops = [](int64_t opset, int64_t numbers, int64_t groups) {
    ModelBuilder model(opset);
    const std::vector<float> ones(static_cast<size_t>(numbers), 1.0F);
    model.input("x", {1, 4, 2, 2}).reals("s", {numbers}, ones).reals("b", {numbers}, ones);
    return lowered(
        model.node("GroupNormalization", {"x", "s", "b"}, {"y"}, {attr("num_groups", groups)}).output("y"));
  };
  EXPECT_THAT(ops(21, 4, 2), ElementsAre("Transpose", "GroupNorm", "Transpose"));
  EXPECT_THAT(ops(18, 2, 2), testing::Contains("Tile"));
  EXPECT_THAT(ops(21, 4, 3), ElementsAre(HasSubstr("3 groups")));
  EXPECT_THAT(ops(21, 4, 0), ElementsAre(HasSubstr("0 groups")));
  EXPECT_THAT(ops(21, 3, 2), ElementsAre(HasSubstr("is [3], not [4]")));
}

// ---- Along dimensions ----

ModelBuilder layer_norm(std::string_view type, const Dims& x, int64_t axis, const Dims& gamma) {
  ModelBuilder model(23);
  model.input("x", x).reals("g", gamma, std::vector<float>(count_of(gamma), 1.0F));
  return model.node(type, {"x", "g"}, {"y"}, {attr("axis", axis)}).output("y");
}

TEST(OnnxLayerNorm, NormalisesWhatLiesLast) {
  EXPECT_THAT(lowered(layer_norm("LayerNormalization", {2, 3, 4}, -1, {4})), ElementsAre("LayerNorm"));
  EXPECT_THAT(lowered(layer_norm("RMSNormalization", {2, 3, 4}, -1, {4})), ElementsAre("RmsNorm"));
  EXPECT_THAT(lowered(layer_norm("LayerNormalization", {2, 3, 4}, 1, {3, 4})),
              ElementsAre("Reshape", "LayerNorm", "Reshape"));
  EXPECT_THAT(lowered(layer_norm("LayerNormalization", {2, 3, 4}, 1, {4})),
              ElementsAre("Reshape", "LayerNorm", "Reshape", "ElementWiseMultiply"));
}

TEST(OnnxLayerNorm, RefusesWhatDoesNotFit) {
  EXPECT_THAT(refusal_of(layer_norm("LayerNormalization", {2, 3}, -1, {4})), HasSubstr("does not fit"));
  EXPECT_THAT(refusal_of(layer_norm("LayerNormalization", {2, 3}, 5, {3})), HasSubstr("axis 5"));
}

TEST(OnnxLayerNorm, GivesTheSumOfASkip) {
  ModelBuilder model(17);
  model.input("x", {1, 2, 4}).input("skip", {1, 2, 4}).reals("g", {4}, {1, 1, 1, 1});
  model.node("com.microsoft.SkipSimplifiedLayerNormalization", {"x", "skip", "g"}, {"y", "", "", "sum"});
  model.output("y").output("sum");
  EXPECT_THAT(lowered(model), ElementsAre("ElementWiseAdd", "RmsNorm"));
}

TEST(OnnxLrn, RefusesWindowsWithoutAMiddle) {
  ModelBuilder model(13);
  model.input("x", {1, 4, 2, 2}).node("LRN", {"x"}, {"y"}, {attr("size", 4)}).output("y");
  EXPECT_THAT(refusal_of(model), HasSubstr("odd sizes"));
}

}  // namespace
}  // namespace openqnn::frontend::onnx
