// SPDX-License-Identifier: BSD-3-Clause
// Weights as matrices, and the matrix unit's layout of them. A weight matrix has K rows (what is summed over)
// and N columns (outputs); in blocks both are padded to 32 with zeros. docs/context_binary.md draws the
// blocks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "base/half.h"
#include "base/units.h"
#include "ir/graph.h"
#include "ops/op.h"

namespace openqnn::ops {

inline constexpr uint64_t kHmxBlock = 32;

// The extent of one packed matrix, and where its elements lie.
struct PackedShape {
  uint64_t groups = 1;  // matrices of equal size, one after another
  uint64_t k = 0;
  uint64_t n = 0;

  uint64_t padded_k() const { return round_up(k, kHmxBlock); }
  uint64_t padded_n() const { return round_up(n, kHmxBlock); }
  uint64_t elements() const { return groups * padded_k() * padded_n(); }

  // 8-bit: [K/32][N/32][8][32][4], so that four consecutive k of one column are neighbours. 4-bit: the same
  // order, two to a byte.
  uint64_t index8(uint64_t group, uint64_t row, uint64_t column) const {
    const uint64_t block = (row / 32) * (padded_n() / 32) + column / 32;
    return group * padded_k() * padded_n() + block * 1024 + (row % 32 / 4) * 128 + (column % 32) * 4 +
           row % 4;
  }
  // Half and 16-bit: [K/32][N/32][32][32], one row of 32 columns after another.
  uint64_t index16(uint64_t group, uint64_t row, uint64_t column) const {
    const uint64_t block = (row / 32) * (padded_n() / 32) + column / 32;
    return group * padded_k() * padded_n() + block * 1024 + (row % 32) * 32 + column % 32;
  }
};

// How an op reads its weight tensor: as `groups` matrices, of which row k is channel k % channels of filter
// tap k / channels.
struct WeightMatrices {
  uint64_t groups = 1;
  uint64_t taps = 1;
  uint64_t channels = 0;  // per tap
  uint64_t columns = 0;
  // Elements between neighbours in the plain tensor.
  uint64_t group_stride = 0;
  uint64_t tap_stride = 0;
  uint64_t channel_stride = 0;
  uint64_t column_stride = 1;
  size_t column_axis = 0;  // the dimension along which columns lie

  uint64_t k() const { return taps * channels; }
  uint64_t plain(uint64_t group, uint64_t row, uint64_t column) const {
    return group * group_stride + row / channels * tap_stride + row % channels * channel_stride +
           column * column_stride;
  }
  // In blocks the channels of a tap are padded to 4, so that a group of four k never crosses a tap.
  uint64_t padded_channels() const { return round_up(channels, 4); }
  uint64_t packed_row(uint64_t row) const { return row / channels * padded_channels() + row % channels; }
  PackedShape packed() const { return {.groups = groups, .k = taps * padded_channels(), .n = columns}; }
};

WeightMatrices conv_weights(const ir::Shape& weight, uint64_t groups);  // [f…, cin / groups, cout]
WeightMatrices transpose_conv_weights(const ir::Shape& weight, uint64_t groups);  // [f…, cin, cout / groups]
// The last two dimensions are [K, N], or [N, K] when transposed; the others count matrices.
WeightMatrices matmul_weights(const ir::Shape& weight, bool transposed);

uint64_t packed_bytes(const PackedShape& shape, ir::Layout layout);
// The blocks of one matrix that columns [begin, end) lie in.
uint64_t packed_column_bytes(const PackedShape& shape, ir::Layout layout, uint64_t begin, uint64_t end);

// Plain weights to blocks, and the desc that goes with them. Fixed-point weights become signed: an unsigned w
// is stored as w - 2^(bits - 1), and the encoding's offset makes up for it. Weights of at most 4 bits become
// nibbles. Padding is 0 in the stored domain and stands for nothing: kernels never read it as a value of the
// tensor. Nothing for types that have no such layout.
std::optional<StoredOperand> pack_weights(const ir::TensorDesc& desc, const ir::Blob& data,
                                          const WeightMatrices& matrices);

// One answer for plain tensors (weights that come at run time) and packed ones, so that a kernel does not
// care.
class WeightReader {
 public:
  WeightReader(const ir::TensorDesc& desc, const std::byte* data, const WeightMatrices& matrices);

  // The stored integer, as many bits of it as count.
  int32_t stored(uint64_t group, uint64_t row, uint64_t column) const;
  Half half(uint64_t group, uint64_t row, uint64_t column) const;
  // The rows of a column from the first on, as many as `out` takes: without the divisions of one at a time.
  void singles(uint64_t group, uint64_t column, std::span<float> out) const;
  // Which of the tensor's encodings an element has.
  size_t encoding(uint64_t group, uint64_t row, uint64_t column) const;

 private:
  uint64_t position(uint64_t group, uint64_t row, uint64_t column) const;

  const ir::TensorDesc& desc_;
  const std::byte* data_;
  const WeightMatrices& matrices_;
  PackedShape packed_;
};

}  // namespace openqnn::ops
