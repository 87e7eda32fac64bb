// SPDX-License-Identifier: BSD-3-Clause
// Compiled for AVX-512 with VNNI: see tile.h about what must not be included here.
#if defined(__x86_64__)
#include <immintrin.h>

#include "ops/elementwise/exp_terms.h"
#include "ops/matrix/fast/by_sums.inc"
#include "ops/matrix/fast/byte_rows.inc"

namespace openqnn::ops::fast {
namespace {

constexpr size_t kLanes = 16;
constexpr size_t kHalves = kTileColumns / kLanes;  // registers that hold a row of a tile
constexpr size_t kQuadBytes = 4 * kTileColumns;    // four k of all columns
constexpr size_t kQuadsPerBlock = 8;

// Stores with a mask cost many times what others do, even when the mask is full.
inline void store(Unaligned16* to, __m256i halves, __mmask16 lanes) {
  if (lanes == 0xFFFF)
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), halves);
  else
    _mm256_mask_storeu_epi16(to, lanes, halves);
}
inline void store(Unaligned16* to, __m512i wides, __mmask32 columns) {
  if (columns == UINT32_MAX)
    _mm512_storeu_si512(to, wides);
  else
    _mm512_mask_storeu_epi16(to, columns, wides);
}
inline void store(float* to, __m512 floats, __mmask16 lanes) {
  if (lanes == 0xFFFF)
    _mm512_storeu_ps(to, floats);
  else
    _mm512_mask_storeu_ps(to, lanes, floats);
}
inline void store(uint8_t* to, __m512i bytes, __mmask64 channels) {
  if (channels == ~__mmask64{0})
    _mm512_storeu_si512(to, bytes);
  else
    _mm512_mask_storeu_epi8(to, channels, bytes);
}
inline void store(uint8_t* to, __m256i bytes, __mmask32 columns) {
  if (columns == UINT32_MAX)
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), bytes);
  else
    _mm256_mask_storeu_epi8(to, columns, bytes);
}

template <size_t kRows>
struct IntegerSums {
  __m512i row[kRows][kHalves];
};

template <size_t kRows>
__attribute__((always_inline)) inline void add_quad(const uint8_t* const* rows, size_t at,
                                                    const int8_t* weights, IntegerSums<kRows>& sums) {
  const __m512i w0 = _mm512_loadu_si512(weights);
  const __m512i w1 = _mm512_loadu_si512(weights + kQuadBytes / 2);
#pragma GCC unroll 14
  for (size_t r = 0; r < kRows; ++r) {
    int32_t four;
    __builtin_memcpy(&four, rows[r] + at, sizeof(four));
    const __m512i a = _mm512_set1_epi32(four);
    sums.row[r][0] = _mm512_dpbusd_epi32(sums.row[r][0], a, w0);
    sums.row[r][1] = _mm512_dpbusd_epi32(sums.row[r][1], a, w1);
  }
}

// The block of the next 32 k, or of the next columns, lies far from this one: nothing else would fetch it in
// time.
inline void prefetch_quad(const int8_t* weights) {
  _mm_prefetch(weights, _MM_HINT_T0);
  _mm_prefetch(weights + kQuadBytes / 2, _MM_HINT_T0);
}

// Taps that end within blocks of weights: what few channels have.
template <size_t kRows>
__attribute__((always_inline)) inline void add_short_taps(const ByteTile& tile, IntegerSums<kRows>& sums) {
  const int8_t* weights = tile.weights;
  size_t in_block = 0;
  for (size_t tap = 0; tap < tile.taps; ++tap) {
    const uint8_t* rows[kRows];
    for (size_t r = 0; r < kRows; ++r) rows[r] = tile.rows[tap * kTileRows + r];
    for (size_t quad = 0; quad < tile.quads; ++quad) {
      add_quad<kRows>(rows, 4 * quad, weights + in_block * kQuadBytes, sums);
      if (++in_block < kQuadsPerBlock) continue;
      in_block = 0;
      weights += tile.block_stride;
    }
  }
}

// From what is in `sums` on.
template <size_t kRows>
__attribute__((always_inline)) inline void add_all(const ByteTile& tile, IntegerSums<kRows>& sums) {
  if (tile.taps > 1 && tile.quads % kQuadsPerBlock != 0) return add_short_taps<kRows>(tile, sums);
  const int8_t* weights = tile.weights;
  for (size_t tap = 0; tap < tile.taps; ++tap) {
    const uint8_t* rows[kRows];
    for (size_t r = 0; r < kRows; ++r) rows[r] = tile.rows[tap * kTileRows + r];
    size_t at = 0;
    size_t left = tile.quads;
    for (; left >= kQuadsPerBlock; left -= kQuadsPerBlock) {
      const bool is_last = left < 2 * kQuadsPerBlock && tap + 1 == tile.taps;
      const int8_t* ahead = is_last ? tile.weights + kBlockWeights : weights + tile.block_stride;
#pragma GCC unroll 2
      for (size_t quad = 0; quad < kQuadsPerBlock; ++quad, at += 4) {
        prefetch_quad(ahead + quad * kQuadBytes);
        add_quad<kRows>(rows, at, weights + quad * kQuadBytes, sums);
      }
      weights += tile.block_stride;
    }
    for (size_t quad = 0; quad < left; ++quad, at += 4)
      add_quad<kRows>(rows, at, weights + quad * kQuadBytes, sums);
  }
}

// Stored bytes are counted from the lowest one, so that saturation clips them.
struct FinishConstants {
  __m512 up, doubtful;  // what is added to steps; how far from an integer is too near to a tie
  __m512i turn;         // makes signed bytes of those counted from the lowest
};

inline FinishConstants constants_of(const ByteFinish& how) {
  return {_mm512_set1_ps(-how.low), _mm512_set1_ps(0.5F - how.tolerance),
          _mm512_set1_epi8(how.low < static_cast<float>(how.offset) ? static_cast<char>(0x80) : 0)};
}

// What reference kernels compute, for the few results that float cannot decide.
__attribute__((noinline)) __m512i steps_in_double(__m512i sum, const double* factors, float low) {
  const auto half = [&](__m256i some, const double* with) __attribute__((always_inline)) {
    const __m512d steps = _mm512_mul_pd(_mm512_cvtepi32_pd(some), _mm512_loadu_pd(with));
    const __m512d rounded = _mm512_roundscale_pd(steps, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    return _mm512_cvtpd_epi32(_mm512_sub_pd(rounded, _mm512_set1_pd(static_cast<double>(low))));
  };
  const __m256i first = half(_mm512_castsi512_si256(sum), factors);
  const __m256i second = half(_mm512_extracti64x4_epi64(sum, 1), factors + kLanes / 2);
  return _mm512_inserti64x4(_mm512_castsi256_si512(first), second, 1);
}

struct TwoVectors {
  __m512i first, second;
};

// Of 32 columns, counted from the lowest byte, not yet clipped. Adding the lowest to the product changes
// which integer a tie goes to, but ties are decided in double.
__attribute__((always_inline)) inline TwoVectors finish(__m512i sum0, __m512i sum1, const ByteFinish& how,
                                                        size_t first, const FinishConstants& constants) {
  const float* factors = how.factors + first;
  const __m512 real0 = _mm512_fmadd_ps(_mm512_cvtepi32_ps(sum0), _mm512_loadu_ps(factors), constants.up);
  const __m512 real1 =
      _mm512_fmadd_ps(_mm512_cvtepi32_ps(sum1), _mm512_loadu_ps(factors + kLanes), constants.up);
  constexpr int kNearest = 0;  // the distance to the nearest integer
  constexpr int kLargerMagnitude = 0b1011;
  const __m512 beside =
      _mm512_range_ps(_mm512_reduce_ps(real0, kNearest), _mm512_reduce_ps(real1, kNearest), kLargerMagnitude);
  if (_mm512_cmp_ps_mask(beside, constants.doubtful, _CMP_GE_OQ) != 0) [[unlikely]]
    return {steps_in_double(sum0, how.exact_factors + first, how.low),
            steps_in_double(sum1, how.exact_factors + first + kLanes, how.low)};
  return {_mm512_cvtps_epi32(real0), _mm512_cvtps_epi32(real1)};
}

// Two rows at a time: 64 bytes.
template <size_t kRows>
__attribute__((always_inline)) inline void finish_rows(const IntegerSums<kRows>& sums, const ByteFinish& how,
                                                       size_t at, uint32_t columns, uint8_t* const* outputs) {
  const FinishConstants constants = constants_of(how);
  // Packing goes by lanes of 16 bytes: in each, four columns of either half of one row, then of the next.
  const __m512i in_order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
  const auto row16 = [&](size_t r) __attribute__((always_inline)) {
    __m512i sum0 = sums.row[r][0];
    __m512i sum1 = sums.row[r][1];
    if (how.row_starts) {
      const __m512i start = _mm512_set1_epi32(how.row_starts[r]);
      sum0 = _mm512_add_epi32(sum0, start);
      sum1 = _mm512_add_epi32(sum1, start);
    }
    const TwoVectors stored = finish(sum0, sum1, how, at, constants);
    return _mm512_packs_epi32(stored.first, stored.second);
  };
#pragma GCC unroll 7
  for (size_t r = 0; r < kRows; r += 2) {
    const __m512i first = row16(r);
    const __m512i second = r + 1 < kRows ? row16(r + 1) : first;
    const __m512i bytes = _mm512_xor_si512(
        _mm512_permutexvar_epi32(in_order, _mm512_packus_epi16(first, second)), constants.turn);
    store(outputs[r] + at, _mm512_castsi512_si256(bytes), columns);
    if (r + 1 < kRows) store(outputs[r + 1] + at, _mm512_extracti64x4_epi64(bytes, 1), columns);
  }
}

template <size_t kRows>
void bytes_of_rows(ByteTile tile, const ByteFinish& how, const Columns& columns, uint8_t* const* outputs) {
  size_t at = columns.first;
  for (size_t block = 0; block < columns.blocks; ++block, at += kTileColumns, tile.weights += kBlockWeights) {
    IntegerSums<kRows> sums;
    const __m512i start0 = _mm512_loadu_si512(how.starts + at);
    const __m512i start1 = _mm512_loadu_si512(how.starts + at + kLanes);
#pragma GCC unroll 14
    for (size_t r = 0; r < kRows; ++r) {
      sums.row[r][0] = start0;
      sums.row[r][1] = start1;
    }
    add_all<kRows>(tile, sums);
    finish_rows<kRows>(sums, how, at, written_columns(columns, block), outputs);
  }
}

template <size_t kRows>
void sums_of_rows(const ByteTile& tile, int32_t* out) {
  IntegerSums<kRows> sums;
#pragma GCC unroll 14
  for (size_t r = 0; r < kRows; ++r) sums.row[r][0] = sums.row[r][1] = _mm512_setzero_si512();
  add_all<kRows>(tile, sums);
#pragma GCC unroll 14
  for (size_t r = 0; r < kRows; ++r)
    for (size_t half = 0; half < kHalves; ++half)
      _mm512_storeu_si512(out + r * kTileColumns + half * kLanes, sums.row[r][half]);
}

// ---- 16-bit results ----

// Eight steps as the reference computes them, rounded.
inline __m256i wide_steps(__m256i low, __m256i high, const WideFinish& how, size_t first, double row_start) {
  const __m512d start = _mm512_add_pd(_mm512_loadu_pd(how.starts + first), _mm512_set1_pd(row_start));
  const __m512d rest = _mm512_add_pd(_mm512_cvtepi32_pd(low), start);
  const __m512d sum = _mm512_fmadd_pd(_mm512_cvtepi32_pd(high), _mm512_set1_pd(256.0), rest);  // exact
  __m512d steps = _mm512_mul_pd(sum, _mm512_loadu_pd(how.factors + first));
  if (how.biases) steps = _mm512_add_pd(steps, _mm512_loadu_pd(how.biases + first));
  return _mm512_cvtpd_epi32(steps);
}

inline __m512i wide_steps(__m512i low, __m512i high, const WideFinish& how, size_t first, double row_start) {
  const __m256i steps0 =
      wide_steps(_mm512_castsi512_si256(low), _mm512_castsi512_si256(high), how, first, row_start);
  const __m256i steps1 = wide_steps(_mm512_extracti64x4_epi64(low, 1), _mm512_extracti64x4_epi64(high, 1),
                                    how, first + kLanes / 2, row_start);
  return _mm512_inserti64x4(_mm512_castsi256_si512(steps0), steps1, 1);
}

template <size_t kRows>
void wide_of_rows(ByteTile tile, const WideFinish& how, const Columns& columns, Unaligned16* const* outputs) {
  const auto lowest = static_cast<int32_t>(how.low);
  const __m512i down = _mm512_set1_epi32(lowest);
  const __m512i turn = _mm512_set1_epi16(lowest < how.offset ? static_cast<int16_t>(0x8000) : 0);
  const __m512i in_order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
  size_t at = columns.first;
  for (size_t block = 0; block < columns.blocks; ++block, at += kTileColumns, tile.weights += kBlockWeights) {
    IntegerSums<2 * kRows> sums;
#pragma GCC unroll 14
    for (size_t r = 0; r < 2 * kRows; ++r) sums.row[r][0] = sums.row[r][1] = _mm512_setzero_si512();
    add_all<2 * kRows>(tile, sums);
    const uint32_t written = written_columns(columns, block);
#pragma GCC unroll 7
    for (size_t r = 0; r < kRows; ++r) {
      const double start = how.row_starts ? static_cast<double>(how.row_starts[r]) : 0.0;
      const __m512i steps0 = wide_steps(sums.row[r][0], sums.row[kRows + r][0], how, at, start);
      const __m512i steps1 = wide_steps(sums.row[r][1], sums.row[kRows + r][1], how, at + kLanes, start);
      const __m512i stored =
          _mm512_packus_epi32(_mm512_sub_epi32(steps0, down), _mm512_sub_epi32(steps1, down));
      store(outputs[r] + at, _mm512_xor_si512(_mm512_permutexvar_epi64(in_order, stored), turn), written);
    }
  }
}

// ---- Depth-wise ----

// Four taps of 64 channels, channel by channel, within lanes of 16: `place` says where a channel comes to
// lie.
struct FourTaps {
  __m512i part[4];
};
inline FourTaps interleave(const DepthTile& tile, size_t quad, size_t position, size_t first,
                           __mmask64 channels) {
  const __m512i turn = _mm512_set1_epi8(static_cast<char>(tile.turn));
  __m512i tap[4];
  for (size_t i = 0; i < 4; ++i) {
    const uint8_t* from = tile.taps[4 * quad + i] + position * tile.further[4 * quad + i] + first;
    tap[i] = _mm512_xor_si512(_mm512_maskz_loadu_epi8(channels, from), turn);
  }
  const __m512i low01 = _mm512_unpacklo_epi8(tap[0], tap[1]);
  const __m512i high01 = _mm512_unpackhi_epi8(tap[0], tap[1]);
  const __m512i low23 = _mm512_unpacklo_epi8(tap[2], tap[3]);
  const __m512i high23 = _mm512_unpackhi_epi8(tap[2], tap[3]);
  return {{_mm512_unpacklo_epi16(low01, low23), _mm512_unpackhi_epi16(low01, low23),
           _mm512_unpacklo_epi16(high01, high23), _mm512_unpackhi_epi16(high01, high23)}};
}

// Part p has channels 4p to 4p + 3 of each lane.
size_t depth_place(size_t channel) {
  const size_t lane = channel / 16;
  const size_t part = channel % 16 / 4;
  return part * kLanes + lane * 4 + channel % 4;
}

// Some positions of 64 channels at once, so that weights are read once.
template <size_t kPositions>
__attribute__((always_inline)) inline void depth_bytes_of(const DepthTile& tile, const ByteFinish& how,
                                                          size_t position, size_t first, __mmask64 channels,
                                                          const int8_t* weights, uint8_t* output) {
  __m512i sums[kPositions][4];
  for (size_t p = 0; p < kPositions; ++p)
    for (size_t part = 0; part < 4; ++part)
      sums[p][part] = _mm512_loadu_si512(how.starts + first + part * kLanes);
  for (size_t quad = 0; quad < tile.quads; ++quad, weights += 4 * kDepthBlock) {
    __m512i w[4];
    for (size_t part = 0; part < 4; ++part) w[part] = _mm512_loadu_si512(weights + part * kDepthBlock);
#pragma GCC unroll 2
    for (size_t p = 0; p < kPositions; ++p) {
      const FourTaps taps = interleave(tile, quad, position + p, first, channels);
      for (size_t part = 0; part < 4; ++part)
        sums[p][part] = _mm512_dpbusd_epi32(sums[p][part], taps.part[part], w[part]);
    }
  }
  const FinishConstants constants = constants_of(how);
#pragma GCC unroll 2
  for (size_t p = 0; p < kPositions; ++p) {
    const TwoVectors low = finish(sums[p][0], sums[p][1], how, first, constants);
    const TwoVectors high = finish(sums[p][2], sums[p][3], how, first + 2 * kLanes, constants);
    const __m512i bytes = _mm512_packus_epi16(_mm512_packs_epi32(low.first, low.second),
                                              _mm512_packs_epi32(high.first, high.second));
    store(output + (position + p) * tile.channels + first, _mm512_xor_si512(bytes, constants.turn), channels);
  }
}

// Of a block that begins at `first`: which channels are computed.
inline __mmask64 channels_of_block(const DepthTile& tile, size_t first) {
  __mmask64 channels = ~__mmask64{0};
  if (tile.begin > first) channels &= ~__mmask64{0} << (tile.begin - first);
  if (tile.end < first + kDepthBlock) channels &= ~__mmask64{0} >> (first + kDepthBlock - tile.end);
  return channels;
}

void depth_bytes(const DepthTile& tile, const ByteFinish& how, uint8_t* output) {
  for (size_t first = tile.begin / kDepthBlock * kDepthBlock; first < tile.end; first += kDepthBlock) {
    const int8_t* weights = tile.weights + first * 4 * tile.quads;
    const __mmask64 channels = channels_of_block(tile, first);
    size_t position = 0;
    for (; position + 2 <= tile.positions; position += 2)
      depth_bytes_of<2>(tile, how, position, first, channels, weights, output);
    if (position < tile.positions) depth_bytes_of<1>(tile, how, position, first, channels, weights, output);
  }
}

// ---- Halves ----

inline __mmask16 first_lanes(size_t count) {
  return static_cast<__mmask16>(count < kLanes ? (1U << count) - 1 : 0xFFFF);
}

struct HalfRange {
  __m512 low, high;
};
inline HalfRange range_of(const HalfFinish& how) {
  return {_mm512_set1_ps(how.has_low ? how.low : -__builtin_inff()),
          _mm512_set1_ps(how.has_high ? how.high : __builtin_inff())};
}
// Sums are never -0, so that adding 0 changes nothing.
inline __m512 bias_of(const HalfFinish& how, size_t at, __mmask16 lanes) {
  return how.bias ? _mm512_maskz_loadu_ps(lanes, how.bias + at) : _mm512_setzero_ps();
}

// Sixteen results.
inline __m256i finish_half(__m512 sum, __m512 bias, const HalfRange& range) {
  // The second operand is taken where one is not a number, and where both are 0.
  const __m512 x = _mm512_min_ps(range.high, _mm512_max_ps(range.low, _mm512_add_ps(sum, bias)));
  const __mmask16 nan = _mm512_cmp_ps_mask(x, x, _CMP_UNORD_Q);
  return _mm256_mask_mov_epi16(_mm512_cvtps_ph(x, _MM_FROUND_TO_NEAREST_INT), nan, _mm256_set1_epi16(0x7e00));
}

// Of `kWidth` registers of columns.
template <size_t kRows, size_t kWidth>
struct FloatSums {
  __m512 row[kRows][kWidth];
};

template <size_t kRows, size_t kWidth>
__attribute__((always_inline)) inline void add_products(const HalfPart& part, const uint16_t* weights,
                                                        FloatSums<kRows, kWidth>& sums) {
#pragma GCC unroll 14
  for (size_t r = 0; r < kRows; ++r)
    for (size_t i = 0; i < kWidth; ++i) sums.row[r][i] = _mm512_setzero_ps();
  const float* rows[kRows];
  for (size_t r = 0; r < kRows; ++r) rows[r] = part.rows[r];
  for (size_t k = 0; k < part.count; ++k) {
    const uint16_t* from = weights + part.row_of[k];
    _mm_prefetch(weights + part.row_of[k + kHalfAhead], _MM_HINT_T0);
    __m512 w[kWidth];
    for (size_t i = 0; i < kWidth; ++i)
      w[i] = _mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + i * kLanes)));
#pragma GCC unroll 14
    for (size_t r = 0; r < kRows; ++r) {
      const __m512 a = _mm512_set1_ps(rows[r][k]);
      for (size_t i = 0; i < kWidth; ++i) sums.row[r][i] = _mm512_fmadd_ps(a, w[i], sums.row[r][i]);
    }
  }
}

// end(row, register of the columns, sums)
template <size_t kRows, size_t kWidth, class End>
__attribute__((always_inline)) inline void for_each_half_sum(const HalfTile& tile, const End& end) {
  FloatSums<kRows, kWidth> sums;
  add_products<kRows, kWidth>(tile.all, tile.weights, sums);
  if (tile.apart.count == 0) {
#pragma GCC unroll 14
    for (size_t r = 0; r < kRows; ++r)
      for (size_t i = 0; i < kWidth; ++i) end(r, i, sums.row[r][i]);
    return;
  }
  // There are not enough registers for both.
  alignas(64) float waiting[kRows * kWidth * kLanes];
#pragma GCC unroll 14
  for (size_t r = 0; r < kRows; ++r)
    for (size_t i = 0; i < kWidth; ++i) _mm512_store_ps(waiting + (r * kWidth + i) * kLanes, sums.row[r][i]);
  add_products<kRows, kWidth>(tile.apart, tile.weights, sums);
#pragma GCC unroll 14
  for (size_t r = 0; r < kRows; ++r)
    for (size_t i = 0; i < kWidth; ++i)
      end(r, i, _mm512_add_ps(_mm512_load_ps(waiting + (r * kWidth + i) * kLanes), sums.row[r][i]));
}

template <size_t kRows, size_t kWidth>
void halves_of_block(const HalfTile& tile, const HalfFinish& how, size_t at, uint32_t written,
                     Unaligned16* const* outputs) {
  const HalfRange range = range_of(how);
  __mmask16 lanes[kWidth];
  __m512 bias[kWidth];
  for (size_t i = 0; i < kWidth; ++i) {
    lanes[i] = static_cast<__mmask16>(written >> i * kLanes);
    bias[i] = bias_of(how, at + i * kLanes, lanes[i]);
  }
  for_each_half_sum<kRows, kWidth>(
      tile, [&](size_t r, size_t i, __m512 sum) __attribute__((always_inline)) {
        store(outputs[r] + at + i * kLanes, finish_half(sum, bias[i], range), lanes[i]);
      });
}

template <size_t kRows>
void halves_of_rows(HalfTile tile, const HalfFinish& how, const Columns& columns,
                    Unaligned16* const* outputs) {
  size_t at = columns.first;
  for (size_t block = 0; block < columns.blocks; ++block, at += kTileColumns, tile.weights += kBlockWeights) {
    const uint32_t written = written_columns(columns, block);
    if (written >> kLanes == 0)
      halves_of_block<kRows, 1>(tile, how, at, written, outputs);
    else
      halves_of_block<kRows, kHalves>(tile, how, at, written, outputs);
  }
}

template <size_t kRows>
void half_sums_of_rows(const HalfTile& tile, float* out) {
  for_each_half_sum<kRows, kHalves>(
      tile, [&](size_t r, size_t i, __m512 sum) __attribute__((always_inline)) {
        _mm512_storeu_ps(out + r * kTileColumns + i * kLanes, sum);
      });
}

// Some positions of sixteen channels at once, so that weights are read once and sums do not wait for each
// other.
template <size_t kPositions, class End>
__attribute__((always_inline)) inline void depth_sums_of(const DepthHalfTile& tile, size_t position,
                                                         size_t first, __mmask16 lanes, const End& end) {
  __m512 sums[2][kPositions];
#pragma GCC unroll 7
  for (size_t p = 0; p < kPositions; ++p) sums[0][p] = sums[1][p] = _mm512_setzero_ps();
  const auto add = [&](size_t tap, __m512 * to) __attribute__((always_inline)) {
    const size_t further = tile.further[tap];
    const float* from = tile.taps[tap] + position * further + first;
    const __m512 w = _mm512_maskz_loadu_ps(lanes, tile.weights + tap * tile.weight_stride + first);
#pragma GCC unroll 7
    for (size_t p = 0; p < kPositions; ++p, from += further)
      to[p] = _mm512_fmadd_ps(_mm512_maskz_loadu_ps(lanes, from), w, to[p]);
  };
  if (tile.apart)
    for (size_t tap = 1; tap < tile.tap_count; tap += 2) add(tap, sums[1]);
  for (size_t tap = 0; tap < tile.tap_count; tap += tile.apart ? 2 : 1) add(tap, sums[0]);
#pragma GCC unroll 7
  for (size_t p = 0; p < kPositions; ++p)
    end(position + p, first, lanes, _mm512_add_ps(sums[0][p], sums[1][p]));
}

// end(position, first channel, channels, sums)
template <size_t kPositions, class End>
__attribute__((always_inline)) inline void for_each_channel(const DepthHalfTile& tile, size_t position,
                                                            const End& end) {
  size_t first = tile.begin;
  for (; first + kLanes <= tile.end; first += kLanes)
    depth_sums_of<kPositions>(tile, position, first, 0xFFFF, end);
  if (first < tile.end) depth_sums_of<kPositions>(tile, position, first, first_lanes(tile.end - first), end);
}

template <class End>
__attribute__((always_inline)) inline void for_each_depth_sum(const DepthHalfTile& tile, const End& end) {
  size_t position = 0;
  for (; position + 7 <= tile.positions; position += 7) for_each_channel<7>(tile, position, end);
  for (; position + 3 <= tile.positions; position += 3) for_each_channel<3>(tile, position, end);
  for (; position < tile.positions; ++position) for_each_channel<1>(tile, position, end);
}

void depth_halves(const DepthHalfTile& tile, const HalfFinish& how, Unaligned16* output) {
  const HalfRange range = range_of(how);
  for_each_depth_sum(
      tile, [&](size_t position, size_t first, __mmask16 lanes, __m512 sum) __attribute__((always_inline)) {
        store(output + position * tile.channels + first, finish_half(sum, bias_of(how, first, lanes), range),
              lanes);
      });
}

void depth_half_sums(const DepthHalfTile& tile, float* out) {
  for_each_depth_sum(
      tile, [&](size_t position, size_t first, __mmask16 lanes, __m512 sum) __attribute__((always_inline)) {
        store(out + position * tile.channels + first, sum, lanes);
      });
}

void finish_halves(const float* sums, const HalfFinish& how, Unaligned16* out, size_t count) {
  const HalfRange range = range_of(how);
  for (size_t i = 0; i < count; i += kLanes) {
    const __mmask16 lanes = first_lanes(count - i);
    store(out + i, finish_half(_mm512_maskz_loadu_ps(lanes, sums + i), bias_of(how, i, lanes), range), lanes);
  }
}

// The steps of portable_exp, eight at a time.
inline __m512d exp_of(__m512d x) {
  const __m512d limited =
      _mm512_min_pd(_mm512_max_pd(x, _mm512_set1_pd(kLeastExponent)), _mm512_set1_pd(kMostExponent));
  const __m512d n = _mm512_roundscale_pd(_mm512_mul_pd(limited, _mm512_set1_pd(kLog2E)),
                                         _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
  const __m512d high = _mm512_mul_pd(n, _mm512_set1_pd(kLn2High));
  const __m512d r = _mm512_sub_pd(_mm512_sub_pd(limited, high), _mm512_mul_pd(n, _mm512_set1_pd(kLn2Low)));
  __m512d sum = _mm512_set1_pd(kInverseFactorials.values[kExpTerms - 1]);
  for (size_t i = kExpTerms - 1; i > 0; --i)
    sum = _mm512_add_pd(_mm512_mul_pd(sum, r), _mm512_set1_pd(kInverseFactorials.values[i - 1]));
  const __m512i exponent = _mm512_add_epi64(_mm512_cvtpd_epi64(n), _mm512_set1_epi64(1023));
  __m512d power = _mm512_mul_pd(sum, _mm512_castsi512_pd(_mm512_slli_epi64(exponent, 52)));
  power = _mm512_mask_mov_pd(power, _mm512_cmp_pd_mask(x, _mm512_set1_pd(kLeastExponent), _CMP_LT_OQ),
                             _mm512_setzero_pd());
  power = _mm512_mask_mov_pd(power, _mm512_cmp_pd_mask(x, _mm512_set1_pd(kMostExponent), _CMP_GT_OQ),
                             _mm512_set1_pd(__builtin_inf()));
  return _mm512_mask_mov_pd(power, _mm512_cmp_pd_mask(x, x, _CMP_UNORD_Q), x);
}

// Eight doubles, rounded to halves once: on the way to float they are cut, and the last bit keeps that
// something was cut off, so that rounding that to half goes the right way.
inline __m128i halves_of(__m512d x) {
  const __m256 cut = _mm512_cvt_roundpd_ps(x, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
  const __mmask8 inexact = _mm512_cmp_pd_mask(_mm512_cvtps_pd(cut), x, _CMP_NEQ_OQ);
  const __m256i bits = _mm256_castps_si256(cut);
  const __m256i odd = _mm256_mask_or_epi32(bits, inexact, bits, _mm256_set1_epi32(1));
  return _mm256_cvtps_ph(_mm256_castsi256_ps(odd), _MM_FROUND_TO_NEAREST_INT);
}
inline __m512d rounded_to_half(__m512d x) { return _mm512_cvtps_pd(_mm256_cvtph_ps(halves_of(x))); }

void sigmoids(const float* values, bool fast, Unaligned16* out, size_t count) {
  const __m512d one = _mm512_set1_pd(1.0);
  for (size_t i = 0; i < count; i += 8) {
    const auto lanes = static_cast<__mmask8>(count - i < 8 ? (1U << (count - i)) - 1 : 0xFF);
    const __m512d x = _mm512_cvtps_pd(_mm256_maskz_loadu_ps(lanes, values + i));
    __m512d power = exp_of(_mm512_sub_pd(_mm512_setzero_pd(), x));
    if (fast) power = rounded_to_half(power);
    __m512d divisor = _mm512_add_pd(one, power);
    if (fast) divisor = rounded_to_half(divisor);
    const __m512d y = _mm512_div_pd(one, divisor);
    const __mmask8 nan = _mm512_cmp_pd_mask(y, y, _CMP_UNORD_Q);
    _mm_mask_storeu_epi16(out + i, lanes, _mm_mask_mov_epi16(halves_of(y), nan, _mm_set1_epi16(0x7e00)));
  }
}

void widen(const Unaligned16* halves, float* floats, size_t count) {
  for (size_t i = 0; i < count; i += kLanes) {
    const __mmask16 lanes = first_lanes(count - i);
    store(floats + i, _mm512_cvtph_ps(_mm256_maskz_loadu_epi16(lanes, halves + i)), lanes);
  }
}

void widen_apart(const Unaligned16* halves, float* even, float* odd, size_t pairs) {
  for (size_t i = 0; i < pairs; i += kLanes) {
    const __mmask16 lanes = first_lanes(pairs - i);
    const __m512i both = _mm512_maskz_loadu_epi32(lanes, halves + 2 * i);
    store(even + i, _mm512_cvtph_ps(_mm512_cvtepi32_epi16(both)), lanes);
    store(odd + i, _mm512_cvtph_ps(_mm512_cvtepi32_epi16(_mm512_srli_epi32(both, 16))), lanes);
  }
}

// Calls the instance for as many rows as the tile has: loops over registers are unrolled.
template <size_t kRows = kTileRows>
void bytes(const ByteTile& tile, const ByteFinish& how, const Columns& columns, uint8_t* const* outputs) {
  if constexpr (kRows > 0) {
    if (tile.row_count == kRows) return bytes_of_rows<kRows>(tile, how, columns, outputs);
    bytes<kRows - 1>(tile, how, columns, outputs);
  }
}

template <size_t kRows = kTileRows>
void byte_sums(const ByteTile& tile, int32_t* sums) {
  if constexpr (kRows > 0) {
    if (tile.row_count == kRows) return sums_of_rows<kRows>(tile, sums);
    byte_sums<kRows - 1>(tile, sums);
  }
}

template <size_t kRows = kTileRows / 2>
void small_wide(const ByteTile& tile, const WideFinish& how, const Columns& columns,
                Unaligned16* const* outputs) {
  if constexpr (kRows > 0) {
    if (tile.row_count == 2 * kRows) return wide_of_rows<kRows>(tile, how, columns, outputs);
    small_wide<kRows - 1>(tile, how, columns, outputs);
  }
}

void wide(const ByteTile& tile, const WideFinish& how, const Columns& columns, Unaligned16* const* outputs) {
  if (how.is_small)
    small_wide<>(tile, how, columns, outputs);
  else
    wide_by_sums<byte_sums<>>(tile, how, columns, outputs);
}

template <size_t kRows = kTileRows>
void halves(const HalfTile& tile, const HalfFinish& how, const Columns& columns,
            Unaligned16* const* outputs) {
  if constexpr (kRows > 0) {
    if (tile.row_count == kRows) return halves_of_rows<kRows>(tile, how, columns, outputs);
    halves<kRows - 1>(tile, how, columns, outputs);
  }
}

template <size_t kRows = kTileRows>
void half_sums(const HalfTile& tile, float* sums) {
  if constexpr (kRows > 0) {
    if (tile.row_count == kRows) return half_sums_of_rows<kRows>(tile, sums);
    half_sums<kRows - 1>(tile, sums);
  }
}

}  // namespace

const TileFunctions kAvx512Tiles = {
    .bytes = bytes<>,
    .wide = wide,
    .byte_sums = byte_sums<>,
    .copy_bytes = copy_bytes,
    .split_bytes = split_bytes,
    .halves = halves<>,
    .half_sums = half_sums<>,
    .depth_bytes = depth_bytes,
    .depth_place = depth_place,
    .depth_halves = depth_halves,
    .depth_half_sums = depth_half_sums,
    .finish_halves = finish_halves,
    .sigmoids = sigmoids,
    .widen = widen,
    .widen_apart = widen_apart,
};

}  // namespace openqnn::ops::fast
#endif
