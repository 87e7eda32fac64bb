// SPDX-License-Identifier: BSD-3-Clause
#include "quant/quantize.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

#include "prepare/graph_builder.h"
#include "quant/calibrate.h"
#include "quant/compare.h"
#include "quant/fake_quant.h"

namespace openqnn::quant {
namespace {

using prepare::GraphBuilder;
using prepare::kFloat32;

std::vector<std::byte> random_floats(size_t count, uint32_t seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal(0.2F, 1.0F);
  std::vector<std::byte> bytes(count * sizeof(float));
  for (size_t i = 0; i < count; ++i) {
    const float value = normal(random);
    std::memcpy(bytes.data() + i * sizeof(float), &value, sizeof(float));
  }
  return bytes;
}

struct Sample {
  std::map<ir::TensorIndex, std::vector<std::byte>> values;
  Inputs inputs() const { return {values.begin(), values.end()}; }
};

Sample sample_of(const ir::Graph& graph, uint32_t seed) {
  Sample sample;
  for (ir::TensorIndex i = 0; i < graph.tensors().size(); ++i)
    if (graph.tensors()[i].role == ir::TensorRole::kInput)
      sample.values[i] = random_floats(graph.tensors()[i].desc.shape.elements(), seed + i);
  return sample;
}

Observations calibrate(const ir::Graph& graph, uint32_t samples) {
  Calibrator calibrator(graph);
  for (uint32_t i = 0; i < samples; ++i) EXPECT_TRUE(calibrator.add(sample_of(graph, 100 * i).inputs()).ok());
  return calibrator.seen();
}

ir::Graph quantize(const ir::Graph& graph, const Options& options) {
  auto plan = make_plan(graph, calibrate(graph, 4), {}, options);
  EXPECT_TRUE(plan.ok()) << plan.error().to_string();
  auto made = apply(graph, *plan, options);
  EXPECT_TRUE(made.ok()) << made.error().to_string();
  return std::move(made).value();
}

ir::TensorIndex find(const ir::Graph& graph, std::string_view name) {
  for (ir::TensorIndex i = 0; i < graph.tensors().size(); ++i)
    if (graph.tensors()[i].name == name) return i;
  return ir::kNoTensor;
}

ir::Graph small_model() {
  GraphBuilder g(kFloat32);
  const auto x = g.input({1, 12, 12, 8});
  const auto a = g.relu(g.conv(x, 16));
  const auto b = g.relu(g.conv(a, 16));
  g.output(g.softmax(g.matmul(g.pool(g.add(a, b)), 10)));
  return g.build();
}

// What the integers of a graph say, against the double-precision model of the same encodings.
struct Agreement {
  double signal = 0;
  double noise = 0;
  uint64_t within_a_step = 0;
  uint64_t count = 0;
  double sqnr() const { return noise == 0 ? INFINITY : 10 * std::log10(signal / noise); }
};

Agreement agreement(const ir::Graph& floats, const ir::Graph& fixed, uint32_t seed) {
  const Sample sample = sample_of(floats, seed);
  std::map<ir::TensorIndex, std::vector<double>> reals;
  std::map<ir::TensorIndex, std::vector<std::byte>> integers;
  for (const auto& [index, bytes] : sample.values) {
    const ir::TensorIndex to = find(fixed, floats.tensors()[index].name);
    std::vector<float> values(bytes.size() / sizeof(float));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    reals[to] = {values.begin(), values.end()};
    integers[to] = quantized(fixed.tensors()[to].desc, values);
  }
  const auto wanted = fake_quant(fixed, reals);
  Agreement agreement;
  ReferenceRun run(fixed, FloatsAs::kHalf);
  const Inputs inputs(integers.begin(), integers.end());
  const Status status = run.run(inputs, [&](ir::TensorIndex tensor, std::span<const std::byte> values) {
    if (fixed.tensors()[tensor].role != ir::TensorRole::kOutput) return;
    const ir::TensorDesc& desc = fixed.tensors()[tensor].desc;
    const double step =
        ir::is_quantized(desc.type) ? static_cast<double>(desc.quantization.at(0).scale) : 0.0;
    const std::vector<float> got = reals_of(run.desc(tensor), values);
    for (size_t i = 0; i < got.size(); ++i) {
      const double want = wanted.at(tensor)[i];
      const double off = std::abs(static_cast<double>(got[i]) - want);
      agreement.signal += want * want;
      agreement.noise += off * off;
      agreement.within_a_step += off <= 1.001 * step ? 1 : 0;
      ++agreement.count;
    }
  });
  EXPECT_TRUE(status.ok()) << status.error().to_string();
  return agreement;
}

TEST(Quantize, EightBitResultsAreThoseOfADoublePrecisionFakeQuantModel) {
  const ir::Graph floats = small_model();
  const ir::Graph fixed = quantize(floats, {});
  Agreement all;
  for (uint32_t seed = 1; seed < 5; ++seed) {
    const Agreement one = agreement(floats, fixed, seed);
    all.within_a_step += one.within_a_step;
    all.count += one.count;
  }
  EXPECT_GE(static_cast<double>(all.within_a_step), 0.999 * static_cast<double>(all.count));
}

TEST(Quantize, SixteenBitActivationsAreSixtyDecibelsFromTheFakeQuantModel) {
  const ir::Graph floats = small_model();
  const ir::Graph fixed = quantize(floats, {.activation_bits = 16});
  EXPECT_GE(agreement(floats, fixed, 1).sqnr(), 60.0);
}

TEST(Quantize, EveryNodeOfASmallModelBecomesFixed) {
  const ir::Graph floats = small_model();
  auto plan = make_plan(floats, calibrate(floats, 2), {}, {});
  ASSERT_TRUE(plan.ok());
  for (const NodePlan& node : plan->nodes) EXPECT_TRUE(node.fixed) << node.why_float;
  const ir::Graph fixed = *apply(floats, *plan, {});
  EXPECT_EQ(fixed.nodes().size(), floats.nodes().size());
  for (const ir::Tensor& tensor : fixed.tensors())
    EXPECT_TRUE(ir::is_quantized(tensor.desc.type)) << tensor.name;
}

TEST(Quantize, WeightsHaveAnEncodingPerOutputChannel) {
  const ir::Graph fixed = quantize(small_model(), {});
  const ir::Node& conv = fixed.nodes()[0];
  ASSERT_EQ(conv.type, "Conv2d");
  const ir::TensorDesc& weights = fixed.tensors()[conv.inputs[1]].desc;
  EXPECT_EQ(weights.type, ir::DataType::kSfixed8);
  EXPECT_EQ(weights.quantization.axis, 3U);
  EXPECT_EQ(weights.quantization.encodings.size(), 16U);
}

TEST(Quantize, ATensorThatIsToStayFloatIsConvertedAroundItsNodes) {
  const ir::Graph floats = small_model();
  const ir::Node& second = floats.nodes()[2];
  ASSERT_EQ(second.type, "Conv2d");
  const ir::TensorEncodings overrides = {
      {floats.tensors()[second.outputs[0]].name, {.type = ir::DataType::kFloat32}}};
  auto plan = make_plan(floats, calibrate(floats, 2), overrides, {});
  ASSERT_TRUE(plan.ok());
  EXPECT_FALSE(plan->nodes[2].fixed);
  EXPECT_THAT(plan->nodes[2].why_float, testing::HasSubstr("stay float"));
  const auto mixed = apply(floats, *plan, {});
  ASSERT_TRUE(mixed.ok()) << mixed.error().to_string();
  std::vector<std::string> types;
  for (const ir::Node& node : mixed->nodes()) types.push_back(node.type);
  EXPECT_THAT(types, testing::IsSupersetOf({"Dequantize", "Quantize"}));
  EXPECT_GE(agreement(floats, *mixed, 1).sqnr(), 30.0);
}

// No op computes with a scale per channel of an activation, and no client fills a tensor so.
TEST(Quantize, AnActivationWithAScalePerChannelStaysFloat) {
  GraphBuilder g(kFloat32);
  g.output(g.conv(g.input({1, 4, 4, 2}), 8));
  const ir::Graph floats = g.build();
  const auto& name = floats.tensors()[floats.nodes()[0].inputs[0]].name;
  const ir::TensorEncodings overrides = {
      {name, {ir::DataType::kUfixed8, ir::Quantization::per_axis(3, {{0.5F, 0}, {0.25F, 0}})}}};
  const auto plan = make_plan(floats, calibrate(floats, 2), overrides, {});
  ASSERT_TRUE(plan.ok());
  EXPECT_THAT(plan->nodes[0].why_float, testing::HasSubstr("has an encoding per channel"));
  const auto mixed = apply(floats, *plan, {});
  ASSERT_TRUE(mixed.ok()) << mixed.error().to_string();
  for (const ir::Node& node : mixed->nodes())
    EXPECT_TRUE(ops::validate(node.type, ops::call_of(*mixed, node))) << node.type;
  EXPECT_EQ(mixed->tensors()[find(*mixed, name)].desc.type, ir::DataType::kFloat32);
}

// ---- Widths ----

std::vector<std::string> ops_of(const ir::Graph& graph) {
  std::vector<std::string> types;
  for (const ir::Node& node : graph.nodes()) types.push_back(node.type);
  return types;
}

// One activation is to have another width than all others.
ir::Graph with_width(const ir::Graph& floats, ir::TensorIndex tensor, ir::DataType type,
                     const Options& options) {
  const Observations seen = calibrate(floats, 4);
  const uint32_t bits = type == ir::DataType::kUfixed16 ? 16 : 8;
  const ir::ScaleOffset one = unsigned_encoding(seen[tensor].min_max(), bits, Scheme::kAsymmetric);
  const ir::TensorEncodings overrides = {
      {floats.tensors()[tensor].name, {type, ir::Quantization::per_tensor(one.scale, one.offset)}}};
  const auto plan = make_plan(floats, seen, overrides, options);
  EXPECT_TRUE(plan.ok()) << plan.error().to_string();
  for (const NodePlan& node : plan->nodes) EXPECT_TRUE(node.fixed) << node.why_float;
  auto made = apply(floats, *plan, options);
  EXPECT_TRUE(made.ok()) << made.error().to_string();
  EXPECT_EQ(made->tensors()[find(*made, floats.tensors()[tensor].name)].desc.type, type);
  return std::move(made).value();
}

TEST(Quantize, WidthsThatDifferAreConvertedNotComputedInFloat) {
  GraphBuilder g(kFloat32);
  const auto middle = g.conv(g.input({1, 6, 6, 8}), 8);
  g.output(g.conv(middle, 8));
  const ir::Graph floats = g.build();
  const ir::TensorIndex between = floats.nodes()[0].outputs[0];
  const ir::Graph wide = with_width(floats, between, ir::DataType::kUfixed16, {});
  // The first works with 16 bits, and so does the second, whose result is narrowed.
  EXPECT_THAT(ops_of(wide), testing::ElementsAre("Convert", "Conv2d", "Conv2d", "Convert"));
  EXPECT_GE(agreement(floats, wide, 1).sqnr(), 30.0);
  const ir::Graph narrow = with_width(floats, between, ir::DataType::kUfixed8, {.activation_bits = 16});
  EXPECT_THAT(ops_of(narrow), testing::ElementsAre("Conv2d", "Convert", "Convert", "Conv2d"));
  EXPECT_GE(agreement(floats, narrow, 1).sqnr(), 30.0);
}

TEST(Quantize, WhatARelusWidthIsTheOpBeforeItHasToo) {
  GraphBuilder g(kFloat32);
  g.output(g.relu(g.conv(g.input({1, 6, 6, 8}), 8)));
  const ir::Graph floats = g.build();
  const ir::Graph wide = with_width(floats, floats.nodes()[1].outputs[0], ir::DataType::kUfixed16, {});
  EXPECT_THAT(ops_of(wide), testing::ElementsAre("Convert", "Conv2d", "Relu"));
  EXPECT_GE(agreement(floats, wide, 1).sqnr(), 60.0);
}

TEST(Quantize, InputsAndOutputsStayFloatWhenAsked) {
  const ir::Graph fixed = quantize(small_model(), {.float_io = true});
  for (const ir::Tensor& tensor : fixed.tensors()) {
    const bool io = tensor.role == ir::TensorRole::kInput || tensor.role == ir::TensorRole::kOutput;
    EXPECT_TRUE(!io || tensor.desc.type == kFloat32) << tensor.name;
  }
}

TEST(Quantize, RandomGraphsAgreeWithTheFakeQuantModel) {
  for (uint32_t seed = 1; seed < 8; ++seed) {
    const ir::Graph floats = prepare::random_graph(seed, kFloat32, 10);
    const ir::Graph fixed = quantize(floats, {.activation_bits = 16});
    EXPECT_GE(agreement(floats, fixed, seed).sqnr(), 60.0) << "seed " << seed;
  }
}

// ---- Many constants ----

struct Operands {
  ir::TensorRole role;
  size_t count;
  ir::Shape shape;
};

ir::Graph layer_of(const std::string& type, const std::vector<Operands>& all) {
  ir::Graph graph("g");
  ir::Node node{.name = type, .type = type, .params = {}, .inputs = {}, .outputs = {}};
  for (const Operands& operands : all) {
    for (size_t i = 0; i < operands.count; ++i) {
      const auto place = static_cast<uint32_t>(graph.tensors().size());
      ir::Tensor tensor{.name = "t" + std::to_string(place),
                        .role = operands.role,
                        .desc = {.type = kFloat32, .shape = operands.shape},
                        .data = nullptr};
      if (operands.role == ir::TensorRole::kStatic)
        tensor.data = ir::Blob::of(random_floats(operands.shape.elements(), place));
      auto& side = operands.role == ir::TensorRole::kOutput ? node.outputs : node.inputs;
      side.push_back(graph.add_tensor(std::move(tensor)).value());
    }
  }
  EXPECT_TRUE(graph.add_node(std::move(node)).ok());
  return graph;
}

TEST(Quantize, TriesFewFormsOfManyConstants) {
  constexpr auto kIn = ir::TensorRole::kInput;
  constexpr auto kStatic = ir::TensorRole::kStatic;
  constexpr auto kOut = ir::TensorRole::kOutput;
  const ir::Graph gru = layer_of("Gru", {{kIn, 1, {3, 1, 4}},
                                         {kStatic, 3, {2, 4}},
                                         {kStatic, 3, {2, 2}},
                                         {kStatic, 6, {2}},
                                         {kStatic, 1, {1, 1, 2}},
                                         {kOut, 1, {3, 1, 2}},
                                         {kOut, 1, {1, 1, 2}}});
  const auto plan_of = [](const ir::Graph& graph, uint32_t bits) {
    return make_plan(graph, assumed_observations(graph), {}, {.activation_bits = bits})->nodes[0];
  };
  EXPECT_FALSE(plan_of(gru, 8).fixed);
  EXPECT_THAT(plan_of(gru, 8).why_float, testing::HasSubstr("are not offered"));
  EXPECT_TRUE(plan_of(gru, 16).fixed) << plan_of(gru, 16).why_float;
}

TEST(Compare, MoreBitsAreNearerToFloat) {
  const ir::Graph floats = small_model();
  auto sqnr = [&](const ir::Graph& measured) {
    Comparison comparison(floats, measured);
    EXPECT_TRUE(comparison.add(sample_of(floats, 3).inputs()).ok());
    return comparison.layers().back().distance.sqnr();
  };
  const double half = sqnr(floats);
  const double eight = sqnr(quantize(floats, {}));
  const double four = sqnr(quantize(floats, {.weight_bits = 4}));
  EXPECT_GT(half, 50.0);
  EXPECT_GT(eight, 20.0);
  EXPECT_GT(eight, four + 6.0);
}

}  // namespace
}  // namespace openqnn::quant
