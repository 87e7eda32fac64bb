// SPDX-License-Identifier: BSD-3-Clause
// Shapes and data movement.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "advise/models.h"

namespace openqnn::advise {
namespace {

using T = ModelBuilder::T;

ir::Graph convolutions(uint32_t channels, uint32_t groups = 1) {
  ModelBuilder m;
  T last = m.relu(m.conv(m.input({1, 112, 112, 3}), channels));
  for (int i = 0; i < 3; ++i) last = m.relu(m.conv(last, channels, {.groups = groups}));
  m.output(m.conv(last, 32, {.filter = 1}));
  return quantized(m.build());
}

// feature: G1 (inside)
TEST(AdviceOnShapes, FewChannels) {
  const auto found = advice_on(convolutions(8));
  const Finding& few = finding(found, "ADV-CHANNELS");
  EXPECT_THAT(few.message, testing::HasSubstr("goes from"));
  ASSERT_EQ(few.effects.size(), 1U) << few.why_not_simulated;
  // 16 times the products of 8 x 8 channels, and nothing like 16 times as long.
  EXPECT_LT(few.effects[0].after_us, 2 * few.effects[0].before_us);
  EXPECT_FALSE(has(advice_on(convolutions(32)), "ADV-CHANNELS"));  // with an image of 3 channels
}

// feature: G1 (inside)
TEST(AdviceOnShapes, NarrowGroups) {
  const auto found = advice_on(convolutions(64, 16));
  const Finding& groups = finding(found, "ADV-GROUPS");
  EXPECT_THAT(groups.message, testing::HasSubstr("16 groups of 4 channels"));
  EXPECT_EQ(groups.effects.size(), 1U) << groups.why_not_simulated;
  EXPECT_FALSE(has(advice_on(convolutions(64, 2)), "ADV-GROUPS"));
}

// feature: G1 (inside)
TEST(AdviceOnShapes, PoolingOverWholeImages) {
  const auto model = [](uint32_t extent) {
    ModelBuilder m;
    m.output(m.global_pool(m.relu(m.conv(m.relu(m.conv(m.input({1, extent, extent, 32}), 128)), 128))));
    return quantized(m.build());
  };
  const auto found = advice_on(model(56));
  EXPECT_THAT(finding(found, "ADV-POOL").message, testing::HasSubstr("over 56 x 56"));

  ModelBuilder m;  // the same behind a stride
  T last = m.relu(m.conv(m.relu(m.conv(m.input({1, 56, 56, 32}), 128)), 128));
  m.output(m.global_pool(m.relu(m.conv(last, 128, {.stride = 8}))));
  EXPECT_FALSE(has(advice_on(quantized(m.build())), "ADV-POOL"));
}

// feature: G1 (inside)
TEST(AdviceOnShapes, WideTensorsDoNotFitVtcm) {
  const auto model = [](uint32_t width) {
    ModelBuilder m;
    const T x = m.input({1, 1, width, 32});
    m.output(m.binary("ElementWiseAdd", x, m.unary("Sigmoid", x)));
    return quantized(m.build());
  };
  // width * 256 bytes of three tensors: 6 MB, then 12 MB, of 8.
  EXPECT_EQ(finding(advice_on(model(8192)), "ADV-TCM").level, Level::kNote);
  EXPECT_EQ(finding(advice_on(model(16384)), "ADV-TCM").level, Level::kWarning);
  EXPECT_FALSE(has(advice_on(model(4096)), "ADV-TCM"));
}

// feature: G1 (inside)
TEST(AdviceOnMovers, MuchMoving) {
  ModelBuilder m;
  const T x = m.relu(m.conv(m.input({1, 64, 64, 32}), 32, {.filter = 1}));
  T last = x;
  for (int i = 0; i < 3; ++i) last = m.transpose(last, {0, 2, 1, 3});
  m.output(m.conv(m.concat_depth(last, x), 32, {.filter = 1}));
  EXPECT_EQ(finding(advice_on(quantized(m.build())), "ADV-MOVERS").op_count, 4U);
}

// feature: G1 (inside)
TEST(AdviceOnMovers, AnInputThatIsRearrangedFirst) {
  const auto model = [](bool first) {
    ModelBuilder m;
    const T x = first ? m.transpose(m.input({1, 32, 112, 112}), {0, 2, 3, 1}) : m.input({1, 112, 112, 32});
    m.output(m.conv(m.relu(m.conv(x, 64)), 64));
    return quantized(m.build());
  };
  const auto found = advice_on(model(true));
  const Finding& layout = finding(found, "ADV-INPUT-LAYOUT");
  ASSERT_EQ(layout.effects.size(), 1U) << layout.why_not_simulated;
  EXPECT_LT(layout.effects[0].after_us, layout.effects[0].before_us);
  EXPECT_FALSE(has(advice_on(model(false)), "ADV-INPUT-LAYOUT"));
}

// feature: G1 (inside)
TEST(AdviceOnMovers, TransposesAroundAReshape) {
  const auto model = [](const std::vector<uint32_t>& before) {
    ModelBuilder m;
    const T x = m.relu(m.conv(m.input({1, 64, 64, 32}), 64));
    const T turned = m.transpose(x, before);
    m.output(m.unary("Sigmoid", m.reshape(turned, {1, 64, 4096})));
    return quantized(m.build());
  };
  EXPECT_EQ(finding(advice_on(model({0, 3, 1, 2})), "ADV-TRANSPOSE").op_count, 1U);
  EXPECT_FALSE(has(advice_on(model({0, 2, 1, 3})), "ADV-TRANSPOSE"));
}

}  // namespace
}  // namespace openqnn::advise
