// SPDX-License-Identifier: BSD-3-Clause
// Nodes that cannot be computed, and those behind them. The import goes on, so that one run lists all that is
// refused; what is not known because of a refused node is not judged.
#include "frontend/onnx/importer.h"

namespace openqnn::frontend::onnx {
namespace {

const ValueInfo* find_info(const Graph* graph, std::string_view name) {
  if (graph == nullptr) return nullptr;
  for (const auto* list : {&graph->value_infos, &graph->outputs})
    for (const ValueInfo& info : *list)
      if (info.name == name) return &info;
  return nullptr;
}

// What the file says of a value whose node is not understood, when it says all of it.
void take_from_file(Value& value, const Graph* graph) {
  const ValueInfo* info = find_info(graph, value.name);
  if (info == nullptr || !info->is_tensor || !info->shape || bits_of(info->type) == 0) return;
  Dims dims;
  for (const Dimension& dim : *info->shape) {
    if (!dim.value || *dim.value < 0) return;
    dims.push_back(*dim.value);
  }
  if (!checked_count(dims)) return;
  value.type = info->type;
  value.dims = std::move(dims);
}

}  // namespace

void Importer::refuse(const NetNode& node, Diagnostic why, const Surroundings& around) {
  for (const ValueId output : node.outputs) {
    if (output == kNoValue) continue;
    take_from_file(result_.net.values[output], around.graph);
    refused_makers_[output] = node.name;
  }
  for (const ValueId input : node.inputs)
    if (input != kNoValue) result_.net.refused_inputs.push_back(input);
  result_.refusals.push_back({node.name, node.type, std::move(why)});
}

bool Importer::has_unknown_input(const NetNode& node, size_t first) const {
  for (size_t i = 0; i < node.inputs.size() && i < first; ++i)
    if (node.inputs[i] != kNoValue && !result_.net.values[node.inputs[i]].known()) return true;
  return false;
}

void Importer::leave_unjudged(const NetNode& node, const Surroundings& around) {
  std::string behind;
  for (const ValueId input : node.inputs) {
    if (input == kNoValue) continue;
    result_.net.refused_inputs.push_back(input);
    if (behind.empty() && !result_.net.values[input].known()) behind = refused_makers_[input];
  }
  for (const ValueId output : node.outputs) {
    if (output == kNoValue) continue;
    take_from_file(result_.net.values[output], around.graph);
    refused_makers_[output] = behind;
  }
  result_.unjudged.push_back({node.name, node.type, std::move(behind)});
}

bool Importer::is_undecided(const NetNode& node) const {
  constexpr size_t kDeciding = 2;  // the condition of an If, how often and whether a Loop goes on
  if (node.type == "If" || node.type == "Loop") return has_unknown_input(node, kDeciding);
  const bool is_taken_apart = node.type == "Scan" || is_attention_op(node.type) || is_quantized_op(node.type);
  return is_taken_apart && has_unknown_input(node);
}

}  // namespace openqnn::frontend::onnx
