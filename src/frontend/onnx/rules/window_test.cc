// SPDX-License-Identifier: BSD-3-Clause
// Convolutions and pools: extents, layouts, opsets, hostile attributes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

#include "frontend/onnx/model_builder.h"

namespace openqnn::frontend::onnx {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

using Numbers = std::vector<int64_t>;

ModelBuilder one_input(std::string_view type, const Dims& x, const std::vector<ProtoWriter>& attributes,
                       int64_t opset = 17) {
  ModelBuilder model(opset);
  return model.input("x", x).node(type, {"x"}, {"y"}, attributes).output("y");
}

Dims dims_of(const ModelBuilder& builder) {
  const BuiltModel built(builder);
  const auto imported = built.import();
  if (!imported || !imported->refusals.empty()) return {};
  return imported->net.values[imported->net.outputs[0].value].dims;
}

ModelBuilder convolution(std::string_view type, const Dims& x, const Dims& w,
                         const std::vector<ProtoWriter>& attributes = {}) {
  ModelBuilder model(17);
  model.input("x", x).reals("w", w, std::vector<float>(count_of(w), 1.0F));
  return model.node(type, {"x", "w"}, {"y"}, attributes).output("y");
}

// A last window that begins behind the input is none.
TEST(OnnxPool, CountsWindowsAsOnnxDoes) {
  const auto pool = [](int64_t extent, int64_t kernel, int64_t stride, const Numbers& pads, int64_t ceil) {
    return dims_of(one_input("MaxPool", {1, 1, extent},
                             {attr("kernel_shape", Numbers{kernel}), attr("strides", Numbers{stride}),
                              attr("pads", pads), attr("ceil_mode", ceil)}));
  };
  EXPECT_EQ(pool(7, 3, 2, {0, 0}, 0), (Dims{1, 1, 3}));
  EXPECT_EQ(pool(8, 3, 2, {0, 0}, 0), (Dims{1, 1, 3}));
  EXPECT_EQ(pool(8, 3, 2, {0, 0}, 1), (Dims{1, 1, 4}));
  EXPECT_EQ(pool(4, 1, 3, {0, 1}, 1), (Dims{1, 1, 2}));
}

TEST(OnnxPool, GivesNoIndices) {
  ModelBuilder model(12);
  model.input("x", {1, 1, 4, 4});
  model.node("MaxPool", {"x"}, {"y", "i"}, {attr("kernel_shape", Numbers{2, 2})}).output("y").output("i");
  EXPECT_THAT(refusal_of(model), HasSubstr("does not say where"));
}

TEST(OnnxPool, RefusesHostileWindows) {
  const auto refusal = [](const Numbers& kernel, const Numbers& strides, const Numbers& pads) {
    return refusal_of(
        one_input("AveragePool", {1, 1, 4, 4},
                  {attr("kernel_shape", kernel), attr("strides", strides), attr("pads", pads)}));
  };
  EXPECT_THAT(refusal({0, 1}, {1, 1}, {0, 0, 0, 0}), HasSubstr("kernel_shape has the number 0"));
  EXPECT_THAT(refusal({2}, {1, 1}, {0, 0, 0, 0}), HasSubstr("kernel_shape has 1 numbers, not 2"));
  EXPECT_THAT(refusal({2, 2}, {0, 1}, {0, 0, 0, 0}), HasSubstr("strides has the number 0"));
  EXPECT_THAT(refusal({2, 2}, {1, 1}, {-1, 0, 0, 0}), HasSubstr("pads has the number -1"));
  EXPECT_THAT(refusal({2, 2}, {1, 1}, {INT64_MAX, 0, 0, 0}), HasSubstr("pads has the number"));
  EXPECT_THAT(refusal({9, 9}, {1, 1}, {0, 0, 0, 0}), HasSubstr("larger than the padded input"));
  EXPECT_NE(refusal({INT32_MAX, INT32_MAX}, {1, 1}, {INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX}), "");
}

TEST(OnnxPool, ComposesNormsOfOrderOneAndTwo) {
  const auto pool = [](int64_t p) {
    return lowered(one_input("LpPool", {1, 1, 4, 4}, {attr("kernel_shape", Numbers{2, 2}), attr("p", p)}));
  };
  EXPECT_THAT(pool(2), testing::Contains("ElementWiseSquareRoot"));
  EXPECT_THAT(pool(1), testing::Contains("ElementWiseAbs"));
  EXPECT_THAT(pool(3), ElementsAre(HasSubstr("order 3")));
}

// ---- Convolutions ----

TEST(OnnxConvolution, RunsOneDimensionAsTwo) {
  EXPECT_THAT(lowered(convolution("Conv", {1, 2, 8}, {4, 2, 3})),
              ElementsAre("Transpose", "Reshape", "Conv2d", "Reshape", "Transpose"));
  EXPECT_THAT(lowered(convolution("Conv", {1, 2, 8, 8}, {2, 1, 3, 3}, {attr("group", 2)})),
              ElementsAre("Transpose", "DepthWiseConv2d", "Transpose"));
}

// Static weights stay static, whatever shape they are given.
TEST(OnnxConvolution, KeepsWeightsStatic) {
  const auto converted = BuiltModel(convolution("Conv", {1, 2, 8}, {4, 2, 3})).convert();
  ASSERT_TRUE(converted && converted->graph);
  const ir::Node& node = converted->graph->nodes()[2];
  ASSERT_EQ(node.type, "Conv2d");
  EXPECT_TRUE(converted->graph->tensors()[node.inputs[1]].desc.is_static);
}

TEST(OnnxConvolution, RefusesWhatDoesNotFit) {
  EXPECT_THAT(refusal_of(convolution("Conv", {1, 2, 8, 8}, {4, 3, 3, 3})), HasSubstr("do not fit weights"));
  EXPECT_THAT(refusal_of(convolution("Conv", {1, 2, 8, 8}, {4, 2, 3, 3}, {attr("group", 0)})),
              HasSubstr("do not fit weights"));
  EXPECT_THAT(
      refusal_of(convolution("Conv", {1, 2, 8, 8}, {4, 2, 3, 3}, {attr("kernel_shape", Numbers{5, 5})})),
      HasSubstr("kernel_shape is not that of the weights"));
  EXPECT_THAT(refusal_of(convolution("Conv", {1, 2, 8, 8}, {4, 2, 3, 3}, {attr("group", INT64_MIN)})),
              HasSubstr("do not fit weights"));
}

// Before a fusion counts on it.
TEST(OnnxConvolution, RefusesABiasForOtherChannels) {
  for (const auto& [type, weights] : {std::pair("Conv", Dims{8, 3, 1, 1}), {"ConvTranspose", {3, 8, 1, 1}}}) {
    ModelBuilder model;
    model.input("x", {1, 3, 8, 8}).reals("w", weights, std::vector<float>(24)).reals("b", {1}, {1});
    model.reals("k", {8, 1, 1}, std::vector<float>(8, 2));
    model.node(type, {"x", "w", "b"}, {"c"}).node("Mul", {"c", "k"}, {"y"}).output("y");
    EXPECT_THAT(refusal_of(model), HasSubstr("its bias [1] is not one for 8 channels"));
  }
}

TEST(OnnxConvTranspose, CountsItsOutput) {
  const auto dims = [](const std::vector<ProtoWriter>& attributes) {
    return dims_of(convolution("ConvTranspose", {1, 2, 5, 5}, {2, 3, 3, 3}, attributes));
  };
  const ProtoWriter strides = attr("strides", Numbers{2, 2});
  EXPECT_EQ(dims({}), (Dims{1, 3, 7, 7}));
  EXPECT_EQ(dims({strides}), (Dims{1, 3, 11, 11}));
  EXPECT_EQ(dims({strides, attr("output_padding", Numbers{1, 0})}), (Dims{1, 3, 12, 11}));
  EXPECT_EQ(dims({strides, attr("auto_pad", "SAME_UPPER")}), (Dims{1, 3, 10, 10}));
  EXPECT_EQ(dims({strides, attr("output_shape", Numbers{10, 9})}), (Dims{1, 3, 10, 9}));
}

TEST(OnnxConvTranspose, RefusesHostileAttributes) {
  const auto refusal = [](const std::vector<ProtoWriter>& attributes) {
    return refusal_of(convolution("ConvTranspose", {1, 2, 5, 5}, {2, 3, 3, 3}, attributes));
  };
  EXPECT_THAT(refusal({attr("output_padding", Numbers{7, 0})}), HasSubstr("output_padding 7"));
  EXPECT_THAT(refusal({attr("output_padding", Numbers{INT64_MIN, 0})}), HasSubstr("output_padding"));
  EXPECT_THAT(refusal({attr("output_shape", Numbers{INT64_MAX, 5})}), HasSubstr("cannot be cut out"));
  EXPECT_THAT(refusal({attr("pads", Numbers{9, 9, 9, 9})}), HasSubstr("cuts off all"));
  EXPECT_THAT(refusal({attr("dilations", Numbers{20000, 20000})}), HasSubstr("too large"));
  EXPECT_THAT(refusal({attr("dilations", Numbers{INT32_MAX, INT32_MAX})}), HasSubstr("no memory holds"));
}

}  // namespace
}  // namespace openqnn::frontend::onnx
