// SPDX-License-Identifier: BSD-3-Clause
#include "base/half.h"

#include <algorithm>
#include <bit>
#include <cstring>

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

// The same for a float, so that a compiler makes vectors of it: all cases are computed, and one is taken.
// Weights of a model are rounded by the million (bench/python/bench_convert.py).
uint16_t round_without_branches(int32_t source) {
  constexpr int32_t kDropped = 23 - kFractionBits;
  constexpr int32_t kFloatInfinity = 0x7f800000;
  constexpr int32_t kSmallestNormal = (127 + kMinExponent) << 23;
  constexpr int32_t kRebias = (127 - kMaxExponent) << kFractionBits;
  const int32_t sign = (source >> 16) & 0x8000;
  const int32_t magnitude = source & 0x7fffffff;

  const int32_t even = (magnitude >> kDropped) & 1;
  const int32_t carried =
      (std::min(magnitude, kFloatInfinity) + (1 << (kDropped - 1)) - 1 + even) >> kDropped;
  const int32_t normal = std::min<int32_t>(carried - kRebias, kInfinity);
  // Beside 0.5 the spacing of floats is that of subnormal halves: the addition rounds.
  const float beside = std::bit_cast<float>(std::min(magnitude, kSmallestNormal)) + 0.5F;
  const int32_t subnormal = std::bit_cast<int32_t>(beside) - std::bit_cast<int32_t>(0.5F);
  const int32_t nan = kInfinity | kQuiet | ((magnitude >> kDropped) & 0x3ff);

  const int32_t number = magnitude < kSmallestNormal ? subnormal : normal;
  return static_cast<uint16_t>(sign | (magnitude > kFloatInfinity ? nan : number));
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

void floats_to_halves(const std::byte* floats, std::byte* halves, uint64_t count) {
  constexpr uint64_t kBlock = 64;
  int32_t in[kBlock];
  uint16_t out[kBlock];
  for (uint64_t done = 0; done < count; done += kBlock) {
    const uint64_t block = std::min(kBlock, count - done);
    std::memcpy(in, floats + done * sizeof(float), block * sizeof(float));
    for (uint64_t i = 0; i < block; ++i) out[i] = round_without_branches(in[i]);
    std::memcpy(halves + done * sizeof(Half), out, block * sizeof(Half));
  }
}

void halves_to_floats(const std::byte* halves, std::byte* floats, uint64_t count) {
  for (uint64_t i = 0; i < count; ++i) {
    Half half;
    std::memcpy(&half, halves + i * sizeof(Half), sizeof(Half));
    const float value = to_float(half);
    std::memcpy(floats + i * sizeof(float), &value, sizeof(float));
  }
}

}  // namespace openqnn
