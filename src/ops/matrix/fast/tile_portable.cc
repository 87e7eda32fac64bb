// SPDX-License-Identifier: BSD-3-Clause

#include "base/rounding.h"
#include "ops/elements.h"
#include "ops/matrix/fast/by_sums.inc"
#include "ops/matrix/fast/byte_rows.inc"
#include "ops/matrix/fast/tile.h"

namespace openqnn::ops::fast {
namespace {

constexpr size_t kQuadBytes = 4 * kTileColumns;
constexpr size_t kQuadsPerBlock = 8;

void add_row(const ByteTile& tile, size_t row, int32_t* sums) {
  const int8_t* block = tile.weights;
  size_t in_block = 0;
  for (size_t tap = 0; tap < tile.taps; ++tap) {
    const uint8_t* from = tile.rows[tap * kTileRows + row];
    for (size_t quad = 0; quad < tile.quads; ++quad, from += 4) {
      const int8_t* weights = block + in_block * kQuadBytes;
      for (size_t column = 0; column < kTileColumns; ++column)
        for (size_t k = 0; k < 4; ++k) sums[column] += from[k] * weights[column * 4 + k];
      if (++in_block < kQuadsPerBlock) continue;
      in_block = 0;
      block += tile.block_stride;
    }
  }
}

void byte_sums(const ByteTile& tile, int32_t* sums) {
  for (size_t row = 0; row < tile.row_count; ++row) {
    std::fill_n(sums + row * kTileColumns, kTileColumns, 0);
    add_row(tile, row, sums + row * kTileColumns);
  }
}

uint8_t finish(int32_t sum, const ByteFinish& how, size_t column, size_t row) {
  const int64_t row_start = how.row_starts ? how.row_starts[row] : 0;
  const double total = static_cast<double>(sum + how.starts[column] + row_start);
  const double steps = ::roundeven(total * how.exact_factors[column]);
  const double clipped =
      std::min(std::max(steps, static_cast<double>(how.low)), static_cast<double>(how.high));
  return static_cast<uint8_t>(static_cast<int32_t>(clipped) - how.offset);
}

void bytes(const ByteTile& tile, const ByteFinish& how, const Columns& columns, uint8_t* const* outputs) {
  ByteTile one = tile;
  size_t at = columns.first;
  for (size_t block = 0; block < columns.blocks; ++block, at += kTileColumns, one.weights += kBlockWeights) {
    const uint32_t written = written_columns(columns, block);
    for (size_t row = 0; row < tile.row_count; ++row) {
      int32_t sums[kTileColumns] = {};
      add_row(one, row, sums);
      for (size_t i = 0; i < kTileColumns; ++i)
        if ((written >> i & 1) != 0) outputs[row][at + i] = finish(sums[i], how, at + i, row);
    }
  }
}

// Products of halves are exact in float, so that a product and a sum are as good as an FMA.
void add_products(const HalfPart& part, const uint16_t* block, size_t row, float* sums) {
  std::fill_n(sums, kTileColumns, 0.0F);
  for (size_t k = 0; k < part.count; ++k) {
    float weights[kTileColumns];
    halves_to_floats(reinterpret_cast<const std::byte*>(block + part.row_of[k]),
                     reinterpret_cast<std::byte*>(weights), kTileColumns, Isa::kPortable);
    for (size_t column = 0; column < kTileColumns; ++column)
      sums[column] += part.rows[row][k] * weights[column];
  }
}

void half_sums(const HalfTile& tile, float* sums) {
  for (size_t row = 0; row < tile.row_count; ++row, sums += kTileColumns) {
    add_products(tile.all, tile.weights, row, sums);
    if (tile.apart.count == 0) continue;
    float apart[kTileColumns];
    add_products(tile.apart, tile.weights, row, apart);
    for (size_t column = 0; column < kTileColumns; ++column) sums[column] += apart[column];
  }
}

size_t depth_place(size_t channel) { return channel; }

void depth_bytes(const DepthTile& tile, const ByteFinish& how, uint8_t* output) {
  for (size_t position = 0; position < tile.positions; ++position, output += tile.channels)
    for (size_t channel = tile.begin; channel < tile.end; ++channel) {
      const int8_t* weights = tile.weights + channel / kDepthBlock * kDepthBlock * 4 * tile.quads;
      int32_t sum = 0;
      for (size_t tap = 0; tap < 4 * tile.quads; ++tap)
        sum += (tile.taps[tap][position * tile.further[tap] + channel] ^ tile.turn) *
               weights[tap / 4 * 4 * kDepthBlock + channel % kDepthBlock * 4 + tap % 4];
      output[channel] = finish(sum, how, channel, 0);
    }
}

void word_sums(const DepthWordTile& tile, size_t position, size_t first, size_t some, const int16_t* weights,
               int32_t* sums) {
  std::fill_n(sums, kTileColumns, 0);
  for (size_t tap = 0; tap < 2 * tile.pairs; ++tap) {
    const Unaligned16* from = tile.taps[tap] + position * tile.further[tap] + first;
    const int16_t* with = weights + tap / 2 * 2 * kTileColumns + tap % 2;
    for (size_t i = 0; i < some; ++i) sums[i] += static_cast<int16_t>(from[i] ^ tile.turn) * with[2 * i];
  }
}

float depth_sum(const DepthHalfTile& tile, size_t position, size_t channel) {
  float sums[2] = {};
  for (size_t tap = 0; tap < tile.tap_count; ++tap)
    sums[tile.apart ? tap & 1 : 0] += tile.taps[tap][position * tile.further[tap] + channel] *
                                      tile.weights[tap * tile.weight_stride + channel];
  return sums[0] + sums[1];
}

void depth_half_sums(const DepthHalfTile& tile, float* out) {
  for (size_t position = 0; position < tile.positions; ++position)
    for (size_t channel = tile.begin; channel < tile.end; ++channel)
      out[position * tile.channels + channel] = depth_sum(tile, position, channel);
}

void finish_halves(const float* sums, const HalfFinish& how, Unaligned16* out, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    float x = how.bias ? sums[i] + how.bias[i] : sums[i];
    if (how.has_low && x < how.low) x = how.low;
    if (how.has_high && x > how.high) x = how.high;
    out[i] = one_nan(to_half(x)).bits;
  }
}

void widen(const Unaligned16* halves, float* floats, size_t count) {
  halves_to_floats(reinterpret_cast<const std::byte*>(halves), reinterpret_cast<std::byte*>(floats), count,
                   Isa::kPortable);
}

void widen_apart(const Unaligned16* halves, float* even, float* odd, size_t pairs) {
  for (size_t i = 0; i < pairs; ++i) {
    even[i] = to_float(Half{halves[2 * i]});
    odd[i] = to_float(Half{halves[2 * i + 1]});
  }
}

void depth_halves(const DepthHalfTile& tile, const HalfFinish& how, Unaligned16* output) {
  for (size_t position = 0; position < tile.positions; ++position, output += tile.channels)
    for (size_t channel = tile.begin; channel < tile.end; ++channel) {
      const float sum = depth_sum(tile, position, channel);
      HalfFinish one = how;
      if (how.bias) one.bias = how.bias + channel;
      finish_halves(&sum, one, output + channel, 1);
    }
}

}  // namespace

const TileFunctions kPortableTiles = {
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
    .depth_word_place = depth_place,
    .depth_halves = depth_halves,
    .depth_half_sums = depth_half_sums,
    .finish_halves = finish_halves,
    .sigmoids = nullptr,
    .widen = widen,
    .widen_apart = widen_apart,
};

}  // namespace openqnn::ops::fast
