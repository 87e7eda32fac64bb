// SPDX-License-Identifier: BSD-3-Clause
#include "frontend/onnx/import.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "frontend/onnx/importer.h"
#include "frontend/onnx/old_opsets.h"
#include "frontend/onnx/rule.h"

namespace openqnn::frontend::onnx {
namespace {

// Functions that call one another and bodies that repeat may not grow a small file beyond this.
constexpr uint64_t kMostNodes = 1'000'000;
constexpr uint32_t kDeepestSubgraph = 64;
// A small file may not grow large by folding: results larger than this, and than a few times what they are
// made of, are left to the backend.
constexpr uint64_t kLargestFold = uint64_t{1} << 20;
constexpr uint64_t kFoldGrowth = 4;

bool is_onnx_domain(std::string_view domain) { return domain.empty() || domain == "ai.onnx"; }

std::string full_type(const Node& node) {
  return is_onnx_domain(node.domain) ? std::string(node.op_type) : concat(node.domain, ".", node.op_type);
}

constexpr int64_t kNewestOpset = 23;  // whose ops the rules were written after

int64_t version_of(const std::vector<OperatorSet>& sets, std::string_view domain) {
  for (const OperatorSet& set : sets)
    if (set.domain == domain || (is_onnx_domain(set.domain) && is_onnx_domain(domain))) return set.version;
  return 0;
}

std::shared_ptr<const Attribute> view_of(const Attribute& attribute) {
  return {std::shared_ptr<const void>(), &attribute};  // the model outlives the net
}

const Function* find_function(const Model& model, const Node& node) {
  const auto found =
      std::find_if(model.functions.begin(), model.functions.end(), [&](const Function& function) {
        return function.name == node.op_type && function.domain == node.domain;
      });
  return found != model.functions.end() ? &*found : nullptr;
}

// ---- Options ----

Status check_dimension(int64_t number, std::string_view of, const std::string& option) {
  if (number > 0) return {};
  return invalid("option-dimension",
                 concat(of, " cannot be ", number, ": tensors without elements cannot be computed"))
      .at(option)
      .fix_by("give 1 or more");
}

Status check_options(const ImportOptions& options) {
  const OptionNames& names = options.names;
  for (const auto& [name, dims] : options.input_dims)
    for (size_t i = 0; i < dims.size(); ++i)
      OPENQNN_TRY(check_dimension(dims[i], concat("dimension ", i, " of '", name, "'"), names.input_dims));
  for (const auto& [name, number] : options.symbols)
    OPENQNN_TRY(check_dimension(number, concat("'", name, "'"), names.symbols));
  return options.batch ? check_dimension(*options.batch, "it", names.batch) : Status();
}

std::string stated_shape(const std::vector<Dimension>& shape) {
  std::string text;
  for (const Dimension& dim : shape) {
    const std::string name = dim.name.empty() ? "?" : std::string(dim.name);
    append_item(text, dim.value && *dim.value >= 0 ? concat(*dim.value) : name);
  }
  return concat("[", text, "]");
}

}  // namespace

Result<Imported> Importer::run() {
  if (!model_.graph) return invalid("onnx-graph", "the model has no graph").fix_by("export it again");
  const Graph& graph = *model_.graph;
  result_.net.name = graph.name;
  OPENQNN_TRY(check_options(options_));
  note_version();
  Scope scope;
  OPENQNN_TRY(import_initializers(graph, scope));
  OPENQNN_TRY(import_inputs(graph, scope));
  OPENQNN_TRY(check_options_used());
  Surroundings around;
  around.operator_sets = &model_.operator_sets;
  around.graph = &graph;
  OPENQNN_TRY(import_nodes(graph.nodes, scope, around));
  OPENQNN_TRY(import_outputs(graph, scope));
  prune(result_.net);
  return std::move(result_);
}

void Importer::note_version() {
  const int64_t version = version_of(model_.operator_sets, "");
  const bool unsaid = version == 0;  // no ops of ONNX's own
  if (unsaid || (version >= kOldestOpset && version <= kNewestOpset)) return;
  const std::string_view then = version < kOldestOpset
                                    ? " are known; ops that have changed what they mean are refused"
                                    : " are known, and its ops are taken as those of the nearest";
  result_.notes.push_back(
      concat("the model is of opset ", version, "; ", kOldestOpset, " to ", kNewestOpset, then));
}

// ---- Inputs, constants, outputs ----

Status Importer::import_initializers(const Graph& graph, Scope& scope) {
  if (graph.has_sparse_initializers) {
    return unsupported("onnx-sparse", "the model has sparse initialisers, which are not read")
        .fix_by("export it with dense ones");
  }
  for (const Tensor& tensor : graph.initializers) {
    // Once, however often a body is imported. The name's bytes in the file tell the tensor.
    if (const auto known = initializers_.find(tensor.name.data()); known != initializers_.end()) {
      scope.define(tensor.name, known->second);
      continue;
    }
    OPENQNN_ASSIGN(TensorValues values, values_of(tensor, files_));
    const uint64_t allowed = kFoldsOfConstants * count_of(tensor.dims);
    result_.net.foldable += allowed;
    readable_ += allowed;
    const ValueId made = new_constant(tensor.name, {tensor.type, tensor.dims, std::move(values)});
    if (!tensor.name.empty()) initializers_[tensor.name.data()] = made;
    scope.define(tensor.name, made);
  }
  return {};
}

// A batch that is left open is 1, also where its name comes up at another place.
void Importer::imply_batches(const Graph& graph) {
  for (const ValueInfo& input : graph.inputs) {
    if (!input.shape || input.shape->empty()) continue;
    const Dimension& first = input.shape->front();
    const bool open = !first.value || *first.value < 0;
    if (open && !first.name.empty()) implied_symbols_[std::string(first.name)] = options_.batch.value_or(1);
  }
}

Status Importer::import_inputs(const Graph& graph, Scope& scope) {
  imply_batches(graph);
  OPENQNN_TRY(check_named_inputs(graph));
  for (const ValueInfo& input : graph.inputs) {
    if (scope.find(input.name)) continue;  // an initialiser: a constant that old files also list here
    if (const auto frozen = options_.frozen.find(std::string(input.name)); frozen != options_.frozen.end()) {
      scope.define(input.name, result_.net.add_constant(input.name, frozen->second));
      continue;
    }
    if (!input.is_tensor || bits_of(input.type) == 0) {
      return unsupported("onnx-input", concat("input '", input.name, "' is no tensor of numbers"))
          .fix_by("cut the model behind it, so that it takes tensors of numbers alone");
    }
    OPENQNN_ASSIGN(Dims dims, input_dims(input));
    if (const auto number = options_.fixed_numbers.find(std::string(input.name));
        number != options_.fixed_numbers.end()) {
      used_options_.insert(number->first);
      OPENQNN_ASSIGN(Constant made, fixed_input(input, dims, number->second));
      scope.define(input.name, new_constant(input.name, std::move(made)));
      continue;
    }
    const ValueId id = new_value(input.name);
    result_.net.values[id].type = input.type;
    result_.net.values[id].dims = std::move(dims);
    result_.net.inputs.push_back(id);
    scope.define(input.name, id);
  }
  return {};
}

Result<Constant> Importer::fixed_input(const ValueInfo& input, const Dims& dims, double number) {
  const uint64_t count = count_of(dims);
  if (count > result_.net.foldable)
    return exhausted("option-number",
                     concat("input '", input.name, "' has ", count, " elements, and at most ",
                            result_.net.foldable, " are stored for a number"))
        .at(options_.names.fixed_numbers)
        .fix_by(concat("give it smaller dimensions (", options_.names.input_dims, ")"));
  result_.net.foldable -= count;
  ConstantBuilder builder(input.type, dims);
  for (uint64_t i = 0; i < count; ++i) builder.put(i, number);
  Constant made = builder.take();
  // Floats may round the number; integers may not, and neither may lose it.
  const double held = made.count() == 0 ? number : made.real(0);
  const bool fits = is_real(input.type) ? std::isinf(held) == std::isinf(number) : held == number;
  if (fits) return made;
  return invalid("option-number",
                 concat("input '", input.name, "' is ", name_of(input.type), ", which cannot hold ", number))
      .at(options_.names.fixed_numbers)
      .fix_by("give a number of the input's type");
}

Result<Dims> Importer::input_dims(const ValueInfo& input) {
  const std::string name(input.name);
  if (const auto given = options_.input_dims.find(name); given != options_.input_dims.end()) {
    used_options_.insert(name);
    OPENQNN_TRY(check_given_dims(input, given->second));
    note_choice(input, given->second, options_.names.input_dims);
    return given->second;
  }
  if (!input.shape) {
    return invalid("onnx-input-dims",
                   concat("the model does not say which dimensions input '", name, "' has"))
        .fix_by(concat("give them (", options_.names.input_dims, ")"));
  }
  Dims dims;
  std::string missing;
  std::string chosen_by;
  for (size_t i = 0; i < input.shape->size(); ++i) {
    const Dimension& dim = (*input.shape)[i];
    const auto symbol = options_.symbols.find(std::string(dim.name));
    if (symbol != options_.symbols.end()) used_options_.insert(symbol->first);
    if (i == 0 && options_.batch) {
      dims.push_back(*options_.batch);
      if (!dim.value || *dim.value != *options_.batch) chosen_by = options_.names.batch;
    } else if (dim.value && *dim.value > 0) {
      dims.push_back(*dim.value);
    } else if (dim.value && dim.name.empty() && *dim.value == 0) {
      dims.push_back(0);
    } else if (symbol != options_.symbols.end()) {
      dims.push_back(symbol->second);
      chosen_by = options_.names.symbols;
    } else if (i == 0) {
      dims.push_back(1);
      result_.notes.push_back(concat("input '", name, "': its open first dimension",
                                     dim.name.empty() ? "" : concat(" '", dim.name, "'"), " is taken as 1"));
    } else {
      if (const auto implied = implied_symbols_.find(std::string(dim.name));
          implied != implied_symbols_.end()) {
        dims.push_back(implied->second);
        continue;
      }
      append_item(missing, i, dim.name.empty() ? "" : concat(" ('", dim.name, "')"));
    }
  }
  if (!missing.empty()) {
    return invalid("onnx-input-dims",
                   concat("input '", name, "': these dimensions have no number: ", missing))
        .fix_by(concat("give the input's dimensions (", options_.names.input_dims,
                       "), or the numbers of the named ones (", options_.names.symbols, ")"));
  }
  OPENQNN_TRY(checked_count(dims));
  if (!chosen_by.empty()) note_choice(input, dims, chosen_by);
  return dims;
}

Status Importer::check_given_dims(const ValueInfo& input, const Dims& given) const {
  if (!checked_count(given))
    return invalid("option-dimension", concat("no memory holds a tensor ", text_of(given)))
        .at(options_.names.input_dims)
        .fix_by("give smaller numbers");
  if (!input.shape || input.shape->size() == given.size()) return {};
  return invalid("option-dimension", concat("input '", input.name, "' has ", input.shape->size(),
                                            " dimensions, but ", text_of(given), " gives ", given.size()))
      .at(options_.names.input_dims)
      .fix_by(concat("give ", input.shape->size(), " numbers; the model says ", stated_shape(*input.shape)));
}

void Importer::note_choice(const ValueInfo& input, const Dims& dims, std::string_view option) {
  const std::string stated = input.shape ? stated_shape(*input.shape) : "left open";
  if (stated == text_of(dims)) return;
  result_.chosen_dims.push_back(
      concat("input '", input.name, "' ", text_of(dims), " (", option, "; ", stated, " in the model)"));
}

// The inputs to choose from are those that a client passes: old files list initialisers among them as well.
DiagnosticBuilder Importer::no_input(std::string_view name, std::string_view which,
                                     const std::string& option) const {
  const Graph& graph = *model_.graph;
  std::string names;
  for (const ValueInfo& input : graph.inputs)
    if (std::ranges::find(graph.initializers, input.name, &Tensor::name) == graph.initializers.end())
      append_item(names, input.name);
  return invalid("option-input", concat("the model has no input '", name, "'", which))
      .at(option)
      .fix_by(concat("its inputs: ", names));
}

// Before an input is missed whose dimensions went to a name that is none.
Status Importer::check_named_inputs(const Graph& graph) const {
  for (const auto& [name, dims] : options_.input_dims) {
    const auto is_named = [&wanted = name](const ValueInfo& input) { return input.name == wanted; };
    if (std::ranges::any_of(graph.inputs, is_named)) continue;
    return no_input(name, "", options_.names.input_dims);
  }
  return {};
}

Status Importer::check_options_used() const {
  for (const auto& [name, dims] : options_.input_dims) {
    if (used_options_.contains(name)) continue;
    return no_input(name, "", options_.names.input_dims);
  }
  for (const auto& [name, value] : options_.fixed_numbers) {
    if (used_options_.contains(name)) continue;
    return no_input(name, " that could be fixed", options_.names.fixed_numbers);
  }
  for (const auto& [name, value] : options_.symbols) {
    if (used_options_.contains(name)) continue;
    return invalid("option-symbol", concat("no input of the model has an open dimension named '", name, "'"))
        .at(options_.names.symbols)
        .fix_by("`openqnn inspect` lists the inputs and their dimensions");
  }
  return {};
}

Status Importer::import_outputs(const Graph& graph, const Scope& scope) {
  std::vector<std::string> names = options_.outputs;
  if (names.empty())
    for (const ValueInfo& output : graph.outputs) names.emplace_back(output.name);
  for (const std::string& name : names) {
    const auto found = scope.find(name);
    if (!found || *found == kNoValue) {
      return invalid("onnx-output", concat("no node of the model makes the output '", name, "'"))
          .fix_by(options_.outputs.empty() ? "export the model again" : "name a tensor of the model");
    }
    result_.net.outputs.push_back({name, *found});
  }
  if (names.empty()) return invalid("onnx-output", "the model has no outputs").fix_by("export it again");
  return {};
}

// ---- Nodes ----

ValueId Importer::new_value(std::string_view name) { return result_.net.add({.name = std::string(name)}); }

ValueId Importer::new_constant(std::string_view name, Constant constant) {
  return result_.net.add_constant(name, std::make_shared<const Constant>(std::move(constant)));
}

ValueId Importer::make_node(std::string type, const NetNode& source, std::vector<ValueId> inputs,
                            Attributes attributes, const Surroundings& around) {
  const std::string name = unique_node_name(concat(source.name, "/", type));
  const ValueId output = new_value(name);
  add({.name = name,
       .type = std::move(type),
       .opset = version_of(*around.operator_sets, ""),
       .inputs = std::move(inputs),
       .outputs = {output},
       .attributes = std::move(attributes),
       .sources = source.sources},
      around);
  return output;
}

std::string Importer::unique_node_name(std::string wish) {
  if (node_names_.insert(wish).second) return wish;
  for (uint64_t i = 1;; ++i)
    if (std::string name = concat(wish, "_", i); node_names_.insert(name).second) return name;
}

Status Importer::import_nodes(const std::vector<Node>& nodes, Scope& scope, const Surroundings& around) {
  for (const Node& node : nodes) OPENQNN_TRY(import_node(node, scope, around));
  return {};
}

Result<NetNode> Importer::resolve(const Node& node, Scope& scope, const Surroundings& around) {
  NetNode out;
  out.type = full_type(node);
  out.name = unique_node_name(
      around.prefix + (node.name.empty() ? concat(node.op_type, "_", nodes_seen_) : std::string(node.name)));
  out.opset = version_of(*around.operator_sets, node.domain);
  out.sources = {out.name};
  for (const Attribute& attribute : node.attributes) {
    if (attribute.refers_to.empty()) {
      out.attributes.add(view_of(attribute));
      continue;
    }
    // Inside a function: the caller's, or the function's default, under the name it has here.
    const Attribute* given = around.call != nullptr ? around.call->find(attribute.refers_to) : nullptr;
    if (given == nullptr && around.defaults != nullptr) {
      for (const Attribute& fallback : *around.defaults)
        if (fallback.name == attribute.refers_to) given = &fallback;
    }
    if (given == nullptr) continue;
    auto renamed = std::make_shared<Attribute>(*given);
    renamed->name = attribute.name;
    out.attributes.add(std::move(renamed));
  }
  for (const std::string_view name : node.inputs) {
    if (name.empty()) {
      out.inputs.push_back(kNoValue);
      continue;
    }
    const auto found = scope.find(name);
    if (!found) {
      return wrong_node(out, concat("it takes tensor '", name, "', which nothing before it makes"));
    }
    out.inputs.push_back(*found);
  }
  while (!out.inputs.empty() && out.inputs.back() == kNoValue) out.inputs.pop_back();
  for (const std::string_view name : node.outputs) {
    if (name.empty()) {
      out.outputs.push_back(kNoValue);
      continue;
    }
    if (scope.defines(name)) {
      return wrong_node(out, concat("it makes tensor '", name, "', which is there already"))
          .fix_by("export the model again: each tensor has one maker");
    }
    out.outputs.push_back(new_value(name));
    scope.define(name, out.outputs.back());
  }
  return out;
}

Status Importer::count_step(const Surroundings& around) {
  if (++nodes_seen_ <= kMostNodes && around.depth <= kDeepestSubgraph) return {};
  return invalid("onnx-size", concat("functions and loops of the model unfold to more than ", kMostNodes,
                                     " nodes or ", kDeepestSubgraph, " levels"));
}

Status Importer::import_node(const Node& node, Scope& scope, const Surroundings& around) {
  OPENQNN_TRY(count_step(around));
  OPENQNN_ASSIGN(NetNode resolved, resolve(node, scope, around));
  Surroundings inside = around;
  ++inside.depth;
  inside.prefix = resolved.name + "/";

  Values inlined = std::vector<ValueId>{};
  if (is_undecided(resolved)) {
    leave_unjudged(resolved, around);
    return {};
  }
  if (Status status = refuse_old_form(resolved, result_.net); !status) {
    refuse(resolved, std::move(status).error(), around);
    return {};
  }
  if (const Function* function = find_function(model_, node)) {
    inlined = inline_function(*function, resolved, inside);
  } else if (resolved.type == "If") {
    inlined = import_if(resolved, scope, inside);
  } else if (resolved.type == "Loop") {
    inlined = import_loop(resolved, scope, inside);
  } else if (resolved.type == "Scan") {
    inlined = import_scan(resolved, scope, inside);
  } else if (is_quantized_op(resolved.type)) {
    inlined = import_quantized(resolved, inside);
  } else if (is_attention_op(resolved.type)) {
    inlined = import_attention(resolved, inside);
  } else {
    add(std::move(resolved), around);
    return {};
  }
  if (!inlined) {
    refuse(resolved, std::move(inlined).error(), around);
    return {};
  }
  // The node's names mean what was inlined from now on.
  for (size_t i = 0; i < node.outputs.size() && i < inlined->size(); ++i)
    if (!node.outputs[i].empty()) scope.define(node.outputs[i], (*inlined)[i]);
  return {};
}

bool Importer::all_constant(const std::vector<ValueId>& values) const {
  return std::ranges::all_of(
      values, [&](ValueId value) { return value == kNoValue || result_.net.constant(value) != nullptr; });
}

void Importer::add(NetNode node, const Surroundings& around) {
  // Nobody would use it, and the rules count on an output.
  if (std::ranges::count(node.outputs, kNoValue) == std::ssize(node.outputs)) return;
  const Rule* rule = find_rule(node.type);
  if (const bool judged_by_type = rule == nullptr || rule->refuses_type;
      has_unknown_input(node) && !judged_by_type) {
    leave_unjudged(node, around);
    return;
  }
  if (Status status = infer_and_fold(node); !status) {
    refuse(node, std::move(status).error(), around);
    return;
  }
  if (!all_constant(node.outputs)) result_.net.nodes.push_back(std::move(node));
}

Status Importer::infer_and_fold(const NetNode& node) {
  const Rule* rule = find_rule(node.type);
  if (rule == nullptr) {
    return not_offered_node(node, concat("ops of type ", node.type, " are not known to the converter"))
        .fix_by("rewrite the model without it, or register an op package that has it");
  }
  Net& net = result_.net;
  Inference inference(net, node);
  OPENQNN_TRY(rule->infer(inference));
  uint64_t largest = 0;
  for (const ValueId output : node.outputs) {
    if (output == kNoValue) continue;
    if (!net.values[output].known())
      return internal("onnx-infer", concat("no shape was found for '", net.values[output].name, "'"));
    largest = std::max(largest, count_of(net.values[output].dims));
  }
  uint64_t taken = 0;
  for (const ValueId input : node.inputs)
    if (input != kNoValue) taken += count_of(net.values[input].dims);
  const bool modest = largest <= std::max(kLargestFold, kFoldGrowth * taken) && taken <= readable_;
  if (all_constant(node.inputs) && rule->fold != nullptr && modest) {
    readable_ -= taken;
    OPENQNN_TRY(rule->fold(inference));
  }
  if (!all_constant(node.outputs) && rule->lower == nullptr)
    return not_offered_node(node, "the backend has no op for it, and its inputs are not constant");
  return {};
}

Importer::Values Importer::inline_function(const Function& function, const NetNode& call,
                                           const Surroundings& around) {
  Surroundings inside = around;
  inside.operator_sets = function.operator_sets.empty() ? &model_.operator_sets : &function.operator_sets;
  inside.call = &call.attributes;
  inside.defaults = &function.defaults;
  inside.graph = nullptr;
  Scope scope;
  for (size_t i = 0; i < function.inputs.size(); ++i)
    scope.define(function.inputs[i], i < call.inputs.size() ? call.inputs[i] : kNoValue);
  OPENQNN_TRY(import_nodes(function.nodes, scope, inside));
  std::vector<ValueId> values;
  for (const std::string_view name : function.outputs) {
    const auto found = scope.find(name);
    if (!found || *found == kNoValue)
      return wrong_node(call, concat("its function does not make its output '", name, "'"));
    values.push_back(*found);
  }
  return values;
}

Result<Imported> import_model(const Model& model, ExternalFiles& files, const ImportOptions& options) {
  return Importer(model, files, options).run();
}

}  // namespace openqnn::frontend::onnx
