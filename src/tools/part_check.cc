// SPDX-License-Identifier: BSD-3-Clause
#include <optional>
#include <vector>

#include "base/text.h"
#include "ops/part_limits.h"
#include "tools/run_job.h"

namespace openqnn::tools {
namespace {

constexpr size_t kMostNotes = 8;

using Descs = std::vector<ir::TensorDesc>;  // beside the graph's tensors

Status check(const soc::Target& part, const ir::Graph& graph, const Descs& descs) {
  std::optional<Diagnostic> first;
  size_t refused = 0;
  for (const ir::Node& node : graph.nodes()) {
    const ops::OpCall call = ops::call_with(
        node, [&](ir::TensorIndex tensor) -> auto& { return descs[tensor]; });
    const Status status = ops::check_part(node.type, call, part);
    if (status) continue;
    const Diagnostic& why = status.error();
    if (!first) {
      first = why;
      first->where = {};
    }
    const bool same = why.message == first->message;
    if (++refused <= kMostNotes)
      first->notes.push_back(concat(node.name, " (", node.type, ")", same ? "" : concat(": ", why.message)));
  }
  if (!first) return {};
  if (refused > kMostNotes) first->notes.push_back(concat("and ", refused - kMostNotes, " nodes more"));
  first->message =
      concat(refused, refused == 1 ? " node" : " nodes", " cannot run on the part: ", first->message);
  return *std::move(first);
}

Descs descs_of(const ir::Graph& graph) {
  Descs descs;
  for (const ir::Tensor& tensor : graph.tensors()) descs.push_back(tensor.desc);
  return descs;
}

ir::DataType type_at(const ir::Tensor& tensor, const quant::Options& options) {
  if (tensor.role == ir::TensorRole::kStatic)
    return options.weight_bits == 16 ? ir::DataType::kSfixed16 : ir::DataType::kSfixed8;
  return options.activation_bits == 16 ? ir::DataType::kUfixed16 : ir::DataType::kUfixed8;
}

bool is_per_tensor(const ir::TensorEncoding& encoding) {
  return encoding.quantization.kind == ir::Quantization::Kind::kPerTensor;
}

}  // namespace

Status check_runs_on(const soc::Target& part, const ir::Graph& graph) {
  return check(part, graph, descs_of(graph));
}

Status check_will_run_on(const soc::Target& part, const FloatModel& model, const Precision& precision) {
  const ir::Graph& graph = model.graph.graph;
  Descs descs = descs_of(graph);
  if (precision.floating) return check(part, graph, descs);
  for (size_t i = 0; i < descs.size(); ++i) {
    if (descs[i].type != ir::DataType::kFloat32) continue;
    const ir::Tensor& tensor = graph.tensors()[i];
    const auto own = model.graph.encodings.find(tensor.name);
    if (own == model.graph.encodings.end()) {
      descs[i].type = type_at(tensor, precision.options);
    } else if (tensor.role == ir::TensorRole::kStatic || is_per_tensor(own->second)) {
      descs[i].type = own->second.type;  // else it stays float
    }
  }
  return check(part, graph, descs);
}

}  // namespace openqnn::tools
