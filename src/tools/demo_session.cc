// SPDX-License-Identifier: BSD-3-Clause
#include <cstring>

#include "QnnOpDef.h"
#include "base/text.h"
#include "tools/demo.h"

namespace openqnn::tools {
namespace {

using Role = ModelTensor::Role;

Qnn_DataType_t type_of(const TypedModel& typed, Role role) {
  if (!typed.quantized()) return QNN_DATATYPE_FLOAT_32;
  if (role == Role::kWeight) return QNN_DATATYPE_SFIXED_POINT_8;
  if (role == Role::kBias) return QNN_DATATYPE_SFIXED_POINT_32;
  return QNN_DATATYPE_UFIXED_POINT_8;
}

Qnn_TensorType_t role_of(Role role) {
  switch (role) {
    case Role::kInput:
      return QNN_TENSOR_TYPE_APP_WRITE;
    case Role::kOutput:
      return QNN_TENSOR_TYPE_APP_READ;
    case Role::kNative:
      return QNN_TENSOR_TYPE_NATIVE;
    case Role::kWeight:
    case Role::kBias:
      break;
  }
  return QNN_TENSOR_TYPE_STATIC;
}

// A tensor's description in the C API's words, and the memory that it points into.
struct Described {
  Qnn_Tensor_t tensor = QNN_TENSOR_INIT;
  std::vector<uint32_t> dimensions;
  std::vector<Qnn_ScaleOffset_t> channels;
  std::vector<std::byte> data;
};

void describe_encoding(Described& described, const Encoding& encoding) {
  Qnn_QuantizeParams_t& params = described.tensor.v1.quantizeParams;
  params.encodingDefinition = QNN_DEFINITION_DEFINED;
  for (const Encoding::ScaleOffset& channel : encoding.channels)
    described.channels.push_back({channel.scale, channel.offset});
  if (described.channels.size() == 1) {
    params.quantizationEncoding = QNN_QUANTIZATION_ENCODING_SCALE_OFFSET;
    params.scaleOffsetEncoding = described.channels[0];
    return;
  }
  params.quantizationEncoding = QNN_QUANTIZATION_ENCODING_AXIS_SCALE_OFFSET;
  params.axisScaleOffsetEncoding = {static_cast<int32_t>(described.dimensions.size() - 1),
                                    static_cast<uint32_t>(described.channels.size()),
                                    described.channels.data()};
}

void describe(Described& described, const TypedModel& typed, size_t index) {
  const ModelTensor& source = typed.model->tensors[index];
  Qnn_TensorV1_t& tensor = described.tensor.v1;
  described.dimensions = source.shape;
  tensor.name = source.name.c_str();
  tensor.type = role_of(source.role);
  tensor.dataType = type_of(typed, source.role);
  tensor.rank = static_cast<uint32_t>(described.dimensions.size());
  tensor.dimensions = described.dimensions.data();
  tensor.memType = QNN_TENSORMEMTYPE_RAW;
  if (typed.quantized()) describe_encoding(described, typed.encodings[index]);
  if (source.values.empty()) return;
  described.data = typed.stored(index, source.values);
  tensor.clientBuf = {described.data.data(), static_cast<uint32_t>(described.data.size())};
}

// A parameter of `values` with the given shape, static like all tensor parameters.
Qnn_Param_t tensor_param(const char* name, std::vector<uint32_t>& shape, std::vector<uint32_t>& values) {
  Qnn_Param_t param = QNN_PARAM_INIT;
  param.paramType = QNN_PARAMTYPE_TENSOR;
  param.name = name;
  param.tensorParam = QNN_TENSOR_INIT;
  Qnn_TensorV1_t& tensor = param.tensorParam.v1;
  tensor.name = name;
  tensor.type = QNN_TENSOR_TYPE_STATIC;
  tensor.dataType = QNN_DATATYPE_UINT_32;
  tensor.rank = static_cast<uint32_t>(shape.size());
  tensor.dimensions = shape.data();
  tensor.memType = QNN_TENSORMEMTYPE_RAW;
  tensor.clientBuf = {values.data(), static_cast<uint32_t>(values.size() * sizeof(uint32_t))};
  return param;
}

Qnn_Tensor_t buffer_tensor(uint32_t id, Qnn_TensorType_t type, const Described& described, void* data,
                           size_t bytes) {
  Qnn_Tensor_t tensor = described.tensor;
  tensor.v1.id = id;
  tensor.v1.type = type;
  tensor.v1.clientBuf = {data, static_cast<uint32_t>(bytes)};
  return tensor;
}

Status add_node(Session& session, Qnn_GraphHandle_t graph, const ModelNode& node,
                const std::vector<Qnn_Tensor_t>& tensors) {
  std::vector<uint32_t> pair_shape = {2};
  std::vector<uint32_t> pads_shape = {2, 2};
  std::vector<uint32_t> filter(node.filter.begin(), node.filter.end());
  std::vector<uint32_t> stride(node.stride.begin(), node.stride.end());
  std::vector<uint32_t> pads = {node.padding[0], node.padding[0], node.padding[1], node.padding[1]};
  std::vector<Qnn_Param_t> params;
  const bool is_pool = node.type == QNN_OP_POOL_MAX_2D;
  if (is_pool) params.push_back(tensor_param(QNN_OP_POOL_MAX_2D_PARAM_FILTER_SIZE, pair_shape, filter));
  if (is_pool || node.type == QNN_OP_CONV_2D) {
    params.push_back(tensor_param(QNN_OP_CONV_2D_PARAM_STRIDE, pair_shape, stride));
    params.push_back(tensor_param(QNN_OP_CONV_2D_PARAM_PAD_AMOUNT, pads_shape, pads));
  }
  std::vector<Qnn_Tensor_t> inputs;
  for (const size_t index : node.inputs) inputs.push_back(tensors[index]);
  std::vector<Qnn_Tensor_t> outputs = {tensors[node.output]};

  const Qnn_OpConfig_t config = op_config(node.name, node.type, params, inputs, outputs);
  return session.add_node(graph, config);
}

}  // namespace

std::vector<std::byte> TypedModel::stored(size_t tensor, const Values& values) const {
  std::vector<std::byte> bytes;
  const auto append = [&](const auto& element) {
    const auto* const first = reinterpret_cast<const std::byte*>(&element);
    bytes.insert(bytes.end(), first, first + sizeof element);
  };
  if (!quantized()) {
    for (const double value : values) append(static_cast<float>(value));
    return bytes;
  }
  const bool wide = model->tensors[tensor].role == Role::kBias;
  for (const int64_t value : quantize(encodings[tensor], values)) {
    if (wide)
      append(static_cast<int32_t>(value));
    else
      append(static_cast<uint8_t>(value));
  }
  return bytes;
}

Values TypedModel::values(size_t tensor, std::span<const std::byte> bytes) const {
  if (quantized()) {
    std::vector<int64_t> stored;
    for (const std::byte byte : bytes) stored.push_back(std::to_integer<int64_t>(byte));
    return dequantize(encodings[tensor], stored);
  }
  Values result;
  for (size_t i = 0; i + sizeof(float) <= bytes.size(); i += sizeof(float)) {
    float value = 0;
    std::memcpy(&value, bytes.data() + i, sizeof value);
    result.push_back(value);
  }
  return result;
}

Result<GraphHandle> build(Session& session, const std::string& name, const TypedModel& typed) {
  GraphHandle graph = {.name = name};
  OPENQNN_ASSIGN(graph.handle, session.create_graph(name));
  std::vector<Described> described(typed.model->tensors.size());
  std::vector<Qnn_Tensor_t> tensors;
  for (size_t i = 0; i < described.size(); ++i) {
    describe(described[i], typed, i);
    OPENQNN_TRY(session.library().check(
        session.api().tensorCreateGraphTensor(graph.handle, &described[i].tensor),
        concat("QnnTensor_createGraphTensor for '", typed.model->tensors[i].name, "'")));
    tensors.push_back(described[i].tensor);
  }
  for (const ModelNode& node : typed.model->nodes)
    OPENQNN_TRY(add_node(session, graph.handle, node, tensors));
  graph.input_id = tensors[typed.model->input].v1.id;
  graph.output_id = tensors[typed.model->output].v1.id;
  return graph;
}

Result<GraphHandle> retrieve(Session& session, GraphHandle graph) {
  OPENQNN_ASSIGN(graph.handle, session.retrieve(graph.name));
  return graph;
}

Result<std::vector<std::byte>> execute(Session& session, const GraphHandle& graph, const TypedModel& typed,
                                       std::span<const std::byte> input, std::vector<Event>* events) {
  Described in;
  Described out;
  describe(in, typed, typed.model->input);
  describe(out, typed, typed.model->output);
  std::vector<std::byte> sent(input.begin(), input.end());
  std::vector<std::byte> received(element_count(out.dimensions) * (typed.quantized() ? 1 : sizeof(float)));
  const Qnn_Tensor_t inputs[] = {
      buffer_tensor(graph.input_id, QNN_TENSOR_TYPE_APP_WRITE, in, sent.data(), sent.size())};
  Qnn_Tensor_t outputs[] = {
      buffer_tensor(graph.output_id, QNN_TENSOR_TYPE_APP_READ, out, received.data(), received.size())};
  OPENQNN_TRY(session.execute(graph.handle, inputs, outputs, events));
  return received;
}

}  // namespace openqnn::tools
