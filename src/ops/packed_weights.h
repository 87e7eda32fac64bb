// SPDX-License-Identifier: BSD-3-Clause
// Weights in the matrix unit's layout. A weight matrix has K rows (what is summed over) and N columns
// (outputs); both are padded to 32 with zeros. docs/context_binary.md draws the blocks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

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

  // 8-bit: [K/32][N/32][8][32][4], so that four consecutive k of one column are neighbours.
  uint64_t index8(uint64_t group, uint64_t row, uint64_t column) const {
    const uint64_t block = (row / 32) * (padded_n() / 32) + column / 32;
    return group * padded_k() * padded_n() + block * 1024 + (row % 32 / 4) * 128 + (column % 32) * 4 +
           row % 4;
  }
  // Half: [K/32][N/32][32][32], one row of 32 columns after another.
  uint64_t index16(uint64_t group, uint64_t row, uint64_t column) const {
    const uint64_t block = (row / 32) * (padded_n() / 32) + column / 32;
    return group * padded_k() * padded_n() + block * 1024 + (row % 32) * 32 + column % 32;
  }
};

// Where a weight tensor's element goes: how the op reads its weight tensor as a matrix.
//   Conv2d [fh, fw, cin/groups, cout]: K runs over (fh, fw, c) with c padded to 4, so that a group of four k
//   never crosses a filter tap; N over the output channels of one group. MatMul: K and N are the matrix's
//   own.
PackedShape conv_packed_shape(const ir::Shape& weight, uint32_t groups);
uint64_t conv_packed_row(const ir::Shape& weight, uint64_t fh, uint64_t fw, uint64_t channel);
PackedShape matmul_packed_shape(const ir::Shape& weight, bool transposed);

uint64_t packed_bytes(const PackedShape& shape, ir::Layout layout);
// The blocks of one matrix that columns [begin, end) lie in.
uint64_t packed_column_bytes(const PackedShape& shape, ir::Layout layout, uint64_t begin, uint64_t end);

// Plain weights to blocks, and the desc that goes with them. 8-bit weights become signed: an unsigned w is
// stored as w - 128, and the encoding's offset makes up for it. Padding is 0 in the stored domain and stands
// for nothing: kernels never read it as a value of the tensor. Nothing for types that have no such layout.
std::optional<StoredOperand> pack_conv_weights(const ir::TensorDesc& desc, const std::byte* data,
                                               uint32_t groups);
std::optional<StoredOperand> pack_matmul_weights(const ir::TensorDesc& desc, const std::byte* data,
                                                 bool transposed);

// Where elements lie: one answer for plain tensors (weights that come at run time) and packed ones, so that a
// kernel does not care. Positions count elements from the start of the data.
class ConvWeightIndex {
 public:
  ConvWeightIndex(const ir::TensorDesc& desc, uint32_t groups);
  uint64_t operator()(uint64_t fh, uint64_t fw, uint64_t channel, uint64_t column) const {
    if (layout_ == ir::Layout::kPlain)
      return ((fh * shape_[1] + fw) * shape_[2] + channel) * shape_[3] + column;
    const uint64_t row = conv_packed_row(shape_, fh, fw, channel);
    return layout_ == ir::Layout::kHmx8 ? packed_.index8(column / packed_.n, row, column % packed_.n)
                                        : packed_.index16(column / packed_.n, row, column % packed_.n);
  }

 private:
  ir::Shape shape_;
  ir::Layout layout_;
  PackedShape packed_;
};

class MatMulWeightIndex {
 public:
  MatMulWeightIndex(const ir::TensorDesc& desc, bool transposed);
  // `matrix` counts the matrices of a tensor of rank above 2.
  uint64_t operator()(uint64_t matrix, uint64_t row, uint64_t column) const {
    if (layout_ == ir::Layout::kHmx8) return packed_.index8(matrix, row, column);
    if (layout_ == ir::Layout::kHmx16) return packed_.index16(matrix, row, column);
    const uint64_t in_matrix = transposed_ ? column * packed_.k + row : row * packed_.n + column;
    return matrix * packed_.k * packed_.n + in_matrix;
  }

 private:
  ir::Layout layout_;
  bool transposed_;
  PackedShape packed_;
};

}  // namespace openqnn::ops
