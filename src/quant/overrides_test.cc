// SPDX-License-Identifier: BSD-3-Clause
#include "quant/overrides.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "base/text.h"
#include "quant/quantize.h"

namespace openqnn::quant {
namespace {

using ir::DataType;
using testing::ElementsAre;
using testing::HasSubstr;

ir::Tensor tensor(const std::string& name, ir::TensorRole role, const ir::Shape& shape) {
  ir::Tensor made{
      .name = name, .role = role, .desc = {.type = DataType::kFloat32, .shape = shape}, .data = nullptr};
  if (role == ir::TensorRole::kStatic) {
    std::vector<float> values(shape.elements());
    for (size_t i = 0; i < values.size(); ++i) values[i] = 0.1F * static_cast<float>(i) - 0.3F;
    std::vector<std::byte> bytes(values.size() * sizeof(float));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    made.data = ir::Blob::of(std::move(bytes));
  }
  return made;
}

// y = x * w + b, with the output channels first (FullyConnected) or last (MatMul).
ir::Graph product(const std::string& type = "FullyConnected") {
  ir::Graph graph("g");
  const bool first = type == "FullyConnected";
  const auto x = *graph.add_tensor(tensor("x", ir::TensorRole::kInput, {1, 4}));
  const auto w =
      *graph.add_tensor(tensor("w", ir::TensorRole::kStatic, first ? ir::Shape{2, 4} : ir::Shape{4, 2}));
  const auto b = *graph.add_tensor(tensor("b", ir::TensorRole::kStatic, {2}));
  const auto y = *graph.add_tensor(tensor("y", ir::TensorRole::kOutput, {1, 2}));
  const Status added =
      graph.add_node({.name = "n", .type = type, .params = {}, .inputs = {x, w, b}, .outputs = {y}});
  EXPECT_TRUE(added.ok());
  return graph;
}

std::string dict(const std::string& activations, const std::string& params = "") {
  return concat("{\"version\": \"0.6.1\", \"activation_encodings\": {", activations,
                "}, \"param_encodings\": {", params, "}}");
}
std::string list(const std::string& activations, const std::string& params = "") {
  return concat("{\"version\": \"1.0.0\", \"activation_encodings\": [", activations,
                "], \"param_encodings\": [", params, "]}");
}

Result<MatchedEncodings> match(const std::string& text, const ir::Graph& graph,
                               const frontend::Trace& trace = {}) {
  OPENQNN_ASSIGN(const EncodingsFile file, read_encodings(text, "e.json"));
  return match_encodings(file, graph, trace);
}

ir::TensorEncoding only(const std::string& text, const std::string& name,
                        const ir::Graph& graph = product()) {
  const auto matched = match(text, graph);
  EXPECT_TRUE(matched.ok()) << (matched.ok() ? "" : matched.error().to_string());
  return matched.ok() && matched->overrides.contains(name) ? matched->overrides.at(name)
                                                           : ir::TensorEncoding{};
}

std::string error_of(const std::string& text) {
  const auto matched = match(text, product());
  return matched.ok() ? "" : matched.error().to_string();
}

TEST(Overrides, TheDictionaryFormGivesActivationsAndChannels) {
  const std::string text = dict(
      R"("x": [{"bitwidth": 8, "dtype": "int", "is_symmetric": "False", "min": -1, "max": 1.55, "offset": -100,
                     "scale": 0.01}], "y": [{"bitwidth": 16, "dtype": "float"}])",
      R"("w": [{"bitwidth": 8, "is_symmetric": "True", "offset": -128, "scale": 0.5},
                    {"bitwidth": 8, "is_symmetric": "True", "offset": -128, "scale": 0.25}])");
  EXPECT_EQ(only(text, "x").type, DataType::kUfixed8);
  EXPECT_EQ(only(text, "x").quantization, ir::Quantization::per_tensor(0.01F, -100));
  EXPECT_EQ(only(text, "y").type, DataType::kFloat16);
  EXPECT_EQ(only(text, "w").type, DataType::kSfixed8);
  EXPECT_EQ(only(text, "w").quantization, ir::Quantization::per_axis(0, {{0.5F, 0}, {0.25F, 0}}));
  EXPECT_EQ(only(text, "w", product("MatMul")).quantization.axis, 1U);
}

TEST(Overrides, AnOffsetMeansTheSameWithEitherSign) {
  const auto with = [](const char* offset) {
    return only(dict(concat("\"x\": [{\"bitwidth\": 16, \"scale\": 0.1, \"offset\": ", offset, "}]")), "x");
  };
  EXPECT_EQ(with("-7").quantization, ir::Quantization::per_tensor(0.1F, -7));
  EXPECT_EQ(with("7.0").quantization, ir::Quantization::per_tensor(0.1F, -7));
  EXPECT_EQ(with("7").type, DataType::kUfixed16);
}

TEST(Overrides, ARangeAloneIsEnough) {
  const ir::TensorEncoding x =
      only(dict(R"("x": [{"bitwidth": 8, "min": -1.8, "max": 0.5, "is_symmetric": "False"}])"), "x");
  EXPECT_EQ(x.quantization.encodings[0].offset, -200);
  EXPECT_NEAR(x.quantization.encodings[0].scale, 0.009020, 1e-6);
}

TEST(Overrides, TheListFormGivesTensorsChannelsAndFloats) {
  const std::string text = list(
      R"({"name": "x", "dtype": "INT", "enc_type": "PER_TENSOR", "bw": 8, "is_sym": true, "scale": [0.1], "offset": [-128]},
              {"name": "y", "dtype": "FLOAT", "bw": 32})",
      R"({"name": "w", "dtype": "INT", "enc_type": "PER_CHANNEL", "bw": 4, "is_sym": true, "scale": [1, 2], "offset": [-8, -8]},
              {"name": "b", "dtype": "INT", "enc_type": "PER_TENSOR", "bw": 32, "is_sym": true, "scale": [0.5], "offset": [0]})");
  EXPECT_EQ(only(text, "x").quantization, ir::Quantization::per_tensor(0.1F, -128));
  EXPECT_EQ(only(text, "y").type, DataType::kFloat32);
  EXPECT_EQ(only(text, "w").type, DataType::kSfixed8);
  EXPECT_EQ(only(text, "w").quantization, ir::Quantization::per_axis(0, {{1.0F, 0}, {2.0F, 0}}, 4));
  EXPECT_EQ(only(text, "b").type, DataType::kSfixed32);
  EXPECT_EQ(only(text, "b").quantization, ir::Quantization::per_tensor(0.5F, 0));
}

TEST(Overrides, BlocksGoAlongWhatIsSummed) {
  const std::string text =
      list("", R"({"name": "w", "enc_type": "PER_BLOCK", "bw": 4, "is_sym": true, "block_size": 2,
                                        "scale": [1, 2, 3, 4], "offset": [-8, -8, -8, -8]})");
  const ir::Quantization rows = only(text, "w").quantization;
  EXPECT_EQ(rows.block, (ir::Shape{1, 2}));
  EXPECT_EQ(rows, ir::Quantization::per_block({1, 2}, {{1, 0}, {2, 0}, {3, 0}, {4, 0}}, 4));
  const ir::Quantization columns = only(text, "w", product("MatMul")).quantization;
  EXPECT_EQ(columns, ir::Quantization::per_block({2, 1}, {{1, 0}, {3, 0}, {2, 0}, {4, 0}}, 4));
}

TEST(Overrides, ExpandedBlocksAreMultiplesOfTheirChannelsScale) {
  const std::string text =
      list("", R"({"name": "w", "enc_type": "LPBQ", "bw": 8, "compressed_bw": 4, "is_sym": true,
      "block_size": 2, "scale": [0.5, 2], "offset": [-128, -128], "per_block_int_scale": [[1, 2], [3, 4]]})");
  const ir::Quantization made = only(text, "w").quantization;
  EXPECT_TRUE(made.expanded);
  EXPECT_EQ(made.bits, 4U);
  EXPECT_THAT(made.encodings, ElementsAre(ir::ScaleOffset{0.5F, 0}, ir::ScaleOffset{1, 0},
                                          ir::ScaleOffset{6, 0}, ir::ScaleOffset{8, 0}));
}

TEST(Overrides, WeightsInBlocksAreStoredByTheirBlocksScale) {
  ir::TensorDesc desc{.type = DataType::kSfixed8, .shape = {2, 4}};
  desc.quantization = ir::Quantization::per_block({1, 2}, {{1, 0}, {2, 0}, {4, 0}, {8, 0}}, 4);
  const std::vector<float> values(8, 8.0F);
  const std::vector<std::byte> stored = quantized(desc, values);
  EXPECT_THAT(stored, ElementsAre(std::byte{7}, std::byte{7}, std::byte{4}, std::byte{4}, std::byte{2},
                                  std::byte{2}, std::byte{1}, std::byte{1}));
}

TEST(Overrides, NamesOfTheModelAreFoundThroughTheTrace) {
  const frontend::Trace trace{.nodes = {}, .tensors = {{"x", "/model/in:0"}, {"y", "/model/in:0"}}};
  const auto matched = match(dict(R"("/model/in:0": [{"bitwidth": 8, "scale": 1, "offset": 0}],
                                     "nowhere": [{"bitwidth": 8, "scale": 1, "offset": 0}])"),
                             product(), trace);
  ASSERT_TRUE(matched.ok());
  EXPECT_TRUE(matched->overrides.contains("x"));
  EXPECT_TRUE(matched->overrides.contains("y"));
  EXPECT_THAT(matched->unmatched, ElementsAre("nowhere"));
}

TEST(Overrides, WhatIsWrongIsSaidWithItsPlace) {
  EXPECT_THAT(error_of("[]"), HasSubstr("no JSON object"));
  EXPECT_THAT(error_of(dict(R"("x": [{"bitwidth": 32, "is_symmetric": "False", "min": -178, "max": 1.0}])")),
              HasSubstr("more of the range lies below 0"));
  EXPECT_THAT(error_of("{\"version\": \"0.6.1\", \"activation_encodings\": {}}"),
              HasSubstr("param_encodings"));
  EXPECT_THAT(error_of(dict(R"("x": [{"bitwidth": 8, "scale": -1, "offset": 0}])")), HasSubstr("e.json:1:"));
  EXPECT_THAT(error_of(dict(R"("x": [{"bitwidth": 7, "scale": 1, "offset": 0}])")), HasSubstr("7 bits"));
  EXPECT_THAT(error_of(dict(R"("x": [{"bitwidth": 8, "scale": 1, "offset": 256}])")), HasSubstr("256"));
  EXPECT_THAT(error_of(dict(R"("x": [{"bitwidth": 8}])")), HasSubstr("\"scale\" and \"offset\""));
  EXPECT_THAT(
      error_of(dict(
          R"("x": [{"bitwidth": 8, "scale": 1, "offset": 0}, {"bitwidth": 8, "scale": 1, "offset": 0}])")),
      HasSubstr("one encoding for the whole tensor"));
  EXPECT_THAT(
      error_of(dict(
          "",
          R"("w": [{"bitwidth": 8, "scale": 1, "offset": -3}, {"bitwidth": 8, "scale": 1, "offset": -3}])")),
      HasSubstr("must be symmetric"));
  EXPECT_THAT(
      error_of(list(
          "", R"({"name": "w", "enc_type": "PER_CHANNEL", "bw": 8, "is_sym": true, "scale": [1, 2, 3]})")),
      HasSubstr("2 output channels"));
  EXPECT_THAT(error_of(list("", R"({"name": "w", "enc_type": "VECTOR", "bw": 8})")),
              HasSubstr("vector quantization"));
  EXPECT_THAT(
      error_of(list("", R"({"name": "w", "enc_type": "PER_BLOCK", "bw": 4, "is_sym": true, "block_size": 3,
                                    "scale": [1, 1], "offset": [-8, -8]})")),
      HasSubstr("blocks of 3"));
  EXPECT_THAT(
      error_of(list(R"({"name": "w", "enc_type": "PER_TENSOR", "bw": 8, "scale": [1], "offset": [-3, -3]})")),
      HasSubstr("2 offsets for 1 scales"));
}

TEST(Overrides, AFileOfAVersionThatIsNotReadIsRefusedByItsVersion) {
  const auto file = read_encodings(R"({"version": "2.0.0", "encodings": []})", "e.json");
  ASSERT_FALSE(file.ok());
  EXPECT_EQ(file.error().code, "encodings-version");
  EXPECT_THAT(file.error().message, HasSubstr("version 2.0.0 are not read"));
}

TEST(Overrides, WhatIsWrittenIsReadBack) {
  const std::string text = list(
      R"({"name": "x", "enc_type": "PER_TENSOR", "bw": 16, "is_sym": false, "scale": [0.125], "offset": [-9]},
              {"name": "y", "enc_type": "PER_TENSOR", "bw": 16, "is_sym": false, "scale": [0.25], "offset": [-1]})",
      R"({"name": "w", "enc_type": "PER_CHANNEL", "bw": 8, "is_sym": true, "scale": [0.5, 0.25], "offset": [-128, -128]},
              {"name": "b", "enc_type": "PER_TENSOR", "bw": 32, "is_sym": true, "scale": [0.0009765625]})");
  const ir::Graph graph = product();
  const auto first = match(text, graph);
  ASSERT_TRUE(first.ok()) << first.error().to_string();
  const auto plan = make_plan(graph, Observations(graph.tensors().size()), first->overrides, {});
  ASSERT_TRUE(plan.ok());
  ASSERT_TRUE(plan->nodes[0].fixed) << plan->nodes[0].why_float;
  const auto made = apply(graph, *plan, {});
  ASSERT_TRUE(made.ok());
  const auto second = match(write_encodings(*made), graph);
  ASSERT_TRUE(second.ok()) << second.error().to_string();
  EXPECT_TRUE(second->unmatched.empty());
  ASSERT_EQ(second->overrides.size(), 4U);
  for (const auto& [name, given] : first->overrides) {
    EXPECT_EQ(second->overrides.at(name).type, given.type) << name;
    EXPECT_EQ(second->overrides.at(name).quantization, given.quantization) << name;
  }
}

}  // namespace
}  // namespace openqnn::quant
