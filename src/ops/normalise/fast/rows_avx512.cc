// SPDX-License-Identifier: BSD-3-Clause
// Compiled for AVX-512: see matrix/fast/tile.h about what must not be included here.
#if defined(__x86_64__)
#include "ops/elementwise/fast/lookup_avx512.inc"
#include "ops/normalise/fast/rows.h"
#include "ops/normalise/fast/rows.inc"

namespace openqnn::ops::fast {
namespace {

constexpr size_t kFloats = 16;
constexpr size_t kBytes = 64;

// Those of a vector of bytes from `at` on that are there.
inline __mmask64 lanes_at(size_t at, size_t count) {
  return count - at >= kBytes ? ~__mmask64{0} : (__mmask64{1} << (count - at)) - 1;
}

// ---- Softmax ----

inline uint8_t largest_byte(const uint8_t* in, size_t count, uint8_t turn) {
  const __m512i turned = _mm512_set1_epi8(static_cast<char>(turn));
  __m512i largest = _mm512_setzero_si512();
  for (size_t at = 0; at < count; at += kBytes) {
    const __mmask64 lanes = lanes_at(at, count);
    const __m512i bytes = _mm512_maskz_loadu_epi8(lanes, in + at);
    largest = _mm512_max_epu8(largest, _mm512_maskz_mov_epi8(lanes, _mm512_xor_si512(bytes, turned)));
  }
  const __m256i half =
      _mm256_max_epu8(_mm512_castsi512_si256(largest), _mm512_extracti64x4_epi64(largest, 1));
  const __m128i quarter = _mm_max_epu8(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
  // What is least of the words that are left, turned over and paired, is what is largest.
  const __m128i over = _mm_xor_si128(quarter, _mm_set1_epi8(-1));
  const __m128i words = _mm_min_epu8(over, _mm_srli_epi16(over, 8));
  return static_cast<uint8_t>(~_mm_cvtsi128_si32(_mm_minpos_epu16(words)));
}

// The sum of weights as integers, each wrong by half a unit at most.
__attribute__((target("avx512vbmi"))) uint64_t sum_of_integers(const uint8_t* weight_bytes,
                                                               const uint8_t* below, size_t count) {
  __m512i sum = _mm512_setzero_si512();
  for (size_t byte = kWeightBytes; byte-- > 0;) {
    const uint8_t* table = weight_bytes + byte * kByteValues;
    const __m512i part0 = _mm512_loadu_si512(table);
    const __m512i part1 = _mm512_loadu_si512(table + kBytes);
    const __m512i part2 = _mm512_loadu_si512(table + 2 * kBytes);
    const __m512i part3 = _mm512_loadu_si512(table + 3 * kBytes);
    sum = _mm512_slli_epi64(sum, 8);
    for (size_t at = 0; at < count; at += kBytes) {
      const __mmask64 lanes = lanes_at(at, count);
      const __m512i index = _mm512_maskz_loadu_epi8(lanes, below + at);
      const __m512i near = _mm512_maskz_permutex2var_epi8(lanes, part0, index, part1);
      const __m512i far = _mm512_permutex2var_epi8(part2, index, part3);
      const __m512i found = _mm512_mask_mov_epi8(near, _mm512_movepi8_mask(index), far);
      sum = _mm512_add_epi64(sum, _mm512_sad_epu8(found, _mm512_setzero_si512()));
    }
  }
  return static_cast<uint64_t>(_mm512_reduce_add_epi64(sum));
}

// What the heavy weights become, unless float cannot decide all of them.
inline bool results_in_float(const ByteSoftmax& how, double sum, double tolerance, uint8_t* results) {
  const __m512 factor = _mm512_set1_ps(static_cast<float>(1.0 / (sum * how.out.scale)));
  const __m512 up = _mm512_set1_ps(static_cast<float>(-how.out.low));
  const __m128i move = _mm_set1_epi8(static_cast<char>(how.out.move));
  constexpr int kNearest = 0;  // the distance to the nearest integer
  constexpr int kLargerMagnitude = 0b1011;
  __m512 farthest = _mm512_setzero_ps();
  for (size_t i = 0; i < how.heavy; i += kFloats) {
    const __m512 steps = _mm512_fmadd_ps(_mm512_loadu_ps(how.float_weights + i), factor, up);
    farthest = _mm512_range_ps(farthest, _mm512_reduce_ps(steps, kNearest), kLargerMagnitude);
    const __m512i stored = _mm512_max_epi32(_mm512_cvtps_epi32(steps), _mm512_setzero_si512());
    _mm_storeu_si128(reinterpret_cast<__m128i*>(results + i),
                     _mm_xor_si128(_mm512_cvtusepi32_epi8(stored), move));
  }
  const __m512 doubtful = _mm512_set1_ps(static_cast<float>(0.5 - tolerance));
  return _mm512_cmp_ps_mask(farthest, doubtful, _CMP_NLT_UQ) == 0;
}

// By a sum that is good enough for float, where the CPU can look up weights in its registers.
inline bool results_by_integers(const ByteSoftmax& how, const uint8_t* below, size_t count,
                                uint8_t* results) {
  if (!__builtin_cpu_supports("avx512vbmi")) return false;
  // The sum is at least 1, so that this is its relative error, and results have at most 1 / scale steps.
  const double error = static_cast<double>(count) * kWeightUnit;
  const double tolerance = static_cast<double>(how.tolerance) + error / how.out.scale;
  if (!(tolerance < 0.01)) return false;
  const double sum = static_cast<double>(sum_of_integers(how.weight_bytes, below, count)) * kWeightUnit;
  return results_in_float(how, sum, tolerance, results);
}

void softmax_byte_vectors(const ByteSoftmax& how, const uint8_t* in, uint8_t* room, size_t count,
                          uint8_t* out, size_t begin, size_t end) {
  const __m512i largest = _mm512_set1_epi8(static_cast<char>(largest_byte(in, count, how.turn)));
  const __m512i turn = _mm512_set1_epi8(static_cast<char>(how.turn));
  for (size_t at = 0; at < count; at += kBytes) {
    const __mmask64 lanes = lanes_at(at, count);
    const __m512i turned = _mm512_xor_si512(_mm512_maskz_loadu_epi8(lanes, in + at), turn);
    _mm512_mask_storeu_epi8(room + at, lanes, _mm512_sub_epi8(largest, turned));
  }
  uint8_t results[kByteValues];
  __builtin_memset(results, how.light, kByteValues);
  if (!results_by_integers(how, room, count, results)) {
    const double sum = exact_sum(how, room, count);
    if (!results_in_float(how, sum, static_cast<double>(how.tolerance), results))
      exact_results(how, sum, results);
  }
  look_up_bytes(results, room + begin, out + begin, end - begin);
}

// ---- Softmax of halves ----

// 2^(i/16).
constexpr double kRootsOfTwo[] = {
    0x1.0000000000000p+0, 0x1.0b5586cf9890fp+0, 0x1.172b83c7d517bp+0, 0x1.2387a6e756238p+0,
    0x1.306fe0a31b715p+0, 0x1.3dea64c123422p+0, 0x1.4bfdad5362a27p+0, 0x1.5ab07dd485429p+0,
    0x1.6a09e667f3bcdp+0, 0x1.7a11473eb0187p+0, 0x1.8ace5422aa0dbp+0, 0x1.9c49182a3f090p+0,
    0x1.ae89f995ad3adp+0, 0x1.c199bdd85529cp+0, 0x1.d5818dcfba487p+0, 0x1.ea4afa2a490dap+0};

// e^x for x in [-700, 0], within 2^-42 of it: 2^(n/16) times a short series.
inline __m512d near_exp(__m512d x) {
  constexpr double kSixteenthsPerE = 0x1.71547652b82fep+4;  // 16 / ln 2
  constexpr double kSixteenth = 0x1.62e42fefa39efp-5;       // ln 2 / 16
  const __m512d integers = _mm512_set1_pd(kIntegers);
  const __m512d shifted = _mm512_fmadd_pd(x, _mm512_set1_pd(kSixteenthsPerE), integers);
  const __m512d r = _mm512_fnmadd_pd(_mm512_sub_pd(shifted, integers), _mm512_set1_pd(kSixteenth), x);
  __m512d series = _mm512_set1_pd(1.0 / 120);
#pragma GCC unroll 5
  for (size_t term = 5; term > 0; --term)
    series = _mm512_fmadd_pd(series, r, _mm512_set1_pd(kInverseFactorials.values[term - 1]));
  // The low bits of `shifted` are n.
  const __m512i n = _mm512_castpd_si512(shifted);
  const __m512d root =
      _mm512_permutex2var_pd(_mm512_loadu_pd(kRootsOfTwo), n, _mm512_loadu_pd(kRootsOfTwo + kLanes));
  const __m512i exponent = _mm512_slli_epi64(_mm512_srli_epi64(n, 4), 52);
  return _mm512_castsi512_pd(_mm512_add_epi64(_mm512_castpd_si512(_mm512_mul_pd(series, root)), exponent));
}

// Nothing when there is a NaN or an infinity.
inline bool find_largest_half(const Unaligned16* in, size_t count, double& largest) {
  __m512 best = _mm512_set1_ps(-__builtin_inff());
  __mmask16 strange = 0;
  for (size_t at = 0; at < count; at += kFloats) {
    const __mmask16 lanes = count - at >= kFloats ? 0xffff : static_cast<__mmask16>((1U << (count - at)) - 1);
    const __m512 values = _mm512_cvtph_ps(_mm256_maskz_loadu_epi16(lanes, in + at));
    best = _mm512_mask_max_ps(best, lanes, best, values);
    strange |= _mm512_cmp_ps_mask(_mm512_abs_ps(values), _mm512_set1_ps(65504.0F), _CMP_NLE_UQ);
  }
  largest = static_cast<double>(_mm512_reduce_max_ps(best));
  return strange == 0;
}

inline __mmask8 doubles_at(size_t at, size_t count) {
  return count - at >= kLanes ? 0xff : static_cast<__mmask8>((1U << (count - at)) - 1);
}

// How far the nearer of two neighbouring halves is from being the farther one, in the last bits of a double.
// Below the normal halves, adding the least of those leaves the distance between two and the bits behind
// them.
inline __m512i distance_to_tie(__m512d value) {
  constexpr int kBitsBehind = 42;
  const __m512d least = _mm512_set1_pd(0x1p-14);
  const __mmask8 is_small = _mm512_cmp_pd_mask(value, least, _CMP_LT_OQ);
  const __m512i bits = _mm512_castpd_si512(_mm512_mask_add_pd(value, is_small, value, least));
  const __m512i behind = _mm512_and_si512(bits, _mm512_set1_epi64((int64_t{1} << kBitsBehind) - 1));
  return _mm512_abs_epi64(_mm512_sub_epi64(behind, _mm512_set1_epi64(int64_t{1} << (kBitsBehind - 1))));
}

// Floats below the value, and odd: on the same side of every half, and of every middle between two, unless
// the value is that middle.
inline __m256i odd_floats(__m512d value) {
  const __m256 below = _mm512_cvt_roundpd_ps(value, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
  return _mm256_or_si256(_mm256_castps_si256(below), _mm256_set1_epi32(1));
}

// Weights are wrong by less than 2^-41, so is their sum, and 2^13 of a double's last bits are 2^-39.
bool softmax_halves(const Unaligned16* in, size_t count, double factor, double* room, Unaligned16* out) {
  constexpr int64_t kDoubtful = 1 << 14;
  double largest;
  if (!find_largest_half(in, count, largest)) return false;
  __m512d sums = _mm512_setzero_pd();
  for (size_t at = 0; at < count; at += kLanes) {
    const __mmask8 lanes = doubles_at(at, count);
    const __m512d x = _mm512_cvtps_pd(_mm256_cvtph_ps(_mm_maskz_loadu_epi16(lanes, in + at)));
    const __m512d scaled = _mm512_mul_pd(_mm512_sub_pd(x, _mm512_set1_pd(largest)), _mm512_set1_pd(factor));
    const __m512d weight = near_exp(_mm512_max_pd(scaled, _mm512_set1_pd(-700.0)));
    sums = _mm512_mask_add_pd(sums, lanes, sums, weight);
    _mm512_mask_storeu_pd(room + at, lanes, weight);
  }
  const __m512d share = _mm512_set1_pd(1.0 / _mm512_reduce_add_pd(sums));
  __m512i nearest = _mm512_set1_epi64(INT64_MAX);
  for (size_t at = 0; at < count; at += kLanes) {
    const __mmask8 lanes = doubles_at(at, count);
    const __m512d value = _mm512_mul_pd(_mm512_maskz_loadu_pd(lanes, room + at), share);
    nearest = _mm512_mask_min_epi64(nearest, lanes, nearest, distance_to_tie(value));
    const __m128i halves = _mm256_cvtps_ph(_mm256_castsi256_ps(odd_floats(value)), _MM_FROUND_TO_NEAREST_INT);
    _mm_mask_storeu_epi16(out + at, lanes, halves);
  }
  return _mm512_reduce_min_epi64(nearest) >= kDoubtful;
}

// ---- Norms ----

struct NormSteps {
  __m512 factor, start, doubtful;
};

template <bool in_signed, bool out_signed>
void normalise_vectors(const ByteNorm& how, const NormSteps& steps, const uint8_t* in, uint8_t* out,
                       size_t begin, size_t end) {
  const __m512i in_order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
  constexpr int kNearest = 0;
  constexpr int kLargerMagnitude = 0b1011;
  size_t at = begin;
  for (; at + kBytes <= end; at += kBytes) {
    __m512 real[4];
    __m512 beside[4];
#pragma GCC unroll 4
    for (size_t i = 0; i < 4; ++i) {
      const size_t first = at + i * kFloats;
      const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(in + first));
      const __m512 stored =
          _mm512_cvtepi32_ps(in_signed ? _mm512_cvtepi8_epi32(bytes) : _mm512_cvtepu8_epi32(bytes));
      real[i] =
          _mm512_fmadd_ps(_mm512_fmadd_ps(stored, steps.factor, steps.start),
                          _mm512_loadu_ps(how.gamma_steps + first), _mm512_loadu_ps(how.beta_steps + first));
      beside[i] = _mm512_reduce_ps(real[i], kNearest);
    }
    const __m512 farthest =
        _mm512_range_ps(_mm512_range_ps(beside[0], beside[1], kLargerMagnitude),
                        _mm512_range_ps(beside[2], beside[3], kLargerMagnitude), kLargerMagnitude);
    if (_mm512_cmp_ps_mask(farthest, steps.doubtful, _CMP_NLT_UQ) != 0) [[unlikely]] {
      exact_bytes(how, in, out, at, at + kBytes);
      continue;
    }
    const __m512i low = _mm512_packs_epi32(_mm512_cvtps_epi32(real[0]), _mm512_cvtps_epi32(real[1]));
    const __m512i high = _mm512_packs_epi32(_mm512_cvtps_epi32(real[2]), _mm512_cvtps_epi32(real[3]));
    const __m512i bytes = _mm512_permutexvar_epi32(in_order, _mm512_packus_epi16(low, high));
    _mm512_storeu_si512(
        out + at, out_signed ? _mm512_xor_si512(bytes, _mm512_set1_epi8(static_cast<char>(0x80))) : bytes);
  }
  exact_bytes(how, in, out, at, end);
}

void normalise_bytes(const ByteNorm& how, const uint8_t* in, uint8_t* out, size_t begin, size_t end) {
  const double move = how.in.move;
  const double factor = how.in.scale / how.row.divisor;
  const double start = (how.in.scale * (how.in.offset + move) - how.row.shift) / how.row.divisor;
  // Four numbers, none larger than this, are rounded by half of a float's last bit each.
  const double range = how.out.high - how.out.low;
  const double size =
      (255.0 * factor + __builtin_fabs(start)) * how.largest_gamma + how.largest_beta + 2.0 * range;
  const double tolerance = 5 * 0x1p-24 * size;
  if (!(tolerance < 0.01)) return exact_bytes(how, in, out, begin, end);
  const NormSteps steps{_mm512_set1_ps(static_cast<float>(factor)), _mm512_set1_ps(static_cast<float>(start)),
                        _mm512_set1_ps(static_cast<float>(0.5 - tolerance))};
  const auto run =
      how.in.move == 0
          ? (how.out.move == 0 ? normalise_vectors<false, false> : normalise_vectors<false, true>)
          : (how.out.move == 0 ? normalise_vectors<true, false> : normalise_vectors<true, true>);
  run(how, steps, in, out, begin, end);
}

}  // namespace

constinit const RowLoops kAvx512Rows = [] {
  RowLoops rows = kRows;
  rows.softmax_halves = softmax_halves;
  rows.softmax_bytes = softmax_byte_vectors;
  rows.normalise_bytes = normalise_bytes;
  return rows;
}();

}  // namespace openqnn::ops::fast
#endif
