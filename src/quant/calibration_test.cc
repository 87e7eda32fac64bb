// SPDX-License-Identifier: BSD-3-Clause
#include "quant/calibration.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace openqnn::quant {
namespace {

constexpr double kPercentile = 99.9;

std::vector<float> bell(size_t count, float outlier) {
  std::mt19937 random(1);
  std::normal_distribution<float> normal(0.0F, 1.0F);
  std::vector<float> values(count);
  for (float& value : values) value = normal(random);
  values[count / 2] = outlier;
  return values;
}

double squared_error(Range range, const std::vector<float>& values) {
  const ir::ScaleOffset encoding = unsigned_encoding(range, 8, Scheme::kAsymmetric);
  const auto scale = static_cast<double>(encoding.scale);
  double error = 0.0;
  for (const float value : values) {
    const double stored = std::clamp(std::nearbyint(value / scale) - encoding.offset, 0.0, 255.0);
    error += std::pow(scale * (stored + encoding.offset) - value, 2);
  }
  return error;
}

TEST(Histogram, RemembersTheExtremes) {
  Histogram histogram;
  histogram.add(std::vector<float>{1.0F, 2.0F});
  histogram.add(std::vector<float>{-3.0F});
  EXPECT_EQ(histogram.range(Calibration::kMinMax, 8, Scheme::kAsymmetric, 0), (Range{-3.0, 2.0}));
  EXPECT_EQ(histogram.count(), 3U);
}

TEST(Histogram, CountsWhatIsNoNumberApart) {
  Histogram histogram;
  histogram.add(std::vector<float>{NAN, 1.0F, INFINITY});
  EXPECT_EQ(histogram.not_finite(), 2U);
  EXPECT_EQ(histogram.min_max(), (Range{1.0, 1.0}));
}

// The range grows a thousandfold in either direction while values come in: none may get lost.
TEST(Histogram, GrowsWithoutLosingValues) {
  for (const float direction : {1.0F, -1.0F}) {
    Histogram histogram;
    for (float scale = 0.001F; scale < 2000.0F; scale *= 3.0F)
      histogram.add(std::vector<float>(100, direction * scale));
    const Range most = histogram.range(Calibration::kPercentile, 8, Scheme::kAsymmetric, 80.0);
    EXPECT_LT(std::max(std::abs(most.low), std::abs(most.high)), 2000.0);
    EXPECT_GT(std::max(std::abs(most.low), std::abs(most.high)), 100.0);
  }
}

TEST(Histogram, WhatFollowsZerosIsCounted) {
  Histogram histogram;
  histogram.add(std::vector<float>(10, 0.0F));
  histogram.add(std::vector<float>(100, 1e30F));
  EXPECT_GT(histogram.range(Calibration::kPercentile, 8, Scheme::kAsymmetric, 80.0).high, 0.9e30);
}

TEST(Histogram, APercentileCutsOffAnOutlier) {
  Histogram histogram;
  histogram.add(bell(100'000, 1000.0F));
  const Range range = histogram.range(Calibration::kPercentile, 8, Scheme::kAsymmetric, kPercentile);
  EXPECT_LT(range.high, 10.0);
  EXPECT_GT(range.high, 2.0);
}

TEST(Histogram, TheSmallestErrorIsSmallerThanThatOfTheWholeRange) {
  const std::vector<float> values = bell(50'000, 30.0F);
  Histogram histogram;
  histogram.add(values);
  const double whole = squared_error(histogram.min_max(), values);
  const double best = squared_error(histogram.range(Calibration::kMse, 8, Scheme::kAsymmetric, 0), values);
  EXPECT_LT(best, whole);
}

TEST(Histogram, TheSmallestErrorKeepsEverythingWhereNothingStandsOut) {
  std::vector<float> values(10'000);
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i) / 10'000.0F;
  Histogram histogram;
  histogram.add(values);
  EXPECT_GT(histogram.range(Calibration::kMse, 8, Scheme::kAsymmetric, 0).high, 0.95);
}

TEST(Histogram, EntropyCutsOffAnOutlier) {
  Histogram histogram;
  histogram.add(bell(100'000, 100.0F));
  const Range range = histogram.range(Calibration::kEntropy, 8, Scheme::kAsymmetric, 0);
  EXPECT_LT(range.high, 50.0);
  EXPECT_GT(range.high, 1.0);
}

TEST(Histogram, EntropyTakesValuesFarFromZero) {
  for (const std::vector<float>& values : {std::vector<float>{3.0F}, {1000.0F, 1000.5F, 1001.0F}}) {
    Histogram histogram;
    histogram.add(values);
    const Range range = histogram.range(Calibration::kEntropy, 8, Scheme::kAsymmetric, 0);
    EXPECT_NEAR(range.high, values.back(), 1.0);
  }
}

TEST(Calibration, HasTheVendorsNames) {
  EXPECT_EQ(calibration_from("sqnr"), Calibration::kMse);
  EXPECT_EQ(calibration_from("min-max"), Calibration::kMinMax);
  EXPECT_FALSE(calibration_from("minmax").has_value());
}

}  // namespace
}  // namespace openqnn::quant
