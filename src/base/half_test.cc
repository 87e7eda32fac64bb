// SPDX-License-Identifier: BSD-3-Clause
#include "base/half.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

namespace openqnn {
namespace {

bool is_nan(uint16_t bits) { return (bits & 0x7c00) == 0x7c00 && (bits & 0x03ff) != 0; }

// The value of a half from its definition, sharing no code with the conversion.
double definition(uint16_t bits) {
  const double sign = (bits & 0x8000) != 0 ? -1.0 : 1.0;
  const int exponent = (bits >> 10) & 31;
  const int fraction = bits & 1023;
  if (exponent == 31) return sign * std::numeric_limits<double>::infinity();
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  return sign * std::ldexp(1024 + fraction, exponent - 25);
}

TEST(Half, EveryHalfSurvivesFloatAndDouble) {
  for (uint32_t i = 0; i < 65536; ++i) {
    const Half half{static_cast<uint16_t>(i)};
    const float wide = to_float(half);
    if (is_nan(half.bits)) {
      ASSERT_TRUE(std::isnan(wide)) << i;
      ASSERT_EQ(to_half(wide).bits, half.bits | 0x0200) << i;  // quiet, payload and sign kept
      ASSERT_TRUE(is_nan(to_half(static_cast<double>(wide)).bits)) << i;
      continue;
    }
    ASSERT_EQ(std::bit_cast<uint64_t>(static_cast<double>(wide)),
              std::bit_cast<uint64_t>(definition(half.bits)))
        << i;
    ASSERT_EQ(to_half(wide), half) << i;
    ASSERT_EQ(to_half(static_cast<double>(wide)), half) << i;
  }
}

// Between any two neighbours: just below the middle, the middle, just above it.
TEST(Half, MiddlesGoToEven) {
  for (uint16_t low = 0; low < 0x7bff; ++low) {
    const uint16_t high = low + 1;
    const uint16_t even = (low & 1) == 0 ? low : high;
    const double middle = (definition(low) + definition(high)) / 2;
    ASSERT_EQ(to_half(middle).bits, even) << low;
    ASSERT_EQ(to_half(-middle).bits, even | 0x8000) << low;
    ASSERT_EQ(to_half(std::nextafter(middle, 0.0)).bits, low) << low;
    ASSERT_EQ(to_half(std::nextafter(middle, 1e9)).bits, high) << low;
    const auto narrow = static_cast<float>(middle);  // exact: a middle needs 12 bits
    ASSERT_EQ(to_half(narrow).bits, even) << low;
    ASSERT_EQ(to_half(std::nextafter(narrow, 0.0f)).bits, low) << low;
    ASSERT_EQ(to_half(std::nextafter(narrow, 1e9f)).bits, high) << low;
  }
}

TEST(Half, Limits) {
  EXPECT_EQ(to_half(65504.0).bits, 0x7bff);
  EXPECT_EQ(to_half(65519.999).bits, 0x7bff);
  EXPECT_EQ(to_half(65520.0).bits, 0x7c00);  // the middle to 2^16, whose neighbour below is odd
  EXPECT_EQ(to_half(std::nextafter(65520.0f, 0.0f)).bits, 0x7bff);
  EXPECT_EQ(to_half(1e30f).bits, 0x7c00);
  EXPECT_EQ(to_half(-std::numeric_limits<double>::infinity()).bits, 0xfc00);
  EXPECT_EQ(to_half(std::numeric_limits<float>::max()).bits, 0x7c00);
  EXPECT_EQ(to_half(0x1p-25).bits, 0x0000);  // tie with zero
  EXPECT_EQ(to_half(std::nextafter(0x1p-25, 1.0)).bits, 0x0001);
  EXPECT_EQ(to_half(-0x1p-26).bits, 0x8000);
  EXPECT_EQ(to_half(std::numeric_limits<double>::denorm_min()).bits, 0x0000);
  EXPECT_EQ(to_half(-0.0f).bits, 0x8000);
}

TEST(Half, DoubleRoundsOnce) {
  // Through float this rounds to the tie 1 + 2^-11 first, and then down to 1.
  const double above_the_tie = 1.0 + 0x1p-11 + 0x1p-40;
  EXPECT_EQ(to_half(above_the_tie).bits, 0x3c01);
  EXPECT_EQ(to_half(static_cast<float>(above_the_tie)).bits, 0x3c00);
}

// Many at once take another way to the same bits.
TEST(Half, ManyAtOnceRoundAsOne) {
  std::vector<uint32_t> bits;
  for (uint64_t each = 0; each < (uint64_t{1} << 32); each += 2039)
    bits.push_back(static_cast<uint32_t>(each));
  for (uint32_t half = 0; half < 0x10000;
       ++half) {  // every half, the middle behind it, and what is beside both
    const uint32_t exact = std::bit_cast<uint32_t>(to_float(Half{static_cast<uint16_t>(half)}));
    for (const uint32_t beside : {0U, 1U, 0xfffU, 0x1000U, 0x1001U, 0x1fffU}) bits.push_back(exact + beside);
    bits.push_back(exact - 1);
  }
  for (const Isa isa : {Isa::kPortable, host_isa()}) {
    std::vector<Half> halves(bits.size());
    floats_to_halves(reinterpret_cast<const std::byte*>(bits.data()),
                     reinterpret_cast<std::byte*>(halves.data()), bits.size(), isa);
    for (size_t i = 0; i < bits.size(); ++i)
      ASSERT_EQ(halves[i].bits, to_half(std::bit_cast<float>(bits[i])).bits)
          << std::hex << bits[i] << " on " << name(isa);
  }
}

TEST(Half, ManyAtOnceWidenAsOne) {
  std::vector<uint16_t> halves(0x10000 + 3);
  std::iota(halves.begin(), halves.end(), uint16_t{0});
  for (const Isa isa : {Isa::kPortable, host_isa()}) {
    std::vector<float> floats(halves.size());
    halves_to_floats(reinterpret_cast<const std::byte*>(halves.data()),
                     reinterpret_cast<std::byte*>(floats.data()), halves.size(), isa);
    for (size_t i = 0; i < halves.size(); ++i)
      ASSERT_EQ(std::bit_cast<uint32_t>(floats[i]), std::bit_cast<uint32_t>(to_float(Half{halves[i]})))
          << std::hex << halves[i] << " on " << name(isa);
  }
}

#if defined(__FLT16_MANT_DIG__) && defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
TEST(Half, AgreesWithTheCompiler) {
  std::mt19937 random(1);
  for (int i = 0; i < 2000000; ++i) {
    const auto value = std::bit_cast<float>(static_cast<uint32_t>(random()));
    const auto theirs = std::bit_cast<uint16_t>(static_cast<_Float16>(value));
    const uint16_t ours = to_half(value).bits;
    if (std::isnan(value)) {
      ASSERT_TRUE(is_nan(ours));
    } else {
      ASSERT_EQ(ours, theirs) << value;
    }
  }
  for (int i = 0; i < 500000; ++i) {  // doubles in the range of half
    const double value =
        std::ldexp(static_cast<double>(random()) + random() * 0x1p-32, static_cast<int>(random() % 44) - 58);
    ASSERT_EQ(to_half(value).bits, std::bit_cast<uint16_t>(static_cast<_Float16>(value))) << value;
  }
}
#endif

}  // namespace
}  // namespace openqnn
