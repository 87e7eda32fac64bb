// SPDX-License-Identifier: BSD-3-Clause
// Compiled for AVX-512 with VNNI: see tile.h about what must not be included here.
#if defined(__x86_64__)
#include "ops/matrix/fast/half_rows.inc"
#include "ops/matrix/fast/wide_finish.inc"

namespace openqnn::ops::fast {
namespace {

constexpr size_t kLanes = 16;
constexpr size_t kHalves = kTileColumns / kLanes;  // registers that hold a row of a tile
constexpr size_t kQuadBytes = 4 * kTileColumns;    // four k of all columns
constexpr size_t kQuadsPerBlock = 8;

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

// The block of the next 32 k lies far from this one: nothing else would fetch it in time.
inline void prefetch_quad(const int8_t* weights) {
  _mm_prefetch(weights, _MM_HINT_T0);
  _mm_prefetch(weights + kQuadBytes / 2, _MM_HINT_T0);
}

// From what is in `sums` on.
template <size_t kRows>
__attribute__((always_inline)) inline void add_all(const ByteTile& tile, IntegerSums<kRows>& sums) {
  const int8_t* weights = tile.weights;
  for (size_t tap = 0; tap < tile.taps; ++tap) {
    const uint8_t* rows[kRows];
    for (size_t r = 0; r < kRows; ++r) rows[r] = tile.rows[tap * kTileRows + r];
    size_t at = 0;
    size_t left = tile.quads;
    for (; left >= kQuadsPerBlock; left -= kQuadsPerBlock) {
#pragma GCC unroll 2
      for (size_t quad = 0; quad < kQuadsPerBlock; ++quad, at += 4) {
        prefetch_quad(weights + tile.block_stride + quad * kQuadBytes);
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

inline void store(uint8_t* to, __m256i bytes, uint32_t columns) {
  if (columns == UINT32_MAX)
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), bytes);
  else
    _mm256_mask_storeu_epi8(to, columns, bytes);
}

// Two rows at a time: 64 bytes.
template <size_t kRows>
__attribute__((always_inline)) inline void finish_rows(const IntegerSums<kRows>& sums, const ByteFinish& how,
                                                       uint8_t* const* outputs) {
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
    const TwoVectors stored = finish(sum0, sum1, how, 0, constants);
    return _mm512_packs_epi32(stored.first, stored.second);
  };
#pragma GCC unroll 7
  for (size_t r = 0; r < kRows; r += 2) {
    const __m512i first = row16(r);
    const __m512i second = r + 1 < kRows ? row16(r + 1) : first;
    const __m512i bytes = _mm512_xor_si512(
        _mm512_permutexvar_epi32(in_order, _mm512_packus_epi16(first, second)), constants.turn);
    store(outputs[r], _mm512_castsi512_si256(bytes), how.columns);
    if (r + 1 < kRows) store(outputs[r + 1], _mm512_extracti64x4_epi64(bytes, 1), how.columns);
  }
}

template <size_t kRows>
void bytes_of_rows(const ByteTile& tile, const ByteFinish& how, uint8_t* const* outputs) {
  IntegerSums<kRows> sums;
  const __m512i start0 = _mm512_loadu_si512(how.starts);
  const __m512i start1 = _mm512_loadu_si512(how.starts + kLanes);
#pragma GCC unroll 14
  for (size_t r = 0; r < kRows; ++r) {
    sums.row[r][0] = start0;
    sums.row[r][1] = start1;
  }
  add_all<kRows>(tile, sums);
  finish_rows<kRows>(sums, how, outputs);
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

// ---- Depth-wise ----

// Four taps of 64 channels, channel by channel, within lanes of 16: `place` says where a channel comes to
// lie.
struct FourTaps {
  __m512i part[4];
};
inline FourTaps interleave(const uint8_t* const* taps, size_t first, __mmask64 channels) {
  __m512i tap[4];
  for (size_t i = 0; i < 4; ++i) tap[i] = _mm512_maskz_loadu_epi8(channels, taps[i] + first);
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

void depth_bytes(const DepthTile& tile, const ByteFinish& how, uint8_t* output) {
  const FinishConstants constants = constants_of(how);
  const int8_t* weights = tile.weights;
  for (size_t first = 0; first < tile.channels; first += kDepthBlock) {
    const size_t count = tile.channels - first < kDepthBlock ? tile.channels - first : kDepthBlock;
    const __mmask64 channels = count == kDepthBlock ? ~__mmask64{0} : (__mmask64{1} << count) - 1;
    __m512i sums[4];
    for (size_t part = 0; part < 4; ++part)
      sums[part] = _mm512_loadu_si512(how.starts + first + part * kLanes);
    for (size_t quad = 0; quad < tile.quads; ++quad, weights += 4 * kDepthBlock) {
      const FourTaps taps = interleave(tile.taps + 4 * quad, first, channels);
      for (size_t part = 0; part < 4; ++part)
        sums[part] = _mm512_dpbusd_epi32(sums[part], taps.part[part],
                                         _mm512_loadu_si512(weights + part * kDepthBlock));
    }
    const TwoVectors low = finish(sums[0], sums[1], how, first, constants);
    const TwoVectors high = finish(sums[2], sums[3], how, first + 2 * kLanes, constants);
    const __m512i bytes = _mm512_packus_epi16(_mm512_packs_epi32(low.first, low.second),
                                              _mm512_packs_epi32(high.first, high.second));
    _mm512_mask_storeu_epi8(output + first, channels, _mm512_xor_si512(bytes, constants.turn));
  }
}

void depth_halves(const DepthHalfTile& tile, float* out) {
  for (size_t first = 0; first < tile.channels; first += kLanes) {
    const size_t left = tile.channels - first;
    const auto channels = static_cast<__mmask16>(left < kLanes ? (1U << left) - 1 : 0xFFFF);
    __m512 sums[2] = {_mm512_setzero_ps(), _mm512_setzero_ps()};
    for (size_t i = 0; i < tile.count; ++i) {
      const __m512 a = _mm512_cvtph_ps(_mm256_maskz_loadu_epi16(channels, tile.taps[i] + first));
      const __m512 w = _mm512_cvtph_ps(_mm256_maskz_loadu_epi16(channels, tile.weights[i] + first));
      if (tile.odd[i])
        sums[1] = _mm512_fmadd_ps(a, w, sums[1]);
      else
        sums[0] = _mm512_fmadd_ps(a, w, sums[0]);
    }
    _mm512_storeu_ps(out + first, _mm512_add_ps(sums[0], sums[1]));
  }
}

// ---- Halves ----

template <size_t kRows>
void half_sums_of_rows(const HalfTile& tile, float* out) {
  __m512 sums[kRows][kHalves];
#pragma GCC unroll 14
  for (size_t r = 0; r < kRows; ++r) sums[r][0] = sums[r][1] = _mm512_setzero_ps();
  const float* rows[kRows];
  for (size_t r = 0; r < kRows; ++r) rows[r] = tile.rows[r];
  for (size_t k = 0; k < tile.count; ++k) {
    const uint16_t* weights = tile.weights + tile.row_of[k];
    const __m512i both = _mm512_loadu_si512(weights);
    const __m512 w0 = _mm512_cvtph_ps(_mm512_castsi512_si256(both));
    const __m512 w1 = _mm512_cvtph_ps(_mm512_extracti64x4_epi64(both, 1));
#pragma GCC unroll 14
    for (size_t r = 0; r < kRows; ++r) {
      const __m512 a = _mm512_set1_ps(rows[r][k]);
      sums[r][0] = _mm512_fmadd_ps(a, w0, sums[r][0]);
      sums[r][1] = _mm512_fmadd_ps(a, w1, sums[r][1]);
    }
  }
#pragma GCC unroll 14
  for (size_t r = 0; r < kRows; ++r)
    for (size_t half = 0; half < kHalves; ++half)
      _mm512_storeu_ps(out + r * kTileColumns + half * kLanes, sums[r][half]);
}

// Calls the instance for as many rows as the tile has: loops over registers are unrolled.
template <size_t kRows = kTileRows>
void bytes(const ByteTile& tile, const ByteFinish& how, uint8_t* const* outputs) {
  if constexpr (kRows > 0) {
    if (tile.row_count == kRows) return bytes_of_rows<kRows>(tile, how, outputs);
    bytes<kRows - 1>(tile, how, outputs);
  }
}

template <size_t kRows = kTileRows>
void byte_sums(const ByteTile& tile, int32_t* sums) {
  if constexpr (kRows > 0) {
    if (tile.row_count == kRows) return sums_of_rows<kRows>(tile, sums);
    byte_sums<kRows - 1>(tile, sums);
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

const TileFunctions kAvx512Tiles = {bytes<>,     byte_sums<>,  finish_wide,   half_sums<>, depth_bytes,
                                    depth_place, depth_halves, finish_halves, widen,       widen_apart};

}  // namespace openqnn::ops::fast
#endif
