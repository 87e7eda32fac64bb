// SPDX-License-Identifier: BSD-3-Clause
// Whole arrays of halves. Weights of a model are rounded by the million (bench/python/bench_convert.py).
#include <algorithm>
#include <bit>
#include <cstring>

#include "base/cpu.h"
#include "base/half.h"

#if OPENQNN_X86
#include <immintrin.h>
#endif

namespace openqnn {
namespace {

constexpr uint64_t kLanes = 8;

// to_half, so that a compiler makes vectors of it: all cases are computed, and one is taken.
uint16_t round_without_branches(int32_t source) {
  constexpr int kFractionBits = 10;
  constexpr int32_t kInfinity = 0x7c00;
  constexpr int32_t kQuiet = 0x0200;
  constexpr int kMaxExponent = 15;
  constexpr int kMinExponent = -14;
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

void round_portably(const std::byte* floats, std::byte* halves, uint64_t count) {
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

void widen_portably(const std::byte* halves, std::byte* floats, uint64_t count) {
  for (uint64_t i = 0; i < count; ++i) {
    Half half;
    std::memcpy(&half, halves + i * sizeof(Half), sizeof(Half));
    const float value = to_float(half);
    std::memcpy(floats + i * sizeof(float), &value, sizeof(float));
  }
}

#if OPENQNN_X86

// How many were done, eight at a time.
__attribute__((target("avx,f16c"))) uint64_t round_by_f16c(const std::byte* floats, std::byte* halves,
                                                           uint64_t count) {
  uint64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    const __m256 some = _mm256_loadu_ps(reinterpret_cast<const float*>(floats + i * sizeof(float)));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(halves + i * sizeof(Half)),
                     _mm256_cvtps_ph(some, _MM_FROUND_TO_NEAREST_INT));
  }
  return i;
}

__attribute__((target("avx,f16c"))) uint64_t widen_by_f16c(const std::byte* halves, std::byte* floats,
                                                           uint64_t count) {
  uint64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    const __m128i some = _mm_loadu_si128(reinterpret_cast<const __m128i*>(halves + i * sizeof(Half)));
    _mm256_storeu_ps(reinterpret_cast<float*>(floats + i * sizeof(float)), _mm256_cvtph_ps(some));
  }
  return i;
}

#endif

}  // namespace

void floats_to_halves(const std::byte* floats, std::byte* halves, uint64_t count, Isa isa) {
  uint64_t done = 0;
#if OPENQNN_X86
  if (isa >= Isa::kAvx2) done = round_by_f16c(floats, halves, count);
#endif
  static_cast<void>(isa);
  round_portably(floats + done * sizeof(float), halves + done * sizeof(Half), count - done);
}

void halves_to_floats(const std::byte* halves, std::byte* floats, uint64_t count, Isa isa) {
  uint64_t done = 0;
#if OPENQNN_X86
  if (isa >= Isa::kAvx2) done = widen_by_f16c(halves, floats, count);
#endif
  static_cast<void>(isa);
  widen_portably(halves + done * sizeof(Half), floats + done * sizeof(float), count - done);
}

}  // namespace openqnn
