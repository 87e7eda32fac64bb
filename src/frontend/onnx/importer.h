// SPDX-License-Identifier: BSD-3-Clause
// The import while it is under way; the files import*.cc share it.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "frontend/onnx/import.h"

namespace openqnn::frontend::onnx {

// What the names inside a graph mean; a graph inside a node also sees the names around it.
class Scope {
 public:
  explicit Scope(const Scope* outer = nullptr) : outer_(outer) {}
  void define(std::string_view name, ValueId value) { names_[name] = value; }
  // Whether this graph itself gives the name a meaning.
  bool defines(std::string_view name) const { return names_.contains(name); }
  std::optional<ValueId> find(std::string_view name) const {
    for (const Scope* scope = this; scope != nullptr; scope = scope->outer_)
      if (const auto found = scope->names_.find(name); found != scope->names_.end()) return found->second;
    return std::nullopt;
  }

 private:
  const Scope* outer_;
  std::unordered_map<std::string_view, ValueId> names_;
};

// Where a node stands: which versions of the ops it means, and inside a function, the caller's attributes.
struct Surroundings {
  const std::vector<OperatorSet>* operator_sets = nullptr;
  const Attributes* call = nullptr;  // of the function's call; null outside functions
  const std::vector<Attribute>* defaults = nullptr;
  std::string prefix;            // of node names inside functions and repeated bodies
  uint32_t depth = 0;            // of functions and branches inside one another
  const Graph* graph = nullptr;  // for what the file says of values
};

// The attributes of a node that works along an axis.
inline Attributes along(int64_t axis) { return Attributes().set("axis", axis); }

class Importer {
 public:
  Importer(const Model& model, ExternalFiles& files, const ImportOptions& options)
      : model_(model), files_(files), options_(options) {}

  Result<Imported> run();

 private:
  using Values = Result<std::vector<ValueId>>;

  // ---- import.cc ----
  // Versions of ONNX's ops that nobody has tried.
  void note_version();
  void imply_batches(const Graph& graph);
  Status import_inputs(const Graph& graph, Scope& scope);
  // An input whose elements are all the number that the client gave.
  Result<Constant> fixed_input(const ValueInfo& input, const Dims& dims, double number);
  Result<Dims> input_dims(const ValueInfo& input);
  Status check_given_dims(const ValueInfo& input, const Dims& given) const;
  // Dimensions that are not those of the file, for who wonders why a node does not fit.
  void note_choice(const ValueInfo& input, const Dims& dims, std::string_view option);
  Status import_initializers(const Graph& graph, Scope& scope);
  Status import_outputs(const Graph& graph, const Scope& scope);
  Status import_nodes(const std::vector<Node>& nodes, Scope& scope, const Surroundings& around);
  Status import_node(const Node& node, Scope& scope, const Surroundings& around);
  // Names become values; attributes that refer to a function's are resolved.
  Result<NetNode> resolve(const Node& node, Scope& scope, const Surroundings& around);
  // Infers, folds, and keeps the node unless nothing of it is left.
  void add(NetNode node, const Surroundings& around);
  Status infer_and_fold(const NetNode& node);
  bool all_constant(const std::vector<ValueId>& values) const;  // those that are there
  Values inline_function(const Function& function, const NetNode& call, const Surroundings& around);
  ValueId new_value(std::string_view name);
  // What the importer makes of a node that it takes apart: a constant, and a node of one output, which is
  // given back. `source` gives the name and the opset.
  ValueId new_constant(std::string_view name, Constant constant);
  ValueId make_node(std::string type, const NetNode& source, std::vector<ValueId> inputs,
                    Attributes attributes, const Surroundings& around);
  std::string unique_node_name(std::string wish);
  DiagnosticBuilder no_input(std::string_view name, std::string_view which, const std::string& option) const;
  Status check_named_inputs(const Graph& graph) const;
  Status check_options_used() const;
  // Counts a node or a round; refuses when they grow beyond any model.
  Status count_step(const Surroundings& around);

  // ---- import_refusals.cc ----
  void refuse(const NetNode& node, Diagnostic why, const Surroundings& around);
  // Whether a refused node would have to make some of the first inputs.
  bool has_unknown_input(const NetNode& node, size_t first = SIZE_MAX) const;
  void leave_unjudged(const NetNode& node, const Surroundings& around);
  // That it cannot be said before the node's inputs are known what it becomes.
  bool is_undecided(const NetNode& node) const;

  // ---- import_quantized.cc: integers in, integers out, computed with reals in between ----
  static bool is_quantized_op(std::string_view type);
  Values import_quantized(const NetNode& node, const Surroundings& around);
  Values import_quantized_concat(const NetNode& node, const Surroundings& around);
  ValueId dequantized(const NetNode& node, ValueId value, ValueId scale, ValueId zero_point, int64_t axis,
                      const Surroundings& around);
  Values quantized(const NetNode& node, ValueId real, ValueId scale, ValueId zero_point,
                   const Surroundings& around);

  // ---- import_attention.cc ----
  class Parts;
  static bool is_attention_op(std::string_view type);
  Values import_attention(const NetNode& node, const Surroundings& around);
  Values import_dot_products(const NetNode& node, Parts& parts);
  Values import_rotary(const NetNode& node, Parts& parts);

  // ---- import_control.cc: what the outputs of a node with a body are; the reason, where that is not decided
  // before the model runs ----
  Values import_if(const NetNode& node, const Scope& scope, const Surroundings& around);
  Values import_loop(const NetNode& node, const Scope& scope, const Surroundings& around);
  Values import_scan(const NetNode& node, const Scope& scope, const Surroundings& around);
  // Those of a body's outputs, its inputs being `arguments`.
  Values import_body(const Graph& body, const std::vector<ValueId>& arguments, const Scope& scope,
                     const Surroundings& around);

  Values stack_rounds(const NetNode& node, const std::vector<std::vector<ValueId>>& rounds,
                      const std::vector<int64_t>& axes, const Surroundings& around);
  ValueId element_of(const NetNode& node, ValueId value, int64_t axis, int64_t index,
                     const Surroundings& around);
  std::optional<int64_t> known_number(ValueId value) const;

  const Model& model_;
  ExternalFiles& files_;
  const ImportOptions& options_;
  Imported result_;
  std::unordered_set<std::string> node_names_;
  std::unordered_set<std::string> used_options_;
  std::unordered_map<std::string, int64_t> implied_symbols_;
  std::unordered_map<ValueId, std::string> refused_makers_;  // of values that are not known
  std::unordered_map<const char*, ValueId> initializers_;
  uint64_t nodes_seen_ = 0;            // bounds what functions and loops may grow to
  uint64_t readable_ = kMostFoldedOf;  // elements of constants that nodes may still be folded from
};

}  // namespace openqnn::frontend::onnx
