// SPDX-License-Identifier: BSD-3-Clause
#include "frontend/onnx/graph_draft.h"

#include <algorithm>
#include <cctype>

#include "base/text.h"
#include "ops/op.h"

namespace openqnn::frontend::onnx {
namespace {

std::string suffix_of(const Order& order) {
  if (is_plain(order)) return "";
  if (order == channels_last(order.size())) return order.size() == 4 ? "_nhwc" : "_channels_last";
  std::string text = "_order";
  for (const uint32_t d : order) text += concat("_", d);
  return text;
}

}  // namespace

std::string identifier(std::string_view name) {
  std::string out;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    out += byte < 0x80 && std::isalnum(byte) != 0 ? c : '_';
  }
  if (out.empty() || std::isdigit(static_cast<unsigned char>(out[0])) != 0) out.insert(0, "_");
  return out;
}

std::string GraphDraft::unique_name(const std::string& wish) {
  if (names_.insert(wish).second) return wish;
  for (uint64_t i = 1;; ++i)
    if (std::string name = concat(wish, "_", i); names_.insert(name).second) return name;
}

Status GraphDraft::add_input(ValueId value, const Order& order) {
  const Value& known = net_.values[value];
  const auto shape = backend_shape(in_order(known.dims, order));
  if (!shape) {
    return unsupported("onnx-input", concat("input '", known.name, "' ", text_of(known.dims),
                                            " has more dimensions, or larger ones, than the backend has"));
  }
  DraftTensor tensor;
  tensor.role = ir::TensorRole::kInput;
  tensor.desc.type = backend_type(known.type);
  tensor.desc.shape = *shape;
  tensor.name = unique_name(identifier(known.name));
  tensor.value = value;
  tensors_.push_back(std::move(tensor));
  held_[value].push_back({order, static_cast<TensorRef>(tensors_.size() - 1)});
  return {};
}

TensorRef GraphDraft::add_constant(ir::TensorDesc desc, std::vector<std::byte> data, std::string name) {
  DraftTensor tensor;
  tensor.role = ir::TensorRole::kStatic;
  tensor.desc = std::move(desc);
  tensor.data = std::make_shared<const std::vector<std::byte>>(std::move(data));
  tensor.name = std::move(name);
  tensors_.push_back(std::move(tensor));
  return static_cast<TensorRef>(tensors_.size() - 1);
}

Result<std::vector<TensorRef>> GraphDraft::add_node(const NetNode& source, std::string_view type,
                                                    const std::vector<TensorRef>& inputs, ir::Params params,
                                                    const std::vector<ir::TensorDesc>& outputs) {
  ops::OpCall call;
  call.node = source.name;
  call.params = &params;
  for (const TensorRef input : inputs)
    call.inputs.push_back(input == kNoTensorRef ? nullptr : &tensors_[input].desc);
  for (const ir::TensorDesc& output : outputs) call.outputs.push_back(&output);
  OPENQNN_TRY(ops::validate(type, call));

  DraftNode node{source.name, std::string(type), std::move(params), inputs, {}, source.sources};
  for (const ir::TensorDesc& desc : outputs) {
    DraftTensor tensor;
    tensor.desc = desc;
    tensors_.push_back(std::move(tensor));
    node.outputs.push_back(static_cast<TensorRef>(tensors_.size() - 1));
  }
  nodes_.push_back(std::move(node));
  return nodes_.back().outputs;
}

void GraphDraft::hold(ValueId value, const Order& order, TensorRef tensor) {
  auto& holders = held_[value];
  const bool known = std::any_of(holders.begin(), holders.end(),
                                 [&](const Holder& holder) { return holder.order == order; });
  if (known) return;
  holders.push_back({order, tensor});
  if (tensors_[tensor].value == kNoValue) {
    tensors_[tensor].value = value;
    tensors_[tensor].order = order;
  }
}

Status GraphDraft::add_output(const NetOutput& output, const Order& order) {
  // What has to be done for an output is said as one more node of the model.
  NetNode giving;
  giving.name = output.name;
  giving.type = "output";
  giving.inputs = {output.value};
  Lowering lowering(net_, giving, *this);
  TensorRef tensor = lowering.input(0, order);
  if (tensor != kNoTensorRef && tensors_[tensor].role != ir::TensorRole::kNative) {
    const ir::TensorDesc& desc = tensors_[tensor].desc;
    tensor = lowering.emit("Reshape", {tensor}, {}, desc.type, lowering.lies_as(tensor));
  }
  if (lowering.refusal()) return *lowering.refusal();
  tensors_[tensor].role = ir::TensorRole::kOutput;
  tensors_[tensor].name = unique_name(identifier(output.name));
  outputs_.push_back(tensor);
  return {};
}

void GraphDraft::name_tensors() {
  for (DraftTensor& tensor : tensors_) {
    if (tensor.role == ir::TensorRole::kInput || tensor.role == ir::TensorRole::kOutput) continue;
    if (tensor.value != kNoValue)
      tensor.name = identifier(net_.values[tensor.value].name) + suffix_of(tensor.order);
    else if (tensor.role == ir::TensorRole::kStatic)
      tensor.name = identifier(tensor.name) + "_constant";
    else
      continue;
    tensor.name = unique_name(tensor.name);
  }
}

// Nodes that no output depends on were emitted for orders that nobody asked for in the end.
std::vector<bool> GraphDraft::needed_nodes() const {
  std::vector<bool> needed_tensor(tensors_.size(), false);
  std::vector<bool> needed(nodes_.size(), false);
  for (const TensorRef output : outputs_) needed_tensor[output] = true;
  for (size_t n = nodes_.size(); n-- > 0;) {
    needed[n] = std::any_of(nodes_[n].outputs.begin(), nodes_[n].outputs.end(),
                            [&](TensorRef tensor) { return needed_tensor[tensor]; });
    if (!needed[n]) continue;
    for (const TensorRef input : nodes_[n].inputs)
      if (input != kNoTensorRef) needed_tensor[input] = true;
  }
  return needed;
}

Result<ir::Graph> GraphDraft::finish(std::string name, Trace& trace) {
  name_tensors();
  const std::vector<bool> needed = needed_nodes();
  std::vector<ir::TensorIndex> index(tensors_.size(), ir::kNoTensor);
  ir::Graph graph(identifier(name));
  auto add_tensor = [&](TensorRef ref) -> Status {
    if (ref == kNoTensorRef || index[ref] != ir::kNoTensor) return {};
    DraftTensor& tensor = tensors_[ref];
    if (tensor.value != kNoValue) trace.tensors.push_back({tensor.name, net_.values[tensor.value].name});
    OPENQNN_ASSIGN(index[ref],
                   graph.add_tensor(
                       {.name = tensor.name, .role = tensor.role, .desc = tensor.desc, .data = tensor.data}));
    return {};
  };
  auto indices = [&](const std::vector<TensorRef>& refs) {
    std::vector<ir::TensorIndex> out;
    for (const TensorRef ref : refs) out.push_back(ref == kNoTensorRef ? ir::kNoTensor : index[ref]);
    return out;
  };
  // A client passes inputs and outputs in this order.
  for (TensorRef ref = 0; ref < tensors_.size(); ++ref)
    if (tensors_[ref].role == ir::TensorRole::kInput) OPENQNN_TRY(add_tensor(ref));
  for (const TensorRef ref : outputs_) OPENQNN_TRY(add_tensor(ref));

  std::unordered_set<std::string> node_names;
  for (size_t n = 0; n < nodes_.size(); ++n) {
    if (!needed[n]) continue;
    DraftNode& node = nodes_[n];
    std::string node_name = identifier(node.name);
    if (!node_names.insert(node_name).second) {
      const std::string base = concat(node_name, "_", node.type);
      node_name = base;
      for (uint64_t i = 1; !node_names.insert(node_name).second; ++i) node_name = concat(base, "_", i);
    }
    for (size_t i = 0; i < node.outputs.size(); ++i) {
      DraftTensor& tensor = tensors_[node.outputs[i]];
      if (tensor.name.empty()) tensor.name = unique_name(concat(node_name, "_output_", i));
    }
    for (const auto* refs : {&node.inputs, &node.outputs})
      for (const TensorRef ref : *refs) OPENQNN_TRY(add_tensor(ref));
    trace.nodes.push_back({node_name, node.sources});
    OPENQNN_TRY(graph.add_node({.name = node_name,
                                .type = node.type,
                                .params = node.params,
                                .inputs = indices(node.inputs),
                                .outputs = indices(node.outputs)}));
  }
  OPENQNN_TRY(graph.check_complete());
  return graph;
}

}  // namespace openqnn::frontend::onnx
