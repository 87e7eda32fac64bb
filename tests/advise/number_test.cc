// SPDX-License-Identifier: BSD-3-Clause
// Precision, weights and encodings.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "advise/models.h"

namespace openqnn::advise {
namespace {

using T = ModelBuilder::T;
using testing::HasSubstr;

ir::Graph small_net() {
  ModelBuilder m;
  m.output(m.relu(m.conv(m.relu(m.conv(m.input({1, 56, 56, 32}), 64)), 64)));
  return m.build();
}

// feature: G1 (inside)
TEST(AdviceOnPrecision, TheOrderIsA8A16Half) {
  const ir::Graph graph = small_net();
  Given given = given_of(graph);
  given.in_precision = [&](std::string_view name) -> Result<ir::Graph> {
    return quantized(graph, bits(8, name == "w8a8" ? 8 : 16));
  };
  const auto found = advise(given);
  const Finding& order = finding(found, "ADV-PRECISION");
  EXPECT_THAT(order.message, HasSubstr("half precision"));
  ASSERT_EQ(order.effects.size(), 2U) << order.why_not_simulated;
  EXPECT_EQ(order.effects[0].change, "--precision w8a8");
  EXPECT_LT(order.effects[0].after_us, order.effects[0].before_us);

  given.in_precision = [&](std::string_view) -> Result<ir::Graph> { return graph; };
  const auto unchanged = advise(given);
  EXPECT_TRUE(finding(unchanged, "ADV-PRECISION").effects.empty()) << "0.0 % is no effect";
  EXPECT_EQ(finding(unchanged, "ADV-PRECISION").level, Level::kInfo);

  EXPECT_THAT(finding(advice_on(quantized(graph, bits(8, 16))), "ADV-PRECISION").message,
              HasSubstr("16-bit activations"));
  EXPECT_FALSE(has(advice_on(quantized(graph)), "ADV-PRECISION"));
}

// feature: G1 (inside)
TEST(AdviceOnWeights, AsymmetricWeights) {
  quant::Options options;
  options.weight_scheme = quant::Scheme::kAsymmetric;
  options.per_channel = false;
  ModelBuilder m;
  const T x = m.input({1, 56, 56, 32});
  m.output(m.node("Conv2d", {x, m.constant({1, 1, 32, 64}, -0.1F, 0.9F)}, {1, 56, 56, 64},
                  {u32("stride", {2}, {1, 1}), u32("pad_amount", {2, 2}, {0, 0, 0, 0})}));
  const auto found = advice_on(quantized(m.build(), options));
  EXPECT_THAT(finding(found, "ADV-WEIGHTS-ASYMMETRIC").message, HasSubstr("has offset"));
  options.weight_scheme = quant::Scheme::kSymmetric;
  EXPECT_FALSE(has(advice_on(quantized(m.build(), options)), "ADV-WEIGHTS-ASYMMETRIC"));
}

// feature: G1 (inside)
TEST(AdviceOnWeights, SixteenBitsBeyondTheHardware) {
  quant::Options options = bits(16, 16);
  EXPECT_FALSE(has(advice_on(quantized(small_net(), options)), "ADV-A16W16-RANGE"));
  options.weight_steps.reset();
  EXPECT_THAT(finding(advice_on(quantized(small_net(), options)), "ADV-A16W16-RANGE").message,
              HasSubstr("32767"));
}

// feature: G1 (inside)
TEST(AdviceOnWeights, SixteenBitsWhereTheyAreNotOffered) {
  const auto model = [](bool deep) {
    ModelBuilder m;
    T last = m.relu(m.conv(m.input({1, 32, 32, 32}), 32));
    if (deep) {
      last = m.node(
          "Conv3d", {m.reshape(last, {1, 1, 32, 32, 32}), m.constant({1, 1, 1, 32, 32}), m.constant({32})},
          {1, 1, 32, 32, 32}, {u32("stride", {3}, {1, 1, 1}), u32("pad_amount", {3, 2}, {0, 0, 0, 0, 0, 0})});
    }
    m.output(last);
    return quantized(m.build(), bits(16, 16));
  };
  EXPECT_EQ(finding(advice_on(model(true)), "ADV-A16W16-OP").ops[0].type, "Conv3d");
  EXPECT_FALSE(has(advice_on(model(false)), "ADV-A16W16-OP"));
}

// feature: G1 (inside)
TEST(AdviceOnWeights, FourBitsWhereLoadingTakesLong) {
  const auto model = [](uint32_t columns) {
    ModelBuilder m;
    m.output(m.matmul(m.input({1, 1024}), columns));
    return quantized(m.build());
  };
  const auto found = advice_on(model(4096));
  const Finding& four = finding(found, "ADV-INT4");
  ASSERT_EQ(four.effects.size(), 1U) << four.why_not_simulated;
  EXPECT_LT(four.effects[0].after_us, 0.8 * four.effects[0].before_us);
  EXPECT_FALSE(has(advice_on(model(64)), "ADV-INT4"));
}

// A conversion from 8 to 16 bits.
ir::Graph conversion(float scale, int32_t offset) {
  ModelBuilder m;
  const T x = m.input({1, 64, 64, 32});
  const T wide = m.unary("Convert", x);
  m.output(wide);
  m.tensor(x).desc.type = ir::DataType::kUfixed8;
  m.tensor(x).desc.quantization = ir::Quantization::per_tensor(0.02F, -100);
  m.tensor(wide).desc.type = ir::DataType::kUfixed16;
  m.tensor(wide).desc.quantization = ir::Quantization::per_tensor(scale, offset);
  return m.build();
}

// feature: G1 (inside)
TEST(AdviceOnEncodings, ConversionsAreShiftsOrNot) {
  EXPECT_THAT(finding(advice_on(conversion(0.0001F, -25600)), "ADV-CONVERT").message, HasSubstr("256"));
  EXPECT_TRUE(has(advice_on(conversion(0.02F / 256, -25500)), "ADV-CONVERT"));
  EXPECT_FALSE(has(advice_on(conversion(0.02F / 256, -25600)), "ADV-CONVERT"));
}

// feature: G1 (inside)
TEST(AdviceOnEncodings, TrainingCoversEveryActivation) {
  const ir::Graph floats = small_net();
  const ir::Graph graph = quantized(floats);
  const auto found = [&](const std::set<std::string>& encoded) {
    Given given = given_of(graph);
    given.float_graph = &floats;
    given.encoded = encoded;
    return advise(given);
  };
  std::set<std::string> all;
  for (const ir::Node& node : floats.nodes())
    if (node.type == "Relu") all.insert(floats.tensors()[node.outputs[0]].name);
  all.insert(floats.tensors()[0].name);
  EXPECT_FALSE(has(found(all), "ADV-QAT"));  // what goes into a Relu alone needs none
  EXPECT_FALSE(has(found({}), "ADV-QAT"));   // not trained so
  all.erase(all.begin());
  EXPECT_THAT(finding(found(all), "ADV-QAT").message, HasSubstr("1 of 3 activations"));
}

}  // namespace
}  // namespace openqnn::advise
