// SPDX-License-Identifier: BSD-3-Clause
// The rows of a tile of bytes: where they lie, or copied.
#pragma once

#include <array>

#include "ops/matrix/fast/byte_weights.h"
#include "ops/matrix/fast/product.h"

namespace openqnn::ops::fast {

// Four activations at a time without a copy: what lies in memory is already in the form of a tile's rows.
inline bool reads_in_place(const OpCall& call, const WeightMatrices& matrices) {
  if (call.in(kInput).type != ir::DataType::kUfixed8 || matrices.channels % 4 != 0) return false;
  return matrices.taps == 1 || matrices.channels % kHmxBlock == 0;
}

inline uint64_t row_bytes(const WeightMatrices& matrices) {
  return round_up(matrices.taps * padded_channels(matrices), AlignedBytes::kAlignment);
}

// Memory for the rows of one tile.
struct PanelRoom {
  PanelRoom(const OpCall& call, const WeightMatrices& matrices, Scratch& scratch)
      : taps(scratch.take<int64_t>(matrices.taps * kTileRows)),
        pointers(scratch.take<const uint8_t*>(matrices.taps * kTileRows)),
        packed(reads_in_place(call, matrices) ? nullptr
                                              : scratch.take<uint8_t>(row_bytes(matrices) * kTileRows)) {}

  int64_t* taps;
  const uint8_t** pointers;
  uint8_t* packed;
};

// The rows of a tile as the tile wants them.
class Panel {
 public:
  Panel(const KernelArgs& args, const WeightMatrices& matrices, const std::byte* zeros, const PanelRoom& room)
      : input_(args.inputs[kInput]),
        matrices_(matrices),
        zeros_(zeros),
        weight_offset_(weight_offset(args.call)),
        wide_(is_wide(args.call)),
        move_(is_signed(args.call) ? 0x80 : 0),
        in_place_(reads_in_place(args.call, matrices)),
        channels_(matrices.channels),
        padded_(padded_channels(matrices)),
        row_bytes_(row_bytes(matrices)),
        tile_taps_(in_place_ ? matrices.taps : 1),
        pointers_(room.pointers),
        packed_(room.packed) {
    rows_.taps = {room.taps, matrices.taps * kTileRows};
  }

  // Goes on to the next rows; false at the end.
  bool next(RowSource source) {
    source(rows_, wide_ ? kTileRows / 2 : kTileRows);
    if (rows_.count == 0) return false;
    if (in_place_)
      point();
    else
      pack();
    add_up();
    return true;
  }

  const Rows& rows() const { return rows_; }
  const int32_t* row_starts() const { return weight_offset_ == 0 ? nullptr : starts32_.data(); }
  int64_t row_start(size_t row) const { return starts_[row]; }

  // But for its weights.
  ByteTile tile() const {
    return {.rows = pointers_,
            .row_count = rows_.count * (wide_ ? 2 : 1),
            .taps = tile_taps_,
            .quads = (in_place_ ? channels_ : matrices_.taps * padded_) / 4};
  }

 private:
  const uint8_t* zeros() const { return reinterpret_cast<const uint8_t*>(zeros_); }
  int64_t tap(size_t tap, size_t row) const { return rows_.taps[tap * kTileRows + row]; }

  void point() {
    for (size_t i = 0; i < matrices_.taps; ++i)
      for (size_t row = 0; row < rows_.count; ++row) {
        const int64_t at = tap(i, row);
        pointers_[i * kTileRows + row] =
            at == kPadding ? zeros() : reinterpret_cast<const uint8_t*>(input_) + at;
      }
  }

  void pack() {
    for (size_t row = 0; row < rows_.count; ++row) {
      uint8_t* low = packed_ + row * row_bytes_;
      uint8_t* high = packed_ + (rows_.count + row) * row_bytes_;
      pointers_[row] = low;
      if (wide_) pointers_[rows_.count + row] = high;
      for (size_t i = 0; i < matrices_.taps; ++i, low += padded_, high += padded_) {
        const std::byte* from =
            tap(i, row) == kPadding ? zeros_ : input_ + static_cast<uint64_t>(tap(i, row)) * (wide_ ? 2 : 1);
        if (wide_)
          split(from, low, high);
        else
          copy(from, low);
      }
    }
  }

  void copy(const std::byte* from, uint8_t* to) const {
    const auto* bytes = reinterpret_cast<const uint8_t*>(from);
    if (channels_ == 3) {  // of an image: many short rows
      for (size_t i = 0; i < 3; ++i) to[i] = bytes[i] ^ move_;
      to[3] = 0;
      return;
    }
    for (size_t i = 0; i < channels_; ++i) to[i] = bytes[i] ^ move_;
    for (size_t i = channels_; i < padded_; ++i) to[i] = 0;
  }

  void split(const std::byte* from, uint8_t* low, uint8_t* high) const {
    const auto* bytes = reinterpret_cast<const uint8_t*>(from);
    for (size_t i = 0; i < channels_; ++i) {
      low[i] = bytes[2 * i];
      high[i] = bytes[2 * i + 1] ^ move_;
    }
    for (size_t i = channels_; i < padded_; ++i) low[i] = high[i] = 0;
  }

  // The third term of the sum, where there is one.
  void add_up() {
    if (weight_offset_ == 0) return;
    const ByteTile all = tile();
    for (size_t row = 0; row < rows_.count; ++row) {
      int64_t sum = sum_of(all, row);
      if (wide_) sum += 256 * sum_of(all, rows_.count + row);
      starts_[row] = sum * weight_offset_;
      starts32_[row] = static_cast<int32_t>(starts_[row]);
    }
  }

  static int64_t sum_of(const ByteTile& tile, size_t row) {
    int64_t sum = 0;
    for (size_t i = 0; i < tile.taps; ++i)
      for (size_t k = 0; k < 4 * tile.quads; ++k) sum += tile.rows[i * kTileRows + row][k];
    return sum;
  }

  const std::byte* input_;
  const WeightMatrices& matrices_;
  const std::byte* zeros_;  // a row of padding
  int64_t weight_offset_;
  bool wide_;
  uint8_t move_;  // turns the sign of signed activations over
  bool in_place_;
  size_t channels_;
  size_t padded_;
  size_t row_bytes_;
  size_t tile_taps_;
  const uint8_t** pointers_;
  uint8_t* packed_;
  Rows rows_;
  std::array<int64_t, kTileRows> starts_{};
  std::array<int32_t, kTileRows> starts32_{};
};

}  // namespace openqnn::ops::fast
