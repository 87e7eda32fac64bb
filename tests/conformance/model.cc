// SPDX-License-Identifier: BSD-3-Clause
#include "model.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace conformance {
namespace {

size_t size_of(Qnn_DataType_t type) {
  switch (type) {
    case QNN_DATATYPE_UFIXED_POINT_8:
    case QNN_DATATYPE_SFIXED_POINT_8:
    case QNN_DATATYPE_BOOL_8:
      return 1;
    case QNN_DATATYPE_UFIXED_POINT_16:
    case QNN_DATATYPE_SFIXED_POINT_16:
    case QNN_DATATYPE_FLOAT_16:
      return 2;
    case QNN_DATATYPE_FLOAT_32:
    case QNN_DATATYPE_UINT_32:
    case QNN_DATATYPE_INT_32:
    case QNN_DATATYPE_SFIXED_POINT_32:
      return 4;
    default:
      throw std::runtime_error("the conformance program has no size for this data type");
  }
}

template <class T>
void put(std::byte* at, double value) {
  const auto stored = static_cast<T>(value);
  std::memcpy(at, &stored, sizeof stored);
}

template <class T>
double get(const std::byte* at) {
  T stored;
  std::memcpy(&stored, at, sizeof stored);
  return static_cast<double>(stored);
}

template <class T>
double to_code(double value, const Encoding& encoding) {
  const double code = std::nearbyint(value / encoding.scale) - encoding.offset;
  return std::clamp<double>(code, std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
}

Qnn_Scalar_t scalar_of(Qnn_DataType_t type) {
  Qnn_Scalar_t value = QNN_SCALAR_INIT;
  value.dataType = type;
  return value;
}

}  // namespace

size_t Tensor::elements() const {
  return std::accumulate(dims.begin(), dims.end(), size_t{1}, std::multiplies<>());
}

size_t Tensor::bytes() const { return elements() * size_of(type); }

Bytes encode(const Tensor& tensor, std::span<const double> values) {
  Bytes data(tensor.bytes());
  const size_t size = size_of(tensor.type);
  for (size_t i = 0; i < values.size(); ++i) {
    std::byte* at = data.data() + i * size;
    switch (tensor.type) {
      case QNN_DATATYPE_UFIXED_POINT_8:
        put<uint8_t>(at, to_code<uint8_t>(values[i], tensor.encoding));
        break;
      case QNN_DATATYPE_SFIXED_POINT_8:
        put<int8_t>(at, to_code<int8_t>(values[i], tensor.encoding));
        break;
      case QNN_DATATYPE_UFIXED_POINT_16:
        put<uint16_t>(at, to_code<uint16_t>(values[i], tensor.encoding));
        break;
      case QNN_DATATYPE_SFIXED_POINT_16:
        put<int16_t>(at, to_code<int16_t>(values[i], tensor.encoding));
        break;
      case QNN_DATATYPE_SFIXED_POINT_32:
        put<int32_t>(at, to_code<int32_t>(values[i], tensor.encoding));
        break;
      case QNN_DATATYPE_UINT_32:
        put<uint32_t>(at, values[i]);
        break;
      case QNN_DATATYPE_FLOAT_32:
        put<float>(at, values[i]);
        break;
      default:
        throw std::runtime_error("the conformance program does not write this data type");
    }
  }
  return data;
}

Values decode(const Tensor& tensor, std::span<const std::byte> data) {
  Values values(tensor.elements());
  const double scale = tensor.encoding.scale;
  const double offset = tensor.encoding.offset;
  for (size_t i = 0; i < values.size(); ++i) {
    const std::byte* at = data.data() + i * size_of(tensor.type);
    switch (tensor.type) {
      case QNN_DATATYPE_UFIXED_POINT_8:
        values[i] = scale * (get<uint8_t>(at) + offset);
        break;
      case QNN_DATATYPE_SFIXED_POINT_8:
        values[i] = scale * (get<int8_t>(at) + offset);
        break;
      case QNN_DATATYPE_UFIXED_POINT_16:
        values[i] = scale * (get<uint16_t>(at) + offset);
        break;
      case QNN_DATATYPE_SFIXED_POINT_16:
        values[i] = scale * (get<int16_t>(at) + offset);
        break;
      case QNN_DATATYPE_SFIXED_POINT_32:
        values[i] = scale * (get<int32_t>(at) + offset);
        break;
      case QNN_DATATYPE_UINT_32:
        values[i] = get<uint32_t>(at);
        break;
      case QNN_DATATYPE_FLOAT_32:
        values[i] = get<float>(at);
        break;
      default:
        throw std::runtime_error("the conformance program does not read this data type");
    }
  }
  return values;
}

Param scalar(const char* name, uint32_t value) {
  Qnn_Scalar_t stored = scalar_of(QNN_DATATYPE_UINT_32);
  stored.uint32Value = value;
  return {name, stored};
}

Param scalar(const char* name, float value) {
  Qnn_Scalar_t stored = scalar_of(QNN_DATATYPE_FLOAT_32);
  stored.floatValue = value;
  return {name, stored};
}

Param flag(const char* name, bool value) {
  Qnn_Scalar_t stored = scalar_of(QNN_DATATYPE_BOOL_8);
  stored.bool8Value = value ? 1 : 0;
  return {name, stored};
}

Param numbers(const char* name, std::vector<uint32_t> dims, std::vector<uint32_t> values) {
  Tensor tensor{
      .name = name, .role = QNN_TENSOR_TYPE_STATIC, .type = QNN_DATATYPE_UINT_32, .dims = std::move(dims)};
  tensor.data = encode(tensor, Values(values.begin(), values.end()));
  return {name, std::move(tensor)};
}

const Tensor& Model::tensor(const std::string& tensor_name) const {
  const auto found =
      std::find_if(tensors.begin(), tensors.end(), [&](const Tensor& t) { return t.name == tensor_name; });
  if (found == tensors.end()) throw std::runtime_error("the model has no tensor " + tensor_name);
  return *found;
}

Tensor& Model::tensor(const std::string& tensor_name) {
  return const_cast<Tensor&>(std::as_const(*this).tensor(tensor_name));
}

Node& Model::node(const std::string& node_name) {
  const auto found =
      std::find_if(nodes.begin(), nodes.end(), [&](const Node& n) { return n.name == node_name; });
  if (found == nodes.end()) throw std::runtime_error("the model has no node " + node_name);
  return *found;
}

std::vector<const Tensor*> Model::with_role(Qnn_TensorType_t role) const {
  std::vector<const Tensor*> found;
  for (const Tensor& candidate : tensors)
    if (candidate.role == role) found.push_back(&candidate);
  return found;
}

Scratch::~Scratch() {
  for (Bytes& block : blocks_) {
    // Through a volatile pointer, or the compiler drops writes to memory that is about to be freed.
    volatile std::byte* bytes = block.data();
    for (size_t i = 0; i < block.size(); ++i) bytes[i] = std::byte{0xDD};
  }
}

std::byte* Scratch::keep(std::span<const std::byte> bytes) {
  return blocks_.emplace_back(bytes.begin(), bytes.end()).data();
}

const char* Scratch::text(const std::string& text) {
  return copy(std::span<const char>(text.c_str(), text.size() + 1));
}

Qnn_Tensor_t describe(const Tensor& tensor, Scratch& scratch, Qnn_TensorVersion_t version) {
  Qnn_TensorV1_t v1 = QNN_TENSOR_V1_INIT;
  v1.id = tensor.id;
  v1.name = scratch.text(tensor.name);
  v1.type = tensor.role;
  v1.dataFormat = QNN_TENSOR_DATA_FORMAT_FLAT_BUFFER;
  v1.dataType = tensor.type;
  if (tensor.encoding.scale != 0) {
    v1.quantizeParams.encodingDefinition = QNN_DEFINITION_DEFINED;
    v1.quantizeParams.quantizationEncoding = QNN_QUANTIZATION_ENCODING_SCALE_OFFSET;
    v1.quantizeParams.scaleOffsetEncoding = {tensor.encoding.scale, tensor.encoding.offset};
  }
  v1.rank = static_cast<uint32_t>(tensor.dims.size());
  v1.dimensions = scratch.copy(std::span<const uint32_t>(tensor.dims));
  v1.memType = QNN_TENSORMEMTYPE_RAW;
  if (!tensor.data.empty())
    v1.clientBuf = {scratch.copy(std::span<const std::byte>(tensor.data)),
                    static_cast<uint32_t>(tensor.data.size())};

  const bool is_sparse = tensor.sparse.dimensions > 0;
  if (is_sparse) {
    v1.dataFormat = QNN_TENSOR_DATA_FORMAT_SPARSE;
    version = QNN_TENSOR_VERSION_2;
  }
  Qnn_Tensor_t described = QNN_TENSOR_INIT;
  described.version = version;
  if (version == QNN_TENSOR_VERSION_1) {
    described.v1 = v1;
  } else {  // version 2 is version 1 with more at its end
    described.v2 = QNN_TENSOR_V2_INIT;
    std::memcpy(&described.v2, &v1, sizeof v1);
  }
  if (is_sparse) {
    described.v2.sparseParams.type = QNN_SPARSE_LAYOUT_HYBRID_COO;
    described.v2.sparseParams.hybridCoo = {tensor.sparse.elements, tensor.sparse.dimensions};
  }
  return described;
}

Qnn_OpConfig_t describe(const Model& model, const Node& node, Scratch& scratch) {
  std::vector<Qnn_Param_t> params;
  for (const Param& param : node.params) {
    Qnn_Param_t& described = params.emplace_back(Qnn_Param_t QNN_PARAM_INIT);
    described.name = scratch.text(param.name);
    if (const auto* value = std::get_if<Qnn_Scalar_t>(&param.value)) {
      described.paramType = QNN_PARAMTYPE_SCALAR;
      described.scalarParam = *value;
    } else {
      described.paramType = QNN_PARAMTYPE_TENSOR;
      described.tensorParam = describe(std::get<Tensor>(param.value), scratch);
    }
  }
  const auto all = [&](const std::vector<std::string>& names) {
    std::vector<Qnn_Tensor_t> described;
    for (const std::string& name : names) described.push_back(describe(model.tensor(name), scratch));
    return scratch.copy(std::span<const Qnn_Tensor_t>(described));
  };
  Qnn_OpConfig_t config = QNN_OPCONFIG_INIT;
  config.v1.name = scratch.text(node.name);
  config.v1.packageName = scratch.text(node.package);
  config.v1.typeName = scratch.text(node.type);
  config.v1.numOfParams = static_cast<uint32_t>(params.size());
  config.v1.params = scratch.copy(std::span<const Qnn_Param_t>(params));
  config.v1.numOfInputs = static_cast<uint32_t>(node.inputs.size());
  config.v1.inputTensors = all(node.inputs);
  config.v1.numOfOutputs = static_cast<uint32_t>(node.outputs.size());
  config.v1.outputTensors = all(node.outputs);
  return config;
}

const Qnn_TensorV1_t& fields(const Qnn_Tensor_t& tensor) { return tensor.v1; }

}  // namespace conformance
