// SPDX-License-Identifier: BSD-3-Clause
// The data-format file: native KV caches.
#include <set>

#include "config/rules/common.h"

namespace openqnn::config {
namespace {

constexpr std::string_view kHmxLayout = "QNN_TENSOR_DATA_FORMAT_HMX_WEIGHT_LAYOUT";

std::vector<Record> format_graphs(const Subject& subject) {
  return sections_of(subject, Kind::kDataFormat, "graphs");
}

std::vector<Record> hmx_tensors(const Record& graph) {
  auto tensors = graph.records("tensors");
  std::erase_if(tensors,
                [](const Record& tensor) { return tensor.text("dataFormat").or_else("") != kHmxLayout; });
  return tensors;
}

void native_kv_arch(const Subject& subject, Report& report) {
  if (!subject.arch_below(69)) return;
  const std::string part = part_words(subject);
  for (const Record& graph : format_graphs(subject)) {
    for (const Record& tensor : hmx_tensors(graph)) {
      report.at(tensor, "dataFormat", concat("the native KV cache is not for v68; the part is ", part))
          .advice = "leave the KV tensors plain on this part";
    }
  }
}

// The documents' names: "past_key_0_in" is the key of layer 0, "past_value_0_in" its value. Of other names
// nothing is known.
std::string other_half(std::string_view name) {
  constexpr std::string_view kKey = "past_key_";
  constexpr std::string_view kValue = "past_value_";
  for (const auto& [word, other] : {std::pair(kKey, kValue), std::pair(kValue, kKey)}) {
    const std::string_view layer = name.substr(std::min(word.size(), name.size()));
    if (name.starts_with(word) && !layer.empty() && layer.front() >= '0' && layer.front() <= '9')
      return concat(other, layer);
  }
  return "";
}

void native_kv_partial(const Subject& subject, Report& report) {
  for (const Record& graph : format_graphs(subject)) {
    const auto tensors = hmx_tensors(graph);
    std::set<std::string, std::less<>> native;
    for (const Record& tensor : tensors) native.emplace(tensor.text("tensor_name").or_else(""));
    for (const Record& tensor : tensors) {
      const std::string_view name = tensor.text("tensor_name").or_else("");
      const std::string missing = other_half(name);
      if (missing.empty() || native.contains(missing)) continue;
      report
          .at(tensor, "tensor_name",
              concat("'", name, "' is native, but '", missing, "' is not; all or none must be"))
          .advice = concat("add '", missing, "' and the tensors of all other layers");
    }
  }
}

void format_graph_unknown(const Subject& subject, Report& report) {
  const auto& model = subject.circumstances.graphs;
  if (!model) return;
  for (const Record& graph : format_graphs(subject)) {
    const auto names = graph.texts("graph_name");
    if (!names) continue;
    for (const std::string_view name : *names) {
      if (contains(*model, name)) continue;
      report.at(graph, "graph_name", concat("the model has no graph '", name, "'")).advice =
          nearest_graph(subject, name);
    }
  }
}

constexpr std::string_view kKeyAndValue = R"({
  "graphs": [{"graph_name": ["token"], "tensors": [
    {"tensor_name": "past_key_0_in", "dataFormat": "QNN_TENSOR_DATA_FORMAT_HMX_WEIGHT_LAYOUT"},
    {"tensor_name": "past_value_0_in", "dataFormat": "QNN_TENSOR_DATA_FORMAT_HMX_WEIGHT_LAYOUT"}
  ]}]
})";

constexpr RuleDef kRules[] = {
    {
        .code = "native-kv-arch",
        .about = {"dataFormat"},
        .severity = Severity::kError,
        .title = "A native KV cache is asked for on v68.",
        .why = "The matrix unit of v68 does not read the layout.",
        .instead = "Leave the KV tensors plain on such parts.",
        .source = "Newer HTP page: the native KV cache is not for v68.",
        .bad = {.text = kKeyAndValue, .flags = "--soc SM8350"},
        .good = {.text = kKeyAndValue, .flags = "--soc SM8550"},
        .find = native_kv_arch,
    },
    {
        .code = "native-kv-partial",
        .about = {"dataFormat"},
        .severity = Severity::kError,
        .title = "Only a part of the KV cache is native.",
        .why = "Keys and values of all layers must have the same layout, or the results are wrong.",
        .instead = "List every KV tensor, or none.",
        .source = "HTP backend page: the KV cache is native as a whole or not at all.",
        .bad = {.text = R"({
  "graphs": [{"graph_name": ["token"], "tensors": [
    {"tensor_name": "past_key_0_in", "dataFormat": "QNN_TENSOR_DATA_FORMAT_HMX_WEIGHT_LAYOUT"}
  ]}]
})"},
        .good = {.text = kKeyAndValue},
        .find = native_kv_partial,
    },
    {
        .code = "format-graph-unknown",
        .about = {"graph_name"},
        .severity = Severity::kError,
        .title = "The data-format file names a graph that the model does not have.",
        .why = "Its tensors keep the plain layout, and the client's data is misread.",
        .instead = "Use the names in the model.",
        .source = "HTP backend page: formats are given per graph and tensor. Public files show how names "
                  "drift apart.",
        .bad = {.text = kKeyAndValue, .flags = "--graphs tokens"},
        .good = {.text = kKeyAndValue, .flags = "--graphs token"},
        .find = format_graph_unknown,
    },
};

}  // namespace

std::span<const RuleDef> data_format_rules() { return kRules; }

}  // namespace openqnn::config
