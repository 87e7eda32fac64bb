// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>

#include "base/rounding.h"
#include "ops/elements.h"
#include "ops/matrix/fast/tile.h"
#include "ops/matrix/fast/wide_finish.inc"

namespace openqnn::ops::fast {
namespace {

constexpr size_t kQuadBytes = 4 * kTileColumns;
constexpr size_t kQuadsPerBlock = 8;

void add_row(const ByteTile& tile, size_t row, int32_t* sums) {
  const int8_t* block = tile.weights;
  for (size_t tap = 0; tap < tile.taps; ++tap) {
    const uint8_t* from = tile.rows[tap * kTileRows + row];
    const int8_t* weights = block;
    for (size_t quad = 0; quad < tile.quads; ++quad) {
      if (quad % kQuadsPerBlock == 0) {
        weights = block;
        block += tile.block_stride;
      }
      for (size_t column = 0; column < kTileColumns; ++column)
        for (size_t k = 0; k < 4; ++k) sums[column] += from[quad * 4 + k] * weights[column * 4 + k];
      weights += kQuadBytes;
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

void bytes(const ByteTile& tile, const ByteFinish& how, uint8_t* const* outputs) {
  for (size_t row = 0; row < tile.row_count; ++row) {
    int32_t sums[kTileColumns] = {};
    add_row(tile, row, sums);
    for (size_t column = 0; column < kTileColumns; ++column)
      if ((how.columns >> column & 1) != 0) outputs[row][column] = finish(sums[column], how, column, row);
  }
}

// Products of halves are exact in float, so that a product and a sum are as good as an FMA.
void half_sums(const HalfTile& tile, float* sums) {
  for (size_t row = 0; row < tile.row_count; ++row, sums += kTileColumns) {
    std::fill_n(sums, kTileColumns, 0.0F);
    for (size_t k = 0; k < tile.count; ++k) {
      float weights[kTileColumns];
      halves_to_floats(reinterpret_cast<const std::byte*>(tile.weights + tile.row_of[k]),
                       reinterpret_cast<std::byte*>(weights), kTileColumns, Isa::kPortable);
      for (size_t column = 0; column < kTileColumns; ++column)
        sums[column] += tile.rows[row][k] * weights[column];
    }
  }
}

size_t depth_place(size_t channel) { return channel; }

void depth_bytes(const DepthTile& tile, const ByteFinish& how, uint8_t* output) {
  for (size_t channel = 0; channel < tile.channels; ++channel) {
    const int8_t* weights = tile.weights + channel / kDepthBlock * kDepthBlock * 4 * tile.quads;
    int32_t sum = 0;
    for (size_t tap = 0; tap < 4 * tile.quads; ++tap)
      sum +=
          tile.taps[tap][channel] * weights[tap / 4 * 4 * kDepthBlock + channel % kDepthBlock * 4 + tap % 4];
    output[channel] = finish(sum, how, channel, 0);
  }
}

void depth_halves(const DepthHalfTile& tile, float* out) {
  for (size_t channel = 0; channel < tile.channels; ++channel) {
    float sums[2] = {};
    for (size_t i = 0; i < tile.count; ++i)
      sums[tile.odd[i]] += to_float(Half{tile.taps[i][channel]}) * to_float(Half{tile.weights[i][channel]});
    out[channel] = sums[0] + sums[1];
  }
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

}  // namespace

const TileFunctions kPortableTiles = {bytes,       byte_sums,    finish_wide,   half_sums, depth_bytes,
                                      depth_place, depth_halves, finish_halves, widen,     widen_apart};

}  // namespace openqnn::ops::fast
