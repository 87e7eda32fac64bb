// SPDX-License-Identifier: BSD-3-Clause
#include "tools/qnn/graph_io.h"

#include "base/text.h"
#include "ops/elements.h"

namespace openqnn::tools {
namespace {

using ir::Quantization;

// The one encoding of an input or output; nothing when it has none, or one of another kind.
Quantization encoding_of(const Qnn_QuantizeParams_t& params) {
  if (params.encodingDefinition != QNN_DEFINITION_DEFINED) return {};
  if (params.quantizationEncoding == QNN_QUANTIZATION_ENCODING_SCALE_OFFSET)
    return Quantization::per_tensor(params.scaleOffsetEncoding.scale, params.scaleOffsetEncoding.offset);
  if (params.quantizationEncoding == QNN_QUANTIZATION_ENCODING_BW_SCALE_OFFSET)
    return Quantization::per_tensor(params.bwScaleOffsetEncoding.scale, params.bwScaleOffsetEncoding.offset,
                                    params.bwScaleOffsetEncoding.bitwidth);
  return {};
}

}  // namespace

std::vector<std::string> names_of(const std::vector<RunnableGraph>& graphs) {
  std::vector<std::string> names;
  for (const RunnableGraph& graph : graphs) names.push_back(graph.name);
  return names;
}

std::vector<std::string> names_of(const std::vector<IoTensor>& tensors) {
  std::vector<std::string> names;
  for (const IoTensor& tensor : tensors) names.push_back(tensor.tensor.name);
  return names;
}

const Qnn_TensorV1_t& fields_of(const Qnn_Tensor_t& tensor) { return tensor.v1; }

Result<IoTensor> io_tensor(const Qnn_Tensor_t& tensor) {
  const Qnn_TensorV1_t& fields = fields_of(tensor);
  IoTensor made;
  made.id = fields.id;
  made.tensor.name = fields.name == nullptr ? "" : fields.name;
  made.tensor.role =
      fields.type == QNN_TENSOR_TYPE_APP_WRITE ? ir::TensorRole::kInput : ir::TensorRole::kOutput;
  const auto type = ir::data_type_from(static_cast<uint32_t>(fields.dataType));
  if (!type)
    return unsupported("tensor-type",
                       concat("its data type has the number ", static_cast<uint32_t>(fields.dataType)))
        .at(concat("tensor '", made.tensor.name, "'"));
  ir::TensorDesc& desc = made.tensor.desc;
  desc.type = *type;
  if (fields.rank > 0 && fields.dimensions == nullptr)
    return invalid("tensor-shape", "it has no dimensions").at(concat("tensor '", made.tensor.name, "'"));
  desc.shape = ir::Shape(std::span<const uint32_t>(fields.dimensions, fields.rank));
  desc.quantization = encoding_of(fields.quantizeParams);
  if (fields.memType == QNN_TENSORMEMTYPE_MEMHANDLE) made.tensor.client_memory = ir::ClientMemory::kMemHandle;
  made.native_only = desc.type == ir::DataType::kFloat64 ||
                     (ir::is_quantized(desc.type) && desc.quantization.encodings.size() != 1);
  return made;
}

std::vector<std::byte> native_of(const ir::TensorDesc& desc, std::span<const float> values) {
  std::vector<std::byte> bytes(values.size() * ir::byte_size(desc.type));
  const ops::ElementWriter write(desc, bytes.data());
  for (size_t i = 0; i < values.size(); ++i) write(i, static_cast<double>(values[i]));
  return bytes;
}

std::vector<float> floats_of(const ir::TensorDesc& desc, std::span<const std::byte> values) {
  std::vector<float> floats(values.size() / ir::byte_size(desc.type));
  const ops::ElementReader read(desc, values.data());
  for (size_t i = 0; i < floats.size(); ++i) floats[i] = static_cast<float>(read(i));
  return floats;
}

}  // namespace openqnn::tools
