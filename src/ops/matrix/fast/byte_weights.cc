// SPDX-License-Identifier: BSD-3-Clause
#include "ops/matrix/fast/byte_weights.h"

#include <algorithm>
#include <array>
#include <vector>

#include "ops/matrix/fast/product.h"

namespace openqnn::ops::fast {

using ir::Layout;

constexpr uint64_t kBlockBytes = kHmxBlock * kHmxBlock;

WeightRoom::WeightRoom(const OpCall& call, const WeightMatrices& matrices, Scratch& scratch) {
  const PackedShape shape = matrices.packed();
  if (call.in(kWeight).layout == Layout::kHmx4) block = scratch.take<int8_t>(shape.padded_k() * kTileColumns);
  if (!at_run_time(call)) return;
  matrix = scratch.take<std::byte>(shape.padded_k() * shape.padded_n());
  starts = scratch.take<int64_t>(shape.padded_n());
  starts32 = scratch.take<int32_t>(shape.padded_n());
}

ByteWeights::ByteWeights(const OpCall& call, const std::byte* weights, const WeightMatrices& matrices,
                         uint64_t group, const WeightRoom& room)
    : nibbles_(call.in(kWeight).layout == Layout::kHmx4), room_(room) {
  const PackedShape shape = matrices.packed();
  count_ = shape.padded_k() / kHmxBlock;
  block_ = kBlockBytes / (nibbles_ ? 2 : 1);
  stride_ = shape.padded_n() / kHmxBlock * block_;
  matrix_ = at_run_time(call) ? room.matrix : weights + group * count_ * stride_;
  if (at_run_time(call)) pack(call, weights, matrices, group);
}

void ByteWeights::place(uint64_t index, ByteTile& tile) const {
  const std::byte* weights = matrix_ + index * block_;
  if (nibbles_) unpack(reinterpret_cast<const uint8_t*>(weights));
  tile.weights = nibbles_ ? room_.block : reinterpret_cast<const int8_t*>(weights);
  tile.block_stride = nibbles_ ? kBlockBytes : stride_;
}

void ByteWeights::unpack(const uint8_t* nibbles) const {
  int8_t* out = room_.block;
  for (uint64_t i = 0; i < count_; ++i, nibbles += stride_)
    for (uint64_t pair = 0; pair < block_; ++pair) {
      *out++ = static_cast<int8_t>(static_cast<int8_t>(nibbles[pair] << 4) >> 4);
      *out++ = static_cast<int8_t>(static_cast<int8_t>(nibbles[pair]) >> 4);
    }
}

void ByteWeights::pack(const OpCall& call, const std::byte* weights, const WeightMatrices& matrices,
                       uint64_t group) const {
  const PackedShape shape = matrices.packed();
  const auto* bytes = reinterpret_cast<const uint8_t*>(weights);
  const auto move = static_cast<uint8_t>(weight_move(call));
  std::fill_n(room_.starts, shape.padded_n(), 0);
  for (uint64_t row = 0; row < matrices.k(); ++row) {
    const uint64_t packed_row = matrices.packed_row(row);
    const uint64_t from = matrices.plain(group, row, 0);
    for (uint64_t block = 0; block < matrices.columns; block += kTileColumns) {
      auto* out = reinterpret_cast<uint8_t*>(room_.matrix) + shape.index8(0, packed_row, block);
      const uint64_t columns = std::min<uint64_t>(kTileColumns, matrices.columns - block);
      for (uint64_t i = 0; i < columns; ++i) {
        const uint8_t value = bytes[from + (block + i) * matrices.column_stride] ^ move;
        out[4 * i] = value;
        room_.starts[block + i] += static_cast<int8_t>(value);
      }
    }
  }
  const int64_t offset = activation_offset(call);
  const auto k = static_cast<int64_t>(matrices.k());
  for (uint64_t column = 0; column < shape.padded_n(); ++column) {
    room_.starts[column] = offset * (room_.starts[column] + k * weight_offset(call));
    room_.starts32[column] = static_cast<int32_t>(room_.starts[column]);
  }
}

// Times a row of ones, and zeros where the blocks have padding.
std::vector<int64_t> column_sums(const KernelArgs& args, const WeightMatrices& matrices, uint64_t group) {
  std::vector<uint8_t> ones(matrices.taps * matrices.padded_channels());
  for (uint64_t tap = 0; tap < matrices.taps; ++tap)
    std::fill_n(ones.begin() + static_cast<ptrdiff_t>(tap * matrices.padded_channels()), matrices.channels,
                1);
  Scratch size;
  const WeightRoom counted(args.call, matrices, size);
  const AlignedBytes memory(size.used());
  Scratch scratch(memory.data());
  const ByteWeights weights(args.call, args.inputs[kWeight], matrices, group,
                            WeightRoom(args.call, matrices, scratch));
  const uint8_t* row = ones.data();
  ByteTile tile{.rows = &row, .row_count = 1, .taps = 1, .quads = ones.size() / 4};
  std::vector<int64_t> sums;
  for (uint64_t block = 0; block * kTileColumns < matrices.columns; ++block) {
    std::array<int32_t, kTileColumns> some;
    weights.place(block, tile);
    tile_functions(host_isa()).byte_sums(tile, some.data());
    sums.insert(sums.end(), some.begin(), some.end());
  }
  return sums;
}

}  // namespace openqnn::ops::fast
