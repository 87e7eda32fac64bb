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
constexpr size_t kQuadBytes = 4 * kTileColumns;
constexpr size_t kPartBytes = 4 * kLanes;
constexpr size_t kQuadsPerBlock = 8;

// Two registers of sums for each row, of weights two, and one of activations: six rows would leave none for
// products.
constexpr size_t kRowsAtOnce = 5;

// Each sum as two, of the first and of the last two of every four k: multiplying pairs of 16 bits is exact.
struct PairSums {
  __m256i first, second;  // columns 0 to 3 and 4 to 7 of the part
};

template <size_t kRows>
__attribute__((always_inline)) inline void add_quad(const uint8_t* const* rows, size_t at,
                                                    const int8_t* weights, PairSums* sums) {
  const __m256i w0 = _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(weights)));
  const __m256i w1 = _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(weights + 16)));
#pragma GCC unroll 5
  for (size_t r = 0; r < kRows; ++r) {
    int32_t four;
    __builtin_memcpy(&four, rows[r] + at, sizeof(four));
    // Not set1: of that, GCC makes a load and a shuffle.
    const __m256i a = _mm256_cvtepu8_epi16(_mm_broadcastd_epi32(_mm_cvtsi32_si128(four)));
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
#pragma GCC unroll 5
  for (size_t r = 0; r < kRows; ++r) sums[r].first = sums[r].second = _mm256_setzero_si256();
  const int8_t* weights = tile.weights + part * kPartBytes;
  size_t in_block = 0;
  for (size_t tap = 0; tap < tile.taps; ++tap) {
    const uint8_t* rows[kRows];
#pragma GCC unroll 5
    for (size_t r = 0; r < kRows; ++r) rows[r] = tile.rows[tap * kTileRows + first_row + r];
    for (size_t quad = 0; quad < tile.quads; ++quad) {
      add_quad<kRows>(rows, 4 * quad, weights + in_block * kQuadBytes, sums);
      if (++in_block < kQuadsPerBlock) continue;
      in_block = 0;
      weights += tile.block_stride;
    }
  }
#pragma GCC unroll 5
  for (size_t r = 0; r < kRows; ++r) totals[r] = in_order(sums[r]);
}

// Calls the instance for `rows`: loops over registers are unrolled.
template <size_t kRows = kRowsAtOnce>
inline void part_sums_of(const ByteTile& tile, size_t rows, size_t first_row, size_t part, __m256i* totals) {
  if constexpr (kRows > 0) {
    if (rows == kRows) return part_sums<kRows>(tile, first_row, part, totals);
    part_sums_of<kRows - 1>(tile, rows, first_row, part, totals);
  }
}

// Calls body(row, part, sums) for every register of the tile. Rows go in groups that are as equal as can be:
// a single one would wait for its own sums.
template <class Body>
inline void for_each_part(const ByteTile& tile, const Body& body) {
  const size_t groups = (tile.row_count + kRowsAtOnce - 1) / kRowsAtOnce;
  for (size_t part = 0; part < kParts; ++part) {
    size_t row = 0;
    for (size_t group = 0; group < groups; ++group) {
      const size_t rows = tile.row_count * (group + 1) / groups - row;
      __m256i totals[kRowsAtOnce];
      part_sums_of(tile, rows, row, part, totals);
      for (size_t r = 0; r < rows; ++r) body(row + r, part, totals[r]);
      row += rows;
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

// The stored bytes of sums, constants added.
inline __m128i finish(__m256i sums, const ByteFinish& how, size_t first) {
  const __m256 real = _mm256_mul_ps(_mm256_cvtepi32_ps(sums), _mm256_loadu_ps(how.factors + first));
  const __m256 steps = _mm256_min_ps(_mm256_max_ps(real, _mm256_set1_ps(how.low)), _mm256_set1_ps(how.high));
  __m256i rounded = _mm256_cvtps_epi32(steps);
  const __m256 sign = _mm256_set1_ps(-0.0F);
  const __m256 beside = _mm256_andnot_ps(sign, _mm256_sub_ps(steps, _mm256_cvtepi32_ps(rounded)));
  const __m256 doubtful = _mm256_set1_ps(0.5F - how.tolerance);
  if (_mm256_movemask_ps(_mm256_cmp_ps(beside, doubtful, _CMP_GE_OQ)) != 0) [[unlikely]] {
    int32_t exact[kLanes];
    int32_t decided[kLanes];
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(exact), sums);
    steps_in_double(exact, how.exact_factors + first, how, decided);
    rounded = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(decided));
  }
  // The low byte of each: steps are within the type's range.
  const __m256i stored = _mm256_and_si256(_mm256_sub_epi32(rounded, _mm256_set1_epi32(how.offset)),
                                          _mm256_set1_epi32(UINT8_MAX));
  const __m128i words = _mm_packus_epi32(_mm256_castsi256_si128(stored), _mm256_extracti128_si256(stored, 1));
  return _mm_packus_epi16(words, words);
}

// Eight bytes, or those of them that have a bit.
inline void store(uint8_t* to, __m128i bytes, uint32_t written) {
  if (written == UINT8_MAX) return _mm_storel_epi64(reinterpret_cast<__m128i*>(to), bytes);
  uint8_t some[kLanes];
  _mm_storel_epi64(reinterpret_cast<__m128i*>(some), bytes);
  for (size_t i = 0; i < kLanes; ++i)
    if ((written >> i & 1) != 0) to[i] = some[i];
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
      const __m256i sums = _mm256_add_epi32(_mm256_add_epi32(total, start), row_start);
      store(outputs[row] + first, finish(sums, how, first), written >> (part * kLanes) & UINT8_MAX);
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

constexpr size_t kDepthChannels = 16;  // at a time

inline __m128i load_channels(const uint8_t* from, size_t count, __m128i turn) {
  if (count >= kDepthChannels)
    return _mm_xor_si128(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)), turn);
  uint8_t some[kDepthChannels] = {};
  __builtin_memcpy(some, from, count);
  return _mm_xor_si128(_mm_loadu_si128(reinterpret_cast<const __m128i*>(some)), turn);
}

// Four taps of 16 channels, channel by channel: a part has four channels.
struct FourTaps {
  __m128i part[4];
};
inline FourTaps interleave(const DepthTile& tile, size_t quad, size_t position, size_t first, size_t some,
                           __m128i turn) {
  __m128i tap[4];
  for (size_t i = 0; i < 4; ++i)
    tap[i] =
        load_channels(tile.taps[4 * quad + i] + position * tile.further[4 * quad + i] + first, some, turn);
  const __m128i low01 = _mm_unpacklo_epi8(tap[0], tap[1]);
  const __m128i high01 = _mm_unpackhi_epi8(tap[0], tap[1]);
  const __m128i low23 = _mm_unpacklo_epi8(tap[2], tap[3]);
  const __m128i high23 = _mm_unpackhi_epi8(tap[2], tap[3]);
  return {{_mm_unpacklo_epi16(low01, low23), _mm_unpackhi_epi16(low01, low23),
           _mm_unpacklo_epi16(high01, high23), _mm_unpackhi_epi16(high01, high23)}};
}

// Those of eight channels that are computed, a bit each.
inline uint32_t written_channels(const DepthTile& tile, size_t first) {
  uint32_t written = UINT8_MAX;
  if (tile.begin > first) written &= tile.begin - first < kLanes ? UINT8_MAX << (tile.begin - first) : 0;
  if (tile.end < first + kLanes) written &= tile.end > first ? UINT8_MAX >> (first + kLanes - tile.end) : 0;
  return written & UINT8_MAX;
}

// `first` is a multiple of 16, within a block of which `weights` are.
void depth_bytes_at(const DepthTile& tile, const ByteFinish& how, size_t position, size_t first,
                    const int8_t* weights, uint8_t* output) {
  const size_t some = tile.channels - first;
  const __m128i turn = _mm_set1_epi8(static_cast<char>(tile.turn));
  PairSums sums[2];
  for (PairSums& sum : sums) sum.first = sum.second = _mm256_setzero_si256();
  for (size_t quad = 0; quad < tile.quads; ++quad, weights += 4 * kDepthBlock) {
    const FourTaps taps = interleave(tile, quad, position, first, some, turn);
    const auto product = [&](size_t part) __attribute__((always_inline)) {
      const auto* from = reinterpret_cast<const __m128i*>(weights) + part;
      return _mm256_madd_epi16(_mm256_cvtepu8_epi16(taps.part[part]),
                               _mm256_cvtepi8_epi16(_mm_loadu_si128(from)));
    };
    sums[0].first = _mm256_add_epi32(sums[0].first, product(0));
    sums[0].second = _mm256_add_epi32(sums[0].second, product(1));
    sums[1].first = _mm256_add_epi32(sums[1].first, product(2));
    sums[1].second = _mm256_add_epi32(sums[1].second, product(3));
  }
  for (size_t half = 0; half < 2; ++half) {
    const size_t at = first + half * kLanes;
    const uint32_t written = written_channels(tile, at);
    if (written == 0) continue;
    const __m256i start = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(how.starts + at));
    store(output + at, finish(_mm256_add_epi32(in_order(sums[half]), start), how, at), written);
  }
}

void depth_bytes(const DepthTile& tile, const ByteFinish& how, uint8_t* output) {
  for (size_t first = tile.begin / kDepthChannels * kDepthChannels; first < tile.end;
       first += kDepthChannels) {
    const size_t block = first / kDepthBlock * kDepthBlock;
    const int8_t* weights = tile.weights + block * 4 * tile.quads + (first - block) * 4;
    for (size_t position = 0; position < tile.positions; ++position)
      depth_bytes_at(tile, how, position, first, weights, output + position * tile.channels);
  }
}

constexpr size_t kWords = 16;  // of a register

inline __m256i load_words(const Unaligned16* from, size_t count, __m256i turn) {
  if (count >= kWords)
    return _mm256_xor_si256(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)), turn);
  uint16_t some[kWords] = {};
  __builtin_memcpy(some, from, count * sizeof(uint16_t));
  return _mm256_xor_si256(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(some)), turn);
}

// Pairs of two taps go by lanes of eight channels: the first four of each lane, then the others.
size_t depth_word_place(size_t channel) {
  const size_t lane = channel % kWords / 8;
  const size_t in_lane = channel % 8;
  return channel / kWords * kWords + in_lane / 4 * kLanes + lane * 4 + in_lane % 4;
}

void word_sums(const DepthWordTile& tile, size_t position, size_t first, size_t some, const int16_t* weights,
               int32_t* sums) {
  const __m256i turn = _mm256_set1_epi16(static_cast<int16_t>(tile.turn));
  for (size_t group = 0; group < some; group += kWords) {
    __m256i low = _mm256_setzero_si256();
    __m256i high = _mm256_setzero_si256();
    const auto* with = reinterpret_cast<const __m256i*>(weights + 2 * group);
    for (size_t pair = 0; pair < tile.pairs; ++pair, with += 2 * kTileColumns / kWords) {
      __m256i tap[2];
      for (size_t i = 0; i < 2; ++i)
        tap[i] = load_words(tile.taps[2 * pair + i] + position * tile.further[2 * pair + i] + first + group,
                            some - group, turn);
      const __m256i first_channels = _mm256_unpacklo_epi16(tap[0], tap[1]);
      const __m256i other_channels = _mm256_unpackhi_epi16(tap[0], tap[1]);
      low = _mm256_add_epi32(low, _mm256_madd_epi16(first_channels, _mm256_loadu_si256(with)));
      high = _mm256_add_epi32(high, _mm256_madd_epi16(other_channels, _mm256_loadu_si256(with + 1)));
    }
    auto* to = reinterpret_cast<__m256i*>(sums + group);
    _mm256_storeu_si256(to, _mm256_permute2x128_si256(low, high, 0x20));
    _mm256_storeu_si256(to + 1, _mm256_permute2x128_si256(low, high, 0x31));
  }
}

// Adds products of `kVectors` registers of channels, the last of which may have `some` only.
template <size_t kVectors>
__attribute__((always_inline)) inline void add_tap(const DepthHalfTile& tile, size_t tap, size_t position,
                                                   size_t first, size_t some, __m256* sums) {
  const float* a = tile.taps[tap] + position * tile.further[tap] + first;
  const float* w = tile.weights + tap * tile.weight_stride + first;
#pragma GCC unroll 4
  for (size_t i = 0; i < kVectors; ++i)
    sums[i] = _mm256_fmadd_ps(load_floats(a + i * kLanes, some), load_floats(w + i * kLanes, some), sums[i]);
}

template <size_t kVectors, class End>
__attribute__((always_inline)) inline void depth_sums_of(const DepthHalfTile& tile, size_t position,
                                                         size_t first, size_t some, const End& end) {
  __m256 even[kVectors];
  __m256 odd[kVectors];
#pragma GCC unroll 4
  for (size_t i = 0; i < kVectors; ++i) even[i] = odd[i] = _mm256_setzero_ps();
  if (tile.apart) {
    size_t tap = 0;
    for (; tap + 2 <= tile.tap_count; tap += 2) {
      add_tap<kVectors>(tile, tap, position, first, some, even);
      add_tap<kVectors>(tile, tap + 1, position, first, some, odd);
    }
    if (tap < tile.tap_count) add_tap<kVectors>(tile, tap, position, first, some, even);
  } else {
    for (size_t tap = 0; tap < tile.tap_count; ++tap)
      add_tap<kVectors>(tile, tap, position, first, some, even);
  }
  float total[kVectors * kLanes];
#pragma GCC unroll 4
  for (size_t i = 0; i < kVectors; ++i) _mm256_storeu_ps(total + i * kLanes, _mm256_add_ps(even[i], odd[i]));
  end(position, first, (kVectors - 1) * kLanes + some, total);
}

// end(position, first channel, channels, sums). Several registers at a time, so that no sum waits for itself.
template <class End>
void for_each_depth_sum(const DepthHalfTile& tile, const End& end) {
  constexpr size_t kVectors = 4;
  size_t first = tile.begin;
  for (; first + kVectors * kLanes <= tile.end; first += kVectors * kLanes)
    for (size_t position = 0; position < tile.positions; ++position)
      depth_sums_of<kVectors>(tile, position, first, kLanes, end);
  for (; first < tile.end; first += kLanes) {
    const size_t some = tile.end - first < kLanes ? tile.end - first : kLanes;
    for (size_t position = 0; position < tile.positions; ++position)
      depth_sums_of<1>(tile, position, first, some, end);
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
    .depth_words = depth_words_by_sums<word_sums>,
    .depth_word_place = depth_word_place,
    .depth_halves = depth_halves,
    .depth_half_sums = depth_half_sums,
    .finish_halves = finish_halves,
    .sigmoids = nullptr,
    .widen = widen,
    .widen_apart = widen_apart,
};

}  // namespace openqnn::ops::fast
#endif
