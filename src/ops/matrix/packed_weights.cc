// SPDX-License-Identifier: BSD-3-Clause
#include "ops/matrix/packed_weights.h"

#include <algorithm>
#include <utility>

#include "ops/elements.h"

namespace openqnn::ops {
namespace {

using ir::DataType;
using ir::Layout;

constexpr uint32_t kNibbleBits = 4;

// Bits of a stored integer that count.
uint32_t value_bits(const ir::TensorDesc& desc) {
  const auto all = static_cast<uint32_t>(8 * ir::byte_size(desc.type));
  return desc.quantization.bits ? desc.quantization.bits : all;
}

Layout packed_layout(const ir::TensorDesc& desc) {
  if (ir::byte_size(desc.type) == 2) return Layout::kHmx16;
  return value_bits(desc) <= kNibbleBits ? Layout::kHmx4 : Layout::kHmx8;
}

// What turns an unsigned integer into a signed one.
int32_t signed_shift(const ir::TensorDesc& desc) {
  return is_signed_fixed(desc.type) || desc.type == DataType::kFloat16 ? 0 : 1 << (value_bits(desc) - 1);
}

// The description of the packed form.
ir::TensorDesc packed_desc(const ir::TensorDesc& desc) {
  ir::TensorDesc packed = desc;
  packed.layout = packed_layout(desc);
  if (desc.type == DataType::kFloat16) return packed;
  packed.type = packed.layout == Layout::kHmx16 ? DataType::kSfixed16 : DataType::kSfixed8;
  for (ir::ScaleOffset& encoding : packed.quantization.encodings) encoding.offset += signed_shift(desc);
  return packed;
}

bool can_be_packed(DataType type) {
  return type == DataType::kFloat16 || type == DataType::kSfixed8 || type == DataType::kUfixed8 ||
         type == DataType::kSfixed16 || type == DataType::kUfixed16;
}

uint64_t block_position(const PackedShape& shape, Layout layout, uint64_t group, uint64_t row,
                        uint64_t column) {
  return layout == Layout::kHmx16 ? shape.index16(group, row, column) : shape.index8(group, row, column);
}

void save_nibble(std::byte* data, uint64_t position, int64_t value) {
  const int shift = position % 2 ? 4 : 0;
  data[position / 2] |= std::byte{static_cast<uint8_t>((value & 15) << shift)};
}

int64_t load_nibble(const std::byte* data, uint64_t position) {
  const auto pair = load<uint8_t>(data, position / 2);
  return low_bits(position % 2 ? pair >> 4 : pair, kNibbleBits, /*is_signed=*/true);
}

bool uses_all_bits(const ir::TensorDesc& desc) {
  return desc.type == DataType::kFloat16 || value_bits(desc) == 8 * ir::byte_size(desc.type);
}

// The bits of elements that keep all of them, `shift` taken away: a model has millions.
template <class Stored>
void pack_blocks(const std::byte* data, const WeightMatrices& matrices, Stored shift, std::byte* out) {
  const PackedShape shape = matrices.packed();
  constexpr bool kBytes = sizeof(Stored) == 1;
  constexpr uint64_t kStep = kBytes ? 4 : 1;  // between neighbouring columns
  for (uint64_t group = 0; group < matrices.groups; ++group)
    for (uint64_t row = 0; row < matrices.k(); ++row) {
      const uint64_t from = matrices.plain(group, row, 0);
      const uint64_t packed_row = matrices.packed_row(row);
      for (uint64_t block = 0; block < matrices.columns; block += kHmxBlock) {
        const uint64_t to =
            kBytes ? shape.index8(group, packed_row, block) : shape.index16(group, packed_row, block);
        const uint64_t columns = std::min(kHmxBlock, matrices.columns - block);
        for (uint64_t i = 0; i < columns; ++i)
          save(out, to + i * kStep,
               static_cast<Stored>(load<Stored>(data, from + (block + i) * matrices.column_stride) - shift));
      }
    }
}

}  // namespace

WeightMatrices conv_weights(const ir::Shape& weight, uint64_t groups) {
  WeightMatrices matrices{.groups = groups,
                          .channels = weight.from_end(1),
                          .columns = weight.from_end(0) / groups,
                          .column_axis = weight.rank() - 1};
  for (size_t i = 0; i + 2 < weight.rank(); ++i) matrices.taps *= weight[i];
  matrices.group_stride = matrices.columns;
  matrices.channel_stride = weight.from_end(0);
  matrices.tap_stride = matrices.channels * matrices.channel_stride;
  return matrices;
}

WeightMatrices transpose_conv_weights(const ir::Shape& weight, uint64_t groups) {
  WeightMatrices matrices{.groups = groups,
                          .channels = weight.from_end(1) / groups,
                          .columns = weight.from_end(0),
                          .column_axis = weight.rank() - 1};
  for (size_t i = 0; i + 2 < weight.rank(); ++i) matrices.taps *= weight[i];
  matrices.channel_stride = matrices.columns;
  matrices.group_stride = matrices.channels * matrices.columns;
  matrices.tap_stride = groups * matrices.group_stride;
  return matrices;
}

WeightMatrices matmul_weights(const ir::Shape& weight, bool transposed) {
  WeightMatrices matrices{.channels = weight.from_end(1),
                          .columns = weight.from_end(0),
                          .column_axis = weight.rank() - (transposed ? 2 : 1)};
  if (transposed) std::swap(matrices.channels, matrices.columns);
  for (size_t i = 0; i + 2 < weight.rank(); ++i) matrices.groups *= weight[i];
  matrices.group_stride = matrices.channels * matrices.columns;
  matrices.channel_stride = transposed ? 1 : matrices.columns;
  matrices.column_stride = transposed ? matrices.channels : 1;
  return matrices;
}

uint64_t packed_bytes(const PackedShape& shape, Layout layout) {
  return shape.groups * packed_column_bytes(shape, layout, 0, shape.n);
}

uint64_t packed_column_bytes(const PackedShape& shape, Layout layout, uint64_t begin, uint64_t end) {
  if (begin >= end) return 0;
  const uint64_t columns = (ceil_div(end, kHmxBlock) - begin / kHmxBlock) * kHmxBlock;
  const uint64_t elements = shape.padded_k() * columns;
  if (layout == Layout::kHmx4) return elements / 2;
  return layout == Layout::kHmx16 ? elements * 2 : elements;
}

namespace {

std::vector<std::byte> packed_values(const ir::TensorDesc& desc, const std::byte* data,
                                     const WeightMatrices& matrices, const ir::TensorDesc& as) {
  const PackedShape shape = matrices.packed();
  std::vector<std::byte> values(packed_bytes(shape, as.layout));
  if (uses_all_bits(desc) && as.layout != Layout::kHmx4) {
    if (ir::byte_size(desc.type) == 1)
      pack_blocks<uint8_t>(data, matrices, static_cast<uint8_t>(signed_shift(desc)), values.data());
    else
      pack_blocks<uint16_t>(data, matrices, static_cast<uint16_t>(signed_shift(desc)), values.data());
    return values;
  }
  const WeightReader plain(desc, data, matrices);
  const int32_t shift = signed_shift(desc);
  for (uint64_t group = 0; group < matrices.groups; ++group)
    for (uint64_t row = 0; row < matrices.k(); ++row)
      for (uint64_t column = 0; column < matrices.columns; ++column) {
        const uint64_t to = block_position(shape, as.layout, group, matrices.packed_row(row), column);
        if (as.layout == Layout::kHmx4)
          save_nibble(values.data(), to, plain.stored(group, row, column) - shift);
        else
          save_integer(as.type, values.data(), to, plain.stored(group, row, column) - shift);
      }
  return values;
}

}  // namespace

std::optional<StoredOperand> pack_weights(const ir::TensorDesc& desc, const ir::Blob& data,
                                          const WeightMatrices& matrices) {
  if (!can_be_packed(desc.type)) return std::nullopt;
  StoredOperand packed{.desc = packed_desc(desc), .data = {}};
  packed.data = data.is_stated() ? ir::Blob::of(packed_values(desc, data.data(), matrices, packed.desc))
                                 : ir::Blob::unstated(packed_bytes(matrices.packed(), packed.desc.layout));
  return packed;
}

WeightReader::WeightReader(const ir::TensorDesc& desc, const std::byte* data, const WeightMatrices& matrices)
    : desc_(desc), data_(data), matrices_(matrices), packed_(matrices.packed()) {}

uint64_t WeightReader::position(uint64_t group, uint64_t row, uint64_t column) const {
  if (desc_.layout == Layout::kPlain) return matrices_.plain(group, row, column);
  return block_position(packed_, desc_.layout, group, matrices_.packed_row(row), column);
}

int32_t WeightReader::stored(uint64_t group, uint64_t row, uint64_t column) const {
  const uint64_t at = position(group, row, column);
  const int64_t value =
      desc_.layout == Layout::kHmx4 ? load_nibble(data_, at) : load_integer(desc_.type, data_, at);
  return static_cast<int32_t>(low_bits(value, desc_.quantization.bits, is_signed_fixed(desc_.type)));
}

Half WeightReader::half(uint64_t group, uint64_t row, uint64_t column) const {
  return load<Half>(data_, position(group, row, column));
}

void WeightReader::singles(uint64_t group, uint64_t column, std::span<float> out) const {
  if (desc_.layout != Layout::kPlain) {
    for (uint64_t row = 0; row < out.size(); ++row)
      out[row] = load<float>(data_, position(group, row, column));
    return;
  }
  for (uint64_t first = 0; first < out.size(); first += matrices_.channels) {
    const uint64_t at = matrices_.plain(group, first, column);
    const uint64_t count = std::min<uint64_t>(matrices_.channels, out.size() - first);
    for (uint64_t i = 0; i < count; ++i)
      out[first + i] = load<float>(data_, at + i * matrices_.channel_stride);
  }
}

size_t WeightReader::encoding(uint64_t group, uint64_t row, uint64_t column) const {
  const ir::Quantization& quantization = desc_.quantization;
  if (quantization.kind == ir::Quantization::Kind::kPerTensor) return 0;
  ir::Shape index = desc_.shape;
  uint64_t rest = matrices_.plain(group, row, column);
  for (size_t i = index.rank(); i > 0; --i) {
    index[i - 1] = static_cast<uint32_t>(rest % desc_.shape[i - 1]);
    rest /= desc_.shape[i - 1];
  }
  return static_cast<size_t>(&quantization.of(desc_.shape, index) - quantization.encodings.data());
}

}  // namespace openqnn::ops
