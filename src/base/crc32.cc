// SPDX-License-Identifier: BSD-3-Clause
#include "base/crc32.h"

#include <array>
#include <cstring>

#if OPENQNN_X86
#include <immintrin.h>
#endif

namespace openqnn {
namespace {

// x^32 + x^26 + … + 1, the lowest bit first.
constexpr uint32_t kPolynomial = 0xEDB88320U;

using Tables = std::array<std::array<uint32_t, 256>, 8>;

constexpr Tables make_tables() {
  Tables tables{};
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) value = value & 1 ? value >> 1 ^ kPolynomial : value >> 1;
    tables[0][i] = value;
  }
  for (uint32_t i = 0; i < 256; ++i)
    for (size_t t = 1; t < tables.size(); ++t)
      tables[t][i] = tables[t - 1][i] >> 8 ^ tables[0][tables[t - 1][i] & 0xFF];
  return tables;
}

uint32_t get32(const std::byte* at) {
  uint32_t value;
  std::memcpy(&value, at, sizeof(value));
  return value;
}

// `crc` is the state: the complement of a result.
uint32_t by_tables(std::span<const std::byte> bytes, uint32_t crc) {
  static constexpr Tables kTables = make_tables();
  size_t i = 0;
  for (; i + 8 <= bytes.size(); i += 8) {  // eight bytes at a time: each has a table
    const uint32_t low = crc ^ get32(&bytes[i]);
    const uint32_t high = get32(&bytes[i + 4]);
    crc = 0;
    for (size_t b = 0; b < 4; ++b)
      crc ^= kTables[7 - b][low >> (8 * b) & 0xFF] ^ kTables[3 - b][high >> (8 * b) & 0xFF];
  }
  for (; i < bytes.size(); ++i) crc = crc >> 8 ^ kTables[0][(crc ^ static_cast<uint32_t>(bytes[i])) & 0xFF];
  return crc;
}

#if OPENQNN_X86

#define OPENQNN_TARGET __attribute__((target("sse4.1,pclmul")))

constexpr size_t kLane = 16;           // bytes that one multiplication takes
constexpr size_t kStride = 4 * kLane;  // four lanes go forward side by side

// x^(bits) modulo the polynomial, as a factor for carry-less products of numbers whose lowest bit comes
// first: bits = 8 * the bytes that a lane goes forward, +32 and -32 for its two halves.
constexpr uint64_t power_of_x(uint32_t bits) {
  uint32_t value = 0x80000000U;  // 1
  for (uint32_t i = 0; i < bits; ++i) value = value & 1 ? value >> 1 ^ kPolynomial : value >> 1;
  return uint64_t{value} << 1;
}
struct Forward {
  uint64_t low, high;
};
constexpr Forward forward_by(size_t bytes) {
  const auto bits = static_cast<uint32_t>(8 * bytes);
  return {power_of_x(bits + 32), power_of_x(bits - 32)};
}

OPENQNN_TARGET __m128i load(const std::byte* at) {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
}

// What `lane` is worth `next` bytes further on, added to what stands there.
OPENQNN_TARGET __m128i go_forward(__m128i lane, __m128i factors, __m128i next) {
  return _mm_xor_si128(_mm_xor_si128(_mm_clmulepi64_si128(lane, factors, 0x00), next),
                       _mm_clmulepi64_si128(lane, factors, 0x11));
}

OPENQNN_TARGET __m128i factors_of(Forward forward) {
  return _mm_set_epi64x(static_cast<int64_t>(forward.high), static_cast<int64_t>(forward.low));
}

// All of `bytes` but a rest of fewer than 16 become 16 bytes with the same checksum, which tables then take.
OPENQNN_TARGET uint32_t by_products(std::span<const std::byte> bytes, uint32_t crc) {
  const __m128i far = factors_of(forward_by(kStride));
  const __m128i near = factors_of(forward_by(kLane));
  constexpr size_t kLanes = kStride / kLane;
  __m128i lanes[kLanes];
  for (size_t i = 0; i < kLanes; ++i) lanes[i] = load(&bytes[i * kLane]);
  lanes[0] = _mm_xor_si128(lanes[0], _mm_cvtsi32_si128(static_cast<int32_t>(crc)));
  size_t at = kStride;
  for (; at + kStride <= bytes.size(); at += kStride)
    for (size_t i = 0; i < kLanes; ++i) lanes[i] = go_forward(lanes[i], far, load(&bytes[at + i * kLane]));
  __m128i sum = lanes[0];
  for (size_t i = 1; i < kLanes; ++i) sum = go_forward(sum, near, lanes[i]);
  for (; at + kLane <= bytes.size(); at += kLane) sum = go_forward(sum, near, load(&bytes[at]));
  std::array<std::byte, kLane> folded;
  _mm_storeu_si128(reinterpret_cast<__m128i*>(folded.data()), sum);
  return by_tables(bytes.subspan(at), by_tables(folded, 0));
}

#undef OPENQNN_TARGET
#endif

}  // namespace

uint32_t crc32_of(std::span<const std::byte> bytes, uint32_t former, Isa isa) {
#if OPENQNN_X86
  if (isa >= Isa::kAvx2 && bytes.size() >= kStride) return ~by_products(bytes, ~former);
#endif
  static_cast<void>(isa);
  return ~by_tables(bytes, ~former);
}

uint32_t crc32_of(std::span<const std::byte> bytes, uint32_t former) {
  return crc32_of(bytes, former, host_isa());
}

}  // namespace openqnn
