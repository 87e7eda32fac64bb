// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/op_package_node.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <deque>

#include "base/half.h"
#include "base/text.h"
#include "ops/elements.h"
#include "runtime/op_package_interface.h"

namespace openqnn::runtime {
namespace {

// A scalar as packages take it, whatever its type was.
double number_in(const ir::Param& param) {
  std::array<std::byte, sizeof(uint64_t)> value{};
  std::copy_n(param.data.begin(), std::min(value.size(), param.data.size()), value.begin());
  switch (param.type) {
    case ir::DataType::kFloat16:
      return to_float(ops::load<Half>(value.data(), 0));
    case ir::DataType::kFloat32:
      return ops::load<float>(value.data(), 0);
    case ir::DataType::kFloat64:
      return ops::load<double>(value.data(), 0);
    case ir::DataType::kUint64:
      return static_cast<double>(ops::load<uint64_t>(value.data(), 0));
    default:
      return static_cast<double>(ops::load_integer(param.type, value.data(), 0));
  }
}

}  // namespace

// Deques and unique pointers: what the package points at stays where it is.
struct PackageOp::Description {
  ir::Node node;
  std::string package;
  std::deque<std::vector<uint32_t>> dimensions;
  std::deque<std::vector<Qnn_ScaleOffset_t>> encodings;
  std::deque<QnnCpuOpPackage_Tensor_t> tensors;
  std::deque<QnnCpuOpPackage_Param_t> param_values;
  std::vector<QnnCpuOpPackage_Param_t*> params;
  std::vector<QnnCpuOpPackage_Tensor_t*> inputs, outputs;
  QnnCpuOpPackage_Node_t described = QNN_CPU_OP_PACKAGE_NODE_INIT;
  QnnCpuOpPackage_OpImpl_t* implementation = nullptr;

  Description(ir::Node source, std::string package_name, const ir::Graph& graph)
      : node(std::move(source)), package(std::move(package_name)) {
    for (const ir::Param& param : node.params.all()) params.push_back(add(param));
    for (const ir::TensorIndex input : node.inputs) inputs.push_back(add(graph, input));
    for (const ir::TensorIndex output : node.outputs) outputs.push_back(add(graph, output));
    described.name = node.name.c_str();
    described.packageName = package.c_str();
    described.typeName = node.type.c_str();
    described.numOfParams = static_cast<uint32_t>(params.size());
    described.params = params.data();
    described.numOfInputs = static_cast<uint32_t>(inputs.size());
    described.inputs = inputs.data();
    described.numOfOutputs = static_cast<uint32_t>(outputs.size());
    described.outputs = outputs.data();
  }

 private:
  QnnCpuOpPackage_Tensor_t& add(ir::DataType type, const ir::Shape& shape) {
    std::vector<uint32_t>& dims = dimensions.emplace_back(shape.dims().begin(), shape.dims().end());
    QnnCpuOpPackage_Tensor_t& tensor =
        tensors.emplace_back(QnnCpuOpPackage_Tensor_t QNN_CPU_OP_PACKAGE_TENSOR_INIT);
    const auto number = static_cast<uint32_t>(type);
    std::memcpy(&tensor.dataType, &number, sizeof number);  // not every type has an enumerator there
    tensor.rank = static_cast<uint32_t>(dims.size());
    tensor.maxDimensions = tensor.currentDimensions = dims.data();
    return tensor;
  }

  // An absent operand is a tensor without type, dimensions and data.
  QnnCpuOpPackage_Tensor_t* add(const ir::Graph& graph, ir::TensorIndex index) {
    if (index == ir::kNoTensor) return &add(ir::DataType::kUndefined, {});
    const ir::TensorDesc& desc = graph.tensors()[index].desc;
    QnnCpuOpPackage_Tensor_t& tensor = add(desc.type, desc.shape);
    tensor.quantizeParams = encoding_of(desc.quantization);
    return &tensor;
  }

  QnnCpuOpPackage_Param_t* add(const ir::Param& param) {
    QnnCpuOpPackage_Param_t& value =
        param_values.emplace_back(QnnCpuOpPackage_Param_t QNN_CPU_OP_PACKAGE_PARAM_INIT);
    value.name = param.name.c_str();
    if (param.shape.rank() == 0) {
      value.type = QNN_CPU_PARAMTYPE_SCALAR;
      value.scalarParam = number_in(param);
    } else {
      value.type = QNN_CPU_PARAMTYPE_TENSOR;
      value.tensorParam = &add(param.type, param.shape);
      value.tensorParam->data = const_cast<std::byte*>(param.data.data());  // the struct has no const
    }
    return &value;
  }

  Qnn_QuantizeParams_t encoding_of(const ir::Quantization& quantization) {
    Qnn_QuantizeParams_t result = QNN_QUANTIZE_PARAMS_INIT;
    if (quantization.kind == ir::Quantization::Kind::kNone) return result;
    std::vector<Qnn_ScaleOffset_t>& pairs = encodings.emplace_back();
    for (const ir::ScaleOffset& pair : quantization.encodings) pairs.push_back({pair.scale, pair.offset});
    result.encodingDefinition = QNN_DEFINITION_DEFINED;
    if (quantization.kind == ir::Quantization::Kind::kPerTensor) {
      result.quantizationEncoding = QNN_QUANTIZATION_ENCODING_SCALE_OFFSET;
      result.scaleOffsetEncoding = pairs[0];
    } else if (quantization.kind == ir::Quantization::Kind::kPerAxis) {
      result.quantizationEncoding = QNN_QUANTIZATION_ENCODING_AXIS_SCALE_OFFSET;
      result.axisScaleOffsetEncoding = {static_cast<int32_t>(quantization.axis),
                                        static_cast<uint32_t>(pairs.size()), pairs.data()};
    } else {
      const auto block = quantization.block.dims();
      result.quantizationEncoding = QNN_QUANTIZATION_ENCODING_BLOCK;
      result.blockEncoding = {dimensions.emplace_back(block.begin(), block.end()).data(), pairs.data()};
    }
    return result;
  }
};

PackageOp::PackageOp(std::shared_ptr<OpPackage> package, std::unique_ptr<Description> description)
    : package_(std::move(package)), description_(std::move(description)) {}

PackageOp::~PackageOp() {
  if (description_->implementation) package_->loaded_.interface.free(description_->implementation);
}

Result<std::unique_ptr<PackageOp>> PackageOp::make(std::shared_ptr<OpPackage> package, const ir::Node& node,
                                                   const ir::Graph& graph) {
  const std::string where = concat("graph '", graph.name(), "', node '", node.name, "'");
  auto description = std::make_unique<Description>(node, package->name(), graph);
  std::unique_ptr<PackageOp> op(new PackageOp(std::move(package), std::move(description)));
  const Qnn_ErrorHandle_t answer =
      op->package_->loaded_.interface.create(&op->description_->described, &op->description_->implementation);
  if (answer != QNN_SUCCESS)
    return invalid("op-package-create",
                   concat("package '", op->package_->name(), "' does not implement the op: error ", answer))
        .at(where);
  if (!op->description_->implementation || !op->description_->implementation->opImplFn)
    return invalid("op-package-create",
                   concat("package '", op->package_->name(), "' made no function for the op"))
        .at(where);
  return op;
}

Status PackageOp::run(std::span<std::byte* const> inputs, std::span<std::byte* const> outputs) {
  const std::lock_guard lock(mutex_);
  for (size_t i = 0; i < inputs.size(); ++i) description_->inputs[i]->data = inputs[i];
  for (size_t i = 0; i < outputs.size(); ++i) description_->outputs[i]->data = outputs[i];
  const QnnCpuOpPackage_OpImpl_t& implementation = *description_->implementation;
  const Qnn_ErrorHandle_t answer = implementation.opImplFn(implementation.userData);
  if (answer == QNN_SUCCESS) return {};
  return invalid("op-package-run", concat("package '", package_->name(), "' failed with error ", answer))
      .at(concat("node '", description_->node.name, "'"));
}

}  // namespace openqnn::runtime
