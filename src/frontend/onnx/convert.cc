// SPDX-License-Identifier: BSD-3-Clause
#include "frontend/onnx/convert.h"

#include <algorithm>
#include <unordered_map>

#include "base/files.h"
#include "base/text.h"
#include "frontend/onnx/absorb_quantization.h"
#include "frontend/onnx/fuse/fusion.h"
#include "frontend/onnx/graph_draft.h"
#include "frontend/onnx/rule.h"

namespace openqnn::frontend::onnx {
namespace {

constexpr size_t kImageRank = 4;

Result<Order> order_for(const std::map<std::string, Order>& orders, bool channel_last_images,
                        const std::string& name, size_t rank) {
  const auto found = orders.find(name);
  if (found == orders.end())
    return channel_last_images && rank == kImageRank ? channels_last(rank) : plain_order(rank);
  if (found->second.size() != rank) {
    return invalid("onnx-layout", concat("'", name, "' has ", rank,
                                         " dimensions, but the layout asked for has ", found->second.size()))
        .fix_by("give a layout with as many letters as there are dimensions");
  }
  return found->second;
}

Status lower_node(const Net& net, const NetNode& node, GraphDraft& draft) {
  const Rule* rule = find_rule(node.type);
  if (rule == nullptr || rule->lower == nullptr)
    return not_offered_node(node, "the backend has no op for it");
  Lowering lowering(net, node, draft);
  OPENQNN_TRY(rule->lower(lowering));
  if (lowering.refusal()) return *lowering.refusal();
  for (const ValueId output : node.outputs) {
    if (output != kNoValue && draft.holders(output).empty())
      return internal("onnx-lower", concat("nothing computes '", net.values[output].name, "'"));
  }
  return {};
}

// Inputs that nothing holds are of a refused node, and the draft is made to judge the others: they are taken
// as the client's. Gives back one that cannot be.
std::optional<ValueId> input_without_holder(const Net& net, const NetNode& node, GraphDraft& draft) {
  for (const ValueId input : node.inputs) {
    if (input == kNoValue || net.values[input].constant != nullptr || !draft.holders(input).empty()) continue;
    if (!draft.add_input(input, plain_order(net.values[input].dims.size()))) return input;
  }
  return std::nullopt;
}

// Lowers every node; what cannot be goes to the refusals of `result`.
void lower_nodes(const Net& net, GraphDraft& draft, Conversion& result) {
  std::unordered_map<ValueId, std::string> refused_makers;
  for (const NetNode& node : net.nodes) {
    const auto unheld = input_without_holder(net, node, draft);
    if (unheld) {
      result.unjudged.push_back({node.name, node.type, refused_makers[*unheld]});
    } else if (Status status = lower_node(net, node, draft); !status) {
      result.refusals.push_back({node.name, node.type, std::move(status).error()});
    } else {
      continue;
    }
    const std::string& maker = unheld ? result.unjudged.back().behind : node.name;
    for (const ValueId output : node.outputs)
      if (output != kNoValue) refused_makers[output] = maker;
  }
}

Status add_inputs(const Net& net, const ConvertOptions& options, GraphDraft& draft) {
  for (const ValueId input : net.inputs) {
    const Value& value = net.values[input];
    OPENQNN_ASSIGN(const Order order, order_for(options.input_orders, options.channel_last_images, value.name,
                                                value.dims.size()));
    OPENQNN_TRY(draft.add_input(input, order));
  }
  return {};
}

Status add_outputs(const Net& net, const ConvertOptions& options, GraphDraft& draft) {
  for (const NetOutput& output : net.outputs) {
    const size_t rank = net.values[output.value].dims.size();
    OPENQNN_ASSIGN(const Order order,
                   order_for(options.output_orders, options.channel_last_images, output.name, rank));
    OPENQNN_TRY(draft.add_output(output, order));
  }
  return {};
}

// "not judged: erf (Erf) behind 'det' and 2 others; ...".
std::string unjudged_nodes(const std::vector<Unjudged>& nodes) {
  const Unjudged& first = nodes.front();
  const std::string more =
      nodes.size() == 1 ? "" : concat(" and ", nodes.size() - 1, nodes.size() == 2 ? " other" : " others");
  return concat("not judged: ", first.node, " (", first.type, ") behind '", first.behind, "'", more,
                "; what stands behind a refused node has inputs that are not known");
}

// Shapes that do not fit are such a breach, whoever chose them.
bool breaks_rules(const Refusal& refusal) { return refusal.why.failure == Failure::kInvalid; }

}  // namespace

Result<Conversion> convert(const Model& model, ExternalFiles& files, const std::string& graph_name,
                           const ConvertOptions& options) {
  OPENQNN_ASSIGN(Imported imported, import_model(model, files, options.import));
  absorb_quantization(imported.net);
  Conversion result;
  result.fusions = fuse(imported.net, options.without_fusions);
  const Net& net = imported.net;
  result.refusals = std::move(imported.refusals);
  result.unjudged = std::move(imported.unjudged);
  result.notes = std::move(imported.notes);
  result.chosen_dims = std::move(imported.chosen_dims);

  GraphDraft draft(net);
  OPENQNN_TRY(add_inputs(net, options, draft));
  lower_nodes(net, draft, result);
  if (!result.refusals.empty()) return result;
  OPENQNN_TRY(add_outputs(net, options, draft));
  result.notes.insert(result.notes.end(), draft.renames().begin(), draft.renames().end());
  OPENQNN_ASSIGN(result.graph, draft.finish(graph_name, result.trace, result.encodings));
  return result;
}

Result<Conversion> convert_file(const std::filesystem::path& path, const ConvertOptions& options) {
  OPENQNN_ASSIGN(const auto file, MappedFile::open(path));
  OPENQNN_ASSIGN(const Model model, read_model(file->bytes(), path.string()));
  ExternalFiles files(path.parent_path(), file);
  if (options.shapes_only) files.leave_weights_out();
  return convert(model, files, options.graph_name.empty() ? path.stem().string() : options.graph_name,
                 options);
}

Result<Conversion> convert_bytes(Bytes bytes, const ConvertOptions& options) {
  OPENQNN_ASSIGN(const Model model, read_model(bytes, kBytesInMemory));
  ExternalFiles none;
  return convert(model, none, options.graph_name.empty() ? "model" : options.graph_name, options);
}

Diagnostic refused_nodes(const Conversion& conversion) {
  const std::vector<Refusal>& refusals = conversion.refusals;
  Diagnostic diagnostic = unsupported(
      "onnx-unsupported",
      concat(refusals.size(), refusals.size() == 1 ? " node" : " nodes", " of the model cannot be computed"));
  const bool blames_dims = !conversion.chosen_dims.empty() && std::ranges::any_of(refusals, breaks_rules);
  if (blames_dims) {
    diagnostic.message += " with the dimensions that were given: ";
    for (size_t i = 0; i < conversion.chosen_dims.size(); ++i)
      diagnostic.message += concat(i == 0 ? "" : ", ", conversion.chosen_dims[i]);
    diagnostic.fix = "give dimensions that the model can take, or leave the option out";
  }
  for (const Refusal& refusal : refusals) {
    // To export the model again would not help.
    const bool without_fix = refusal.why.fix.empty() || (blames_dims && breaks_rules(refusal));
    diagnostic.notes.push_back(concat(refusal.node, " (", refusal.type, "): ", refusal.why.message,
                                      without_fix ? "" : concat("; ", refusal.why.fix)));
  }
  if (!conversion.unjudged.empty()) diagnostic.notes.push_back(unjudged_nodes(conversion.unjudged));
  return diagnostic;
}

}  // namespace openqnn::frontend::onnx
