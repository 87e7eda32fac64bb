// SPDX-License-Identifier: BSD-3-Clause
// openqnn inspect, of a .dlc: its graphs, and what made them.
#include <algorithm>
#include <map>

#include "base/files.h"
#include "base/text.h"
#include "frontend/dlc/dlc.h"
#include "json/json.h"
#include "tools/console.h"
#include "tools/inspect.h"
#include "tools/macs.h"

namespace openqnn::tools {
namespace {

using json::Writer;

// What the nodes and tensors of a graph add up to.
struct DlcParts {
  std::map<std::string, uint64_t> nodes;  // by type
  uint64_t macs = 0;
  uint64_t constants = 0;
  uint64_t parameters = 0;
  uint64_t bytes = 0;        // of the constants
  uint64_t activations = 0;  // bytes of all others, each counted once: what a device needs is less

  explicit DlcParts(const ir::Graph& graph) {
    for (const ir::Node& node : graph.nodes()) {
      ++nodes[node.type];
      macs += macs_of(graph, node);
    }
    for (const ir::Tensor& tensor : graph.tensors()) {
      if (!tensor.data) {
        activations += ir::plain_bytes(tensor.desc);
        continue;
      }
      ++constants;
      parameters += tensor.desc.shape.elements();
      bytes += tensor.data.size();
    }
  }
};

std::string tensors_text(std::string_view title, const std::vector<const ir::Tensor*>& tensors) {
  std::string out;
  for (const ir::Tensor* tensor : tensors)
    out += concat("  ", title, "  ", shown(tensor->name), "  ", ir::name(tensor->desc.type), " ",
                  tensor->desc.shape.to_string(), "\n");
  return out;
}

// ---- Every tensor and every node (--tensors, --nodes) ----

struct Wanted {
  bool tensors = false;
  bool nodes = false;
};

std::string_view role_name(ir::TensorRole role) {
  switch (role) {
    case ir::TensorRole::kInput:
      return "input";
    case ir::TensorRole::kOutput:
      return "output";
    case ir::TensorRole::kStatic:
      return "constant";
    case ir::TensorRole::kNative:
      break;
  }
  return "inner";
}

// What a graph's parts are called in the model that it was converted from; nothing for those that are new.
class ModelNames {
 public:
  explicit ModelNames(const frontend::Trace& trace) {
    for (const frontend::Trace::Tensor& tensor : trace.tensors) tensors_[tensor.name] = &tensor.source;
    for (const frontend::Trace::Node& node : trace.nodes) nodes_[node.name] = &node.sources;
  }
  std::string tensor(const std::string& name) const {
    const auto found = tensors_.find(name);
    return found == tensors_.end() ? "" : *found->second;
  }
  std::vector<std::string> node(const std::string& name) const {
    const auto found = nodes_.find(name);
    return found == nodes_.end() ? std::vector<std::string>() : *found->second;
  }

 private:
  std::map<std::string_view, const std::string*> tensors_;
  std::map<std::string_view, const std::vector<std::string>*> nodes_;
};

std::vector<std::string> names_of(const ir::Graph& graph, const std::vector<ir::TensorIndex>& operands) {
  std::vector<std::string> names;
  for (const ir::TensorIndex operand : operands)
    names.push_back(operand == ir::kNoTensor ? "" : graph.tensors()[operand].name);
  return names;
}

std::string encoding_text(const ir::Quantization& quantization) {
  if (quantization.encodings.empty()) return "";
  if (quantization.encodings.size() > 1) return concat(quantization.encodings.size(), " encodings");
  return concat("scale ", quantization.encodings[0].scale, " offset ", quantization.encodings[0].offset);
}

std::string list_text(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) append_item(out, name.empty() ? "(none)" : shown(name));
  return out;
}

// Rows of as many cells, each column as wide as its widest.
std::string table_text(const std::vector<std::vector<std::string>>& rows) {
  std::vector<size_t> widths;
  for (const auto& row : rows) {
    widths.resize(row.size());
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string out;
  for (const auto& row : rows) {
    out += "  ";
    for (size_t i = 0; i < row.size(); ++i) out += concat("  ", padded(row[i], widths[i]));
    out.erase(out.find_last_not_of(' ') + 1);
    out += "\n";
  }
  return out;
}

std::string all_tensors_text(const ir::Graph& graph, const ModelNames& names) {
  std::vector<std::vector<std::string>> rows = {{"name", "role", "type", "encoding", "in the model"}};
  for (const ir::Tensor& tensor : graph.tensors())
    rows.push_back({shown(tensor.name), std::string(role_name(tensor.role)),
                    concat(ir::name(tensor.desc.type), " ", tensor.desc.shape.to_string()),
                    encoding_text(tensor.desc.quantization), shown(names.tensor(tensor.name))});
  return concat("  tensors ", graph.tensors().size(), "\n", table_text(rows));
}

std::string all_nodes_text(const ir::Graph& graph, const ModelNames& names) {
  std::vector<std::vector<std::string>> rows = {{"name", "type", "inputs", "outputs", "in the model"}};
  for (const ir::Node& node : graph.nodes())
    rows.push_back({shown(node.name), shown(node.type), list_text(names_of(graph, node.inputs)),
                    list_text(names_of(graph, node.outputs)), list_text(names.node(node.name))});
  return concat("  nodes   ", graph.nodes().size(), "\n", table_text(rows));
}

void write_list(Writer& out, std::string_view key, const std::vector<std::string>& names) {
  out.key(key).begin_array(Writer::Style::kInline);
  for (const std::string& name : names) out.string(name);
  out.end_array();
}

void write_tensor(Writer& out, const ir::Tensor& tensor) {
  out.key("name").string(tensor.name);
  out.key("type").string(ir::name(tensor.desc.type)).key("shape").begin_array(Writer::Style::kInline);
  for (const uint32_t dim : tensor.desc.shape.dims()) out.unsigned_integer(dim);
  out.end_array();
}

void write_all_tensors(Writer& out, const ir::Graph& graph, const ModelNames& names) {
  out.key("tensors").begin_array();
  for (const ir::Tensor& tensor : graph.tensors()) {
    out.begin_object(Writer::Style::kInline);
    write_tensor(out, tensor);
    out.key("role").string(role_name(tensor.role)).key("source").string(names.tensor(tensor.name));
    out.key("encodings").begin_array(Writer::Style::kInline);
    for (const ir::ScaleOffset& encoding : tensor.desc.quantization.encodings) {
      out.begin_object(Writer::Style::kInline).key("scale").number(encoding.scale);
      out.key("offset").integer(encoding.offset).end_object();
    }
    out.end_array().end_object();
  }
  out.end_array();
}

void write_all_nodes(Writer& out, const ir::Graph& graph, const ModelNames& names) {
  out.key("nodes").begin_array();
  for (const ir::Node& node : graph.nodes()) {
    out.begin_object(Writer::Style::kInline).key("name").string(node.name).key("type").string(node.type);
    write_list(out, "inputs", names_of(graph, node.inputs));
    write_list(out, "outputs", names_of(graph, node.outputs));
    write_list(out, "sources", names.node(node.name));
    out.end_object();
  }
  out.end_array();
}

// ---- The whole file ----

std::string graph_text(const frontend::DlcGraph& dlc, const Wanted& wanted) {
  const ir::Graph& graph = dlc.graph;
  const DlcParts parts(graph);
  std::string out = concat("\n", bold(concat("Graph '", shown(graph.name()), "'")), "\n");
  out += tensors_text("input ", graph.tensors_with(ir::TensorRole::kInput));
  out += tensors_text("output", graph.tensors_with(ir::TensorRole::kOutput));
  out += concat("  ops     ", graph.nodes().size(), "\n");
  size_t width = 0;
  for (const auto& [type, count] : parts.nodes) width = std::max(width, shown(type).size());
  for (const auto& [type, count] : parts.nodes)
    out += concat("    ", padded(shown(type), width), "  ", count, "\n");
  out += concat("  weights ", parts.constants, parts.constants == 1 ? " tensor, " : " tensors, ",
                parts.parameters, " parameters, ", bytes_text(parts.bytes), "\n");
  out += concat("  work    ", parts.macs, " multiply-accumulates an inference; ",
                bytes_text(parts.activations), " of tensors in all\n");
  if (!dlc.encodings.empty())
    out += concat("  encodings for the quantizer: ", dlc.encodings.size(), " tensors\n");
  if (dlc.activation_share)
    out +=
        concat("  DLBC    leaves ", fixed(*dlc.activation_share, 3), " of activations, as a sample showed\n");
  const ModelNames names(dlc.trace);
  if (wanted.tensors) out += all_tensors_text(graph, names);
  if (wanted.nodes) out += all_nodes_text(graph, names);
  return out;
}

std::string text_of(const frontend::Dlc& dlc, std::string_view path, uint64_t bytes, const Wanted& wanted) {
  std::string out = concat(shown(path), ": DLC of openqnn",
                           dlc.made_by.empty() ? "" : concat(", made by ", shown(dlc.made_by)), ", ",
                           bytes_text(bytes), "\n");
  for (const auto& [title, text] :
       {std::pair{"converter", &dlc.converter_command}, std::pair{"quantizer", &dlc.quantizer_command}})
    if (!text->empty()) out += concat("  ", title, ": ", shown(*text), "\n");
  for (const frontend::DlcGraph& graph : dlc.graphs) out += graph_text(graph, wanted);
  return out;
}

void write_tensors(Writer& out, std::string_view key, const std::vector<const ir::Tensor*>& tensors) {
  out.key(key).begin_array();
  for (const ir::Tensor* tensor : tensors) {
    out.begin_object(Writer::Style::kInline);
    write_tensor(out, *tensor);
    out.end_object();
  }
  out.end_array();
}

std::string json_of(const frontend::Dlc& dlc, std::string_view path, uint64_t bytes, const Wanted& wanted) {
  Writer out;
  out.begin_object().key("file").string(path).key("bytes").unsigned_integer(bytes);
  out.key("made_by").string(dlc.made_by).key("converter_command").string(dlc.converter_command);
  out.key("quantizer_command").string(dlc.quantizer_command).key("graphs").begin_array();
  for (const frontend::DlcGraph& graph : dlc.graphs) {
    const DlcParts parts(graph.graph);
    out.begin_object().key("name").string(graph.graph.name());
    write_tensors(out, "inputs", graph.graph.tensors_with(ir::TensorRole::kInput));
    write_tensors(out, "outputs", graph.graph.tensors_with(ir::TensorRole::kOutput));
    out.key("ops").begin_object();
    for (const auto& [type, count] : parts.nodes) out.key(type).unsigned_integer(count);
    out.end_object().key("macs").unsigned_integer(parts.macs);
    out.key("tensor_bytes").unsigned_integer(parts.activations);
    if (graph.activation_share) out.key("activation_share").number(*graph.activation_share);
    out.key("weights").begin_object(Writer::Style::kInline);
    out.key("tensors").unsigned_integer(parts.constants).key("parameters").unsigned_integer(parts.parameters);
    out.key("bytes").unsigned_integer(parts.bytes).end_object();
    const ModelNames names(graph.trace);
    if (wanted.tensors) write_all_tensors(out, graph.graph, names);
    if (wanted.nodes) write_all_nodes(out, graph.graph, names);
    out.end_object();
  }
  out.end_array().end_object();
  return out.take();
}

}  // namespace

int inspect_dlc(const Args& args) {
  const std::string path = args.positional(0);
  const auto file = MappedFile::open(path);
  if (!file) return fail("cannot inspect", file.error());
  const uint64_t bytes = (*file)->bytes().size();
  const auto dlc = frontend::read_dlc((*file)->bytes(), path);
  if (!dlc) return fail("cannot inspect", dlc.error());
  const Wanted wanted = {args.has("--tensors"), args.has("--nodes")};
  print(args.has("--json") ? json_of(*dlc, path, bytes, wanted) : text_of(*dlc, path, bytes, wanted));
  return kOk;
}

}  // namespace openqnn::tools
