// SPDX-License-Identifier: BSD-3-Clause
#include "quant/random_inputs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "quant/reference_run.h"

namespace openqnn::quant {
namespace {

using ir::DataType;

constexpr uint32_t kTokens = 200;
constexpr uint32_t kVocabulary = 30;

ir::TensorIndex add(ir::Graph& graph, const std::string& name, ir::TensorRole role, DataType type,
                    const ir::Shape& shape) {
  ir::Tensor tensor{.name = name, .role = role, .desc = {.type = type, .shape = shape}, .data = nullptr};
  if (role == ir::TensorRole::kStatic)
    tensor.data = ir::Blob::of(std::vector<std::byte>(ir::plain_bytes(tensor.desc)));
  return graph.add_tensor(std::move(tensor)).value();
}

std::set<float> values(const ir::Graph& graph, ir::TensorIndex input, uint64_t seed = 1) {
  const std::vector<float> drawn = reals_of(graph.tensors()[input].desc, random_input(graph, input, seed));
  return {drawn.begin(), drawn.end()};
}

// ids -> Cast -> Gather of a table with kVocabulary rows.
ir::Graph embedding(DataType ids) {
  ir::Graph graph("embedding");
  const auto input = add(graph, "ids", ir::TensorRole::kInput, ids, {1, kTokens});
  const auto table = add(graph, "table", ir::TensorRole::kStatic, DataType::kFloat32, {kVocabulary, 4});
  const auto indices = add(graph, "indices", ir::TensorRole::kNative, DataType::kInt32, {1, kTokens});
  const auto out = add(graph, "y", ir::TensorRole::kOutput, DataType::kFloat32, {1, kTokens, 4});
  EXPECT_TRUE(
      graph.add_node({.name = "cast", .type = "Cast", .params = {}, .inputs = {input}, .outputs = {indices}})
          .ok());
  EXPECT_TRUE(graph
                  .add_node({.name = "gather",
                             .type = "Gather",
                             .params = {},
                             .inputs = {table, indices},
                             .outputs = {out}})
                  .ok());
  return graph;
}

TEST(RandomInputs, IndicesFillTheTableAndStayInIt) {
  for (const DataType type : {DataType::kInt32, DataType::kInt64, DataType::kUint8}) {
    const std::set<float> ids = values(embedding(type), 0);
    EXPECT_GT(ids.size(), kVocabulary / 2) << ir::name(type);
    EXPECT_GE(*ids.begin(), 0.0F);
    EXPECT_LT(*ids.rbegin(), static_cast<float>(kVocabulary));
  }
}

TEST(RandomInputs, OtherIntegersAreZerosAndOnesAndBytesArePixels) {
  ir::Graph graph("g");
  const auto mask = add(graph, "mask", ir::TensorRole::kInput, DataType::kInt32, {64});
  const auto truth = add(graph, "truth", ir::TensorRole::kInput, DataType::kBool8, {64});
  const auto image = add(graph, "image", ir::TensorRole::kInput, DataType::kUint8, {256});
  EXPECT_EQ(values(graph, mask), (std::set<float>{0.0F, 1.0F}));
  EXPECT_EQ(values(graph, truth), (std::set<float>{0.0F, 1.0F}));
  EXPECT_GT(*values(graph, image).rbegin(), 200.0F);
}

TEST(RandomInputs, AreTheSameForTheSameSeedAlone) {
  const ir::Graph graph = embedding(DataType::kInt32);
  EXPECT_EQ(random_input(graph, 0, 5), random_input(graph, 0, 5));
  EXPECT_NE(random_input(graph, 0, 5), random_input(graph, 0, 6));
}

TEST(RandomInputs, FixedPointHoldsTheSameRealsAsFloat) {
  ir::Graph graph("g");
  const auto real = add(graph, "real", ir::TensorRole::kInput, DataType::kFloat32, {64});
  ir::Tensor fixed{
      .name = "fixed", .role = ir::TensorRole::kInput, .desc = graph.tensors()[real].desc, .data = nullptr};
  fixed.desc.type = DataType::kUfixed16;
  fixed.desc.quantization = ir::Quantization::per_tensor(4.0F / 65535.0F, -32768);
  const auto stored = graph.add_tensor(std::move(fixed)).value();
  const auto wanted = reals_of(graph.tensors()[real].desc, random_input(graph, real, 7));
  const auto got = reals_of(graph.tensors()[stored].desc, random_input(graph, stored, 7));
  for (size_t i = 0; i < wanted.size(); ++i) EXPECT_NEAR(wanted[i], got[i], 1e-4F);
}

}  // namespace
}  // namespace openqnn::quant
