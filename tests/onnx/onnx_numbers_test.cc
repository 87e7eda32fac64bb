// SPDX-License-Identifier: BSD-3-Clause
// What ONNX's own test sets (of 1.12) do not show: the numbers of converted graphs, in single precision,
// beside the same written down as the definitions have it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <map>

#include "frontend/onnx/model_builder.h"
#include "quant/reference_run.h"

namespace openqnn::frontend::onnx {
namespace {

using testing::ElementsAreArray;
using testing::FloatNear;
using testing::Pointwise;

struct Given {
  Given(const std::vector<float>& values) : bytes(values.size() * sizeof(float)) {
    std::memcpy(bytes.data(), values.data(), bytes.size());
  }
  Given(const std::vector<uint8_t>& values) : bytes(values.size()) {
    std::memcpy(bytes.data(), values.data(), bytes.size());
  }
  Given(const std::vector<int32_t>& values) : bytes(values.size() * sizeof(int32_t)) {
    std::memcpy(bytes.data(), values.data(), bytes.size());
  }
  std::vector<std::byte> bytes;
};

// The values of output `name`.
std::vector<float> computed(const ModelBuilder& model, const std::map<std::string, Given>& inputs,
                            const std::string& name = "y", const ConvertOptions& options = {}) {
  const auto converted = BuiltModel(model).convert(options);
  if (!converted || !converted->graph) {
    ADD_FAILURE() << (converted ? refused_nodes(*converted).to_string() : converted.error().to_string());
    return {};
  }
  const ir::Graph& graph = *converted->graph;
  quant::Inputs given;
  for (ir::TensorIndex i = 0; i < graph.tensors().size(); ++i)
    if (graph.tensors()[i].role == ir::TensorRole::kInput)
      given[i] = inputs.at(graph.tensors()[i].name).bytes;
  std::vector<float> values;
  quant::ReferenceRun run(graph, quant::FloatsAs::kSingle);
  const Status ran = run.run(given, [&](ir::TensorIndex tensor, std::span<const std::byte> bytes) {
    if (graph.tensors()[tensor].name != name) return;
    values.resize(bytes.size() / sizeof(float));
    std::memcpy(values.data(), bytes.data(), bytes.size());
  });
  EXPECT_TRUE(ran.ok());
  return values;
}

std::vector<float> counting(size_t count) {
  std::vector<float> values(count);
  for (size_t i = 0; i < count; ++i) values[i] = static_cast<float>(i);
  return values;
}

// Numbers of both signs between -1 and 1 that do not repeat soon.
std::vector<float> waves(size_t count, double step) {
  std::vector<float> values(count);
  for (size_t i = 0; i < count; ++i)
    values[i] = static_cast<float>(std::sin(step * static_cast<double>(i + 1)));
  return values;
}

// ---- Layout ----

TEST(OnnxNumbers, AReshapeOfAnImageThatLiesChannelsLast) {
  constexpr size_t kChannels = 6;
  constexpr size_t kPlaces = 8;  // 2 by 4
  std::vector<float> nhwc(kChannels * kPlaces);
  for (size_t c = 0; c < kChannels; ++c)
    for (size_t p = 0; p < kPlaces; ++p) nhwc[p * kChannels + c] = static_cast<float>(c * kPlaces + p);
  ConvertOptions options;
  options.input_orders["x"] = channels_last(4);
  for (const std::vector<int64_t>& shape : std::vector<std::vector<int64_t>>{
           {1, 6, 8}, {6, 8}, {1, 2, 3, 8}, {3, 2, 4, 2}, {1, 6, 4, 2}, {1, 12, 4}, {1, 48}, {48, 1, 1}}) {
    ModelBuilder model;
    model.input("x", {1, 6, 2, 4}).integers("shape", shape);
    model.node("Reshape", {"x", "shape"}, {"y"}).output("y");
    EXPECT_THAT(computed(model, {{"x", nhwc}}, "y", options), ElementsAreArray(counting(48)))
        << testing::PrintToString(shape);
  }
}

// Windows of 2 by 3 places of an image of 4 by 9 with 5 channels, as Swin transformers cut it.
TEST(OnnxNumbers, AWindowPartitionThroughSixDimensions) {
  ModelBuilder model;
  model.input("x", {1, 4, 9, 5}).integers("cut", {1, 2, 2, 3, 3, 5}).integers("windows", {6, 6, 5});
  model.node("Reshape", {"x", "cut"}, {"c"});
  model.node("Transpose", {"c"}, {"t"}, {attr("perm", std::vector<int64_t>{0, 1, 3, 2, 4, 5})});
  model.node("Reshape", {"t", "windows"}, {"y"}).output("y");
  std::vector<float> want;
  for (int row = 0; row < 2; ++row)
    for (int column = 0; column < 3; ++column)
      for (int r = 0; r < 2; ++r)
        for (int c = 0; c < 3; ++c)
          for (int channel = 0; channel < 5; ++channel)
            want.push_back(static_cast<float>(((row * 2 + r) * 9 + column * 3 + c) * 5 + channel));
  EXPECT_THAT(computed(model, {{"x", counting(4 * 9 * 5)}}), ElementsAreArray(want));
}

TEST(OnnxNumbers, AProductWithABias) {
  ModelBuilder model;
  model.input("x", {1, 2, 2}).reals("w", {2, 3}, {1, 2, 3, 4, 5, 6}).reals("b", {3}, {10, 20, 30});
  model.node("MatMul", {"x", "w"}, {"p"}).node("Add", {"p", "b"}, {"y"}).output("y");
  EXPECT_THAT(computed(model, {{"x", counting(4)}}), testing::ElementsAre(14, 25, 36, 24, 39, 54));
}

// ---- Attention ----

struct AttentionCase {
  size_t heads = 4;
  size_t key_heads = 2;
  size_t queries = 3;
  size_t keys = 5;
  size_t size = 4;
  bool causal = false;
  std::vector<uint8_t> mask;  // [queries, keys]; empty: none
};

// Heads side by side: [1, length, heads * size].
std::vector<float> attention(const AttentionCase& is, const std::vector<float>& q,
                             const std::vector<float>& k, const std::vector<float>& v) {
  std::vector<float> out(is.queries * is.heads * is.size);
  for (size_t h = 0; h < is.heads; ++h) {
    const size_t kh = h / (is.heads / is.key_heads);
    for (size_t i = 0; i < is.queries; ++i) {
      std::vector<double> weights(is.keys, 0.0);
      double sum = 0;
      for (size_t j = 0; j < is.keys; ++j) {
        if ((is.causal && j > i) || (!is.mask.empty() && is.mask[i * is.keys + j] == 0)) continue;
        double score = 0;
        for (size_t d = 0; d < is.size; ++d)
          score += static_cast<double>(q[(i * is.heads + h) * is.size + d]) *
                   static_cast<double>(k[(j * is.key_heads + kh) * is.size + d]);
        weights[j] = std::exp(score / std::sqrt(static_cast<double>(is.size)));
        sum += weights[j];
      }
      for (size_t d = 0; d < is.size; ++d) {
        double value = 0;
        for (size_t j = 0; j < is.keys; ++j)
          value += weights[j] / sum * static_cast<double>(v[(j * is.key_heads + kh) * is.size + d]);
        out[(i * is.heads + h) * is.size + d] = static_cast<float>(value);
      }
    }
  }
  return out;
}

void check_attention(const AttentionCase& is) {
  const auto extent = [](size_t value) { return static_cast<int64_t>(value); };
  ModelBuilder model(23);
  model.input("q", {1, extent(is.queries), extent(is.heads * is.size)});
  for (const char* name : {"k", "v"}) model.input(name, {1, extent(is.keys), extent(is.key_heads * is.size)});
  const std::vector<float> q = waves(is.queries * is.heads * is.size, 0.7);
  const std::vector<float> k = waves(is.keys * is.key_heads * is.size, 1.1);
  const std::vector<float> v = waves(is.keys * is.key_heads * is.size, 1.9);
  std::map<std::string, Given> inputs{{"q", q}, {"k", k}, {"v", v}};
  std::vector<std::string_view> names{"q", "k", "v"};
  if (!is.mask.empty()) {
    model.input("mask", {extent(is.queries), extent(is.keys)}, ElementType::kBool);
    inputs.emplace("mask", is.mask);
    names.push_back("mask");
  }
  model.node("Attention", names, {"y"},
             {attr("q_num_heads", extent(is.heads)), attr("kv_num_heads", extent(is.key_heads)),
              attr("is_causal", is.causal ? 1 : 0)});
  model.output("y");
  EXPECT_THAT(computed(model, inputs), Pointwise(FloatNear(1e-4F), attention(is, q, k, v)));
}

TEST(OnnxNumbers, AttentionOfAsManyHeads) { check_attention({.key_heads = 4}); }
TEST(OnnxNumbers, AttentionOfSharedHeads) { check_attention({}); }
TEST(OnnxNumbers, AttentionThatIsCausal) { check_attention({.causal = true}); }
TEST(OnnxNumbers, AttentionWithAMask) {
  check_attention({.mask = {1, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 1, 1, 1}});
}

// Four dimensions have the heads apart; past keys and values come first and are given out.
TEST(OnnxNumbers, AttentionWithAPast) {
  ModelBuilder model(23);
  model.input("q", {1, 1, 1, 2}).input("k", {1, 1, 1, 2}).input("v", {1, 1, 1, 2});
  model.input("pk", {1, 1, 1, 2}).input("pv", {1, 1, 1, 2});
  model.node("Attention", {"q", "k", "v", "", "pk", "pv"}, {"y", "keys", "values"}, {attr("scale", 1.0)});
  model.output("y").output("keys").output("values");
  const std::map<std::string, Given> inputs{{"q", std::vector<float>{1, 0}},
                                            {"k", std::vector<float>{0, 1}},
                                            {"v", std::vector<float>{4, 8}},
                                            {"pk", std::vector<float>{1, 1}},
                                            {"pv", std::vector<float>{0, 0}}};
  const float share = 1.0F / (1.0F + std::exp(1.0F));  // scores: 1 of the past, 0
  EXPECT_THAT(computed(model, inputs), Pointwise(FloatNear(1e-4F), {4 * share, 8 * share}));
  EXPECT_THAT(computed(model, inputs, "keys"), testing::ElementsAre(1, 1, 0, 1));
  EXPECT_THAT(computed(model, inputs, "values"), testing::ElementsAre(0, 0, 4, 8));
}

TEST(OnnxNumbers, AttentionThatDoesNotFitIsRefused) {
  const auto refusal = [](const Dims& k, const std::vector<ProtoWriter>& attributes) {
    ModelBuilder model(23);
    model.input("q", {1, 3, 8}).input("k", k).input("v", k);
    return refusal_of(model.node("Attention", {"q", "k", "v"}, {"y"}, attributes).output("y"));
  };
  EXPECT_THAT(refusal({1, 5, 8}, {}), testing::HasSubstr("does not consist of 0 heads"));
  EXPECT_THAT(refusal({1, 5, 4}, {attr("q_num_heads", 2), attr("kv_num_heads", 2)}),
              testing::HasSubstr("do not fit"));
  EXPECT_EQ(refusal({1, 5, 8}, {attr("q_num_heads", 2), attr("kv_num_heads", 2)}), "");
}

// ---- RotaryEmbedding ----

// One head of six numbers, of which four turn; two positions with angles of their own.
TEST(OnnxNumbers, RotaryEmbeddingInBothArrangements) {
  constexpr size_t kSize = 6;
  constexpr size_t kTurned = 4;
  const std::vector<float> x = waves(2 * kSize, 0.9);
  const std::vector<float> angles = {0.1F, 0.2F, 0.3F, 0.4F, 0.5F, 0.6F};  // [3, 2]
  const std::vector<int32_t> positions = {2, 0};
  std::vector<float> cosines;
  std::vector<float> sines;
  for (const float angle : angles) {
    cosines.push_back(std::cos(angle));
    sines.push_back(std::sin(angle));
  }
  for (const bool interleaved : {false, true}) {
    std::vector<float> want = x;
    for (size_t at = 0; at < 2; ++at) {
      for (size_t i = 0; i < kTurned / 2; ++i) {
        const float angle = angles[static_cast<size_t>(positions[at]) * 2 + i];
        const size_t a = at * kSize + (interleaved ? 2 * i : i);
        const size_t b = at * kSize + (interleaved ? 2 * i + 1 : i + kTurned / 2);
        want[a] = x[a] * std::cos(angle) - x[b] * std::sin(angle);
        want[b] = x[a] * std::sin(angle) + x[b] * std::cos(angle);
      }
    }
    ModelBuilder model(23);
    model.input("x", {1, 2, kSize}).input("at", {1, 2}, ElementType::kInt64);
    model.reals("cos", {3, 2}, cosines).reals("sin", {3, 2}, sines);
    model.node(
        "RotaryEmbedding", {"x", "cos", "sin", "at"}, {"y"},
        {attr("num_heads", 1), attr("rotary_embedding_dim", 4), attr("interleaved", interleaved ? 1 : 0)});
    model.output("y");
    EXPECT_THAT(computed(model, {{"x", x}, {"at", positions}}), Pointwise(FloatNear(1e-5F), want))
        << interleaved;
  }
}

}  // namespace
}  // namespace openqnn::frontend::onnx
