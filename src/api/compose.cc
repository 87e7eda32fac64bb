// SPDX-License-Identifier: BSD-3-Clause
#include "api/compose.h"

#include <array>
#include <cstring>
#include <limits>

#include "QnnOpDef.h"
#include "api/model_facts.h"
#include "api/own_options.h"
#include "base/text.h"

namespace openqnn::api {
namespace {

using Kind = ir::Quantization::Kind;

void describe_one(const ir::Quantization& from, Qnn_QuantizeParams_t& to) {
  const ir::ScaleOffset& one = from.encodings[0];
  if (from.bits == 0) {
    to.quantizationEncoding = QNN_QUANTIZATION_ENCODING_SCALE_OFFSET;
    to.scaleOffsetEncoding = {one.scale, one.offset};
  } else {
    to.quantizationEncoding = QNN_QUANTIZATION_ENCODING_BW_SCALE_OFFSET;
    to.bwScaleOffsetEncoding = {from.bits, one.scale, one.offset};
  }
}

void describe_axis(const ir::Quantization& from, DescribedTensor& described, Qnn_QuantizeParams_t& to) {
  const auto axis = static_cast<int32_t>(from.axis);
  const auto count = static_cast<uint32_t>(from.encodings.size());
  if (from.bits == 0) {
    to.quantizationEncoding = QNN_QUANTIZATION_ENCODING_AXIS_SCALE_OFFSET;
    to.axisScaleOffsetEncoding = {axis, count, described.encodings.data()};
    return;
  }
  for (const ir::ScaleOffset& encoding : from.encodings) {
    described.scales.push_back(encoding.scale);
    described.offsets.push_back(encoding.offset);
  }
  to.quantizationEncoding = QNN_QUANTIZATION_ENCODING_BW_AXIS_SCALE_OFFSET;
  to.bwAxisScaleOffsetEncoding = {from.bits, axis, count, described.scales.data(), described.offsets.data()};
}

void describe_encoding(const ir::Quantization& from, DescribedTensor& described) {
  if (from.kind == Kind::kNone) return;
  Qnn_QuantizeParams_t& to = described.tensor.v1.quantizeParams;
  to.encodingDefinition = QNN_DEFINITION_DEFINED;
  for (const ir::ScaleOffset& encoding : from.encodings)
    described.encodings.push_back({encoding.scale, encoding.offset});
  if (from.kind == Kind::kPerTensor) {
    describe_one(from, to);
  } else if (from.kind == Kind::kPerAxis) {
    describe_axis(from, described, to);
  } else {
    described.block.assign(from.block.dims().begin(), from.block.dims().end());
    to.quantizationEncoding = QNN_QUANTIZATION_ENCODING_BLOCK;
    to.blockEncoding = {described.block.data(), described.encodings.data()};
  }
}

// A scalar, or a static tensor of its own.
struct DescribedParam {
  Qnn_Param_t param = QNN_PARAM_INIT;
  std::vector<uint32_t> dimensions;
};

void describe_param(const ir::Param& from, DescribedParam& described) {
  Qnn_Param_t& param = described.param;
  param.name = from.name.c_str();
  const auto type = static_cast<Qnn_DataType_t>(from.type);
  if (from.shape.rank() == 0) {
    param.paramType = QNN_PARAMTYPE_SCALAR;
    param.scalarParam.dataType = type;
    std::memcpy(&param.scalarParam.uint32Value, from.data.data(),
                std::min(from.data.size(), sizeof(param.scalarParam.uint32Value)));
    return;
  }
  param.paramType = QNN_PARAMTYPE_TENSOR;
  param.tensorParam = QNN_TENSOR_INIT;
  described.dimensions.assign(from.shape.dims().begin(), from.shape.dims().end());
  Qnn_TensorV1_t& tensor = param.tensorParam.v1;
  tensor.name = from.name.c_str();
  tensor.type = QNN_TENSOR_TYPE_STATIC;
  tensor.dataType = type;
  tensor.rank = static_cast<uint32_t>(described.dimensions.size());
  tensor.dimensions = described.dimensions.data();
  tensor.memType = QNN_TENSORMEMTYPE_RAW;
  tensor.clientBuf = {const_cast<std::byte*>(from.data.data()), static_cast<uint32_t>(from.data.size())};
}

Status add_node(const ComposeTarget& target, Qnn_GraphHandle_t graph, const ir::Node& node,
                const std::vector<DescribedTensor>& tensors) {
  std::vector<DescribedParam> described(node.params.all().size());
  std::vector<Qnn_Param_t> params;
  for (size_t i = 0; i < described.size(); ++i) {
    describe_param(node.params.all()[i], described[i]);
    params.push_back(described[i].param);
  }
  // The C API has no absent operand: a tensor of type NULL stands for it.
  const auto operands = [&](const std::vector<ir::TensorIndex>& indices) {
    std::vector<Qnn_Tensor_t> made;
    for (const ir::TensorIndex index : indices) {
      Qnn_Tensor_t absent = QNN_TENSOR_INIT;
      absent.v1.type = QNN_TENSOR_TYPE_NULL;
      made.push_back(index == ir::kNoTensor ? absent : tensors[index].tensor);
    }
    return made;
  };
  std::vector<Qnn_Tensor_t> inputs = operands(node.inputs);
  std::vector<Qnn_Tensor_t> outputs = operands(node.outputs);
  const Qnn_OpConfig_t config = op_config(node.name, node.type, params, inputs, outputs);
  OPENQNN_TRY(check_call(target.api, target.api.backendValidateOpConfig(target.backend, config),
                         concat("QnnBackend_validateOpConfig for '", node.name, "'")));
  return check_call(target.api, target.api.graphAddNode(graph, config),
                    concat("QnnGraph_addNode for '", node.name, "'"));
}

void tell_facts(const ComposeTarget& target, Qnn_GraphHandle_t graph, const prepare::ModelFacts& facts) {
  if (facts.framework_nodes.empty() && !facts.activation_share) return;
  if (target.api.graphSetConfig == nullptr) return;
  const std::string text = text_of(facts);
  const FactsText told{text.data(), text.size()};
  OwnOption option(kModelFactsOption, &told);
  target.api.graphSetConfig(graph, option.list());  // refused by a backend that does not know it
}

// Our own backend begins with the call, which stands there already, and says that it is an error:
// "QnnGraph_create: graph 'g': error: what".
std::string without_call(std::string sentence, std::string_view call) {
  if (const std::string prefix = concat(call.substr(0, call.find(' ')), ": "); sentence.starts_with(prefix))
    sentence.erase(0, prefix.size());
  constexpr std::string_view kError = "error: ";
  if (sentence.starts_with(kError)) return sentence.substr(kError.size());
  if (const size_t at = sentence.find(": error: "); at != std::string::npos)
    sentence.erase(at + 2, kError.size());
  return sentence;
}

}  // namespace

Qnn_OpConfig_t op_config(const std::string& name, const std::string& type, std::vector<Qnn_Param_t>& params,
                         std::vector<Qnn_Tensor_t>& inputs, std::vector<Qnn_Tensor_t>& outputs) {
  Qnn_OpConfig_t config = QNN_OPCONFIG_INIT;
  config.v1 = {.name = name.c_str(),
               .packageName = QNN_OP_PACKAGE_NAME_QTI_AISW,
               .typeName = type.c_str(),
               .numOfParams = static_cast<uint32_t>(params.size()),
               .params = params.data(),
               .numOfInputs = static_cast<uint32_t>(inputs.size()),
               .inputTensors = inputs.data(),
               .numOfOutputs = static_cast<uint32_t>(outputs.size()),
               .outputTensors = outputs.data()};
  return config;
}

Diagnostic failed_call(Qnn_ErrorHandle_t code, const std::string& call, std::string_view sentence) {
  return invalid("backend-call",
                 concat(call, " answered ", QNN_GET_ERROR_CODE(code), sentence.empty() ? "" : ": ",
                        without_call(std::string(sentence), call)));
}

Status check_call(const QnnInterface_ImplementationV2_39_t& api, Qnn_ErrorHandle_t code,
                  const std::string& call) {
  if (code == QNN_SUCCESS) return {};
  std::string sentence;
  const char* text = nullptr;
  // A client's table may have less than the backend's.
  const bool tells = api.errorGetVerboseMessage != nullptr && api.errorFreeVerboseMessage != nullptr;
  if (tells && api.errorGetVerboseMessage(code, &text) == QNN_SUCCESS && text != nullptr) {
    sentence = text;
    api.errorFreeVerboseMessage(text);
  }
  return failed_call(code, call, sentence);
}

Qnn_TensorType_t type_of(ir::TensorRole role, bool updateable) {
  // In the order of ir::TensorRole.
  static constexpr std::array kTypes = {QNN_TENSOR_TYPE_APP_WRITE, QNN_TENSOR_TYPE_APP_READ,
                                        QNN_TENSOR_TYPE_NATIVE, QNN_TENSOR_TYPE_STATIC};
  static constexpr std::array kUpdateable = {
      QNN_TENSOR_TYPE_UPDATEABLE_APP_WRITE, QNN_TENSOR_TYPE_UPDATEABLE_APP_READ,
      QNN_TENSOR_TYPE_UPDATEABLE_NATIVE, QNN_TENSOR_TYPE_UPDATEABLE_STATIC};
  return (updateable ? kUpdateable : kTypes)[static_cast<size_t>(role)];
}

void describe(const std::string& name, const ir::TensorDesc& desc, DescribedTensor& described) {
  Qnn_TensorV1_t& tensor = described.tensor.v1;
  described.name = name;
  described.dimensions.assign(desc.shape.dims().begin(), desc.shape.dims().end());
  tensor.name = described.name.c_str();
  tensor.dataType = static_cast<Qnn_DataType_t>(desc.type);
  tensor.rank = static_cast<uint32_t>(described.dimensions.size());
  tensor.dimensions = described.dimensions.data();
  tensor.memType = QNN_TENSORMEMTYPE_RAW;
  describe_encoding(desc.quantization, described);
}

Status describe(const ir::Tensor& from, DescribedTensor& described) {
  describe(from.name, from.desc, described);
  Qnn_TensorV1_t& tensor = described.tensor.v1;
  tensor.type = type_of(from.role, /*updateable=*/false);
  if (!from.data) return {};
  if (from.data.size() > std::numeric_limits<uint32_t>::max()) {
    return unsupported("compose-size", concat("tensor '", from.name, "' has ", from.data.size(),
                                              " bytes; the C API counts them in 32 bits"))
        .fix_by("split the tensor in the model");
  }
  tensor.clientBuf = {const_cast<std::byte*>(from.data.data()), static_cast<uint32_t>(from.data.size())};
  return {};
}

Result<ComposedGraph> compose(const ComposeTarget& target, const ir::Graph& graph,
                              const prepare::ModelFacts& facts) {
  ComposedGraph made;
  OPENQNN_TRY(check_call(
      target.api, target.api.graphCreate(target.context, graph.name().c_str(), target.configs, &made.handle),
      "QnnGraph_create"));
  std::vector<DescribedTensor> tensors(graph.tensors().size());
  for (ir::TensorIndex i = 0; i < tensors.size(); ++i) {
    const ir::Tensor& from = graph.tensors()[i];
    OPENQNN_TRY(describe(from, tensors[i]));
    OPENQNN_TRY(check_call(target.api, target.api.tensorCreateGraphTensor(made.handle, &tensors[i].tensor),
                           concat("QnnTensor_createGraphTensor for '", from.name, "'")));
    if (from.data) from.data.release();  // the backend has its copy
    if (from.role == ir::TensorRole::kInput) {
      made.inputs.push_back(i);
      made.input_ids.push_back(tensors[i].tensor.v1.id);
    } else if (from.role == ir::TensorRole::kOutput) {
      made.outputs.push_back(i);
      made.output_ids.push_back(tensors[i].tensor.v1.id);
    }
  }
  for (const ir::Node& node : graph.nodes()) OPENQNN_TRY(add_node(target, made.handle, node, tensors));
  tell_facts(target, made.handle, facts);
  return made;
}

}  // namespace openqnn::api
