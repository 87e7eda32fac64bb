// SPDX-License-Identifier: BSD-3-Clause
#include "quant/equalize.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>

#include "quant/reference_run.h"

namespace openqnn::quant {
namespace {

constexpr uint32_t kChannels = 6;

// Convolutions whose channels differ in range by up to a thousand, as after batch normalisation was folded.
class Net {
 public:
  ir::TensorIndex input() { return add("x", ir::TensorRole::kInput, {1, 5, 5, kChannels}); }

  ir::TensorIndex conv(const std::string& name, ir::TensorIndex in, bool depthwise, bool is_output = false) {
    const ir::TensorIndex weights = constant(name + "_w", {3, 3, depthwise ? 1 : kChannels, kChannels});
    const ir::TensorIndex bias = constant(name + "_b", {kChannels});
    const ir::TensorIndex out =
        add(name, is_output ? ir::TensorRole::kOutput : ir::TensorRole::kNative, {1, 5, 5, kChannels});
    ir::Params params;
    params.add(u32s("stride", {2}, {1, 1}));
    params.add(u32s("pad_amount", {2, 2}, {1, 1, 1, 1}));
    node(name + "_node", depthwise ? "DepthWiseConv2d" : "Conv2d", params, {in, weights, bias}, out);
    return out;
  }

  ir::TensorIndex relu(const std::string& name, ir::TensorIndex in) {
    const ir::TensorIndex out = add(name, ir::TensorRole::kNative, {1, 5, 5, kChannels});
    node(name + "_node", "Relu", {}, {in}, out);
    return out;
  }

  const ir::Graph& graph() const { return graph_; }

 private:
  static ir::Param u32s(const std::string& name, const ir::Shape& shape,
                        const std::vector<uint32_t>& values) {
    std::vector<std::byte> data(values.size() * sizeof(uint32_t));
    std::memcpy(data.data(), values.data(), data.size());
    return {name, ir::DataType::kUint32, shape, std::move(data)};
  }

  ir::TensorIndex add(const std::string& name, ir::TensorRole role, const ir::Shape& shape,
                      ir::Blob data = nullptr) {
    return *graph_.add_tensor({.name = name,
                               .role = role,
                               .desc = {.type = ir::DataType::kFloat32, .shape = shape},
                               .data = std::move(data)});
  }

  ir::TensorIndex constant(const std::string& name, const ir::Shape& shape) {
    std::normal_distribution<float> normal(0.0F, 0.3F);
    std::vector<float> values(shape.elements());
    for (size_t i = 0; i < values.size(); ++i)
      values[i] = normal(random_) * std::pow(4.0F, static_cast<float>(i % kChannels));
    std::vector<std::byte> bytes(values.size() * sizeof(float));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return add(name, ir::TensorRole::kStatic, shape, ir::Blob::of(std::move(bytes)));
  }

  void node(const std::string& name, const std::string& type, const ir::Params& params,
            std::vector<ir::TensorIndex> inputs, ir::TensorIndex output) {
    const Status added = graph_.add_node(
        {.name = name, .type = type, .params = params, .inputs = std::move(inputs), .outputs = {output}});
    EXPECT_TRUE(added.ok()) << added.error().to_string();
  }

  ir::Graph graph_{"g"};
  std::mt19937 random_{7};
};

ir::Graph separable() {
  Net net;
  const auto first = net.relu("r1", net.conv("c1", net.input(), false));
  const auto second = net.conv("c2", first, true);
  net.conv("y", second, false, true);
  return net.graph();
}

const ir::Tensor& tensor(const ir::Graph& graph, std::string_view name) {
  return *std::find_if(graph.tensors().begin(), graph.tensors().end(),
                       [&](const ir::Tensor& one) { return one.name == name; });
}

std::vector<float> outputs_of(const ir::Graph& graph) {
  std::mt19937 random(3);
  std::normal_distribution<float> normal;
  std::vector<float> x(25 * kChannels);
  for (float& value : x) value = normal(random);
  ReferenceRun run(graph, FloatsAs::kSingle);
  std::vector<float> out;
  const Status status = run.run({{0, std::as_bytes(std::span(x))}},
                                [&](ir::TensorIndex index, std::span<const std::byte> values) {
                                  if (graph.tensors()[index].role == ir::TensorRole::kOutput)
                                    out = reals_of(run.desc(index), values);
                                });
  EXPECT_TRUE(status.ok()) << status.error().to_string();
  return out;
}

std::vector<float> values_of(const ir::Tensor& weights) {
  std::vector<float> values(weights.data.size() / sizeof(float));
  std::memcpy(values.data(), weights.data.data(), weights.data.size());
  return values;
}

// Largest weight of each slice along an axis.
std::vector<double> ranges(const ir::Tensor& weights, size_t axis) {
  const std::vector<float> values = values_of(weights);
  const uint64_t inner = axis == 3 ? 1 : weights.desc.shape[3];
  std::vector<double> largest(weights.desc.shape[axis], 0.0);
  for (size_t i = 0; i < values.size(); ++i) {
    double& most = largest[i / inner % largest.size()];
    most = std::max(most, std::abs(static_cast<double>(values[i])));
  }
  return largest;
}

TEST(Equalize, TheFloatModelStaysTheSame) {
  const ir::Graph graph = separable();
  const auto made = equalize(graph);
  ASSERT_TRUE(made.ok());
  EXPECT_EQ(made->pairs, 2U);
  const std::vector<float> before = outputs_of(graph);
  const std::vector<float> after = outputs_of(made->graph);
  ASSERT_EQ(before.size(), after.size());
  double largest = 0.0;
  for (const float value : before) largest = std::max(largest, std::abs(static_cast<double>(value)));
  for (size_t i = 0; i < before.size(); ++i) EXPECT_NEAR(before[i], after[i], 1e-5 * largest) << i;
  EXPECT_NE(values_of(tensor(graph, "c1_w")), values_of(tensor(made->graph, "c1_w")));
}

TEST(Equalize, NeighboursHaveAlikeRangesInEveryChannel) {
  const auto made = equalize(separable());
  ASSERT_TRUE(made.ok());
  const auto outputs = ranges(tensor(made->graph, "c1_w"), 3);
  const auto inputs = ranges(tensor(made->graph, "c2_w"), 3);
  const auto outputs2 = ranges(tensor(made->graph, "c2_w"), 3);
  const auto inputs2 = ranges(tensor(made->graph, "y_w"), 2);
  for (uint32_t c = 0; c < kChannels; ++c) {
    EXPECT_NEAR(outputs[c] / inputs[c], 1.0, 0.05) << c;
    EXPECT_NEAR(outputs2[c] / inputs2[c], 1.0, 0.05) << c;
  }
}

TEST(Equalize, WhatOthersSeeIsLeftAlone) {
  Net net;
  const auto seen = net.conv("c1", net.input(), false);
  net.conv("y", seen, false, true);
  net.conv("z", seen, false, true);
  EXPECT_EQ(equalize(net.graph())->pairs, 0U);
  EXPECT_EQ(equalize(separable(), {"c1_w"})->pairs, 1U);
  EXPECT_EQ(equalize(separable(), {"c2_w"})->pairs, 0U);
  for (const char* between : {"c1", "r1"}) EXPECT_EQ(equalize(separable(), {between})->pairs, 1U) << between;
}

}  // namespace
}  // namespace openqnn::quant
