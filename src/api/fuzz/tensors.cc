// SPDX-License-Identifier: BSD-3-Clause
#include "api/fuzz/tensors.h"

#include <utility>

namespace openqnn::api::fuzz {
namespace {

// Longer lists than this are left out: what points to them is null then.
constexpr uint64_t kMostEntries = 4096;
constexpr uint64_t kMostElements = 1 << 24;

template <class T>
T* list_of(std::vector<T>& list, uint64_t entries, const T& value) {
  if (entries > kMostEntries) return nullptr;
  list.assign(entries, value);
  return list.data();
}

// As many entries as the tensor has along an axis; sometimes a wrong count with a list as long as it says.
uint32_t entries(Dice& dice, const OwnTensor& own, uint32_t axis) {
  const uint32_t right = axis < own.dims.size() ? own.dims[axis] : 1;
  return dice.one_in(16) ? dice.below(9) : right;
}

void encode_axis(Dice& dice, OwnTensor& own, Qnn_QuantizeParams_t& params, uint32_t axis) {
  const uint32_t count = entries(dice, own, axis);
  params.axisScaleOffsetEncoding = {static_cast<int32_t>(axis), count,
                                    list_of(own.lists.pairs, count, {0.01F, 0})};
}

void encode_bw_axis(Dice& dice, OwnTensor& own, Qnn_QuantizeParams_t& params, uint32_t axis) {
  const uint32_t count = entries(dice, own, axis);
  params.bwAxisScaleOffsetEncoding = {dice.one_in(8) ? dice.number() : 4, static_cast<int32_t>(axis), count,
                                      list_of(own.lists.scales, count, 0.01F),
                                      dice.one_in(2) ? nullptr : list_of(own.lists.offsets, count, 0)};
}

void encode_block(Dice& dice, OwnTensor& own, Qnn_QuantizeParams_t& params) {
  uint64_t blocks = 1;
  for (const uint32_t dim : own.dims) {
    const uint32_t extent = dice.one_in(16) ? dice.number() : (dice.one_in(2) ? 1 : dim);
    own.lists.block.push_back(extent);
    if (blocks <= kMostEntries && extent != 0) blocks *= dim / extent;
  }
  params.blockEncoding = {own.lists.block.data(), list_of(own.lists.pairs, blocks, {0.01F, 0})};
}

void encode_expansion(Dice& dice, OwnTensor& own, Qnn_QuantizeParams_t& params, uint32_t axis) {
  const uint64_t channels = axis < own.dims.size() ? own.dims[axis] : 1;
  const uint32_t blocks = dice.one_in(8) ? dice.number() : 1 + dice.below(3);
  own.lists.expansion = {
      static_cast<int32_t>(axis),
      list_of(own.lists.pairs, channels, {0.01F, 0}),
      blocks,
      dice.one_in(8) ? dice.number() : 4,
      QNN_BLOCKWISE_EXPANSION_BITWIDTH_SCALE_STORAGE_8,
      {list_of(own.lists.block_scales, channels * blocks, {static_cast<uint8_t>(dice.below(20))})}};
  params.blockwiseExpansion = &own.lists.expansion;
}

void encode(Dice& dice, OwnTensor& own) {
  Qnn_QuantizeParams_t& params = own.tensor.v1.quantizeParams;
  own.lists = {};
  params = QNN_QUANTIZE_PARAMS_INIT;
  params.encodingDefinition = QNN_DEFINITION_DEFINED;
  params.quantizationEncoding = QNN_QUANTIZATION_ENCODING_SCALE_OFFSET;
  params.scaleOffsetEncoding = {0.02F, -static_cast<int32_t>(dice.below(200))};
  if (!dice.one_in(4)) return;
  const uint32_t axis = dice.one_in(16) ? dice.number() : dice.below(static_cast<uint32_t>(own.dims.size()));
  const uint32_t encoding = dice.below(QNN_QUANTIZATION_ENCODING_ARRAY_OF + 2);
  // By bytes: a number that is none of the enumeration's must not be converted to it.
  std::memcpy(&params.quantizationEncoding, &encoding, sizeof encoding);
  switch (encoding) {
    case QNN_QUANTIZATION_ENCODING_AXIS_SCALE_OFFSET:
      return encode_axis(dice, own, params, axis);
    case QNN_QUANTIZATION_ENCODING_BW_SCALE_OFFSET:
      params.bwScaleOffsetEncoding = {dice.one_in(8) ? dice.number() : 4, 0.02F, 0};
      return;
    case QNN_QUANTIZATION_ENCODING_BW_AXIS_SCALE_OFFSET:
      return encode_bw_axis(dice, own, params, axis);
    case QNN_QUANTIZATION_ENCODING_BLOCK:
      return encode_block(dice, own, params);
    case QNN_QUANTIZATION_ENCODING_BLOCKWISE_EXPANSION:
      return encode_expansion(dice, own, params, axis);
    case QNN_QUANTIZATION_ENCODING_VECTOR:
      params.vectorEncoding = &own.lists.vector;
      return;
    default:
      return;
  }
}

Qnn_TensorType_t random_role(Dice& dice, Qnn_TensorType_t role) {
  if (dice.one_in(64))
    return static_cast<Qnn_TensorType_t>(dice.below(QNN_TENSOR_TYPE_OPTIONAL_APP_READWRITE + 1));
  if (!dice.one_in(8)) return role;
  switch (role) {
    case QNN_TENSOR_TYPE_APP_WRITE:
      return QNN_TENSOR_TYPE_UPDATEABLE_APP_WRITE;
    case QNN_TENSOR_TYPE_APP_READ:
      return QNN_TENSOR_TYPE_UPDATEABLE_APP_READ;
    case QNN_TENSOR_TYPE_STATIC:
      return QNN_TENSOR_TYPE_UPDATEABLE_STATIC;
    default:
      return QNN_TENSOR_TYPE_UPDATEABLE_NATIVE;
  }
}

bool is_static(const OwnTensor& own) {
  return own.tensor.v1.type == QNN_TENSOR_TYPE_STATIC ||
         own.tensor.v1.type == QNN_TENSOR_TYPE_UPDATEABLE_STATIC;
}

void give_memory(Dice& dice, OwnTensor& own) {
  Qnn_TensorV1_t& fields = own.tensor.v1;
  fields.memType = QNN_TENSORMEMTYPE_RAW;
  if (is_static(own)) {
    own.data.resize(own.bytes());
    if (dice.one_in(64)) own.data.resize(own.data.size() / 2);
    fields.clientBuf = {own.data.data(), static_cast<uint32_t>(own.data.size())};
  } else if (dice.one_in(4)) {
    fields.memType = QNN_TENSORMEMTYPE_MEMHANDLE;
    fields.memHandle = nullptr;
  }
}

void give_version(Dice& dice, OwnTensor& own) {
  own.tensor.version = QNN_TENSOR_VERSION_1;
  if (!dice.one_in(4)) return;
  own.tensor.version = QNN_TENSOR_VERSION_2;
  own.is_dynamic.assign(own.dims.size(), dice.one_in(16) ? 1 : 0);
  own.tensor.v2.isDynamicDimensions = dice.one_in(2) ? own.is_dynamic.data() : nullptr;
}

// Places along the first dimension, or nonsense; and an offset that sparse tensors may have, mostly.
void make_sparse(Dice& dice, OwnTensor& own) {
  own.tensor.version = QNN_TENSOR_VERSION_2;
  Qnn_TensorV2_t& fields = own.tensor.v2;
  fields.isDynamicDimensions = nullptr;
  fields.dataFormat = QNN_TENSOR_DATA_FORMAT_SPARSE;
  const uint32_t layout = dice.one_in(16) ? dice.number() : uint32_t{QNN_SPARSE_LAYOUT_HYBRID_COO};
  std::memcpy(&fields.sparseParams.type, &layout, sizeof layout);
  fields.sparseParams.hybridCoo = {dice.one_in(4) || own.dims.empty() ? dice.number() : own.dims[0],
                                   dice.one_in(8) ? dice.number() : 1};
  Qnn_QuantizeParams_t& params = fields.quantizeParams;
  if (!dice.one_in(8) && params.quantizationEncoding == QNN_QUANTIZATION_ENCODING_SCALE_OFFSET)
    params.scaleOffsetEncoding.offset = 0;
}

}  // namespace

uint64_t OwnTensor::bytes() const {
  const auto type = ir::data_type_from(static_cast<uint32_t>(tensor.v1.dataType));
  uint64_t bytes = type ? ir::byte_size(*type) : 0;
  for (const uint32_t dim : dims) bytes = bytes > kMostBytes ? bytes : bytes * dim;
  return std::min(bytes, kMostBytes);
}

bool OwnTensor::is_input() const {
  return tensor.v1.type == QNN_TENSOR_TYPE_APP_WRITE ||
         tensor.v1.type == QNN_TENSOR_TYPE_UPDATEABLE_APP_WRITE ||
         tensor.v1.type == QNN_TENSOR_TYPE_OPTIONAL_APP_WRITE;
}

bool OwnTensor::is_output() const {
  return tensor.v1.type == QNN_TENSOR_TYPE_APP_READ ||
         tensor.v1.type == QNN_TENSOR_TYPE_UPDATEABLE_APP_READ ||
         tensor.v1.type == QNN_TENSOR_TYPE_OPTIONAL_APP_READ;
}

std::vector<uint32_t> random_shape(Dice& dice) {
  std::vector<uint32_t> dims(1 + dice.below(4));
  uint64_t elements = 1;
  for (uint32_t& dim : dims) {
    dim = dice.one_in(64) ? dice.number() : 1 + dice.below(6);
    elements = std::min(elements * dim, kMostElements + 1);
  }
  // What is accepted beyond it takes longer to prepare than a run may; more than any tensor may have is
  // refused.
  if (elements > kMostElements) dims.assign(std::max<size_t>(dims.size(), 2), UINT32_MAX);
  return dims;
}

std::unique_ptr<OwnTensor> random_tensor(Dice& dice, TensorRequest request) {
  auto own = std::make_unique<OwnTensor>();
  own->name = std::move(request.name);
  own->dims = std::move(request.dims);
  give_version(dice, *own);
  Qnn_TensorV1_t& fields = own->tensor.v1;
  fields.name = own->name.c_str();
  fields.type = random_role(dice, request.role);
  fields.dataFormat = dice.one_in(128) ? dice.below(4) : uint32_t{QNN_TENSOR_DATA_FORMAT_DENSE};
  fields.dataType = static_cast<Qnn_DataType_t>(request.type);
  fields.rank = static_cast<uint32_t>(own->dims.size());
  fields.dimensions = own->dims.data();
  if (ir::is_quantized(request.type)) encode(dice, *own);
  give_memory(dice, *own);
  if (request.sparse) make_sparse(dice, *own);
  return own;
}

std::unique_ptr<OwnTensor> random_update(Dice& dice, const OwnTensor& old) {
  auto own = std::make_unique<OwnTensor>();
  own->name = old.name;
  own->dims = old.dims;
  own->data = old.data;
  own->tensor = old.tensor;
  Qnn_TensorV1_t& fields = own->tensor.v1;
  fields.name = own->name.c_str();
  fields.dimensions = own->dims.data();
  if (own->tensor.version == QNN_TENSOR_VERSION_2) own->tensor.v2.isDynamicDimensions = nullptr;
  const bool is_quantized = fields.quantizeParams.encodingDefinition == QNN_DEFINITION_DEFINED;
  if (is_quantized) encode(dice, *own);
  if (!own->data.empty()) {
    if (dice.one_in(16)) own->data.pop_back();
    dice.fill(std::span(own->data).first(std::min<size_t>(own->data.size(), 8)));
    fields.clientBuf = {own->data.data(), static_cast<uint32_t>(own->data.size())};
  }
  return own;
}

}  // namespace openqnn::api::fuzz
