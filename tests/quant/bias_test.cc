// SPDX-License-Identifier: BSD-3-Clause
// Biases of 32 bits: which step they count, and that no channel saturates.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

#include "quant/measured.h"

namespace openqnn::quant {
namespace {

using ir::DataType;

ir::Param u32_param(const std::string& name, const ir::Shape& shape, const std::vector<uint32_t>& values) {
  ir::Param param{name, DataType::kUint32, shape, {}};
  param.data.resize(values.size() * sizeof(uint32_t));
  std::memcpy(param.data.data(), values.data(), param.data.size());
  return param;
}

const ir::Tensor& tensor(const ir::Graph& graph, const std::string& name) {
  return *std::ranges::find(graph.tensors(), name, &ir::Tensor::name);
}

// Both groups take the encodings of the same columns, one far finer than the other.
TEST(Biases, OfGroupsOfATransposedConvolutionCountTheStepsOfTheirColumns) {
  for (const float bias : {0.5F, 1e4F}) {
    Model model;
    const auto x = model.input("x", {1, 3, 3, 4});
    const auto w = model.constant("w", {1, 1, 4, 2}, {1, 0.001F, -1, 0.002F, 0.5F, 0.003F, 0.7F, -0.001F});
    const auto b = model.constant("b", {4}, {bias, 0.5F, bias, bias});
    ir::Params params;
    params.add(u32_param("stride", {2}, {1, 1}));
    params.add(u32_param("pad_amount", {2, 2}, {0, 0, 0, 0}));
    params.add(u32_param("group", {}, {2}));
    model.output("TransposeConv2d", {x, w, b}, "y", {1, 3, 3, 4}, DataType::kFloat32, params);
    const Measured made = measured(model, {});
    EXPECT_EQ(tensor(made.graph, "w").desc.quantization.encodings.size(), 2U);
    EXPECT_GT(made.sqnr, 35.0) << bias;
  }
}

TEST(Biases, FarAboveTheWeightsDoNotSaturate) {
  for (const Scheme scheme : {Scheme::kSymmetric, Scheme::kAsymmetric}) {
    Model model;
    const auto x = model.input("x", {2, 8});
    const auto w = model.constant("w", {4, 8}, std::vector<float>(32, 1e-6F));
    const auto b = model.constant("b", {4}, {1000, -1000, 500, 0});
    model.output("FullyConnected", {x, w, b}, "y", {2, 4});
    const Measured made = measured(model, {.weight_scheme = scheme, .per_row = false});
    EXPECT_EQ(tensor(made.graph, "b").desc.type, DataType::kSfixed32);
    EXPECT_GT(made.sqnr, 35.0);
  }
}

// As everywhere where reals become integers: what is no number is the low end.
TEST(Biases, ThatAreNoNumberAreTheLeastOne) {
  Model model;
  const auto x = model.input("x", {2, 4});
  const auto w = model.constant("w", {2, 4}, {1, 2, 3, 4, -4, -3, -2, -1});
  const auto b = model.constant("b", {2}, {std::numeric_limits<float>::quiet_NaN(), 0.5F});
  model.output("FullyConnected", {x, w, b}, "y", {2, 2});
  const Measured made = measured(model, {});
  const ir::Tensor& bias = tensor(made.graph, "b");
  ASSERT_EQ(bias.desc.type, DataType::kSfixed32);
  std::array<int32_t, 2> stored{};
  ASSERT_EQ(bias.data.size(), sizeof stored);
  std::memcpy(stored.data(), bias.data.bytes().data(), sizeof stored);
  EXPECT_EQ(stored[0], std::numeric_limits<int32_t>::min());
  EXPECT_GT(stored[1], 0);
}

TEST(Biases, BesideWeightsInBlocksHaveAScaleOfTheirOwn) {
  Model model;
  const auto x = model.input("x", {2, 4});
  const auto w = model.constant("w", {2, 4}, {1, 2, 3, 4, -4, -3, -2, -1});
  const auto b = model.constant("b", {2}, {0.001F, 100});
  model.output("FullyConnected", {x, w, b}, "y", {2, 2});
  const std::vector<ir::ScaleOffset> scales(4, {0.5F, 0});
  const Measured made =
      measured(model, {}, {{"w", {DataType::kSfixed8, ir::Quantization::per_block({1, 2}, scales, 4)}}});
  const ir::TensorDesc& bias = tensor(made.graph, "b").desc;
  EXPECT_EQ(bias.type, DataType::kSfixed32);
  EXPECT_GT(bias.quantization.at(0).scale, 0.0F);
}

}  // namespace
}  // namespace openqnn::quant
