// SPDX-License-Identifier: BSD-3-Clause
// Compiled for AVX-512: see matrix/fast/tile.h about what must not be included here.
#if defined(__x86_64__)
#include "ops/elementwise/fast/f16c.inc"

namespace openqnn::ops::fast {
namespace {

// 64 at a time, by two tables of 128 bytes each; the rest one by one.
__attribute__((target("avx512vbmi"))) size_t lookup_by_permutation(const uint8_t* table, const uint8_t* in,
                                                                   uint8_t* out, size_t count) {
  const __m512i part0 = _mm512_loadu_si512(table);
  const __m512i part1 = _mm512_loadu_si512(table + 64);
  const __m512i part2 = _mm512_loadu_si512(table + 128);
  const __m512i part3 = _mm512_loadu_si512(table + 192);
  size_t i = 0;
  for (; i + 64 <= count; i += 64) {
    const __m512i index = _mm512_loadu_si512(in + i);
    const __m512i low = _mm512_permutex2var_epi8(part0, index, part1);
    const __m512i high = _mm512_permutex2var_epi8(part2, index, part3);
    _mm512_storeu_si512(out + i, _mm512_mask_blend_epi8(_mm512_movepi8_mask(index), low, high));
  }
  return i;
}

void lookup8(const uint8_t* table, const uint8_t* in, uint8_t* out, size_t count) {
  size_t i = __builtin_cpu_supports("avx512vbmi") ? lookup_by_permutation(table, in, out, count) : 0;
  for (; i < count; ++i) out[i] = table[in[i]];
}

}  // namespace
}  // namespace openqnn::ops::fast

#define OPENQNN_HAS_LOOKUP
#define OPENQNN_LOOPS kAvx512Loops
#include "ops/elementwise/fast/loops.inc"
#endif
