// SPDX-License-Identifier: BSD-3-Clause
// Compiled for AVX2 with FMA and F16C: see tile.h about what must not be included here.
#if defined(__x86_64__)
#include "ops/matrix/fast/by_sums.inc"
#include "ops/matrix/fast/byte_rows.inc"
#include "ops/matrix/fast/half_rows.inc"

namespace openqnn::ops::fast {
namespace {

constexpr size_t kLanes = 8;
constexpr size_t kParts =
    kTileColumns / kLanes;  // a row of sums, of which one part at a time is in registers
constexpr size_t kRowsAtOnce = 4;
constexpr size_t kQuadBytes = 4 * kTileColumns;
constexpr size_t kPartBytes = 4 * kLanes;
constexpr size_t kQuadsPerBlock = 8;

// Each sum as two, of the first and of the last two of every four k: multiplying pairs of 16 bits is exact.
struct PairSums {
  __m256i first, second;  // columns 0 to 3 and 4 to 7 of the part
};

inline void add_quad(const uint8_t* const* rows, size_t row_count, size_t at, const int8_t* weights,
                     PairSums* sums) {
  const __m256i w0 = _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(weights)));
  const __m256i w1 = _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(weights + 16)));
  for (size_t r = 0; r < row_count; ++r) {
    int32_t four;
    __builtin_memcpy(&four, rows[r] + at, sizeof(four));
    const __m256i a = _mm256_cvtepu8_epi16(_mm_set1_epi32(four));
    sums[r].first = _mm256_add_epi32(sums[r].first, _mm256_madd_epi16(a, w0));
    sums[r].second = _mm256_add_epi32(sums[r].second, _mm256_madd_epi16(a, w1));
  }
}

inline __m256i in_order(const PairSums& sums) {
  // Adds pairs within each half of the registers, which leaves columns 0 1 4 5 | 2 3 6 7.
  return _mm256_permute4x64_epi64(_mm256_hadd_epi32(sums.first, sums.second), _MM_SHUFFLE(3, 1, 2, 0));
}

template <size_t kRows>
inline void part_sums(const ByteTile& tile, size_t first_row, size_t part, __m256i* totals) {
  PairSums sums[kRows];
  for (PairSums& sum : sums) sum.first = sum.second = _mm256_setzero_si256();
  const int8_t* weights = tile.weights + part * kPartBytes;
  size_t in_block = 0;
  for (size_t tap = 0; tap < tile.taps; ++tap) {
    const uint8_t* const* rows = tile.rows + tap * kTileRows + first_row;
    for (size_t quad = 0; quad < tile.quads; ++quad) {
      add_quad(rows, kRows, 4 * quad, weights + in_block * kQuadBytes, sums);
      if (++in_block < kQuadsPerBlock) continue;
      in_block = 0;
      weights += tile.block_stride;
    }
  }
  for (size_t r = 0; r < kRows; ++r) totals[r] = in_order(sums[r]);
}

// Calls body(row, part, sums) for every register of the tile.
template <class Body>
inline void for_each_part(const ByteTile& tile, const Body& body) {
  for (size_t part = 0; part < kParts; ++part) {
    __m256i totals[kRowsAtOnce];
    size_t row = 0;
    for (; row + kRowsAtOnce <= tile.row_count; row += kRowsAtOnce) {
      part_sums<kRowsAtOnce>(tile, row, part, totals);
      for (size_t r = 0; r < kRowsAtOnce; ++r) body(row + r, part, totals[r]);
    }
    for (; row < tile.row_count; ++row) {
      part_sums<1>(tile, row, part, totals);
      body(row, part, totals[0]);
    }
  }
}

void byte_sums(const ByteTile& tile, int32_t* sums) {
  for_each_part(tile, [&](size_t row, size_t part, __m256i total) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(sums + row * kTileColumns + part * kLanes), total);
  });
}

// What reference kernels compute, for the few results that float cannot decide.
__attribute__((noinline)) void steps_in_double(const int32_t* sums, const double* factors,
                                               const ByteFinish& how, int32_t* steps) {
  for (size_t i = 0; i < kLanes; i += 4) {
    const __m128i some = _mm_loadu_si128(reinterpret_cast<const __m128i*>(sums + i));
    __m256d real = _mm256_mul_pd(_mm256_cvtepi32_pd(some), _mm256_loadu_pd(factors + i));
    real = _mm256_round_pd(real, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    real = _mm256_min_pd(_mm256_max_pd(real, _mm256_set1_pd(static_cast<double>(how.low))),
                         _mm256_set1_pd(static_cast<double>(how.high)));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(steps + i), _mm256_cvtpd_epi32(real));
  }
}

// The stored integers of sums, constants added.
inline void finish(__m256i sums, const ByteFinish& how, size_t first, int32_t* stored) {
  const __m256 real = _mm256_mul_ps(_mm256_cvtepi32_ps(sums), _mm256_loadu_ps(how.factors + first));
  const __m256 steps = _mm256_min_ps(_mm256_max_ps(real, _mm256_set1_ps(how.low)), _mm256_set1_ps(how.high));
  const __m256i rounded = _mm256_cvtps_epi32(steps);
  const __m256 sign = _mm256_set1_ps(-0.0F);
  const __m256 beside = _mm256_andnot_ps(sign, _mm256_sub_ps(steps, _mm256_cvtepi32_ps(rounded)));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(stored), rounded);
  const __m256 doubtful = _mm256_set1_ps(0.5F - how.tolerance);
  if (_mm256_movemask_ps(_mm256_cmp_ps(beside, doubtful, _CMP_GE_OQ)) != 0) [[unlikely]] {
    int32_t exact[kLanes];
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(exact), sums);
    steps_in_double(exact, how.exact_factors + first, how, stored);
  }
  for (size_t i = 0; i < kLanes; ++i) stored[i] -= how.offset;
}

void bytes(const ByteTile& tile, const ByteFinish& how, const Columns& columns, uint8_t* const* outputs) {
  ByteTile one = tile;
  size_t at = columns.first;
  for (size_t block = 0; block < columns.blocks; ++block, at += kTileColumns, one.weights += kBlockWeights) {
    const uint32_t written = written_columns(columns, block);
    for_each_part(one, [&](size_t row, size_t part, __m256i total) {
      const size_t first = at + part * kLanes;
      const __m256i start = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(how.starts + first));
      const __m256i row_start = _mm256_set1_epi32(how.row_starts ? how.row_starts[row] : 0);
      int32_t stored[kLanes];
      finish(_mm256_add_epi32(_mm256_add_epi32(total, start), row_start), how, first, stored);
      for (size_t i = 0; i < kLanes; ++i)
        if ((written >> (part * kLanes + i) & 1) != 0)
          outputs[row][first + i] = static_cast<uint8_t>(stored[i]);
    });
  }
}

constexpr size_t kHalfRows = 6;
constexpr size_t kHalfParts = 2;  // registers of sums in a row: half of the tile's columns at a time

template <size_t kRows>
void half_rows(const HalfPart& part, const uint16_t* block, size_t first_row, size_t first_column,
               float* out) {
  __m256 sums[kRows][kHalfParts];
  for (auto& row : sums) row[0] = row[1] = _mm256_setzero_ps();
  for (size_t k = 0; k < part.count; ++k) {
    const uint16_t* weights = block + part.row_of[k] + first_column;
    const __m256 w0 = _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(weights)));
    const __m256 w1 = _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(weights + kLanes)));
    for (size_t r = 0; r < kRows; ++r) {
      const __m256 a = _mm256_set1_ps(part.rows[first_row + r][k]);
      sums[r][0] = _mm256_fmadd_ps(a, w0, sums[r][0]);
      sums[r][1] = _mm256_fmadd_ps(a, w1, sums[r][1]);
    }
  }
  for (size_t r = 0; r < kRows; ++r)
    for (size_t i = 0; i < kHalfParts; ++i)
      _mm256_storeu_ps(out + (first_row + r) * kTileColumns + first_column + i * kLanes, sums[r][i]);
}

void part_sums(const HalfPart& part, const uint16_t* block, size_t row_count, float* sums) {
  for (size_t column = 0; column < kTileColumns; column += kHalfParts * kLanes) {
    size_t row = 0;
    for (; row + kHalfRows <= row_count; row += kHalfRows)
      half_rows<kHalfRows>(part, block, row, column, sums);
    for (; row + 2 <= row_count; row += 2) half_rows<2>(part, block, row, column, sums);
    if (row < row_count) half_rows<1>(part, block, row, column, sums);
  }
}

void half_sums(const HalfTile& tile, float* sums) {
  part_sums(tile.all, tile.weights, tile.row_count, sums);
  if (tile.apart.count == 0) return;
  float apart[kTileRows * kTileColumns];
  part_sums(tile.apart, tile.weights, tile.row_count, apart);
  for (size_t i = 0; i < tile.row_count * kTileColumns; ++i) sums[i] += apart[i];
}

// ---- Depth-wise ----

size_t depth_place(size_t channel) { return channel; }

void depth_bytes(const DepthTile& tile, const ByteFinish& how, uint8_t* output) {
  for (size_t first = tile.begin / kLanes * kLanes; first < tile.end; first += kLanes) {
    const size_t block = first / kDepthBlock * kDepthBlock;
    const int8_t* weights = tile.weights + block * 4 * tile.quads + (first - block) * 4;
    const size_t some = tile.channels - first < kLanes ? tile.channels - first : kLanes;
    for (size_t position = 0; position < tile.positions; ++position) {
      __m256i sums = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(how.starts + first));
      for (size_t tap = 0; tap < 4 * tile.quads; ++tap) {
        const int8_t* from = weights + tap / 4 * 4 * kDepthBlock + tap % 4;
        int64_t bytes = 0;
        __builtin_memcpy(&bytes, tile.taps[tap] + position * tile.further[tap] + first, some);
        const __m128i turned =
            _mm_xor_si128(_mm_cvtsi64_si128(bytes), _mm_set1_epi8(static_cast<char>(tile.turn)));
        const __m256i w =
            _mm256_setr_epi32(from[0], from[4], from[8], from[12], from[16], from[20], from[24], from[28]);
        sums = _mm256_add_epi32(sums, _mm256_mullo_epi32(_mm256_cvtepu8_epi32(turned), w));
      }
      int32_t stored[kLanes];
      finish(sums, how, first, stored);
      for (size_t i = 0; i < some; ++i)
        if (first + i >= tile.begin && first + i < tile.end)
          output[position * tile.channels + first + i] = static_cast<uint8_t>(stored[i]);
    }
  }
}

// end(position, first channel, channels, sums)
template <class End>
void for_each_depth_sum(const DepthHalfTile& tile, const End& end) {
  for (size_t first = tile.begin; first < tile.end; first += kLanes) {
    const size_t some = tile.end - first < kLanes ? tile.end - first : kLanes;
    for (size_t position = 0; position < tile.positions; ++position) {
      __m256 sums[2] = {_mm256_setzero_ps(), _mm256_setzero_ps()};
      for (size_t tap = 0; tap < tile.tap_count; ++tap) {
        const __m256 a = load_floats(tile.taps[tap] + position * tile.further[tap] + first, some);
        const __m256 w = load_floats(tile.weights + tap * tile.weight_stride + first, some);
        __m256& sum = sums[tile.apart ? tap & 1 : 0];
        sum = _mm256_fmadd_ps(a, w, sum);
      }
      float total[kLanes];
      _mm256_storeu_ps(total, _mm256_add_ps(sums[0], sums[1]));
      end(position, first, some, total);
    }
  }
}

void depth_half_sums(const DepthHalfTile& tile, float* out) {
  for_each_depth_sum(tile, [&](size_t position, size_t first, size_t count, const float* sums) {
    __builtin_memcpy(out + position * tile.channels + first, sums, count * sizeof(float));
  });
}

void depth_halves(const DepthHalfTile& tile, const HalfFinish& how, Unaligned16* output) {
  for_each_depth_sum(tile, [&](size_t position, size_t first, size_t count, const float* sums) {
    HalfFinish some = how;
    if (how.bias) some.bias = how.bias + first;
    finish_halves(sums, some, output + position * tile.channels + first, count);
  });
}

}  // namespace

const TileFunctions kAvx2Tiles = {
    .bytes = bytes,
    .wide = wide_by_sums<byte_sums>,
    .byte_sums = byte_sums,
    .copy_bytes = copy_bytes,
    .split_bytes = split_bytes,
    .halves = halves_by_sums<half_sums, finish_halves>,
    .half_sums = half_sums,
    .depth_bytes = depth_bytes,
    .depth_place = depth_place,
    .depth_halves = depth_halves,
    .depth_half_sums = depth_half_sums,
    .finish_halves = finish_halves,
    .sigmoids = nullptr,
    .widen = widen,
    .widen_apart = widen_apart,
};

}  // namespace openqnn::ops::fast
#endif
