// SPDX-License-Identifier: BSD-3-Clause
#include "base/half.h"

#include <bit>

namespace openqnn {
namespace {

// binary16: 1 sign bit, 5 exponent bits (bias 15), 10 fraction bits.
constexpr int kFractionBits = 10;
constexpr int kMaxExponent = 15;
constexpr int kMinExponent = -14;  // of a normal number; below it the spacing stays 2^-24
constexpr int kTieWithZero = -25;  // 2^-25 is half of the smallest half: anything below it rounds to zero
constexpr uint16_t kInfinity = 0x7c00;
constexpr uint16_t kQuiet = 0x0200;

// One rounding, from any wider IEEE format given by its bits.
template <class Bits, int kSourceFraction, int kSourceBias>
uint16_t round_to_half(Bits source) {
  constexpr int kWidth = 8 * sizeof(Bits);
  constexpr Bits kOne = 1;
  constexpr Bits kSourceInfinity = ((kOne << (kWidth - 1 - kSourceFraction)) - 1) << kSourceFraction;
  const auto sign = static_cast<uint16_t>((source >> (kWidth - 16)) & 0x8000);
  const Bits magnitude = source & ~(kOne << (kWidth - 1));
  const Bits fraction = magnitude & ((kOne << kSourceFraction) - 1);

  if (magnitude > kSourceInfinity) {
    // The upper payload bits survive, as they do in the conversion instructions of x86 and Arm.
    return static_cast<uint16_t>(sign | kInfinity | kQuiet | (fraction >> (kSourceFraction - kFractionBits)));
  }
  const int exponent = static_cast<int>(magnitude >> kSourceFraction) - kSourceBias;
  if (exponent > kMaxExponent) return sign | kInfinity;
  if (exponent < kTieWithZero) return sign;

  const Bits significand = fraction | (kOne << kSourceFraction);
  const int below = exponent < kMinExponent ? kMinExponent - exponent : 0;
  const int dropped = kSourceFraction - kFractionBits + below;
  const Bits kept = significand >> dropped;
  const Bits rest = significand & ((kOne << dropped) - 1);
  const Bits tie = kOne << (dropped - 1);
  const bool up = rest > tie || (rest == tie && (kept & 1) != 0);

  // The leading one in `kept` adds itself to the exponent field, and so does the carry of a rounding up: a
  // subnormal becomes normal and the largest number becomes infinity without a case of their own.
  const int base = below == 0 ? exponent - kMinExponent : 0;
  return static_cast<uint16_t>(sign | ((base << kFractionBits) + static_cast<int>(kept) + (up ? 1 : 0)));
}

}  // namespace

float to_float(Half value) {
  const uint32_t sign = static_cast<uint32_t>(value.bits & 0x8000) << 16;
  const uint32_t exponent = (value.bits >> kFractionBits) & 0x1f;
  const uint32_t fraction = value.bits & 0x3ff;
  constexpr int kWiden = 23 - kFractionBits;

  if (exponent == 0x1f) {
    const uint32_t quiet = fraction == 0 ? 0 : 1u << 22;
    return std::bit_cast<float>(sign | 0x7f800000u | quiet | (fraction << kWiden));
  }
  if (exponent == 0) {
    // Subnormal or zero: fraction * 2^-24 is exact in float.
    const float magnitude = static_cast<float>(fraction) * 0x1p-24f;
    return std::bit_cast<float>(sign | std::bit_cast<uint32_t>(magnitude));
  }
  return std::bit_cast<float>(sign | ((exponent + (127 - 15)) << 23) | (fraction << kWiden));
}

Half to_half(float value) { return {round_to_half<uint32_t, 23, 127>(std::bit_cast<uint32_t>(value))}; }

Half to_half(double value) { return {round_to_half<uint64_t, 52, 1023>(std::bit_cast<uint64_t>(value))}; }

}  // namespace openqnn
