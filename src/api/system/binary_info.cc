// SPDX-License-Identifier: BSD-3-Clause
#include "api/system/binary_info.h"

#include "HTP/QnnHtpCommon.h"
#include "QnnSdkBuildId.h"
#include "program/context_binary.h"

namespace openqnn::api {

BinaryInfo::BinaryInfo(const program::ProgramSet& set, uint64_t binary_bytes) {
  for (const auto& program : set.programs) {
    QnnSystemContext_GraphInfo_t graph{};
    graph.version = QNN_SYSTEM_CONTEXT_GRAPH_INFO_VERSION_3;
    QnnSystemContext_GraphInfoV3_t& v3 = graph.graphInfoV3;
    v3.graphName = keep(program->graph);
    std::vector<Qnn_Tensor_t>& inputs = tensors_of(*program, ir::TensorRole::kInput);
    v3.numGraphInputs = static_cast<uint32_t>(inputs.size());
    v3.graphInputs = inputs.data();
    std::vector<Qnn_Tensor_t>& outputs = tensors_of(*program, ir::TensorRole::kOutput);
    v3.numGraphOutputs = static_cast<uint32_t>(outputs.size());
    v3.graphOutputs = outputs.data();
    v3.endOpIndex = static_cast<uint32_t>(program->ops.size());
    graphs_.push_back(graph);
  }
  info_.version = QNN_SYSTEM_CONTEXT_BINARY_INFO_VERSION_3;
  QnnSystemContext_BinaryInfoV3_t& v3 = info_.contextBinaryInfoV3;
  v3.backendId = QNN_BACKEND_ID_HTP;
  v3.buildId = QNN_SDK_BUILD_ID;
  v3.coreApiVersion = {QNN_API_VERSION_MAJOR, QNN_API_VERSION_MINOR, QNN_API_VERSION_PATCH};
  v3.backendApiVersion = {QNN_HTP_API_VERSION_MAJOR, QNN_HTP_API_VERSION_MINOR, QNN_HTP_API_VERSION_PATCH};
  v3.contextBlobVersion = {program::kFormatMajor, program::kFormatMinor, 0};
  v3.contextBlobSize = binary_bytes;
  v3.numGraphs = static_cast<uint32_t>(graphs_.size());
  v3.graphs = graphs_.data();
  if (!set.programs.empty()) {
    v3.socVersion = keep(set.programs.front()->soc);
    v3.socModel = set.programs.front()->soc_model;
  }
}

const char* BinaryInfo::keep(const std::string& text) { return strings_.emplace_back(text).c_str(); }

std::vector<Qnn_Tensor_t>& BinaryInfo::tensors_of(const program::Program& program, ir::TensorRole role) {
  std::vector<Qnn_Tensor_t>& result = tensors_.emplace_back();
  for (const program::Tensor& tensor : program.tensors)
    if (tensor.role == role) result.push_back(describe(tensor));
  return result;
}

Qnn_Tensor_t BinaryInfo::describe(const program::Tensor& tensor) {
  Qnn_Tensor_t result = QNN_TENSOR_INIT;
  Qnn_TensorV1_t& fields = result.v1;
  fields.id = tensor.id;
  fields.name = keep(tensor.name);
  fields.type = tensor.role == ir::TensorRole::kInput ? QNN_TENSOR_TYPE_APP_WRITE : QNN_TENSOR_TYPE_APP_READ;
  fields.dataFormat = QNN_TENSOR_DATA_FORMAT_DENSE;
  fields.dataType = static_cast<Qnn_DataType_t>(tensor.client_type);
  fields.quantizeParams = encoding_of(tensor.desc.quantization);
  const auto dims = tensor.desc.shape.dims();
  std::vector<uint32_t>& kept = dimensions_.emplace_back(dims.begin(), dims.end());
  fields.rank = static_cast<uint32_t>(kept.size());
  fields.dimensions = kept.data();
  fields.memType = QNN_TENSORMEMTYPE_RAW;
  return result;
}

Qnn_QuantizeParams_t BinaryInfo::encoding_of(const ir::Quantization& quantization) {
  Qnn_QuantizeParams_t result = QNN_QUANTIZE_PARAMS_INIT;
  if (quantization.kind == ir::Quantization::Kind::kNone) return result;
  result.encodingDefinition = QNN_DEFINITION_DEFINED;
  if (quantization.kind == ir::Quantization::Kind::kPerTensor) {
    result.quantizationEncoding = QNN_QUANTIZATION_ENCODING_SCALE_OFFSET;
    result.scaleOffsetEncoding = {quantization.encodings[0].scale, quantization.encodings[0].offset};
    return result;
  }
  std::vector<Qnn_ScaleOffset_t>& kept = encodings_.emplace_back();
  for (const ir::ScaleOffset& encoding : quantization.encodings)
    kept.push_back({encoding.scale, encoding.offset});
  result.quantizationEncoding = QNN_QUANTIZATION_ENCODING_AXIS_SCALE_OFFSET;
  result.axisScaleOffsetEncoding = {static_cast<int32_t>(quantization.axis),
                                    static_cast<uint32_t>(kept.size()), kept.data()};
  return result;
}

}  // namespace openqnn::api
