// SPDX-License-Identifier: BSD-3-Clause
// openqnn inspect, of a .dlc: its graphs, and what made them.
#include "tools/inspect_dlc.h"

#include <algorithm>
#include <map>

#include "base/files.h"
#include "base/text.h"
#include "frontend/dlc/dlc.h"
#include "json/json.h"
#include "tools/console.h"
#include "tools/macs.h"

namespace openqnn::tools {
namespace {

using json::Writer;

// What the nodes and tensors of a graph add up to.
struct Parts {
  std::map<std::string, uint64_t> nodes;  // by type
  uint64_t macs = 0;
  uint64_t constants = 0;
  uint64_t parameters = 0;
  uint64_t bytes = 0;        // of the constants
  uint64_t activations = 0;  // bytes of all others, each counted once: what a device needs is less

  explicit Parts(const ir::Graph& graph) {
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

std::vector<const ir::Tensor*> with_role(const ir::Graph& graph, ir::TensorRole role) {
  std::vector<const ir::Tensor*> tensors;
  for (const ir::Tensor& tensor : graph.tensors())
    if (tensor.role == role) tensors.push_back(&tensor);
  return tensors;
}

std::string tensors_text(std::string_view title, const std::vector<const ir::Tensor*>& tensors) {
  std::string out;
  for (const ir::Tensor* tensor : tensors)
    out += concat("  ", title, "  ", shown(tensor->name), "  ", ir::name(tensor->desc.type), " ",
                  tensor->desc.shape.to_string(), "\n");
  return out;
}

std::string graph_text(const frontend::DlcGraph& dlc) {
  const ir::Graph& graph = dlc.graph;
  const Parts parts(graph);
  std::string out = concat("\n", bold(concat("Graph '", shown(graph.name()), "'")), "\n");
  out += tensors_text("input ", with_role(graph, ir::TensorRole::kInput));
  out += tensors_text("output", with_role(graph, ir::TensorRole::kOutput));
  out += concat("  ops     ", graph.nodes().size(), "\n");
  size_t width = 0;
  for (const auto& [type, count] : parts.nodes) width = std::max(width, shown(type).size());
  for (const auto& [type, count] : parts.nodes)
    out += concat("    ", shown(type), std::string(width - shown(type).size(), ' '), "  ", count, "\n");
  out += concat("  weights ", parts.constants, parts.constants == 1 ? " tensor, " : " tensors, ",
                parts.parameters, " parameters, ", bytes_text(parts.bytes), "\n");
  out += concat("  work    ", parts.macs, " multiply-accumulates an inference; ",
                bytes_text(parts.activations), " of tensors in all\n");
  if (!dlc.encodings.empty())
    out += concat("  encodings for the quantizer: ", dlc.encodings.size(), " tensors\n");
  return out;
}

std::string text_of(const frontend::Dlc& dlc, std::string_view path, uint64_t bytes) {
  std::string out = concat(shown(path), ": DLC of openqnn",
                           dlc.made_by.empty() ? "" : concat(", made by ", shown(dlc.made_by)), ", ",
                           bytes_text(bytes), "\n");
  for (const auto& [title, text] :
       {std::pair{"converter", &dlc.converter_command}, std::pair{"quantizer", &dlc.quantizer_command}})
    if (!text->empty()) out += concat("  ", title, ": ", shown(*text), "\n");
  for (const frontend::DlcGraph& graph : dlc.graphs) out += graph_text(graph);
  return out;
}

void write_tensors(Writer& out, std::string_view key, const std::vector<const ir::Tensor*>& tensors) {
  out.key(key).begin_array();
  for (const ir::Tensor* tensor : tensors) {
    out.begin_object(Writer::Style::kInline).key("name").string(tensor->name);
    out.key("type").string(ir::name(tensor->desc.type)).key("shape").begin_array(Writer::Style::kInline);
    for (const uint32_t dim : tensor->desc.shape.dims()) out.unsigned_integer(dim);
    out.end_array().end_object();
  }
  out.end_array();
}

std::string json_of(const frontend::Dlc& dlc, std::string_view path, uint64_t bytes) {
  Writer out;
  out.begin_object().key("file").string(path).key("bytes").unsigned_integer(bytes);
  out.key("made_by").string(dlc.made_by).key("converter_command").string(dlc.converter_command);
  out.key("quantizer_command").string(dlc.quantizer_command).key("graphs").begin_array();
  for (const frontend::DlcGraph& graph : dlc.graphs) {
    const Parts parts(graph.graph);
    out.begin_object().key("name").string(graph.graph.name());
    write_tensors(out, "inputs", with_role(graph.graph, ir::TensorRole::kInput));
    write_tensors(out, "outputs", with_role(graph.graph, ir::TensorRole::kOutput));
    out.key("ops").begin_object();
    for (const auto& [type, count] : parts.nodes) out.key(type).unsigned_integer(count);
    out.end_object().key("macs").unsigned_integer(parts.macs);
    out.key("tensor_bytes").unsigned_integer(parts.activations);
    out.key("weights").begin_object(Writer::Style::kInline);
    out.key("tensors").unsigned_integer(parts.constants).key("parameters").unsigned_integer(parts.parameters);
    out.key("bytes").unsigned_integer(parts.bytes).end_object();
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
  print(args.has("--json") ? json_of(*dlc, path, bytes) : text_of(*dlc, path, bytes));
  return kOk;
}

}  // namespace openqnn::tools
