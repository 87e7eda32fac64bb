// SPDX-License-Identifier: BSD-3-Clause
#include "quant/fake_quant.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "oracle/oracle.h"

namespace openqnn::quant {
namespace {

std::vector<size_t> shape_of(const ir::TensorDesc& desc) {
  return {desc.shape.dims().begin(), desc.shape.dims().end()};
}

double integer_at(ir::DataType type, const std::byte* data, size_t index) {
  auto load = [&](auto value) {
    std::memcpy(&value, data + index * sizeof(value), sizeof(value));
    return static_cast<double>(value);
  };
  switch (type) {
    case ir::DataType::kSfixed8:
      return load(int8_t{});
    case ir::DataType::kSfixed16:
      return load(int16_t{});
    case ir::DataType::kSfixed32:
    case ir::DataType::kInt32:
      return load(int32_t{});
    case ir::DataType::kUint32:
      return load(uint32_t{});
    case ir::DataType::kUfixed16:
      return load(uint16_t{});
    case ir::DataType::kFloat32:
      return load(float{});
    default:
      return load(uint8_t{});
  }
}

// The index along the axis of an encoding per slice.
size_t slice(const ir::TensorDesc& desc, size_t element) {
  if (desc.quantization.kind != ir::Quantization::Kind::kPerAxis) return 0;
  size_t inner = 1;
  for (size_t i = desc.quantization.axis + 1; i < desc.shape.rank(); ++i) inner *= desc.shape[i];
  return element / inner % desc.shape[desc.quantization.axis];
}

std::vector<double> constant(const ir::Tensor& tensor) {
  const bool fixed = ir::is_quantized(tensor.desc.type);
  std::vector<double> values(tensor.desc.shape.elements());
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] = integer_at(tensor.desc.type, tensor.data.data(), i);
    if (!fixed) continue;
    const ir::ScaleOffset& encoding = tensor.desc.quantization.encodings[slice(tensor.desc, i)];
    values[i] = static_cast<double>(encoding.scale) * (values[i] + encoding.offset);
  }
  return values;
}

// A bias without a scale counts products of the steps of input and weights.
void give_scale(const ir::Graph& graph, const ir::Node& node, std::vector<double>& bias) {
  const ir::Tensor& tensor = graph.tensors()[node.inputs[2]];
  if (tensor.desc.type != ir::DataType::kSfixed32 || tensor.desc.quantization.at(0).scale != 0.0F) return;
  const auto input = static_cast<double>(graph.tensors()[node.inputs[0]].desc.quantization.at(0).scale);
  const auto& weights = graph.tensors()[node.inputs[1]].desc.quantization.encodings;
  for (size_t i = 0; i < bias.size(); ++i)
    bias[i] = integer_at(tensor.desc.type, tensor.data.data(), i) * input *
              static_cast<double>(weights[i % weights.size()].scale);
}

void round_to(const ir::TensorDesc& desc, std::vector<double>& values) {
  if (!ir::is_quantized(desc.type)) return;
  const IntegerRange range = ir::integer_range(desc.type);
  const ir::ScaleOffset& encoding = desc.quantization.at(0);
  const auto scale = static_cast<double>(encoding.scale);
  for (double& value : values) {
    const double stored = std::nearbyint(value / scale) - encoding.offset;
    value = scale * (std::clamp<double>(stored, range.low, range.high) + encoding.offset);
  }
}

oracle::Problem problem_of(const ir::Graph& graph, const ir::Node& node) {
  oracle::Problem problem;
  problem.op = node.type;
  for (const ir::TensorIndex input : node.inputs) {
    oracle::Problem::Input in;
    in.absent = input == ir::kNoTensor;
    if (!in.absent) {
      in.shape = shape_of(graph.tensors()[input].desc);
      in.type = ir::name(graph.tensors()[input].desc.type);
    }
    problem.inputs.push_back(in);
  }
  for (const ir::TensorIndex output : node.outputs)
    problem.outputs.emplace_back(ir::name(graph.tensors()[output].desc.type));
  for (const ir::Param& param : node.params.all()) {
    std::vector<double>& values = problem.params[param.name];
    for (size_t i = 0; i < param.data.size() / ir::byte_size(param.type); ++i)
      values.push_back(integer_at(param.type, param.data.data(), i));
  }
  return problem;
}

}  // namespace

std::map<ir::TensorIndex, std::vector<double>> fake_quant(
    const ir::Graph& graph, const std::map<ir::TensorIndex, std::vector<double>>& inputs) {
  std::map<ir::TensorIndex, std::vector<double>> values = inputs;
  for (auto& [tensor, reals] : values) round_to(graph.tensors()[tensor].desc, reals);
  for (const ir::Node& node : graph.nodes()) {
    const oracle::Oracle* op = oracle::find(node.type);
    if (op == nullptr) {
      ADD_FAILURE() << "no oracle for " << node.type;
      return values;
    }
    std::vector<oracle::Tensor> operands;
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      const ir::TensorIndex input = node.inputs[i];
      if (input == ir::kNoTensor) {
        operands.emplace_back();
        continue;
      }
      const ir::Tensor& tensor = graph.tensors()[input];
      operands.push_back({shape_of(tensor.desc), tensor.data ? constant(tensor) : values.at(input)});
      if (tensor.data && i == 2) give_scale(graph, node, operands.back().values);
    }
    const auto results = op->compute(problem_of(graph, node), operands);
    for (size_t i = 0; i < node.outputs.size(); ++i) {
      std::vector<double> reals = results[i].values;
      round_to(graph.tensors()[node.outputs[i]].desc, reals);
      values[node.outputs[i]] = std::move(reals);
    }
  }
  return values;
}

}  // namespace openqnn::quant
