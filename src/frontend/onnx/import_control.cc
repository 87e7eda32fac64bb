// SPDX-License-Identifier: BSD-3-Clause
// Branches and loops. The backend has none, so that they must be decided before the model runs: a branch by a
// constant condition, a loop by a constant number of rounds.
#include "base/text.h"
#include "frontend/onnx/importer.h"
#include "frontend/onnx/inference.h"

namespace openqnn::frontend::onnx {
namespace {

const Graph* body_of(const NetNode& node, std::string_view attribute) {
  const Attribute* found = node.attributes.find(attribute);
  return found != nullptr && found->graphs.size() == 1 ? &found->graphs[0] : nullptr;
}

}  // namespace

Importer::Values Importer::import_body(const Graph& body, const std::vector<ValueId>& arguments,
                                       const Scope& outer, const Surroundings& around) {
  Scope scope(&outer);
  OPENQNN_TRY(import_initializers(body, scope));
  for (size_t i = 0; i < body.inputs.size() && i < arguments.size(); ++i)
    scope.define(body.inputs[i].name, arguments[i]);
  Surroundings inside = around;
  inside.graph = &body;
  OPENQNN_TRY(import_nodes(body.nodes, scope, inside));
  std::vector<ValueId> values;
  for (const ValueInfo& output : body.outputs) {
    const auto found = scope.find(output.name);
    if (!found) return invalid("onnx-output", concat("no node of the body makes '", output.name, "'"));
    values.push_back(*found);
  }
  return values;
}

Importer::Values Importer::import_if(const NetNode& node, const Scope& scope, const Surroundings& around) {
  const Constant* condition = node.inputs.size() == 1 ? result_.net.constant(node.inputs[0]) : nullptr;
  if (condition == nullptr || condition->count() != 1) {
    return not_offered_node(node,
                            "its condition is known only when the model runs, and the backend cannot branch")
        .fix_by("export the model with the condition decided");
  }
  const Graph* branch = body_of(node, condition->integer(0) != 0 ? "then_branch" : "else_branch");
  if (branch == nullptr) return wrong_node(node, "a branch is missing");
  return import_body(*branch, {}, scope, around);
}

Importer::Values Importer::import_loop(const NetNode& node, const Scope& /*scope*/,
                                       const Surroundings& /*around*/) {
  return not_offered_node(node, "the backend has no loops");
}

Importer::Values Importer::import_scan(const NetNode& node, const Scope& /*scope*/,
                                       const Surroundings& /*around*/) {
  return not_offered_node(node, "the backend has no loops");
}

}  // namespace openqnn::frontend::onnx
