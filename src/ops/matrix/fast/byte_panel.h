// SPDX-License-Identifier: BSD-3-Clause
// The rows of a tile of bytes: where they lie, or copied.
#pragma once

#include <array>
#include <cstring>

#include "ops/matrix/fast/byte_weights.h"
#include "ops/matrix/fast/product.h"

namespace openqnn::ops::fast {

// Four activations at a time without a copy: what lies in memory is already in the form of a tile's rows.
inline bool reads_in_place(const OpCall& call, const WeightMatrices& matrices) {
  if (call.in(kInput).type != ir::DataType::kUfixed8 || matrices.channels % 4 != 0) return false;
  return matrices.taps == 1 || matrices.channels % kHmxBlock == 0;
}

inline uint64_t row_bytes(const WeightMatrices& matrices) {
  return spaced(matrices.taps * matrices.padded_channels());
}

// Memory for the rows of one tile.
struct PanelRoom {
  PanelRoom(const OpCall& call, const WeightMatrices& matrices, Scratch& scratch)
      : rows(matrices.taps, scratch),
        pointers(scratch.take<const uint8_t*>(matrices.taps * kTileRows)),
        packed(reads_in_place(call, matrices) ? nullptr
                                              : scratch.take<uint8_t>(row_bytes(matrices) * kTileRows)) {}

  Rows rows;
  const uint8_t** pointers;
  uint8_t* packed;
};

// The rows of a tile as the tile wants them.
class Panel {
 public:
  Panel(const KernelArgs& args, const WeightMatrices& matrices, const std::byte* zeros, const PanelRoom& room,
        const TileFunctions& functions)
      : input_(reinterpret_cast<const uint8_t*>(args.inputs[kInput])),
        matrices_(matrices),
        zeros_(reinterpret_cast<const uint8_t*>(zeros)),
        functions_(functions),
        weight_offset_(weight_offset(args.call)),
        wide_(is_wide(args.call)),
        turn_(is_signed(args.call) ? 0x80 : 0),
        in_place_(reads_in_place(args.call, matrices)),
        channels_(matrices.channels),
        padded_(matrices.padded_channels()),
        row_bytes_(row_bytes(matrices)),
        tile_taps_(in_place_ ? matrices.taps : 1),
        pointers_(room.pointers),
        packed_(room.packed),
        rows_(room.rows) {}

  // Goes on to the next rows; false at the end.
  bool next(RowSource source) {
    source(rows_, wide_ ? kTileRows / 2 : kTileRows);
    if (rows_.count == 0) return false;
    if (in_place_)
      rows_.point(input_, zeros_, pointers_);
    else if (!share_lines())
      for (size_t row = 0; row < rows_.count; ++row) pack(row);
    add_up();
    return true;
  }

  const Rows& rows() const { return rows_; }
  const int32_t* row_starts() const { return weight_offset_ == 0 ? nullptr : starts32_.data(); }
  const int64_t* long_row_starts() const { return weight_offset_ == 0 ? nullptr : starts_.data(); }

  // But for its weights.
  ByteTile tile() const {
    return {.rows = pointers_,
            .row_count = rows_.count * (wide_ ? 2 : 1),
            .taps = tile_taps_,
            .quads = matrices_.taps / tile_taps_ * padded_ / 4};
  }

 private:
  // Neighbours see much of the same pixels: when these have few channels, each is copied once for all rows.
  bool share_lines() {
    tile_taps_ = 1;
    if (rows_.steps == 1 || !rows_.one_line || padded_ > 4) return false;
    std::array<uint64_t, kTileRows> begins;  // of the rows, in a line's bytes
    for (size_t row = 0; row < rows_.count; ++row)
      begins[row] = static_cast<uint64_t>(rows_.starts[row] - rows_.starts[0]) / channels_ * padded_;
    const uint64_t line_bytes = begins[rows_.count - 1] + rows_.steps * padded_;
    if (rows_.lines * line_bytes * (wide_ ? 2 : 1) > row_bytes_ * kTileRows) return false;
    uint8_t* low = packed_;
    uint8_t* high = packed_ + rows_.lines * line_bytes;
    const uint8_t** to = pointers_;
    for (size_t line = 0; line < rows_.lines;
         ++line, low += line_bytes, high += line_bytes, to += kTileRows) {
      copy_line(rows_.line(line, 0), line_bytes / padded_, low, high);
      for (size_t row = 0; row < rows_.count; ++row) {
        to[row] = low + begins[row];
        if (wide_) to[rows_.count + row] = high + begins[row];
      }
    }
    tile_taps_ = rows_.lines;
    return true;
  }

  void copy_line(int64_t line, size_t pixels, uint8_t* low, uint8_t* high) const {
    const Rows::Seen seen = rows_.seen(pixels, channels_);
    const size_t inside = line == kPadding ? 0 : seen.inside;
    for (size_t i = 0; i < pixels; ++i)
      if (i < seen.before || i >= seen.before + inside)
        copy(zeros_, 1, low + i * padded_, high + i * padded_);
    if (inside == 0) return;
    const auto from = static_cast<uint64_t>(line + std::max<int64_t>(rows_.starts[0], 0));
    copy(input_ + from * (wide_ ? 2 : 1), inside, low + seen.before * padded_, high + seen.before * padded_);
  }

  // Of 16-bit activations: low bytes in one row, high ones in another.
  void pack(size_t row) {
    uint8_t* low = packed_ + row * row_bytes_;
    uint8_t* high = packed_ + (rows_.count + row) * row_bytes_;
    pointers_[row] = low;
    if (wide_) pointers_[rows_.count + row] = high;
    rows_.for_each_run(row, channels_, [&](int64_t at, size_t taps) {
      if (at == kPadding) {
        for (size_t i = 0; i < taps; ++i) copy(zeros_, 1, low + i * padded_, high + i * padded_);
      } else {
        copy(input_ + static_cast<uint64_t>(at) * (wide_ ? 2 : 1), taps, low, high);
      }
      low += taps * padded_;
      high += taps * padded_;
    });
  }

  // Taps that lie beside each other. Those of a tile's row have channels in fours.
  void copy(const uint8_t* from, size_t taps, uint8_t* low, uint8_t* high) const {
    if (padded_ == channels_) return copy_run(from, taps * channels_, low, high);
    if (channels_ == 3) return wide_ ? spread_wide(from, taps, low, high) : spread(from, taps, low);
    for (size_t i = 0; i < taps; ++i) {
      copy_run(from, channels_, low, high);
      for (size_t k = channels_; k < padded_; ++k) {
        low[k] = 0;
        if (wide_) high[k] = 0;
      }
      from += channels_ * (wide_ ? 2 : 1);
      low += padded_;
      high += padded_;
    }
  }

  void copy_run(const uint8_t* from, size_t count, uint8_t* low, uint8_t* high) const {
    if (wide_)
      functions_.split_bytes(reinterpret_cast<const Unaligned16*>(from), low, high, count, turn_);
    else
      functions_.copy_bytes(from, low, count, turn_);
  }

  // Pixels of three colours, which is what most models begin with.
  void spread(const uint8_t* from, size_t pixels, uint8_t* to) const {
    const uint32_t turn = uint32_t{turn_} * 0x010101;
    for (size_t i = 0; i + 1 < pixels; ++i, from += 3, to += 4) {
      uint32_t pixel = 0;
      std::memcpy(&pixel, from, sizeof(pixel));  // with a byte of the next one
      pixel = (pixel & 0xFFFFFF) ^ turn;
      std::memcpy(to, &pixel, sizeof(pixel));
    }
    for (size_t i = 0; i < 3; ++i) to[i] = from[i] ^ turn_;
    to[3] = 0;
  }

  void spread_wide(const uint8_t* from, size_t pixels, uint8_t* low, uint8_t* high) const {
    const uint32_t turn = uint32_t{turn_} * 0x010101;
    const auto every_second_byte = [](uint64_t bytes) {
      return static_cast<uint32_t>((bytes & 0xFF) | (bytes >> 8 & 0xFF00) | (bytes >> 16 & 0xFF0000));
    };
    for (size_t i = 0; i < pixels; ++i, from += 6, low += 4, high += 4) {
      // In two parts: six bytes that come together in memory would be waited for there.
      uint32_t first = 0;
      uint16_t last = 0;
      std::memcpy(&first, from, sizeof(first));
      std::memcpy(&last, from + sizeof(first), sizeof(last));
      const uint64_t pixel = first | uint64_t{last} << 32;
      const uint32_t lows = every_second_byte(pixel);
      const uint32_t highs = every_second_byte(pixel >> 8) ^ turn;
      std::memcpy(low, &lows, sizeof(lows));
      std::memcpy(high, &highs, sizeof(highs));
    }
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

  const uint8_t* input_;
  const WeightMatrices& matrices_;
  const uint8_t* zeros_;  // a tap of padding
  const TileFunctions& functions_;
  int64_t weight_offset_;
  bool wide_;
  uint8_t turn_;  // makes unsigned bytes of signed activations
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
