// SPDX-License-Identifier: BSD-3-Clause
// Graphs with a change: what they compute, where the change is one of form alone, and what is refused.
#include "advise/rewrite.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "advise/models.h"
#include "quant/reference_run.h"

namespace openqnn::advise {
namespace {

using T = ModelBuilder::T;

// The outputs for inputs that are always the same, in single precision.
std::vector<float> computed(const ir::Graph& graph) {
  std::map<ir::TensorIndex, std::vector<std::byte>> values;
  for (ir::TensorIndex i = 0; i < graph.tensors().size(); ++i) {
    const ir::Tensor& tensor = graph.tensors()[i];
    if (tensor.role != ir::TensorRole::kInput) continue;
    std::mt19937 random(7);
    std::vector<std::byte>& bytes = values[i];
    bytes.resize(tensor.desc.shape.elements() * sizeof(float));
    for (size_t at = 0; at < bytes.size(); at += sizeof(float)) {
      const float value = std::uniform_real_distribution<float>(-1.0F, 1.0F)(random);
      std::memcpy(bytes.data() + at, &value, sizeof value);
    }
  }
  std::vector<float> out;
  quant::ReferenceRun run(graph, quant::FloatsAs::kSingle);
  const Status done = run.run(quant::Inputs(values.begin(), values.end()),
                              [&](ir::TensorIndex tensor, std::span<const std::byte> bytes) {
                                if (graph.tensors()[tensor].role != ir::TensorRole::kOutput) return;
                                const size_t before = out.size();
                                out.resize(before + bytes.size() / sizeof(float));
                                std::memcpy(out.data() + before, bytes.data(), bytes.size());
                              });
  EXPECT_TRUE(done.ok()) << done.error().to_string();
  return out;
}

void expect_same(const ir::Graph& before, const Result<ir::Graph>& after) {
  ASSERT_TRUE(after.ok()) << after.error().to_string();
  const std::vector<float> wanted = computed(before);
  EXPECT_FALSE(wanted.empty());
  EXPECT_THAT(computed(*after), testing::Pointwise(testing::FloatNear(1e-4F), wanted));
}

size_t count(const ir::Graph& graph, std::string_view type) {
  return static_cast<size_t>(std::ranges::count(graph.nodes(), type, &ir::Node::type));
}

TEST(AdviceRewrites, ReciprocalsComputeTheSame) {
  ModelBuilder m;
  m.output(m.binary("ElementWiseDivide", m.input({1, 4, 4, 8}), m.constant({8}, 1.0F, 4.0F)));
  const ir::Graph graph = m.build();
  expect_same(graph, with_reciprocals(graph, {0}));
}

TEST(AdviceRewrites, BranchesOfOneTensorAreMergedAndComputeTheSame) {
  ModelBuilder m;
  const T x = m.input({1, 6, 6, 8});
  m.output(m.binary("ElementWiseSubtract", m.relu(m.conv(x, 4)), m.relu(m.conv(x, 4))));
  const ir::Graph graph = m.build();
  const auto made = with_convolved_differences(graph, {4});
  expect_same(graph, made);
  EXPECT_EQ(count(*made, "Conv2d"), 2U);  // both, and the difference
  EXPECT_EQ(count(*made, "Concat"), 0U);
}

TEST(AdviceRewrites, BranchesThatDifferAreConcatenatedAndComputeTheSame) {
  ModelBuilder m;
  const T x = m.input({1, 6, 6, 8});
  m.output(m.binary("ElementWiseSubtract", m.conv(x, 4), m.relu(m.conv(x, 4, {.filter = 1}))));
  const ir::Graph graph = m.build();
  const auto made = with_convolved_differences(graph, {3});
  expect_same(graph, made);
  EXPECT_EQ(count(*made, "Concat"), 1U);
}

// A branch that somebody else reads stays as it is.
TEST(AdviceRewrites, BranchesThatAreReadElsewhereAreNotMerged) {
  ModelBuilder m;
  const T x = m.input({1, 6, 6, 8});
  const T a = m.conv(x, 4);
  m.output(m.binary("ElementWiseAdd", m.binary("ElementWiseSubtract", a, m.conv(x, 4)), a));
  const ir::Graph graph = m.build();
  expect_same(graph, with_convolved_differences(graph, {2}));
}

TEST(AdviceRewrites, SeveralDifferencesAtOnce) {
  ModelBuilder m;
  const T x = m.input({1, 6, 6, 8});
  const T first = m.binary("ElementWiseSubtract", m.conv(x, 4), m.relu(m.conv(x, 4, {.filter = 1})));
  m.output(m.binary("ElementWiseSubtract", m.conv(first, 4), m.conv(first, 4)));
  const ir::Graph graph = m.build();
  expect_same(graph, with_convolved_differences(graph, {3, 6}));
}

TEST(AdviceRewrites, JoinedGroupsComputeTheSame) {
  ModelBuilder m;
  m.output(m.conv(m.input({1, 5, 5, 64}), 32, {.groups = 16}));
  const ir::Graph graph = m.build();
  const auto made = with_joined_groups(graph, {0});
  expect_same(graph, made);
  EXPECT_EQ(made->nodes()[0].params.u32("group", 0), 2U);  // of 32 channels each
}

TEST(AdviceRewrites, PaddedChannelsComputeTheSame) {
  ModelBuilder m;
  m.output(m.conv(m.relu(m.conv(m.input({1, 5, 5, 4}), 6)), 8));
  const ir::Graph graph = m.build();
  const auto made = with_padded_channels(graph, {0}, 32);
  expect_same(graph, made);
  EXPECT_EQ(made->tensors()[made->nodes()[1].outputs[0]].desc.shape[3], 32U);
  EXPECT_TRUE(with_padded_channels(quantized(graph), {0}, 32).ok());
}

TEST(AdviceRewrites, ChannelsThatOthersSeeAreNotPadded) {
  ModelBuilder m;
  m.output(m.unary("Softmax", m.conv(m.input({1, 8, 8, 32}), 8)));
  EXPECT_FALSE(with_padded_channels(quantized(m.build()), {0}, 32).ok());
}

TEST(AdviceRewrites, AnInputThatIsReadTwiceStays) {
  ModelBuilder m;
  const T x = m.input({1, 8, 8, 32});
  m.output(m.binary("ElementWiseAdd", m.transpose(x, {0, 2, 1, 3}), x));
  EXPECT_FALSE(with_inputs_behind(m.build(), {0}).ok());
}

TEST(AdviceRewrites, FourBitWeightsAreTheNearest) {
  ModelBuilder m;
  m.output(m.matmul(m.input({1, 64}), 64));
  const ir::Graph graph = quantized(m.build());
  const auto made = with_four_bit_weights(graph, {0});
  ASSERT_TRUE(made.ok()) << made.error().to_string();
  const ir::Tensor& wide = graph.tensors()[graph.nodes()[0].inputs[1]];
  const ir::Tensor& narrow = made->tensors()[made->nodes()[0].inputs[1]];
  EXPECT_EQ(narrow.desc.quantization.bits, 4U);
  for (size_t i = 0; i < wide.data.size(); ++i) {
    const int eight = static_cast<int8_t>(wide.data.bytes()[i]);
    const int four = static_cast<int8_t>(narrow.data.bytes()[i]);
    EXPECT_LE(std::abs(eight - 16 * four), eight > 120 ? 16 : 8) << eight;
  }
}

}  // namespace
}  // namespace openqnn::advise
