// SPDX-License-Identifier: BSD-3-Clause
#include "quant/encoding.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace openqnn::quant {
namespace {

using testing::ElementsAre;

ir::TensorDesc eight_bits(const ir::ScaleOffset& encoding, const ir::Shape& shape) {
  ir::TensorDesc desc;
  desc.type = ir::DataType::kUfixed8;
  desc.shape = shape;
  desc.quantization = ir::Quantization::per_tensor(encoding.scale, encoding.offset);
  return desc;
}

// The documents' own example.
TEST(Encoding, TheDocumentedExample) {
  const std::vector<float> values = {-1.8F, -1.0F, 0.0F, 0.5F};
  const ir::ScaleOffset encoding = unsigned_encoding(min_max(values), 8, Scheme::kAsymmetric);
  EXPECT_NEAR(encoding.scale, 0.009020, 1e-6);
  EXPECT_EQ(encoding.offset, -200);
  const Range range = range_of(encoding, ir::DataType::kUfixed8, 0);
  EXPECT_NEAR(range.low, -1.803922, 1e-6);
  EXPECT_NEAR(range.high, 0.496078, 1e-6);
  const auto stored = quantized(eight_bits(encoding, {4}), values);
  EXPECT_THAT(stored, ElementsAre(std::byte{0}, std::byte{89}, std::byte{200}, std::byte{255}));
}

TEST(Encoding, ZeroIsAlwaysAStep) {
  EXPECT_EQ(unsigned_encoding({1.0, 3.0}, 8, Scheme::kAsymmetric).offset, 0);
  EXPECT_EQ(unsigned_encoding({-3.0, -1.0}, 8, Scheme::kAsymmetric).offset, -255);
}

TEST(Encoding, AnEmptyRangeStillHasAScale) {
  EXPECT_GT(unsigned_encoding({0.0, 0.0}, 8, Scheme::kAsymmetric).scale, 0.0F);
  EXPECT_GT(signed_encoding({0.0, 0.0}, 8).scale, 0.0F);
}

TEST(Encoding, SymmetricOnesHaveTheirZeroInTheMiddle) {
  const ir::ScaleOffset both = unsigned_encoding({-1.0, 2.0}, 8, Scheme::kSymmetric);
  EXPECT_EQ(both.offset, -128);
  EXPECT_FLOAT_EQ(both.scale, 2.0F / 127);
  EXPECT_EQ(unsigned_encoding({0.0, 2.0}, 8, Scheme::kUnsignedSymmetric).offset, 0);
  EXPECT_FLOAT_EQ(signed_encoding({-4.0, 2.0}, 8).scale, 4.0F / 127);
}

TEST(Encoding, RestrictedStepsLeaveRoom) {
  EXPECT_FLOAT_EQ(signed_encoding({-1.0, 1.0}, 16, Steps{-0x8000, 0x7F7F}).scale, 1.0F / 0x7F7F);
}

TEST(Encoding, SlicesAlongAnAxisHaveTheirOwnSteps) {
  ir::TensorDesc desc;
  desc.type = ir::DataType::kSfixed8;
  desc.shape = {2, 2};
  desc.quantization = ir::Quantization::per_axis(1, {{1.0F, 0}, {0.5F, 0}});
  const std::vector<float> values = {1, 1, 2, 2};
  EXPECT_THAT(quantized(desc, values), ElementsAre(std::byte{1}, std::byte{2}, std::byte{2}, std::byte{4}));
}

TEST(MinMax, PassesOverWhatIsNoNumber) {
  const std::vector<float> values = {NAN, 2.0F, INFINITY, -1.0F};
  EXPECT_EQ(min_max(values), (Range{-1.0, 2.0}));
}

TEST(Encoding, AWiderFormHoldsTheSameNumbers) {
  for (const ir::DataType type : {ir::DataType::kUfixed8, ir::DataType::kSfixed8}) {
    const ir::TensorDesc narrow{
        .type = type, .shape = {1}, .quantization = ir::Quantization::per_tensor(0.5F, -7)};
    const ir::TensorDesc wide = at_width(narrow, 16);
    EXPECT_EQ(ir::byte_size(wide.type), 2U);
    const Range from = range_of(narrow.quantization.at(0), narrow.type, 0);
    const Range to = range_of(wide.quantization.at(0), wide.type, 0);
    EXPECT_NEAR(from.low, to.low, 1e-4);
    EXPECT_NEAR(from.high, to.high, type == ir::DataType::kUfixed8 ? 1e-4 : 0.5);
    EXPECT_EQ(at_width(wide, 8).quantization.at(0).offset, -7);
  }
}

}  // namespace
}  // namespace openqnn::quant
