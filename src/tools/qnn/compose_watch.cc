// SPDX-License-Identifier: BSD-3-Clause
#include "tools/qnn/compose_watch.h"

#include <algorithm>
#include <utility>

#include "base/files.h"
#include "base/text.h"
#include "tools/args.h"

namespace openqnn::tools {
namespace {

ComposeWatch* current = nullptr;

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const size_t first = text.find_first_not_of(kBlank);
  return first == text.npos ? "" : text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

}  // namespace

Result<NamesByGraph> parse_names_by_graph(const std::string& given, std::string_view option) {
  std::string text = given;
  if (given.ends_with(".txt")) {
    OPENQNN_ASSIGN(text, read_text_file(given));
  }
  NamesByGraph names;
  for (const std::string_view part : split(trimmed(text), ";")) {
    const size_t colon = part.find(':');
    const std::string graph(colon == part.npos ? "" : trimmed(part.substr(0, colon)));
    for (const std::string_view name : split(colon == part.npos ? part : part.substr(colon + 1), ",")) {
      if (trimmed(name).empty() || (colon != part.npos && graph.empty()))
        return invalid("option-value", concat("'", given, "' has an empty name"))
            .at(std::string(option))
            .fix_by("graph0:tensor,tensor;graph1:tensor, or tensor,tensor where there is one graph");
      names[graph].emplace_back(trimmed(name));
    }
  }
  return names;
}

ComposeWatch::ComposeWatch(const QnnInterface_ImplementationV2_39_t& api, ComposeWishes wishes)
    : api_(api), table_(api), wishes_(std::move(wishes)) {
  table_.graphCreate = create_graph;
  table_.tensorCreateGraphTensor = create_tensor;
  current = this;
}

ComposeWatch::~ComposeWatch() { current = nullptr; }

Qnn_ErrorHandle_t ComposeWatch::create_graph(Qnn_ContextHandle_t context, const char* name,
                                             const QnnGraph_Config_t** configs, Qnn_GraphHandle_t* graph) {
  const Qnn_ErrorHandle_t code = current->api_.graphCreate(context, name, configs, graph);
  if (code == QNN_SUCCESS) current->graphs_.push_back({name, *graph, {}, {}});
  return code;
}

Qnn_ErrorHandle_t ComposeWatch::create_tensor(Qnn_GraphHandle_t handle, Qnn_Tensor_t* tensor) {
  const auto graph = std::ranges::find(current->graphs_, handle, &RunnableGraph::handle);
  if (graph == current->graphs_.end() || tensor == nullptr)
    return current->api_.tensorCreateGraphTensor(handle, tensor);  // the backend says what is wrong
  current->prepare(*graph, *tensor);
  const Qnn_ErrorHandle_t code = current->api_.tensorCreateGraphTensor(handle, tensor);
  if (code == QNN_SUCCESS) current->note(*graph, *tensor);
  return code;
}

bool ComposeWatch::wants(const std::string& graph, const std::string& tensor) {
  if (!wishes_.extra_outputs) return false;
  for (const std::string& key : {graph, std::string()}) {
    const auto names = wishes_.extra_outputs->find(key);
    if (names == wishes_.extra_outputs->end() || !contains(names->second, tensor)) continue;
    found_[key].push_back(tensor);
    return true;
  }
  return false;
}

void ComposeWatch::prepare(const RunnableGraph& graph, Qnn_Tensor_t& tensor) {
  Qnn_TensorV1_t& fields = tensor.v1;  // what all versions begin with
  if (fields.type == QNN_TENSOR_TYPE_NATIVE && fields.name != nullptr) seen_.emplace_back(fields.name);
  const bool wanted = fields.name != nullptr && wants(graph.name, fields.name);
  if (fields.type == QNN_TENSOR_TYPE_NATIVE && (wanted || wishes_.all_outputs))
    fields.type = QNN_TENSOR_TYPE_APP_READ;
  const bool is_io = fields.type == QNN_TENSOR_TYPE_APP_READ || fields.type == QNN_TENSOR_TYPE_APP_WRITE;
  if (!is_io || !wishes_.io_memory) return;
  fields.memType = *wishes_.io_memory;
  if (*wishes_.io_memory == QNN_TENSORMEMTYPE_MEMHANDLE) fields.memHandle = nullptr;
}

void ComposeWatch::note(RunnableGraph& graph, const Qnn_Tensor_t& tensor) {
  const Qnn_TensorType_t type = fields_of(tensor).type;
  if (type != QNN_TENSOR_TYPE_APP_READ && type != QNN_TENSOR_TYPE_APP_WRITE) return;
  auto made = io_tensor(tensor);
  if (!made) {
    failure_ = made.error();
    return;
  }
  (type == QNN_TENSOR_TYPE_APP_WRITE ? graph.inputs : graph.outputs).push_back(*std::move(made));
}

Diagnostic ComposeWatch::no_tensor(const std::string& name) const {
  const std::vector<std::string_view> known(seen_.begin(), seen_.end());
  const std::string_view meant = closest(name, known);
  return invalid("outputs-tensor", concat("there is no tensor '", name, "' between nodes"))
      .at("--set_output_tensors")
      .fix_by(meant.empty() ? concat("the graphs have ", known.size(),
                                     " such tensors; with every one as an output their files tell the names")
                            : concat("did you mean '", meant, "'?"));
}

Result<std::vector<RunnableGraph>> ComposeWatch::finish() const {
  if (failure_) return *failure_;
  if (!wishes_.extra_outputs) return graphs_;
  for (const auto& [graph, names] : *wishes_.extra_outputs) {
    if (!graph.empty() && std::ranges::find(graphs_, graph, &RunnableGraph::name) == graphs_.end())
      return invalid("outputs-graph", concat("the model has no graph '", graph, "'"))
          .at("--set_output_tensors")
          .fix_by(graphs_.empty() ? "" : concat("the first one is '", graphs_[0].name, "'"));
    if (graph.empty() && graphs_.size() != 1)
      return invalid("outputs-graph", concat("the model has ", graphs_.size(), " graphs"))
          .at("--set_output_tensors")
          .fix_by("write the graph's name and a colon before the tensors");
    const auto found = found_.find(graph);
    for (const std::string& name : names)
      if (found == found_.end() || !contains(found->second, name)) return no_tensor(name);
  }
  return graphs_;
}

}  // namespace openqnn::tools
