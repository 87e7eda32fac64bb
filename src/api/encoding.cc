// SPDX-License-Identifier: BSD-3-Clause
#include <cstring>
#include <type_traits>

#include "api/answer.h"
#include "api/convert.h"
#include "base/text.h"

namespace openqnn::api {
namespace {

// More blocks than any weight has; a count beyond it is a mistake, not a list.
constexpr uint64_t kMostBlocks = uint64_t{1} << 26;

Status check_list(const void* list, const char* what) {
  if (list) return {};
  return invalid("tensor-encoding-null", concat("the list of ", what, " is null"));
}

// The entries that the tensor has along an axis that a client names.
Result<uint32_t> entries_along(int32_t axis, const ir::Shape& shape) {
  if (axis >= 0 && static_cast<size_t>(axis) < shape.rank()) return shape[static_cast<size_t>(axis)];
  return invalid("tensor-encoding-axis",
                 concat("quantization axis ", axis, " is not a dimension of ", shape.to_string()))
      .fix_by("count axes from 0");
}

Status check_count(uint32_t given, uint32_t entries, int32_t axis) {
  if (given == entries) return {};
  return invalid("tensor-encoding-count",
                 concat(given, " scale-offset pairs for axis ", axis, ", which has ", entries, " entries"));
}

Result<uint32_t> checked_bits(uint32_t bitwidth, ir::DataType type) {
  const uint32_t most = static_cast<uint32_t>(8 * ir::byte_size(type));
  if (bitwidth == 0 || bitwidth > most)
    return invalid("tensor-encoding-bits", concat("a bit width of ", bitwidth, " does not fit ",
                                                  ir::name(type), ", whose elements have ", most, " bits"));
  return bitwidth == most ? 0 : bitwidth;  // a width that says nothing new
}

std::vector<ir::ScaleOffset> copy(const Qnn_ScaleOffset_t* list, uint64_t count) {
  std::vector<ir::ScaleOffset> copied;
  copied.reserve(count);
  for (uint64_t i = 0; i < count; ++i) copied.push_back({list[i].scale, list[i].offset});
  return copied;
}

Result<ir::Quantization> from_axis(const Qnn_AxisScaleOffset_t& encoding, const ir::Shape& shape) {
  OPENQNN_ASSIGN(const uint32_t entries, entries_along(encoding.axis, shape));
  OPENQNN_TRY(check_count(encoding.numScaleOffsets, entries, encoding.axis));
  OPENQNN_TRY(check_list(encoding.scaleOffset, "scales and offsets"));
  return ir::Quantization::per_axis(static_cast<uint32_t>(encoding.axis),
                                    copy(encoding.scaleOffset, entries));
}

Result<ir::Quantization> from_bw_axis(const Qnn_BwAxisScaleOffset_t& encoding, const ir::Shape& shape,
                                      ir::DataType type) {
  OPENQNN_ASSIGN(const uint32_t bits, checked_bits(encoding.bitwidth, type));
  OPENQNN_ASSIGN(const uint32_t entries, entries_along(encoding.axis, shape));
  OPENQNN_TRY(check_count(encoding.numElements, entries, encoding.axis));
  OPENQNN_TRY(check_list(encoding.scales, "scales"));
  std::vector<ir::ScaleOffset> pairs;
  for (uint32_t i = 0; i < entries; ++i)
    pairs.push_back({encoding.scales[i], encoding.offsets ? encoding.offsets[i] : 0});
  return ir::Quantization::per_axis(static_cast<uint32_t>(encoding.axis), std::move(pairs), bits);
}

Result<ir::Quantization> from_block(const Qnn_BlockEncoding_t& encoding, const ir::Shape& shape) {
  OPENQNN_TRY(check_list(encoding.blockSize, "block sizes"));
  OPENQNN_TRY(check_list(encoding.scaleOffset, "scales and offsets"));
  const ir::Shape block(std::span<const uint32_t>(encoding.blockSize, shape.rank()));
  uint64_t blocks = 1;
  for (size_t i = 0; i < shape.rank(); ++i) {
    if (block[i] == 0 || shape[i] % block[i] != 0)
      return invalid("tensor-encoding-block", concat("blocks of ", block.to_string(), " do not divide ",
                                                     shape.to_string(), " evenly"));
    blocks *= shape[i] / block[i];
    if (blocks > kMostBlocks)
      return invalid("tensor-encoding-block",
                     concat("blocks of ", block.to_string(), " are more than ", kMostBlocks));
  }
  return ir::Quantization::per_block(block, copy(encoding.scaleOffset, blocks));
}

// The dimension that the blocks of a block-wise expansion divide: the one that is summed over, which stands
// beside the channels. Ours: the API names only the channel axis.
size_t blocked_dimension(size_t axis, size_t rank) { return axis + 1 == rank ? rank - 2 : rank - 1; }

Status check_expansion(const Qnn_BlockwiseExpansion_t& expansion, const ir::Shape& shape) {
  OPENQNN_TRY(entries_along(expansion.axis, shape));
  if (shape.rank() < 2)
    return invalid("tensor-encoding-block",
                   concat("block-wise expansion needs two dimensions; the shape is ", shape.to_string()));
  const size_t blocked = blocked_dimension(static_cast<size_t>(expansion.axis), shape.rank());
  if (expansion.numBlocksPerAxis == 0 || shape[blocked] % expansion.numBlocksPerAxis != 0)
    return invalid("tensor-encoding-block",
                   concat(expansion.numBlocksPerAxis, " blocks do not divide dimension ", blocked, " of ",
                          shape.to_string(), " evenly"));
  const uint32_t storage = number_of(expansion.blockScaleStorageType);
  if (storage != QNN_BLOCKWISE_EXPANSION_BITWIDTH_SCALE_STORAGE_8 &&
      storage != QNN_BLOCKWISE_EXPANSION_BITWIDTH_SCALE_STORAGE_16)
    return invalid("tensor-encoding-storage",
                   concat("block scale storage ", storage, " is neither 8 bits (0) nor 16 bits (1)"));
  const uint32_t most = storage == QNN_BLOCKWISE_EXPANSION_BITWIDTH_SCALE_STORAGE_8 ? 8 : 16;
  if (expansion.blockScaleBitwidth == 0 || expansion.blockScaleBitwidth > most)
    return invalid("tensor-encoding-bits", concat("block scales of ", expansion.blockScaleBitwidth,
                                                  " bits do not fit their storage of ", most));
  OPENQNN_TRY(check_list(expansion.scaleOffsets, "scales and offsets"));
  return check_list(expansion.blocksScale8, "block scales");
}

// The integer scale of a block. They lie by channel, the blocks of one channel together.
uint32_t block_scale(const Qnn_BlockwiseExpansion_t& expansion, uint64_t number) {
  return number_of(expansion.blockScaleStorageType) == QNN_BLOCKWISE_EXPANSION_BITWIDTH_SCALE_STORAGE_8
             ? expansion.blocksScale8[number]
             : expansion.blocksScale16[number];
}

Result<ir::Quantization> from_expansion(const Qnn_BlockwiseExpansion_t* given, const ir::Shape& shape) {
  OPENQNN_TRY(check_list(given, "block-wise expansion"));
  const Qnn_BlockwiseExpansion_t& expansion = *given;
  OPENQNN_TRY(check_expansion(expansion, shape));
  const auto axis = static_cast<size_t>(expansion.axis);
  const size_t blocked = blocked_dimension(axis, shape.rank());
  const uint32_t blocks = expansion.numBlocksPerAxis;
  const uint32_t channels = shape[axis];
  if (uint64_t{blocks} * channels > kMostBlocks)
    return invalid("tensor-encoding-block",
                   concat(blocks, " blocks in each of ", channels, " channels are more than ", kMostBlocks));
  ir::Shape block = shape;
  block[axis] = 1;
  block[blocked] = shape[blocked] / blocks;
  std::vector<ir::ScaleOffset> pairs(uint64_t{blocks} * channels);
  for (uint32_t channel = 0; channel < channels; ++channel) {
    const Qnn_ScaleOffset_t& base = expansion.scaleOffsets[channel];
    for (uint32_t i = 0; i < blocks; ++i) {
      const uint64_t number = uint64_t{channel} * blocks + i;
      const uint32_t scale = block_scale(expansion, number);
      if (scale >> expansion.blockScaleBitwidth != 0)
        return invalid("tensor-encoding-bits", concat("block scale ", scale, " has more than ",
                                                      expansion.blockScaleBitwidth, " bits"));
      // Row-major over the grid of blocks, which has the two dimensions in the tensor's order.
      const uint64_t place = axis < blocked ? number : uint64_t{i} * channels + channel;
      // The product is exact in double: it is rounded to float once. Ours.
      pairs[place] = {static_cast<float>(double{base.scale} * scale), base.offset};
    }
  }
  ir::Quantization quantization = ir::Quantization::per_block(block, std::move(pairs));
  quantization.expanded = true;
  return quantization;
}

Diagnostic too_new(uint32_t encoding, const char* name, const char* since) {
  return unsupported("tensor-encoding", concat("quantization encoding ", encoding, " (", name, ", since SDK ",
                                               since, ") is newer than the HTP API 5.39 that is modelled"))
      .fix_by("use a scale-offset, axis, bit-width, block or block-wise expansion encoding");
}

template <class T>
void keep_low_bits_of(std::vector<std::byte>& data, uint32_t bits) {
  const auto unused = static_cast<uint32_t>(8 * sizeof(T)) - bits;
  for (size_t at = 0; at + sizeof(T) <= data.size(); at += sizeof(T)) {
    std::make_unsigned_t<T> raw;
    std::memcpy(&raw, data.data() + at, sizeof raw);
    const auto high = static_cast<std::make_unsigned_t<T>>(raw << unused);
    const auto kept = static_cast<T>(static_cast<T>(high) >> unused);  // of a signed type: with its sign
    std::memcpy(data.data() + at, &kept, sizeof kept);
  }
}

bool is_signed(ir::DataType type) {
  return type == ir::DataType::kSfixed4 || type == ir::DataType::kSfixed8 ||
         type == ir::DataType::kSfixed16 || type == ir::DataType::kSfixed32;
}

}  // namespace

Result<ir::Quantization> to_quantization(const Qnn_QuantizeParams_t& params, const ir::Shape& shape,
                                         ir::DataType type) {
  const uint32_t definition = number_of(params.encodingDefinition);
  // An encoding that the backend is to choose: HTP chooses none, so the tensor has none.
  if (definition == QNN_DEFINITION_IMPL_GENERATED || definition == QNN_DEFINITION_UNDEFINED)
    return ir::Quantization();
  if (definition != QNN_DEFINITION_DEFINED)
    return invalid("tensor-encoding-definition",
                   concat("encodingDefinition ", definition, " is neither 0, 1 nor undefined"));
  switch (const uint32_t encoding = number_of(params.quantizationEncoding)) {
    case QNN_QUANTIZATION_ENCODING_UNDEFINED:
      return ir::Quantization();
    case QNN_QUANTIZATION_ENCODING_SCALE_OFFSET:
      return ir::Quantization::per_tensor(params.scaleOffsetEncoding.scale,
                                          params.scaleOffsetEncoding.offset);
    case QNN_QUANTIZATION_ENCODING_AXIS_SCALE_OFFSET:
      return from_axis(params.axisScaleOffsetEncoding, shape);
    case QNN_QUANTIZATION_ENCODING_BW_SCALE_OFFSET: {
      const Qnn_BwScaleOffset_t& bw = params.bwScaleOffsetEncoding;
      OPENQNN_ASSIGN(const uint32_t bits, checked_bits(bw.bitwidth, type));
      return ir::Quantization::per_tensor(bw.scale, bw.offset, bits);
    }
    case QNN_QUANTIZATION_ENCODING_BW_AXIS_SCALE_OFFSET:
      return from_bw_axis(params.bwAxisScaleOffsetEncoding, shape, type);
    case QNN_QUANTIZATION_ENCODING_BLOCK:
      return from_block(params.blockEncoding, shape);
    case QNN_QUANTIZATION_ENCODING_BLOCKWISE_EXPANSION:
      return from_expansion(params.blockwiseExpansion, shape);
    case QNN_QUANTIZATION_ENCODING_VECTOR:
      // Its struct says how long vectors and indices are, but holds no codebook: no source tells where the
      // codebook lies, how it is made from the scales, or in which order a vector is unpacked (vectorStride).
      return unsupported(
                 "tensor-encoding",
                 "vector quantization encodings (6) are not supported: where the codebook lies and how "
                 "vectors are unpacked is not public, and no op of HTP is listed with one")
          .fix_by("look the vectors up beforehand and pass plain weights");
    case QNN_QUANTIZATION_ENCODING_FLOAT_BLOCK:
      return too_new(encoding, "float block", "2.40");
    case QNN_QUANTIZATION_ENCODING_BW_AXIS_SCALE_OFFSET_MAPPED:
      return too_new(encoding, "mapped axis", "2.43");
    case QNN_QUANTIZATION_ENCODING_BW_BLOCK_MAPPED:
      return too_new(encoding, "mapped block", "2.43");
    case QNN_QUANTIZATION_ENCODING_BW_BLOCKWISE_EXPANSION_MAPPED:
      return too_new(encoding, "mapped block-wise expansion", "2.43");
    case QNN_QUANTIZATION_ENCODING_BW_FLOAT_BLOCK:
      return too_new(encoding, "bit-width float block", "2.43");
    case QNN_QUANTIZATION_ENCODING_MICROSCALING:
      return too_new(encoding, "microscaling", "2.48");
    case QNN_QUANTIZATION_ENCODING_ARRAY_OF:
      return too_new(encoding, "array of encodings", "2.48");
    default:
      return invalid("tensor-encoding", concat("no quantization encoding has the number ", encoding));
  }
}

uint32_t counting_bits(ir::DataType type, const ir::Quantization& quantization) {
  if (quantization.bits != 0) return quantization.bits;
  return type == ir::DataType::kSfixed4 || type == ir::DataType::kUfixed4 ? 4 : 0;
}

void keep_low_bits(std::vector<std::byte>& data, ir::DataType type, uint32_t bits) {
  const bool with_sign = is_signed(type);
  switch (ir::byte_size(type)) {
    case 1:
      return with_sign ? keep_low_bits_of<int8_t>(data, bits) : keep_low_bits_of<uint8_t>(data, bits);
    case 2:
      return with_sign ? keep_low_bits_of<int16_t>(data, bits) : keep_low_bits_of<uint16_t>(data, bits);
    case 4:
      return with_sign ? keep_low_bits_of<int32_t>(data, bits) : keep_low_bits_of<uint32_t>(data, bits);
    default:
      return;
  }
}

}  // namespace openqnn::api
