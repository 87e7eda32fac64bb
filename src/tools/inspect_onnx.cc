// SPDX-License-Identifier: BSD-3-Clause
// openqnn inspect, of an ONNX model: what it takes, gives and is made of.
#include <algorithm>
#include <map>

#include "base/files.h"
#include "base/text.h"
#include "frontend/onnx/model.h"
#include "json/json.h"
#include "tools/console.h"
#include "tools/inspect.h"

namespace openqnn::tools {
namespace {

namespace onnx = frontend::onnx;
using json::Writer;

// What the nodes and the stored tensors of a graph add up to, those of the graphs inside its nodes included.
struct OnnxParts {
  std::map<std::string, uint64_t> nodes;  // by type, with its domain unless that is ONNX's own
  uint64_t tensors = 0;
  uint64_t elements = 0;
  uint64_t bytes = 0;
  uint64_t external_bytes = 0;  // of these, in other files

  Status add(const onnx::Graph& graph) {
    for (const onnx::Tensor& tensor : graph.initializers) OPENQNN_TRY(add(tensor));
    for (const onnx::Node& node : graph.nodes) {
      ++nodes[node.domain.empty() ? std::string(node.op_type) : concat(node.domain, ".", node.op_type)];
      for (const onnx::Attribute& attribute : node.attributes) {
        for (const onnx::Tensor& tensor : attribute.tensors) OPENQNN_TRY(add(tensor));
        for (const onnx::Graph& inner : attribute.graphs) OPENQNN_TRY(add(inner));
      }
    }
    return {};
  }

 private:
  static constexpr uint64_t kMost = UINT64_MAX / 2;

  // What the file holds is looked at; of other files, which need not be here, only what it says of them.
  Status add(const onnx::Tensor& tensor) {
    OPENQNN_ASSIGN(const uint64_t count, onnx::element_count(tensor));
    const uint64_t size = onnx::stored_bytes(tensor.type, count);
    onnx::ExternalFiles none("");
    if (!tensor.external && size != 0) OPENQNN_TRY(onnx::values_of(tensor, none));
    if (std::max(count, size) > kMost - std::max(elements, bytes))
      return invalid("onnx-size", "its tensors together are beyond any memory");
    ++tensors;
    elements += count;
    bytes += size;
    if (tensor.external) external_bytes += size;
    return {};
  }
};

struct Summary {
  const onnx::Model& model;
  std::string_view path;
  uint64_t file_bytes;
  OnnxParts parts;
};

std::string dimension_text(const onnx::Dimension& dimension) {
  if (dimension.value) return std::to_string(*dimension.value);
  return dimension.name.empty() ? "?" : shown(dimension.name);
}

std::string values_text(std::string_view title, const std::vector<onnx::ValueInfo>& values) {
  std::string out;
  for (const onnx::ValueInfo& value : values) {
    out += concat("  ", title, "  ", shown(value.name), "  ",
                  value.is_tensor ? name_of(value.type) : "no tensor");
    if (value.shape) {
      out += " [";
      for (size_t i = 0; i < value.shape->size(); ++i)
        out += concat(i == 0 ? "" : ", ", dimension_text((*value.shape)[i]));
      out += "]";
    }
    out += "\n";
  }
  return out;
}

std::string text_of(const Summary& summary) {
  const onnx::Model& model = summary.model;
  const OnnxParts& parts = summary.parts;
  std::string out = concat(shown(summary.path), ": ONNX model, IR version ", model.ir_version, ", opset ",
                           model.opset(), model.producer.empty() ? "" : ", written by ",
                           shown(model.producer), ", ", bytes_text(summary.file_bytes), "\n\n",
                           bold(concat("Graph '", shown(model.graph->name), "'")), "\n");
  out += values_text("input ", model.graph->inputs);
  out += values_text("output", model.graph->outputs);
  size_t width = 0;
  uint64_t count = 0;
  for (const auto& [type, number] : parts.nodes) {
    width = std::max(width, type.size());
    count += number;
  }
  out += concat("  nodes   ", count, "\n");
  for (const auto& [type, number] : parts.nodes)
    out += concat("    ", shown(type), std::string(width - type.size(), ' '), "  ", number, "\n");
  out += concat("  weights ", parts.elements, " in ", parts.tensors,
                parts.tensors == 1 ? " tensor, " : " tensors, ", bytes_text(parts.bytes));
  if (parts.external_bytes != 0)
    out += concat(", ", bytes_text(parts.external_bytes), " of them in other files");
  return out + "\n";
}

void write_values(Writer& out, std::string_view key, const std::vector<onnx::ValueInfo>& values) {
  out.key(key).begin_array();
  for (const onnx::ValueInfo& value : values) {
    out.begin_object(Writer::Style::kInline).key("name").string(value.name);
    out.key("type").string(value.is_tensor ? name_of(value.type) : "no tensor");
    if (value.shape) {
      out.key("shape").begin_array(Writer::Style::kInline);
      for (const onnx::Dimension& dimension : *value.shape) {
        if (dimension.value) {
          out.integer(*dimension.value);
        } else {
          out.string(dimension.name);
        }
      }
      out.end_array();
    }
    out.end_object();
  }
  out.end_array();
}

std::string json_of(const Summary& summary) {
  const onnx::Model& model = summary.model;
  Writer out;
  out.begin_object();
  out.key("file").string(summary.path).key("bytes").unsigned_integer(summary.file_bytes);
  out.key("ir_version").integer(model.ir_version).key("producer").string(model.producer);
  out.key("operator_sets").begin_array();
  for (const onnx::OperatorSet& set : model.operator_sets) {
    out.begin_object(Writer::Style::kInline).key("domain").string(set.domain);
    out.key("version").integer(set.version).end_object();
  }
  out.end_array().key("graph").begin_object().key("name").string(model.graph->name);
  write_values(out, "inputs", model.graph->inputs);
  write_values(out, "outputs", model.graph->outputs);
  out.key("nodes").begin_object();
  for (const auto& [type, number] : summary.parts.nodes) out.key(type).unsigned_integer(number);
  out.end_object().key("weights").begin_object(Writer::Style::kInline);
  out.key("tensors").unsigned_integer(summary.parts.tensors);
  out.key("elements").unsigned_integer(summary.parts.elements);
  out.key("bytes").unsigned_integer(summary.parts.bytes);
  out.key("external_bytes").unsigned_integer(summary.parts.external_bytes).end_object();
  out.end_object().end_object();
  return out.take();
}

}  // namespace

int inspect_onnx(const Args& args) {
  constexpr std::string_view kWhat = "cannot inspect";
  const std::string path(args.positional(0));
  const auto file = MappedFile::open(path);
  if (!file) return fail(kWhat, file.error());
  const auto model = onnx::read_model((*file)->bytes(), path);
  if (!model) return fail(kWhat, model.error());
  Summary summary{*model, path, (*file)->bytes().size(), {}};
  if (Status added = summary.parts.add(*model->graph); !added) {
    Diagnostic reason = std::move(added).error();
    reason.where.object = path;
    return fail(kWhat, reason);
  }
  print(args.has("--json") ? json_of(summary) : text_of(summary));
  return kOk;
}

}  // namespace openqnn::tools
