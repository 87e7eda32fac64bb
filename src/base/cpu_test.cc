// SPDX-License-Identifier: BSD-3-Clause
#include "base/cpu.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace openqnn {
namespace {

using ::testing::HasSubstr;

TEST(Cpu, TakesTheBestWhenNothingIsAsked) {
  EXPECT_EQ(choose_isa(nullptr, Isa::kAvx2).value(), Isa::kAvx2);
  EXPECT_EQ(choose_isa("", Isa::kPortable).value(), Isa::kPortable);
}

TEST(Cpu, TakesALowerLevelWhenAsked) {
  EXPECT_EQ(choose_isa("portable", Isa::kAvx512).value(), Isa::kPortable);
  EXPECT_EQ(choose_isa("avx2", Isa::kAvx512).value(), Isa::kAvx2);
  EXPECT_EQ(choose_isa("avx512", Isa::kAvx512).value(), Isa::kAvx512);
}

TEST(Cpu, RefusesWhatTheCpuDoesNotHave) {
  const auto level = choose_isa("avx512", Isa::kAvx2);
  ASSERT_FALSE(level);
  EXPECT_THAT(level.error().message, HasSubstr("avx2 at most"));
}

TEST(Cpu, RefusesNamesOfNoLevel) {
  const auto level = choose_isa("neon", Isa::kAvx2);
  ASSERT_FALSE(level);
  EXPECT_THAT(level.error().message, HasSubstr("'neon' is none of portable, avx2, avx512"));
}

}  // namespace
}  // namespace openqnn
