// SPDX-License-Identifier: BSD-3-Clause
#include "soc/memory_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.h"

namespace openqnn::soc {
namespace {

using ::testing::HasSubstr;

TEST(MemoryModel, OnlyTheNamedPartHasASystemLevelCache) {
  const auto named = target_by_chipset("SM8750");
  const auto other = target_by_chipset("SM8650");
  ASSERT_TRUE(named.ok() && other.ok());
  EXPECT_GT(named->slc.value, 0U);
  EXPECT_GE(named->timing.slc_speed, 1);
  EXPECT_EQ(other->slc.value, 0U);
  EXPECT_EQ(other->timing.slc_speed, 1);
}

TEST(MemoryModel, CompressionLeavesAShareWithABand) {
  for (const auto& target : {target_by_chipset("SM8650"), target_by_arch(73), default_target()}) {
    ASSERT_TRUE(target.ok());
    const Ratio& left = target->timing.dlbc_activations;
    EXPECT_LT(left.low, left.value);
    EXPECT_LT(left.value, left.high);
    EXPECT_LE(left.high, 1);
  }
}

TEST(MemoryModel, SomePartsHaveTwoCores) {
  EXPECT_EQ(target_by_chipset("SA8775P")->cores, 2U);
  EXPECT_EQ(target_by_chipset("SM8650")->cores, 1U);
}

std::string error_of(std::string_view share, std::string_view slc) {
  const auto read =
      read_memory_model(concat(R"({"dlbc_activations": )", share, R"(, "slc": )", slc, "}"), "f");
  return read ? "" : read.error().to_string();
}

TEST(MemoryModel, ImplausibleValuesAreRefused) {
  const std::string origin = R"("grade": "assumed", "source": "ours"})";
  const std::string half = R"({"value": 0.5, "low": 0.4, "high": 0.6, )" + origin;
  EXPECT_EQ(error_of(half, "[]"), "");
  EXPECT_THAT(error_of(R"({"value": 0.7, "low": 0.4, "high": 0.6, )" + origin, "[]"),
              HasSubstr("low <= value"));
  EXPECT_THAT(error_of(R"({"value": 1.2, "low": 0.4, "high": 1.3, )" + origin, "[]"), HasSubstr("<= 1"));
  EXPECT_THAT(error_of(R"({"value": 0.7, )" + origin, "[]"), HasSubstr("dlbc_activations"));
  EXPECT_THAT(error_of("1", "[]"), HasSubstr("dlbc_activations"));
  EXPECT_THAT(error_of(half, "[{}]"), HasSubstr("soc_model"));
  const std::string bytes = R"("bytes": {"value": 2, "low": 1, "high": 3, )" + origin;
  EXPECT_THAT(error_of(half, R"([{"soc_model": 69, )" + bytes +
                                 R"(, "speed": {"value": 0.5, "low": 0.4, "high": 2, )" + origin + "}]"),
              HasSubstr("'speed' must have 1 <= low"));
}

}  // namespace
}  // namespace openqnn::soc
