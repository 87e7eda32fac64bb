// SPDX-License-Identifier: BSD-3-Clause

#include <algorithm>

#include "base/text.h"
#include "tools/console.h"
#include "tools/convert/conversion.h"

namespace openqnn::tools::convert {
namespace {

namespace onnx = frontend::onnx;

// As refusals name it: with the domain of ops that are not ONNX's own.
std::string type_of(const onnx::Node& node) {
  const bool own = node.domain.empty() || node.domain == "ai.onnx";
  return own ? std::string(node.op_type) : concat(node.domain, ".", node.op_type);
}

// What became of the nodes of one type.
struct TypeVerdict {
  size_t nodes = 0;
  size_t refused = 0;
  size_t unjudged = 0;
  std::string behind;  // the refused node before the first one that was not judged
};

std::map<std::string, TypeVerdict> verdicts_of(const onnx::Graph& graph, const onnx::Conversion& conversion) {
  std::map<std::string, TypeVerdict> verdicts;
  for (const onnx::Node& node : graph.nodes) ++verdicts[type_of(node)].nodes;
  for (const onnx::Refusal& refusal : conversion.refusals)
    if (const auto found = verdicts.find(refusal.type); found != verdicts.end()) ++found->second.refused;
  for (const onnx::Unjudged& unjudged : conversion.unjudged) {
    const auto found = verdicts.find(unjudged.type);
    if (found != verdicts.end() && found->second.unjudged++ == 0) found->second.behind = unjudged.behind;
  }
  return verdicts;
}

std::string text_of(const TypeVerdict& verdict) {
  const std::string refused = verdict.refused == 0 ? "" : concat("refused in ", verdict.refused, " of them");
  if (verdict.unjudged == 0) return refused.empty() ? "supported" : refused;
  const bool all = verdict.unjudged == verdict.nodes;
  return concat(refused, refused.empty() ? "" : ", ", "not judged",
                all ? "" : concat(" in ", verdict.unjudged, " of them"), " (behind '", verdict.behind, "')");
}

}  // namespace

Result<int> print_support_report(const ConversionSettings& settings, bool with_nodes) {
  OPENQNN_ASSIGN(const OnnxSource source, open_source(settings.input));
  onnx::ConvertOptions options;
  options.import = settings.import;
  OPENQNN_ASSIGN(const onnx::Conversion conversion, convert_source(source, settings, options));
  const auto verdicts = verdicts_of(*source.model.graph, conversion);
  print(concat(shown(settings.input.string()), ": ", source.model.graph->nodes.size(), " nodes of ",
               verdicts.size(), " types\n"));
  for (const auto& [type, verdict] : verdicts) {
    const std::string left = padded(concat("  ", shown(type)), 28);
    print(concat(left, " ", verdict.nodes, "  ", shown(text_of(verdict)), "\n"));
  }
  for (const std::string& note : conversion.notes) print(concat("note: ", shown(note), "\n"));
  const Diagnostic refusal = onnx::refused_nodes(conversion);
  for (size_t i = 0; i < conversion.refusals.size(); ++i)
    print(concat("refused: ", shown(refusal.notes[i]), "\n"));
  if (with_nodes && conversion.graph)
    for (const ir::Node& node : conversion.graph->nodes())
      print(concat("becomes: ", shown(node.name), " (", node.type, ")\n"));
  if (conversion.refusals.empty()) return kOk;
  if (!refusal.fix.empty()) print(concat(shown(refusal.message), "; ", refusal.fix, "\n"));
  if (!conversion.unjudged.empty())
    print("Nodes behind a refused one are judged where the file states what it would give.\n");
  return kFailed;
}

}  // namespace openqnn::tools::convert
