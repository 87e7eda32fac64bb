// SPDX-License-Identifier: BSD-3-Clause
#include "frontend/onnx/rules/fit.h"

#include <algorithm>

#include "frontend/onnx/inference.h"
#include "ops/op.h"

namespace openqnn::frontend::onnx {
namespace {

using Specs = std::vector<Lowering::OutputSpec>;

bool can_be_widened(ir::DataType type) {
  return type == ir::DataType::kUint8 || type == ir::DataType::kUint32 || type == ir::DataType::kBool8;
}

Specs with_type(Specs specs, ir::DataType from, ir::DataType to) {
  for (auto& spec : specs)
    if (spec.type == from) spec.type = to;
  return specs;
}

std::vector<ir::TensorDesc> descs_of(const Specs& specs) {
  std::vector<ir::TensorDesc> descs;
  for (const auto& spec : specs) {
    const auto shape = backend_shape(spec.dims);
    if (!shape) return {};
    descs.push_back({.type = spec.type, .shape = *shape});
  }
  return descs;
}

// Whether the backend would take the op.
bool offers(std::string_view type, const Specs& inputs, const Params& params, const Specs& outputs) {
  const std::vector<ir::TensorDesc> in = descs_of(inputs);
  const std::vector<ir::TensorDesc> out = descs_of(outputs);
  if (in.size() != inputs.size() || out.size() != outputs.size()) return false;
  ops::OpCall call;
  call.params = &params.ir();
  for (const ir::TensorDesc& desc : in) call.inputs.push_back(&desc);
  for (const ir::TensorDesc& desc : out) call.outputs.push_back(&desc);
  return ops::validate(type, call).ok();
}

bool offers_in_some_type(std::string_view type, const Specs& inputs, const Params& params,
                         const Specs& outputs, ir::DataType carried) {
  using ir::DataType;
  if (offers(type, inputs, params, outputs)) return true;
  return can_be_widened(carried) && offers(type, with_type(inputs, carried, DataType::kInt32), params,
                                           with_type(outputs, carried, DataType::kInt32));
}

Specs specs_of(const Lowering& node, const std::vector<TensorRef>& tensors) {
  Specs specs;
  for (const TensorRef tensor : tensors) specs.push_back({node.desc(tensor).type, node.lies_as(tensor)});
  return specs;
}

// With leading dimensions of extent 1, so that it has `rank` of them.
Dims widened(const Dims& dims, size_t rank) {
  Dims wide(rank - std::min(rank, dims.size()), 1);
  wide.insert(wide.end(), dims.begin(), dims.end());
  return wide;
}

}  // namespace

std::vector<TensorRef> emit_fitting(Lowering& node, std::string_view type, std::vector<TensorRef> inputs,
                                    const Params& params, Specs outputs, ir::DataType carried) {
  if (node.refusal()) return std::vector<TensorRef>(outputs.size(), kNoTensorRef);
  const Specs given = specs_of(node, inputs);
  const Specs wide_outputs = with_type(outputs, carried, ir::DataType::kInt32);
  const bool widen = can_be_widened(carried) && !offers(type, given, params, outputs) &&
                     offers(type, with_type(given, carried, ir::DataType::kInt32), params, wide_outputs);
  if (!widen) return node.emit(type, std::move(inputs), params, outputs);
  for (TensorRef& input : inputs)
    if (node.desc(input).type == carried) input = node.cast(input, ir::DataType::kInt32);
  std::vector<TensorRef> made = node.emit(type, std::move(inputs), params, wide_outputs);
  for (size_t i = 0; i < made.size(); ++i) made[i] = node.cast(made[i], outputs[i].type);
  return made;
}

TensorRef emit_moving(Lowering& node, std::string_view type, std::vector<TensorRef> inputs,
                      const Params& params, const Dims& out) {
  if (node.refusal()) return kNoTensorRef;
  const ir::DataType carried = node.desc(inputs[0]).type;
  return emit_fitting(node, type, std::move(inputs), params, {{carried, out}}, carried).front();
}

std::vector<Dims> with_joined_dims(const std::vector<Dims>& operands) {
  auto all = [&](auto&& holds) { return std::all_of(operands.begin(), operands.end(), holds); };
  std::vector<Dims> joined(operands.size());
  const size_t rank = operands.empty() ? 0 : operands[0].size();
  size_t last = rank;  // the dimension that was joined or added last
  for (size_t d = 0; d < rank; ++d) {
    if (all([&](const Dims& dims) { return dims[d] == 1; })) continue;
    // One pattern of stretching on both sides: no operand has one dimension stretched and the other not.
    const bool joins =
        last != rank && all([&](const Dims& dims) { return (dims[d] == 1) == (dims[last] == 1); });
    for (size_t i = 0; i < operands.size(); ++i) {
      if (joins)
        joined[i].back() *= operands[i][d];
      else
        joined[i].push_back(operands[i][d]);
    }
    last = d;
  }
  for (Dims& dims : joined)
    if (dims.empty()) dims.push_back(1);
  return joined;
}

TensorRef emit_elementwise(Lowering& node, std::string_view type, std::vector<TensorRef> operands,
                           ir::DataType out, const Params& params) {
  if (node.refusal()) return kNoTensorRef;
  Dims dims;
  for (const TensorRef operand : operands) {
    // Inference has seen to it that they fit one another.
    if (const auto both = broadcast(dims, node.lies_as(operand))) dims = *both;
  }
  const ir::DataType carried = node.desc(operands.back()).type;
  std::vector<Dims> lying;
  for (const TensorRef operand : operands) lying.push_back(widened(node.lies_as(operand), dims.size()));
  const std::vector<Dims> joined = with_joined_dims(lying);
  Dims joined_out;
  Specs joined_specs = specs_of(node, operands);
  for (size_t i = 0; i < operands.size(); ++i) {
    joined_specs[i].dims = joined[i];
    if (const auto both = broadcast(joined_out, joined[i])) joined_out = *both;
  }
  const bool joins = !offers_in_some_type(type, specs_of(node, operands), params, {{out, dims}}, carried) &&
                     offers_in_some_type(type, joined_specs, params, {{out, joined_out}}, carried);
  if (!joins) return emit_fitting(node, type, std::move(operands), params, {{out, dims}}, carried).front();
  for (size_t i = 0; i < operands.size(); ++i) operands[i] = node.reshape(operands[i], joined[i]);
  return node.reshape(
      emit_fitting(node, type, std::move(operands), params, {{out, joined_out}}, carried).front(), dims);
}

}  // namespace openqnn::frontend::onnx
