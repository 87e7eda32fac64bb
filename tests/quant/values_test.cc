// SPDX-License-Identifier: BSD-3-Clause
// Values that an encoding must not touch: what a Cast reads and gives, exponents, masks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "quant/measured.h"

namespace openqnn::quant {
namespace {

using ir::DataType;
using testing::Contains;
using testing::ElementsAre;
using testing::Not;

const Options kBytes{};
const Options kWide{.activation_bits = 16};
const ir::Shape kRows{4, 8};

// ---- Cast ----

// As in BERT: (1 - mask) * -10000 is added to the scores.
Model masked_by(DataType type) {
  Model model;
  const auto scores = model.input("scores", kRows);
  const auto mask = model.node("Cast", {model.input("mask", kRows, type)}, "mask_float", kRows);
  const auto kept =
      model.node("ElementWiseSubtract", {model.constant("one", {1}, {1.0F}), mask}, "masked", kRows);
  const auto far =
      model.node("ElementWiseMultiply", {kept, model.constant("far", {1}, {-10000.0F})}, "far_off", kRows);
  const auto sum = model.node("ElementWiseAdd", {scores, far}, "sum", kRows);
  model.output("Softmax", {sum}, "y", kRows);
  return model;
}

TEST(CastValues, AMaskOfIntegersOrTruthsIsWorthItsValues) {
  for (const DataType type : {DataType::kInt32, DataType::kUint8, DataType::kBool8}) {
    EXPECT_GT(measured(masked_by(type), kBytes).sqnr, 25.0) << ir::name(type);
    EXPECT_GT(measured(masked_by(type), kWide).sqnr, 50.0) << ir::name(type);
  }
}

TEST(CastValues, AreConvertedBesideTheCast) {
  Model model;
  const auto x = model.node("Cast", {model.input("i", kRows, DataType::kInt32, 100)}, "x", kRows);
  model.output("Relu", {x}, "y", kRows);
  const Measured made = measured(model, kBytes);
  EXPECT_THAT(made.ops(), ElementsAre("Cast", "Quantize", "Relu"));
  EXPECT_GT(made.sqnr, 40.0);
}

TEST(CastValues, BecomeTheIntegersThatFloatGives) {
  Model model;
  const auto x = model.node("Relu", {model.input("x", kRows)}, "relu", kRows);
  const auto far = model.node("ElementWiseMultiply", {x, model.constant("c", {1}, {10.0F})}, "far", kRows);
  model.output("Cast", {far}, "y", kRows, DataType::kInt32);
  const Measured made = measured(model, kWide);
  EXPECT_THAT(made.ops(), ElementsAre("Relu", "ElementWiseMultiply", "Dequantize", "Cast"));
  EXPECT_LE(made.wrong_integers, 2U);  // of 128: where a step crosses a whole number
}

TEST(CastValues, IdsThatTheClientGivesInFloatAreNotRounded) {
  Model model;
  model.output("Cast", {model.input("ids", kRows)}, "y", kRows, DataType::kInt32);
  const Measured made = measured(model, kBytes);
  EXPECT_THAT(made.ops(), Not(Contains("Dequantize")));
  EXPECT_EQ(made.wrong_integers, 0U);
}

// ---- Exponents ----

Measured power(const std::vector<float>& exponents, const Options& options) {
  Model model;
  const auto exponent = model.constant("e", {static_cast<uint32_t>(exponents.size())}, exponents);
  model.output("ElementWisePower", {model.input("x", kRows), exponent}, "y", kRows);
  return measured(model, options);
}

TEST(Exponents, OfNegativeBasesAreExactlyWhole) {
  for (const float exponent : {1.0F, 3.0F, 4.0F, 5.0F, 7.0F}) {
    EXPECT_GT(power({exponent}, kBytes).sqnr, 25.0) << exponent;
    EXPECT_GT(power({exponent}, kWide).sqnr, 60.0) << exponent;
  }
  EXPECT_GT(power({1, 2, 3, 4, 1, 2, 3, 5}, kWide).sqnr, 60.0);
}

TEST(Exponents, ThatAreNotWholeKeepTheirFraction) {
  Model model;
  const auto x = model.node("Relu", {model.input("x", kRows)}, "relu", kRows);
  const auto exponent = model.constant("e", {8}, {0.25F, 0.5F, 1, 1.5F, 2, 2.5F, 3, 7});
  model.output("ElementWisePower", {x, exponent}, "y", kRows);
  const Measured made = measured(model, kWide);
  EXPECT_THAT(made.ops(), ElementsAre("Relu", "ElementWisePower"));
  EXPECT_GT(made.sqnr, 60.0);
}

// ---- Masks ----

// Above the diagonal: what a row must not see.
std::vector<float> causal(float masked) {
  std::vector<float> mask;
  for (uint32_t row = 0; row < 8; ++row)
    for (uint32_t column = 0; column < 8; ++column) mask.push_back(column > row ? masked : 0.0F);
  return mask;
}

TEST(Masks, OfMinusInfinityMaskAsLargeNumbersDo) {
  for (const float masked : {-1e9F, -3.4e38F, -INFINITY})
    for (const Options& options : {kBytes, kWide}) {
      Model model;
      const auto scores = model.input("x", {8, 8});
      const auto sum =
          model.node("ElementWiseAdd", {scores, model.constant("mask", {8, 8}, causal(masked))}, "s", {8, 8});
      model.output("Softmax", {sum}, "y", {8, 8});
      EXPECT_GT(measured(model, options).sqnr, 25.0) << masked;
    }
}

// masked_fill(-inf) of zeros, then added: no constant holds the mask.
TEST(Masks, ThatTheModelMakesOfMinusInfinityMaskAsWell) {
  Model model;
  const auto scores = model.input("x", kRows);
  const auto keep = model.input("keep", kRows, DataType::kBool8);
  const auto zero = model.constant("zero", {1}, {0.0F});
  const auto far = model.constant("far", {1}, {-INFINITY});
  const auto mask = model.node("ElementWiseSelect", {keep, zero, far}, "mask", kRows);
  const auto sum = model.node("ElementWiseAdd", {scores, mask}, "sum", kRows);
  model.output("Softmax", {sum}, "y", kRows);
  EXPECT_GT(measured(model, kBytes).sqnr, 25.0);
}

}  // namespace
}  // namespace openqnn::quant
