// SPDX-License-Identifier: BSD-3-Clause
#include "tools/qnn/compose_watch.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "base/files.h"
#include "base/text.h"
#include "frontend/dlc/dlc.h"
#include "tools/args.h"
#include "tools/compose.h"
#include "tools/console.h"
#include "tools/file_kind.h"

namespace openqnn::tools {
namespace {

std::mutex watching;              // held while there is a watch
ComposeWatch* current = nullptr;  // guarded by it

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

bool is_io(const Qnn_TensorV1_t& fields) {
  return fields.type == QNN_TENSOR_TYPE_APP_READ || fields.type == QNN_TENSOR_TYPE_APP_WRITE;
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
        return wrong_option(option, concat("'", given, "' has an empty name"))
            .fix_by("graph0:tensor,tensor;graph1:tensor, or tensor,tensor where there is one graph");
      if (contains(names[graph], std::string(trimmed(name))))
        return wrong_option(option, concat("tensor '", trimmed(name), "' is named twice"))
            .fix_by("name each tensor once");
      names[graph].emplace_back(trimmed(name));
    }
  }
  return names;
}

ComposeWatch::ComposeWatch(const QnnInterface_ImplementationV2_39_t& api, ComposeWishes wishes)
    : only_one_(watching), api_(api), table_(api), wishes_(std::move(wishes)) {
  table_.graphCreate = create_graph;
  table_.tensorCreateGraphTensor = create_tensor;
  current = this;
}

ComposeWatch::~ComposeWatch() { current = nullptr; }

Qnn_ErrorHandle_t ComposeWatch::create_graph(Qnn_ContextHandle_t context, const char* name,
                                             const QnnGraph_Config_t** configs, Qnn_GraphHandle_t* graph) {
  const Qnn_ErrorHandle_t code = current->api_.graphCreate(context, name, configs, graph);
  if (code == QNN_SUCCESS) {
    current->graphs_.push_back({name, *graph, {}, {}});
    current->models_.push_back(current->model_);
  } else if (name != nullptr) {
    current->note_refused_graph(name);
  }
  return code;
}

// Of reasons for a refusal only this one is better known here than to the backend.
void ComposeWatch::note_refused_graph(const std::string& name) {
  const auto twin = std::ranges::find(graphs_, name, &RunnableGraph::name);
  if (twin == graphs_.end() || failure_) return;
  const std::string& first = models_[static_cast<size_t>(twin - graphs_.begin())];
  failure_ = invalid("model-graph-twice", concat("graph '", name, "' comes from ", first, " and again from ",
                                                 model_, ", but a context takes a name once"))
                 .fix_by("leave one model out, or convert it under another name");
}

Qnn_ErrorHandle_t ComposeWatch::create_tensor(Qnn_GraphHandle_t handle, Qnn_Tensor_t* tensor) {
  const auto graph = std::ranges::find(current->graphs_, handle, &RunnableGraph::handle);
  if (graph == current->graphs_.end() || tensor == nullptr)
    return current->api_.tensorCreateGraphTensor(handle, tensor);  // the backend says what is wrong
  current->prepare(*graph, *tensor);
  const Qnn_ErrorHandle_t code = current->api_.tensorCreateGraphTensor(handle, tensor);
  if (code == QNN_SUCCESS)
    current->note(*graph, *tensor);
  else
    current->note_refused_format(*graph, *tensor, code);
  return code;
}

// The wish for an input or output; null when there is none.
const FormatWish* ComposeWatch::format_for(const RunnableGraph& graph, const Qnn_TensorV1_t& fields) const {
  if (wishes_.formats.empty() || !is_io(fields) || fields.name == nullptr) return nullptr;
  const auto wish = wishes_.formats.find({graph.name, fields.name});
  return wish == wishes_.formats.end() ? nullptr : &wish->second;
}

void ComposeWatch::note_refused_format(const RunnableGraph& graph, const Qnn_Tensor_t& tensor,
                                       Qnn_ErrorHandle_t code) {
  const FormatWish* const wish = format_for(graph, fields_of(tensor));
  if (wish == nullptr || wish->format == QNN_TENSOR_DATA_FORMAT_DENSE || failure_) return;
  const Status answer = check_call(api_, code, "QnnTensor_createGraphTensor");
  failure_ =
      unsupported("format-refused", concat("the backend does not take ", data_format_name(wish->format), ": ",
                                           answer.error().message))
          .at(wish->where)
          .fix_by("leave the tensor out of the file");
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
  if (const FormatWish* const wish = format_for(graph, fields)) fields.dataFormat = wish->format;
  if (!is_io(fields) || !wishes_.io_memory) return;
  fields.memType = *wishes_.io_memory;
  if (*wishes_.io_memory == QNN_TENSORMEMTYPE_MEMHANDLE) fields.memHandle = nullptr;
}

void ComposeWatch::note(RunnableGraph& graph, const Qnn_Tensor_t& tensor) {
  if (!is_io(fields_of(tensor))) return;
  auto made = io_tensor(tensor);
  if (!made) {
    failure_ = made.error();
    return;
  }
  (fields_of(tensor).type == QNN_TENSOR_TYPE_APP_WRITE ? graph.inputs : graph.outputs)
      .push_back(*std::move(made));
}

// What a tensor of the model's own file is called between nodes; empty when nothing tells. A .dlc knows. A
// model library does not, but converters write '_' for what a name may not have, and mark a layout at the
// end.
std::string ComposeWatch::name_by_source(const std::string& source) const {
  for (const std::string& model : models_) {
    if (kind_of_file(model) != FileKind::kDlc) continue;
    const auto dlc = frontend::read_dlc(model);
    if (!dlc) continue;
    for (const frontend::DlcGraph& graph : dlc->graphs)
      for (const frontend::Trace::Tensor& tensor : graph.trace.tensors)
        if (tensor.source == source && contains(seen_, tensor.name)) return tensor.name;
  }
  std::string plain = source;
  for (char& c : plain)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  const auto is_meant = [&](const std::string& name) {
    return name == plain || name.starts_with(plain + "_");
  };
  const auto found = std::ranges::find_if(seen_, is_meant);
  return found == seen_.end() ? "" : *found;
}

Diagnostic ComposeWatch::no_tensor(const std::string& name) const {
  const std::vector<std::string_view> known(seen_.begin(), seen_.end());
  const std::string by_source = name_by_source(name);
  const std::string_view meant = by_source.empty() ? closest(name, known) : std::string_view(by_source);
  return invalid("outputs-tensor", concat("there is no tensor '", name, "' between nodes"))
      .at("--set_output_tensors")
      .fix_by(meant.empty() ? concat("the graphs have ", known.size(),
                                     " such tensors; with every one as an output their files tell the names")
                            : concat("did you mean '", meant, "'?"));
}

Result<std::vector<RunnableGraph>> ComposeWatch::finish(const Status& composed) const {
  if (failure_) return *failure_;
  OPENQNN_TRY(composed);
  OPENQNN_TRY(check_outputs());
  OPENQNN_TRY(check_formats());
  return graphs_;
}

Status ComposeWatch::check_outputs() const {
  if (!wishes_.extra_outputs) return {};
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
  return {};
}

Status ComposeWatch::check_formats() const {
  for (const auto& [name, wish] : wishes_.formats) {
    const auto graph = std::ranges::find(graphs_, name.first, &RunnableGraph::name);
    if (graph == graphs_.end())
      return invalid("format-graph-unknown", concat("the model has no graph '", name.first, "'"))
          .at(wish.where)
          .fix_by(concat("the graphs: ", joined(names_of(graphs_))));
    if (contains(names_of(graph->inputs), name.second) || contains(names_of(graph->outputs), name.second))
      continue;
    return invalid("format-tensor-unknown",
                   concat("graph '", name.first, "' has no input or output '", name.second, "'"))
        .at(wish.where)
        .fix_by(concat("inputs: ", joined(names_of(graph->inputs)),
                       "; outputs: ", joined(names_of(graph->outputs))));
  }
  return {};
}

}  // namespace openqnn::tools
