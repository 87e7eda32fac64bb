// SPDX-License-Identifier: BSD-3-Clause
// Numbers that random problems do not hit: ties, ends of types, infinities and NaNs, absent operands.
#include "ops/normalise/values.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace openqnn::ops {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr int32_t kMost = std::numeric_limits<int32_t>::max();
constexpr int32_t kLeast = std::numeric_limits<int32_t>::min();

std::vector<float> run_halves(const std::string& line, const std::vector<float>& in) {
  OpCase c{line};
  set_halves(c, 0, in);
  return halves_of(c, c.run());
}

std::vector<int32_t> run_integers(const std::string& line, const std::vector<int32_t>& in) {
  OpCase c{line};
  set_values(c, 0, in);
  return values_of<int32_t>(c, c.run());
}

TEST(Order, OfEqualElementsTheFirstWins) {
  EXPECT_EQ(run_integers("Argmax in=6:i32 axis=0 out=i32", {1, 7, 3, 7, 7, 0}), std::vector<int32_t>{1});
  OpCase argmin{std::string("Argmin in=5:f16 axis=0 out=i32")};
  set_halves(argmin, 0, {0.0F, -0.0F, -2.0F, -2.0F, 5.0F});
  EXPECT_EQ(values_of<int32_t>(argmin, argmin.run()), std::vector<int32_t>{2});
}

TEST(Order, TheFirstNanWins) {
  for (const char* op : {"Argmax", "Argmin"}) {
    OpCase c{op + std::string(" in=5:f16 axis=0 out=i32")};
    set_halves(c, 0, {kInf, 1.0F, kNan, -kInf, kNan});
    EXPECT_EQ(values_of<int32_t>(c, c.run()), std::vector<int32_t>{2}) << op;
  }
}

TEST(Order, UnsignedIntegersAreNotNegative) {
  OpCase c{std::string("Argmax in=3:u32 axis=0 out=u32")};
  set_values<uint32_t>(c, 0, {5, 0xFFFFFFFE, 0x7FFFFFFF});
  EXPECT_EQ(values_of<uint32_t>(c, c.run()), std::vector<uint32_t>{1});
}

TEST(Order, TopKTakesTheLastOfEqualElementsFirst) {
  OpCase c{std::string("TopK in=6:i32 k=4 out=i32 out=u32")};
  set_values<int32_t>(c, 0, {3, 9, 3, 9, kLeast, 9});
  EXPECT_EQ(values_of<int32_t>(c, c.run(), 0), (std::vector<int32_t>{9, 9, 9, 3}));
  EXPECT_EQ(values_of<uint32_t>(c, c.run(), 1), (std::vector<uint32_t>{5, 3, 1, 2}));
  set_param(c, "largest", {0});
  EXPECT_EQ(values_of<int32_t>(c, c.run(), 0), (std::vector<int32_t>{kLeast, 3, 3, 9}));
  EXPECT_EQ(values_of<uint32_t>(c, c.run(), 1), (std::vector<uint32_t>{4, 2, 0, 5}));
}

TEST(Order, TopKHoldsNanForTheLargest) {
  OpCase c{std::string("TopK in=5:f16 k=5 out=f16 out=i32")};
  set_halves(c, 0, {1.0F, kNan, kInf, -kInf, kNan});
  EXPECT_EQ(values_of<int32_t>(c, c.run(), 1), (std::vector<int32_t>{4, 1, 2, 0, 3}));
  set_param(c, "largest", {0});
  EXPECT_EQ(values_of<int32_t>(c, c.run(), 1), (std::vector<int32_t>{3, 0, 2, 4, 1}));
}

TEST(Reduce, PlainIntegersStickAtTheEndsOfTheirType) {
  EXPECT_EQ(run_integers("ReduceSum in=4:i32 axes=0", {kMost, kMost, -5, 3}), std::vector<int32_t>{kMost});
  EXPECT_EQ(run_integers("ReduceSum in=3:i32 axes=0", {kMost, kMost, kLeast}),
            std::vector<int32_t>{kMost - 1});
  EXPECT_EQ(run_integers("ReduceProd in=4:i32 axes=0", {kMost, kMost, kMost, -3}),
            std::vector<int32_t>{kLeast});
  EXPECT_EQ(run_integers("ReduceProd in=5:i32 axes=0", {kLeast, kLeast, kLeast, kMost, 0}),
            std::vector<int32_t>{0});
  EXPECT_EQ(run_integers("ReduceSumSquare in=3:i32 axes=0", {kLeast, kLeast, kLeast}),
            std::vector<int32_t>{kMost});
  EXPECT_EQ(run_integers("CumulativeSum in=4:i32 axis=0", {kMost, 2, -4, kLeast}),
            (std::vector<int32_t>{kMost, kMost, kMost - 2, -3}));
}

TEST(Reduce, ANanIsTheResult) {
  for (const char* op : {"ReduceMax", "ReduceMin", "ReduceSum", "ReduceMean", "ReduceProd"}) {
    EXPECT_TRUE(std::isnan(run_halves(op + std::string(" in=3:f16 axes=0"), {1.0F, kNan, 2.0F})[0])) << op;
  }
  EXPECT_EQ(run_halves("ReduceMax in=2:f16 axes=0", {-kInf, -kInf})[0], -kInf);
  EXPECT_EQ(run_halves("ReduceMin in=2:f16 axes=0", {kInf, 4.0F})[0], 4.0F);
}

// 2048 + 1 is no half, but the sum is rounded only at the end.
TEST(Reduce, SumsAreRoundedOnce) {
  EXPECT_EQ(run_halves("ReduceSum in=4:f16 axes=0", {2048.0F, 1.0F, 1.0F, 0.0F})[0], 2050.0F);
  EXPECT_EQ(run_halves("ReduceSum in=3:f16 axes=0", {65504.0F, 65504.0F, -65504.0F})[0], 65504.0F);
  EXPECT_EQ(run_halves("ReduceSum in=2:f16 axes=0", {65504.0F, 65504.0F})[0], kInf);
  EXPECT_EQ(run_halves("CumulativeSum in=3:f16 axis=0", {2048.0F, 1.0F, 1.0F}),
            (std::vector<float>{2048.0F, 2048.0F, 2050.0F}));
}

TEST(Reduce, CumulativeSumFollowsTheDefinition) {
  const std::vector<int32_t> in = {1, 2, 3};
  EXPECT_EQ(run_integers("CumulativeSum in=3:i32 axis=0", in), (std::vector<int32_t>{1, 3, 6}));
  EXPECT_EQ(run_integers("CumulativeSum in=3:i32 axis=0 exclusive=1", in), (std::vector<int32_t>{0, 1, 3}));
  EXPECT_EQ(run_integers("CumulativeSum in=3:i32 axis=0 reverse=1", in), (std::vector<int32_t>{6, 5, 3}));
  EXPECT_EQ(run_integers("CumulativeSum in=3:i32 axis=0 exclusive=1 reverse=1", in),
            (std::vector<int32_t>{5, 3, 0}));
}

TEST(Norms, ConstantsBecomeBeta) {
  OpCase c{std::string("LayerNorm in=1x4:f16 in=4:f16 in=4:f16 axes=1")};
  set_halves(c, 0, {3.0F, 3.0F, 3.0F, 3.0F});
  set_halves(c, 1, {2.0F, 2.0F, 2.0F, 2.0F});
  set_halves(c, 2, {0.5F, -1.0F, 0.0F, 7.0F});
  EXPECT_EQ(halves_of(c, c.run()), (std::vector<float>{0.5F, -1.0F, 0.0F, 7.0F}));
}

TEST(Norms, DefaultEpsilonsAreThoseOfTheDefinition) {
  // A variance of 0.001: with epsilon 0.001 the deviation is the root of 0.002.
  const float x = 0.03161F;  // close to the root of 0.001, as a half
  const auto layer = run_halves("LayerNorm in=2:f16 axes=0", {x, -x});
  EXPECT_NEAR(layer[0], 0.7071, 1e-3);
  const auto rms = run_halves("RmsNorm in=2:f16 axes=0", {0.001F, -0.001F});
  EXPECT_NEAR(rms[0], 0.7071, 1e-3);
  OpCase instance{std::string("InstanceNorm in=1x1x2x1:f16 in=1:f16")};
  set_halves(instance, 0, {1e-4F, -1e-4F});
  set_halves(instance, 1, {1.0F});
  EXPECT_NEAR(halves_of(instance, instance.run())[0], 1.0, 1e-3);
}

TEST(Norms, LengthHasALowerBound) {
  EXPECT_EQ(run_halves("L2Norm in=3:f16 axis=0", {0.0F, 0.0F, 0.0F}), (std::vector<float>{0.0F, 0.0F, 0.0F}));
  EXPECT_EQ(run_halves("L2Norm in=2:f16 axis=0 epsilon=10", {3.0F, 4.0F}),
            (std::vector<float>{to_float(to_half(0.3F)), to_float(to_half(0.4F))}));
}

// Absent and explicit neutral operands are the same.
TEST(Norms, AbsentGammaAndBetaAreNeutral) {
  OpCase with{std::string("RmsNorm in=2x3:f16 in=3:f16 in=3:f16 axes=1")};
  const std::vector<float> x = {1.0F, 2.0F, 3.0F, -4.0F, 0.5F, 6.0F};
  set_halves(with, 0, x);
  set_halves(with, 1, {1.0F, 1.0F, 1.0F});
  set_halves(with, 2, {0.0F, 0.0F, 0.0F});
  EXPECT_EQ(halves_of(with, with.run()), run_halves("RmsNorm in=2x3:f16 axes=1", x));
}

TEST(MaskedSoftmax, LengthsFromOutsideAreCutToTheColumns) {
  OpCase c{std::string("MaskedSoftmax in=1x1x3x3:f16 in=1x3:i32 mode=1")};
  set_halves(c, 0, std::vector<float>(9, 1.0F));
  set_values<int32_t>(c, 1, {-7, 1, kMost});  // none, the first, all that is left
  EXPECT_EQ(halves_of(c, c.run()), (std::vector<float>{1.0F, 0, 0, 0, 0.5F, 0.5F, 0, 0.5F, 0.5F}));
  set_values<int32_t>(c, 1, {1, 1, 0});  // the third row belongs to no sequence
  EXPECT_EQ(halves_of(c, c.run()), (std::vector<float>{1.0F, 0, 0, 0, 1.0F, 0, 0, 0, 0}));
}

TEST(Softmax, LargeNumbersDoNotOverflow) {
  EXPECT_EQ(run_halves("Softmax in=3:f16", {65504.0F, 65504.0F, -65504.0F}),
            (std::vector<float>{0.5F, 0.5F, 0.0F}));
  const auto logs = run_halves("LogSoftmax in=2:f16 axis=0", {60000.0F, 0.0F});
  EXPECT_EQ(logs, (std::vector<float>{0.0F, -60000.0F}));
}

}  // namespace
}  // namespace openqnn::ops
