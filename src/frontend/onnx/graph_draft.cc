// SPDX-License-Identifier: BSD-3-Clause
#include "frontend/onnx/graph_draft.h"

#include <algorithm>
#include <cctype>

#include "base/text.h"
#include "frontend/onnx/rules/quantization.h"
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

// What the model says of a value's reals, for a tensor that holds them in `order`.
std::shared_ptr<const ir::TensorEncoding> encoding_as_it_lies(const Value& value, const Order& order) {
  if (value.encoding == nullptr || !is_real(value.type)) return nullptr;
  return transposed_encoding(*value.encoding, order);
}

}  // namespace

Dims dims_of(const ir::Shape& shape) { return {shape.dims().begin(), shape.dims().end()}; }

std::string identifier(std::string_view name) {
  std::string out;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    out += byte < 0x80 && std::isalnum(byte) != 0 ? c : '_';
  }
  if (out.empty() || std::isdigit(static_cast<unsigned char>(out[0])) != 0) out.insert(out.begin(), '_');
  return out;
}

GraphDraft::GraphDraft(const Net& net) : net_(net), held_(net.values.size()) {
  const auto keep = [&](const std::string& name) {
    if (identifier(name) == name) kept_names_.insert(name);
  };
  for (const ValueId input : net.inputs) keep(net.values[input].name);
  for (const NetOutput& output : net.outputs) keep(output.name);
}

std::string GraphDraft::unique_name(const std::string& wish) {
  const auto take = [&](const std::string& name) {
    return !kept_names_.contains(name) && names_.insert(name).second;
  };
  if (take(wish)) return wish;
  for (uint64_t i = 1;; ++i)
    if (std::string name = concat(wish, "_", i); take(name)) return name;
}

std::string GraphDraft::client_name(std::string_view role, const std::string& given) {
  const std::string wish = identifier(given);
  if (wish == given && names_.insert(wish).second) return given;
  std::string name = unique_name(wish);
  renames_.push_back(concat(role, " '", given, "' is called ", name, " in the graph",
                            name == wish ? "" : concat("; ", wish, " is another tensor")));
  return name;
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
  if (known.encoding != nullptr && !is_real(known.type)) {  // integers that stand for reals
    tensor.desc.type = known.encoding->type;
    tensor.desc.quantization = known.encoding->quantization;
  }
  tensor.name = client_name("input", known.name);
  tensor.value = value;
  tensor.order = order;
  tensor.encoding = encoding_as_it_lies(known, order);
  held_[value].push_back({order, add(std::move(tensor))});
  return {};
}

bool GraphDraft::take_room(uint64_t elements) {
  if (elements > room_) return false;
  room_ -= elements;
  return true;
}

TensorRef GraphDraft::add_constant(ir::TensorDesc desc, Blob data, std::string name) {
  return add({.name = std::move(name),
              .role = ir::TensorRole::kStatic,
              .desc = std::move(desc),
              .data = std::move(data)});
}

TensorRef GraphDraft::add_reshaped_constant(TensorRef constant, const ir::Shape& shape) {
  const DraftTensor& from = tensors_[constant];
  DraftTensor tensor{
      .name = from.name, .role = ir::TensorRole::kStatic, .desc = from.desc, .data = from.data};
  tensor.desc.shape = shape;
  if (from.value != kNoValue && tensor.name.empty()) tensor.name = net_.values[from.value].name;
  if (from.encoding)
    tensor.encoding = reshaped_encoding(*from.encoding, dims_of(from.desc.shape), dims_of(shape));
  return add(std::move(tensor));
}

// As the model calls them; the outputs of a node of the model are made by the last of its ops alone, so that
// nobody knows yet whether these are.
ops::OperandNames GraphDraft::operand_names(const std::vector<TensorRef>& inputs) const {
  ops::OperandNames names;
  for (const TensorRef input : inputs) {
    const bool known = input != kNoTensorRef && tensors_[input].value != kNoValue;
    names.inputs.push_back(known ? std::string_view(net_.values[tensors_[input].value].name) : "");
  }
  return names;
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
  OPENQNN_TRY(ops::with_names(ops::validate(type, call), operand_names(inputs)));

  DraftNode node{source.name, std::string(type), std::move(params), inputs, {}, source.sources};
  for (const ir::TensorDesc& desc : outputs) node.outputs.push_back(add({.desc = desc}));
  nodes_.push_back(std::move(node));
  return nodes_.back().outputs;
}

void GraphDraft::hold(ValueId value, const Order& order, TensorRef tensor) {
  auto& holders = held_[value];
  if (std::ranges::find(holders, order, &Holder::order) != holders.end()) return;
  holders.push_back({order, tensor});
  if (tensors_[tensor].value == kNoValue) {
    tensors_[tensor].value = value;
    tensors_[tensor].order = order;
    tensors_[tensor].encoding = encoding_as_it_lies(net_.values[value], order);
  }
}

Status GraphDraft::add_output(const NetOutput& output, const Order& order) {
  // What has to be done for an output is said as one more node of the model.
  const NetNode giving{.name = output.name, .type = "output", .inputs = {output.value}};
  Lowering lowering(net_, giving, *this);
  TensorRef tensor = lowering.input(0, order);
  if (tensor != kNoTensorRef && tensors_[tensor].role != ir::TensorRole::kNative) {
    const ir::TensorDesc& desc = tensors_[tensor].desc;
    tensor = lowering.emit("Reshape", {tensor}, {}, desc.type, lowering.lies_as(tensor));
  }
  if (lowering.refusal()) return *lowering.refusal();
  tensors_[tensor].role = ir::TensorRole::kOutput;
  tensors_[tensor].name = client_name("output", output.name);
  tensors_[tensor].given_as = output.name;
  outputs_.push_back(tensor);
  return {};
}

std::string GraphDraft::wished_name(const DraftTensor& tensor) const {
  if (ir::is_io(tensor.role)) return "";  // has one
  if (tensor.value != kNoValue) return identifier(net_.values[tensor.value].name) + suffix_of(tensor.order);
  return tensor.role == ir::TensorRole::kStatic ? identifier(tensor.name) + "_constant" : "";
}

// What makes an output may call it otherwise: a function, a branch, the last node before a conversion that
// disappeared.
std::string GraphDraft::name_in_model(const DraftTensor& tensor) const {
  if (!tensor.given_as.empty() || tensor.value == kNoValue) return tensor.given_as;
  return net_.values[tensor.value].name;
}

// What can be called as in the model comes first, so that no other tensor takes its name.
void GraphDraft::name_tensors() {
  for (const bool as_in_model : {true, false}) {
    for (DraftTensor& tensor : tensors_) {
      const std::string wish = wished_name(tensor);
      const bool is_the_models = tensor.value != kNoValue && wish == net_.values[tensor.value].name;
      if (!wish.empty() && is_the_models == as_in_model) tensor.name = unique_name(wish);
    }
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

// The op that does the work of a node of the model has its name; those that bring operands into shape for it,
// and its other parts, have the name and their type.
std::vector<std::string> GraphDraft::name_nodes(const std::vector<bool>& needed) const {
  const auto only_moves = [](const DraftNode& node) {
    return node.type == "Reshape" || node.type == "Transpose" || node.type == "Cast";
  };
  std::unordered_map<std::string, size_t> workers;
  for (size_t n = 0; n < nodes_.size(); ++n) {
    if (!needed[n]) continue;
    const auto [found, is_new] = workers.try_emplace(nodes_[n].name, n);
    if (!is_new && (!only_moves(nodes_[n]) || only_moves(nodes_[found->second]))) found->second = n;
  }
  std::vector<std::string> names(nodes_.size());
  std::unordered_set<std::string> taken;
  const auto give = [&](size_t n, const std::string& wish) {
    names[n] = wish;
    for (uint64_t i = 1; !taken.insert(names[n]).second; ++i) names[n] = concat(wish, "_", i);
  };
  for (const bool as_in_model : {true, false}) {
    for (size_t n = 0; n < nodes_.size(); ++n) {
      const std::string wish = identifier(nodes_[n].name);
      const bool is_worker = needed[n] && workers[nodes_[n].name] == n;
      if (is_worker && (wish == nodes_[n].name) == as_in_model) give(n, wish);
    }
  }
  for (size_t n = 0; n < nodes_.size(); ++n)
    if (needed[n] && names[n].empty()) give(n, concat(identifier(nodes_[n].name), "_", nodes_[n].type));
  return names;
}

Result<ir::Graph> GraphDraft::finish(const std::string& name, Trace& trace, ir::TensorEncodings& encodings) {
  name_tensors();
  const std::vector<bool> needed = needed_nodes();
  std::vector<ir::TensorIndex> index(tensors_.size(), ir::kNoTensor);
  ir::Graph graph(identifier(name));
  auto add_tensor = [&](TensorRef ref) -> Status {
    if (ref == kNoTensorRef || index[ref] != ir::kNoTensor) return {};
    DraftTensor& tensor = tensors_[ref];
    if (const std::string source = name_in_model(tensor); !source.empty())
      trace.tensors.push_back({tensor.name, source});
    if (tensor.encoding != nullptr) encodings.emplace(tensor.name, *tensor.encoding);
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

  const std::vector<std::string> node_names = name_nodes(needed);
  for (size_t n = 0; n < nodes_.size(); ++n) {
    if (!needed[n]) continue;
    DraftNode& node = nodes_[n];
    const std::string& node_name = node_names[n];
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
