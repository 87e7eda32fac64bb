// SPDX-License-Identifier: BSD-3-Clause
// Ops that take long: planted, and nearly so.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "advise/models.h"

namespace openqnn::advise {
namespace {

using T = ModelBuilder::T;
using testing::IsEmpty;

constexpr uint32_t kNarrow =
    16;  // half of what the matrix unit takes at once: the vectors have more to do than it

// Two branches, joined by `join`, and a convolution behind.
ir::Graph branches(const std::function<T(ModelBuilder&, T, T)>& join, uint32_t channels = 64) {
  ModelBuilder m;
  const T stem = m.relu(m.conv(m.input({1, 112, 112, 32}), 32));
  const T joined = join(m, m.relu(m.conv(stem, channels)), m.relu(m.conv(stem, channels)));
  m.output(m.relu(m.conv(joined, channels)));
  return quantized(m.build());
}

// feature: G1 (inside)
TEST(AdviceOnBottlenecks, CleanModelsAreLeftAlone) {
  EXPECT_THAT(ids(advice_on(clean_convnet())), IsEmpty());
  EXPECT_THAT(ids(advice_on(clean_transformer())), IsEmpty());
  EXPECT_THAT(
      ids(advice_on(branches([](ModelBuilder& m, T a, T b) { return m.binary("ElementWiseAdd", a, b); }))),
      IsEmpty());
}

// feature: G1 (inside)
TEST(AdviceOnBottlenecks, NoOpOfAModelThatIsAllOverheadIsBlamed) {
  const auto notes_on = [](const std::function<T(ModelBuilder&, T)>& op) {
    ModelBuilder m;
    m.output(op(m, m.input({1, 8, 8, 3})));
    std::vector<Finding> found = advice_on(quantized(m.build()));
    std::erase_if(found, [](const Finding& one) { return one.level < Level::kNote; });
    return ids(found);
  };
  EXPECT_THAT(notes_on([](ModelBuilder& m, T x) { return m.binary("ElementWiseAdd", x, x); }), IsEmpty());
  EXPECT_THAT(notes_on([](ModelBuilder& m, T x) { return m.reshape(x, {1, 192}); }), IsEmpty());
  EXPECT_THAT(notes_on([](ModelBuilder& m, T x) { return m.transpose(x, {0, 3, 1, 2}); }), IsEmpty());
}

// feature: G1 (inside)
TEST(AdviceOnBottlenecks, DivisionByAConstantBecomesAProduct) {
  const auto found = advice_on(branches([](ModelBuilder& m, T a, T b) {
    return m.binary("ElementWiseAdd", m.binary("ElementWiseDivide", a, m.constant({1}, 2.0F, 3.0F)), b);
  }));
  const Finding& division = finding(found, "ADV-DIV");
  ASSERT_EQ(division.effects.size(), 1U) << division.why_not_simulated;
  EXPECT_LT(division.effects[0].after_us, 0.9 * division.effects[0].before_us);
  ASSERT_EQ(division.ops.size(), 1U);
  EXPECT_EQ(division.ops[0].type, "ElementWiseDivide");
  EXPECT_GT(division.ops[0].share, 0.05);
  EXPECT_EQ(division.level, Level::kWarning);
}

TEST(AdviceOnBottlenecks, DivisionByATensorIsCounted) {
  const auto found = advice_on(
      branches([](ModelBuilder& m, T a, T b) { return m.binary("ElementWiseDivide", a, b); }, kNarrow));
  EXPECT_THAT(finding(found, "ADV-DIV").message, testing::HasSubstr("none are by a constant"));
  EXPECT_THAT(finding(found, "ADV-DIV").effects, IsEmpty());
}

TEST(AdviceOnBottlenecks, ALongOpThatNothingRunsBesideIsTold) {
  ModelBuilder m;
  const T x = m.relu(m.conv(m.input({1, 32, 32, 32}), 32));
  const T y = m.relu(m.conv(x, 32, {.filter = 1}));
  // Of one tile each, one after the other.
  m.output(m.binary("ElementWiseDivide", m.binary("ElementWiseDivide", x, y), y));
  EXPECT_THAT(finding(advice_on(quantized(m.build())), "ADV-OVERLAP").message,
              testing::HasSubstr("of the critical path"));
}

TEST(AdviceOnBottlenecks, ASmallDivisionIsNoBottleneck) {
  ModelBuilder m;
  const T last = m.relu(m.conv(m.relu(m.conv(m.input({1, 112, 112, 32}), 64)), 64));
  m.output(m.binary("ElementWiseDivide", m.global_pool(last), m.constant({1}, 2.0F, 3.0F)));
  const auto found = advice_on(quantized(m.build()));
  EXPECT_FALSE(has(found, "ADV-DIV"));
  EXPECT_FALSE(has(found, "ADV-OVERLAP"));
}

// Values of 0 cannot be turned over.
TEST(AdviceOnBottlenecks, DivisionByZeroStaysAsItIs) {
  ModelBuilder m;
  const T last = m.relu(m.conv(m.input({1, 112, 112, 32}), 64));
  m.output(m.binary("ElementWiseDivide", last, m.constant({1}, 0.0F, 0.0F)));
  const auto found = advice_on(m.build());
  EXPECT_THAT(finding(found, "ADV-DIV").effects, IsEmpty());
  EXPECT_THAT(finding(found, "ADV-DIV").why_not_simulated, testing::HasSubstr("is 0"));
}

// feature: G1 (inside)
TEST(AdviceOnBottlenecks, ADifferenceOfBranchesBecomesAConvolution) {
  ModelBuilder m;
  const T x = m.input({1, 112, 112, 32});
  const T a = m.relu(m.conv(x, kNarrow, {.filter = 1}));
  const T b = m.relu(m.conv(x, kNarrow, {.filter = 1}));
  m.output(m.relu(m.conv(m.binary("ElementWiseSubtract", a, b), kNarrow, {.filter = 1})));
  const auto found = advice_on(quantized(m.build()));
  const Finding& difference = finding(found, "ADV-SUB");
  EXPECT_EQ(difference.effects.size(), 1U) << difference.why_not_simulated;
}

TEST(AdviceOnBottlenecks, BranchesThatCannotBeMergedAreConcatenated) {
  ModelBuilder m;
  const T x = m.input({1, 112, 112, 32});
  const T a = m.relu(m.conv(x, kNarrow));
  const T b = m.relu(m.conv(x, kNarrow, {.filter = 1}));
  m.output(m.relu(m.conv(m.binary("ElementWiseSubtract", a, b), kNarrow)));
  const auto found = advice_on(quantized(m.build()));
  EXPECT_EQ(finding(found, "ADV-SUB").effects.size(), 1U) << finding(found, "ADV-SUB").why_not_simulated;
}

TEST(AdviceOnBottlenecks, SubtractingAConstantIsNoDifferenceOfBranches) {
  const auto found = advice_on(branches([](ModelBuilder& m, T a, T b) {
    return m.binary("ElementWiseAdd", m.binary("ElementWiseSubtract", a, m.constant({64})), b);
  }));
  EXPECT_FALSE(has(found, "ADV-SUB"));
}

// feature: G1 (inside)
TEST(AdviceOnBottlenecks, PreluBecomesRelu) {
  ModelBuilder m;
  T last = m.conv(m.input({1, 112, 112, 32}), 64);
  last = m.node("Prelu", {last, m.constant({64}, 0.1F, 0.2F)}, m.shape(last));
  m.output(m.relu(m.conv(last, 64)));
  const auto found = advice_on(quantized(m.build()));
  const Finding& prelu = finding(found, "ADV-PRELU");
  ASSERT_EQ(prelu.effects.size(), 1U) << prelu.why_not_simulated;
  EXPECT_LT(prelu.effects[0].after_us, prelu.effects[0].before_us);
}

// feature: G1 (inside)
TEST(AdviceOnBottlenecks, AnActivationWhoseInputIsReadTwiceIsNotFused) {
  const auto model = [](bool twice, bool plain) {
    ModelBuilder m;
    const T conv = m.conv(m.input({1, 112, 112, 32}), 64);
    const T active = plain ? m.relu(conv) : m.clamp(conv);
    const T next = m.conv(active, 64);
    m.output(twice ? m.binary("ElementWiseAdd", next, conv) : next);
    return quantized(m.build());
  };
  const auto found = advice_on(model(true, false));
  const Finding& activation = finding(found, "ADV-ACTIVATION");
  EXPECT_THAT(activation.message, testing::HasSubstr("ElementWiseAdd"));
  ASSERT_EQ(activation.effects.size(), 1U) << activation.why_not_simulated;
  EXPECT_LT(activation.effects[0].after_us, activation.effects[0].before_us);
  EXPECT_FALSE(has(advice_on(model(false, false)), "ADV-ACTIVATION"));  // read once: it is fused
  EXPECT_FALSE(has(advice_on(model(true, true)), "ADV-ACTIVATION"));    // a plain Relu is exempt
}

}  // namespace
}  // namespace openqnn::advise
