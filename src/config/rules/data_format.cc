// SPDX-License-Identifier: BSD-3-Clause
// The data-format file: native KV caches.
#include <charconv>
#include <tuple>

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
  const Part* first = subject.part_below(69);
  if (first == nullptr) return;
  const std::string part = part_words(*first);
  for (const Record& graph : format_graphs(subject)) {
    for (const Record& tensor : hmx_tensors(graph)) {
      report.at(tensor, "dataFormat", concat("the native KV cache is not for v68; the part is ", part),
                "leave the KV tensors plain on this part");
    }
  }
}

// The documents' names: "past_key_0_in" is the key of layer 0, "past_value_0_in" its value. Of other names
// nothing is known.
struct KvName {
  std::string_view other;  // what the other half begins with: "past_value_" for a key
  uint32_t layer = 0;
  std::string_view rest;  // "_in"
};

std::optional<KvName> kv_name(std::string_view name) {
  constexpr std::string_view kKey = "past_key_";
  constexpr std::string_view kValue = "past_value_";
  for (const auto& [word, other] : {std::pair(kKey, kValue), std::pair(kValue, kKey)}) {
    if (!name.starts_with(word)) continue;
    KvName kv{.other = other};
    const char* end = name.data() + name.size();
    const auto [stopped, error] = std::from_chars(name.data() + word.size(), end, kv.layer);
    if (error != std::errc()) return std::nullopt;
    kv.rest = {stopped, static_cast<size_t>(end - stopped)};
    return kv;
  }
  return std::nullopt;
}

struct NativeTensor {
  const Record* tensor;
  std::string_view name;
  KvName kv;
};

std::vector<NativeTensor> native_kv(const std::vector<Record>& tensors) {
  std::vector<NativeTensor> found;
  for (const Record& tensor : tensors) {
    const std::string_view name = tensor.text("tensor_name").or_else("");
    if (const auto kv = kv_name(name)) found.push_back({&tensor, name, *kv});
  }
  return found;
}

void missing_halves(const std::vector<NativeTensor>& tensors, Report& report) {
  NameIndex native;
  for (const NativeTensor& each : tensors) native.insert(each.name);
  for (const auto& [tensor, name, kv] : tensors) {
    const std::string missing = concat(kv.other, kv.layer, kv.rest);
    if (native.contains(missing)) continue;
    report.at(*tensor, "tensor_name",
              concat("'", name, "' is native, but '", missing, "' is not; all or none must be"),
              concat("add '", missing, "' and the tensors of all other layers"));
  }
}

// A graph may hold some of the layers, but then those that follow each other. Only a warning: a model may
// have layers without attention.
void missing_layers(std::vector<NativeTensor> tensors, Report& report) {
  std::ranges::stable_sort(tensors, [](const NativeTensor& a, const NativeTensor& b) {
    return std::tuple(a.kv.rest, a.kv.layer) < std::tuple(b.kv.rest, b.kv.layer);
  });
  for (size_t i = 1; i < tensors.size(); ++i) {
    const KvName& before = tensors[i - 1].kv;
    const KvName& here = tensors[i].kv;
    if (here.rest != before.rest || here.layer - before.layer <= 1) continue;
    const bool one = here.layer - before.layer == 2;
    const std::string missing = one ? concat("layer ", before.layer + 1, " is")
                                    : concat("layers ", before.layer + 1, " to ", here.layer - 1, " are");
    report
        .at(*tensors[i].tensor, "tensor_name",
            concat("the KV tensors of layers ", before.layer, " and ", here.layer,
                   " are native, but nothing of ", missing, "; all or none must be"),
            "add the tensors of the missing layers, if they have a KV cache")
        .severity = Severity::kWarning;
  }
}

void native_kv_partial(const Subject& subject, Report& report) {
  for (const Record& graph : format_graphs(subject)) {
    const auto tensors = hmx_tensors(graph);
    const auto native = native_kv(tensors);
    missing_halves(native, report);
    missing_layers(native, report);
  }
}

// The usual names of a language model's other inputs and outputs; of most names nothing can be said.
bool is_no_kv_tensor(std::string_view name) {
  constexpr std::string_view kOthers[] = {"logits",           "input_ids",     "inputs_embeds",
                                          "input_embeds",     "position_ids",  "position_ids_cos",
                                          "position_ids_sin", "attention_mask"};
  return std::ranges::find(kOthers, name) != std::end(kOthers);
}

void native_layout_not_kv(const Subject& subject, Report& report) {
  for (const Record& graph : format_graphs(subject)) {
    for (const Record& tensor : hmx_tensors(graph)) {
      const std::string_view name = tensor.text("tensor_name").or_else("");
      if (!is_no_kv_tensor(name)) continue;
      report.at(tensor, "dataFormat",
                concat("the layout is for KV caches, and '", name, "' is the usual name of another tensor"),
                "leave the tensor out");
    }
  }
}

void format_graph_unknown(const Subject& subject, Report& report) {
  const auto& model = subject.circumstances.graphs;
  if (!model) return;
  const NameIndex known(model->begin(), model->end());
  for (const Record& graph : format_graphs(subject)) {
    const auto names = graph.texts("graph_name");
    if (!names) continue;
    for (const std::string_view name : *names) {
      if (known.contains(name)) continue;
      report.at(graph, "graph_name", concat("the model has no graph '", name, "'"),
                nearest_graph(subject, name));
    }
  }
}

constexpr std::string_view kKeyAndValue = R"({
  "graphs": [{"graph_name": ["token"], "tensors": [
    {"tensor_name": "past_key_0_in", "dataFormat": "QNN_TENSOR_DATA_FORMAT_HMX_WEIGHT_LAYOUT"},
    {"tensor_name": "past_value_0_in", "dataFormat": "QNN_TENSOR_DATA_FORMAT_HMX_WEIGHT_LAYOUT"}
  ]}]
})";

constexpr RuleDef kDataFormatRules[] = {
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
        .why = "Keys and values of all layers must have the same layout, or the results are wrong. A layer "
               "missing between others is a warning, because a model may have layers without attention.",
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
        .code = "native-layout-not-kv",
        .about = {"dataFormat"},
        .severity = Severity::kNote,
        .title = "The layout of native KV caches is given to a tensor that is none by its name.",
        .why = "The client must then write and read that layout, and documents describe it for KV caches "
               "only. The list of names is our own choice: logits, input_ids, attention_mask and the like.",
        .instead = "List the KV tensors alone.",
        .source = "HTP backend page: the layout is for the tensors of the KV cache.",
        .bad = {.text = R"({
  "graphs": [{"graph_name": ["token"], "tensors": [
    {"tensor_name": "logits", "dataFormat": "QNN_TENSOR_DATA_FORMAT_HMX_WEIGHT_LAYOUT"}
  ]}]
})"},
        .good = {.text = R"({
  "graphs": [{"graph_name": ["token"], "tensors": [
    {"tensor_name": "logits", "dataFormat": "QNN_TENSOR_DATA_FORMAT_DENSE"}
  ]}]
})"},
        .find = native_layout_not_kv,
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

std::span<const RuleDef> data_format_rules() { return kDataFormatRules; }

}  // namespace openqnn::config
