// SPDX-License-Identifier: BSD-3-Clause
#include "ops/packed_weights.h"

#include "ops/elements.h"

namespace openqnn::ops {
namespace {

// Neighbours of four in a block: a filter tap's channels are padded to it.
constexpr uint64_t kChannelPadding = 4;
// What turns an unsigned byte into a signed one.
constexpr int32_t kSignedShift = 128;

std::optional<StoredOperand> packed_operand(const ir::TensorDesc& desc, const PackedShape& shape) {
  StoredOperand stored{.desc = desc, .data = {}};
  switch (desc.type) {
    case ir::DataType::kUfixed8:
      for (ir::ScaleOffset& encoding : stored.desc.quantization.encodings) encoding.offset += kSignedShift;
      [[fallthrough]];
    case ir::DataType::kSfixed8:
      stored.desc.type = ir::DataType::kSfixed8;
      stored.desc.layout = ir::Layout::kHmx8;
      break;
    case ir::DataType::kFloat16:
      stored.desc.layout = ir::Layout::kHmx16;
      break;
    default:
      return std::nullopt;
  }
  stored.data.resize(packed_bytes(shape, stored.desc.layout));
  return stored;
}

// Copies one element, in the domain that the packed form stores.
void copy_element(const ir::TensorDesc& from, const std::byte* data, uint64_t source, StoredOperand& to,
                  uint64_t target) {
  if (from.type == ir::DataType::kFloat16)
    save(to.data.data(), target, load<Half>(data, source));
  else if (from.type == ir::DataType::kSfixed8)
    to.data[target] = data[source];
  else
    save(to.data.data(), target, static_cast<int8_t>(load<uint8_t>(data, source) - kSignedShift));
}

}  // namespace

PackedShape conv_packed_shape(const ir::Shape& weight, uint32_t groups) {
  return {.groups = groups,
          .k = uint64_t{weight[0]} * weight[1] * round_up(weight[2], kChannelPadding),
          .n = weight[3] / groups};
}

uint64_t conv_packed_row(const ir::Shape& weight, uint64_t fh, uint64_t fw, uint64_t channel) {
  return (fh * weight[1] + fw) * round_up(weight[2], kChannelPadding) + channel;
}

PackedShape matmul_packed_shape(const ir::Shape& weight, bool transposed) {
  PackedShape packed{.groups = 1, .k = weight.from_end(1), .n = weight.from_end(0)};
  if (transposed) std::swap(packed.k, packed.n);
  for (size_t i = 0; i + 2 < weight.rank(); ++i) packed.groups *= weight[i];
  return packed;
}

uint64_t packed_bytes(const PackedShape& shape, ir::Layout layout) {
  return shape.groups * packed_column_bytes(shape, layout, 0, shape.n);
}

uint64_t packed_column_bytes(const PackedShape& shape, ir::Layout layout, uint64_t begin, uint64_t end) {
  const uint64_t columns = (ceil_div(end, kHmxBlock) - begin / kHmxBlock) * kHmxBlock;
  return shape.padded_k() * columns * (layout == ir::Layout::kHmx16 ? 2 : 1);
}

std::optional<StoredOperand> pack_conv_weights(const ir::TensorDesc& desc, const std::byte* data,
                                               uint32_t groups) {
  std::optional<StoredOperand> stored = packed_operand(desc, conv_packed_shape(desc.shape, groups));
  if (!stored) return stored;
  const ConvWeightIndex plain(desc, groups);
  const ConvWeightIndex packed(stored->desc, groups);
  ir::for_each_index(ir::Box::whole(desc.shape), [&](const ir::Shape& at) {
    copy_element(desc, data, plain(at[0], at[1], at[2], at[3]), *stored, packed(at[0], at[1], at[2], at[3]));
  });
  return stored;
}

std::optional<StoredOperand> pack_matmul_weights(const ir::TensorDesc& desc, const std::byte* data,
                                                 bool transposed) {
  const PackedShape shape = matmul_packed_shape(desc.shape, transposed);
  std::optional<StoredOperand> stored = packed_operand(desc, shape);
  if (!stored) return stored;
  const MatMulWeightIndex plain(desc, transposed);
  const MatMulWeightIndex packed(stored->desc, transposed);
  for (uint64_t matrix = 0; matrix < shape.groups; ++matrix)
    for (uint64_t row = 0; row < shape.k; ++row)
      for (uint64_t column = 0; column < shape.n; ++column)
        copy_element(desc, data, plain(matrix, row, column), *stored, packed(matrix, row, column));
  return stored;
}

ConvWeightIndex::ConvWeightIndex(const ir::TensorDesc& desc, uint32_t groups)
    : shape_(desc.shape), layout_(desc.layout), packed_(conv_packed_shape(desc.shape, groups)) {}

MatMulWeightIndex::MatMulWeightIndex(const ir::TensorDesc& desc, bool transposed)
    : layout_(desc.layout), transposed_(transposed), packed_(matmul_packed_shape(desc.shape, transposed)) {}

}  // namespace openqnn::ops
