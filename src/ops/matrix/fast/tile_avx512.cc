// SPDX-License-Identifier: BSD-3-Clause
// Compiled for AVX-512 with VNNI: see tile.h about what must not be included here.
#if defined(__x86_64__)
#include "ops/matrix/fast/by_sums.inc"
#include "ops/matrix/fast/byte_rows.inc"
#include "ops/matrix/fast/byte_tiles_avx512.inc"
#include "ops/matrix/fast/half_tiles_avx512.inc"

namespace openqnn::ops::fast {
namespace {

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
    .depth_words = depth_words_by_sums<word_sums>,
    .depth_word_place = depth_word_place,
    .depth_halves = depth_halves,
    .depth_half_sums = depth_half_sums,
    .finish_halves = finish_halves,
    .sigmoids = sigmoids,
    .widen = widen,
    .widen_apart = widen_apart,
};

}  // namespace openqnn::ops::fast
#endif
