// SPDX-License-Identifier: BSD-3-Clause
// openqnn inspect: what a context binary, a profile log, a DLC or an ONNX model holds.
#include "tools/inspect.h"

#include <algorithm>

#include "base/files.h"
#include "base/text.h"
#include "json/json.h"
#include "openqnn/context_binary.h"
#include "profile/log.h"
#include "tools/commands.h"
#include "tools/console.h"
#include "tools/file_kind.h"

namespace openqnn::tools {
namespace {

using json::Writer;

std::string shape_text(const std::vector<uint32_t>& shape) {
  std::string text = "[";
  for (size_t i = 0; i < shape.size(); ++i) text += concat(i == 0 ? "" : ", ", shape[i]);
  return text + "]";
}

std::string encoding_text(const TensorInfo& tensor) {
  if (tensor.encodings.empty()) return "";
  if (tensor.encodings.size() > 1) return concat("  ", tensor.encodings.size(), " encodings");
  return concat("  scale ", tensor.encodings[0].scale, " offset ", tensor.encodings[0].offset);
}

std::string tensors_text(std::string_view title, const std::vector<TensorInfo>& tensors) {
  std::string out;
  for (const TensorInfo& tensor : tensors)
    out += concat("  ", title, "  ", shown(tensor.name), "  id ", tensor.id, "  ", tensor.type, " ",
                  shape_text(tensor.shape), encoding_text(tensor), "  ", bytes_text(tensor.bytes),
                  tensor.by_mem_handle ? "  by mem handle" : "", "\n");
  return out;
}

std::string ops_text(const std::vector<OpInfo>& ops) {
  size_t name_width = 0;
  size_t type_width = 0;
  for (const OpInfo& op : ops) {
    name_width = std::max(name_width, op.name.size());
    type_width = std::max(type_width, op.type.size());
  }
  std::string out = concat("  ops     ", ops.size(), "\n");
  for (const OpInfo& op : ops) {
    out += concat("    ", padded(shown(op.name), name_width), "  ", padded(shown(op.type), type_width));
    if (op.constant_bytes != 0) out += concat("  constants ", bytes_text(op.constant_bytes));
    if (op.nodes.size() > 1) {
      out += "  stands for";
      for (const std::string& node : op.nodes) out += concat(" ", shown(node));
    }
    out.erase(out.find_last_not_of(' ') + 1);
    out += "\n";
  }
  return out;
}

std::string graph_text(const GraphInfo& graph) {
  std::string out = concat("\n", bold(concat("Graph '", shown(graph.name), "'")), "\n");
  out += concat("  for     ", graph.soc.empty() ? "" : shown(graph.soc) + ", ", "Hexagon v", graph.arch,
                ", O", graph.optimization, "\n");
  out += tensors_text("input ", graph.inputs);
  out += tensors_text("output", graph.outputs);
  out += ops_text(graph.ops);
  out += concat("  memory  constants ", bytes_text(graph.constant_bytes), ", activations ",
                bytes_text(graph.activation_bytes), ", VTCM ", bytes_text(graph.vtcm_bytes), "\n");
  out += concat("  plan    ", graph.tasks, " tasks for ", graph.hvx_threads, " HVX threads\n");
  return out;
}

std::string text_of(const ContextBinary& binary) {
  std::string out =
      concat(shown(binary.path()), ": context binary of openqnn, format ", binary.format().major, ".",
             binary.format().minor, ", written by openqnn ", shown(binary.producer()), ", ",
             bytes_text(binary.file_bytes()), "\n\n", bold("Sections"), "\n");
  size_t width = 0;
  for (const SectionInfo& section : binary.sections()) width = std::max(width, section.name.size());
  for (const SectionInfo& section : binary.sections())
    out += concat("  ", padded(shown(section.name), width), "  at ", section.offset, ", ", section.bytes,
                  " bytes\n");
  for (const GraphInfo& graph : binary.graphs()) out += graph_text(graph);
  return out;
}

void write_tensors(Writer& out, std::string_view key, const std::vector<TensorInfo>& tensors) {
  out.key(key).begin_array();
  for (const TensorInfo& tensor : tensors) {
    out.begin_object();
    out.key("name").string(tensor.name).key("id").unsigned_integer(tensor.id);
    out.key("type").string(tensor.type).key("shape").begin_array(Writer::Style::kInline);
    for (const uint32_t dim : tensor.shape) out.unsigned_integer(dim);
    out.end_array().key("bytes").unsigned_integer(tensor.bytes);
    out.key("by_mem_handle").boolean(tensor.by_mem_handle);
    if (!tensor.encodings.empty()) {
      if (tensor.encodings.size() > 1) out.key("encoding_axis").unsigned_integer(tensor.encoding_axis);
      out.key("encodings").begin_array();
      for (const EncodingInfo& encoding : tensor.encodings) {
        out.begin_object(Writer::Style::kInline).key("scale").number(encoding.scale);
        out.key("offset").integer(encoding.offset).end_object();
      }
      out.end_array();
    }
    out.end_object();
  }
  out.end_array();
}

void write_names(Writer& out, std::string_view key, const std::vector<std::string>& names) {
  out.key(key).begin_array(Writer::Style::kInline);
  for (const std::string& name : names) out.string(name);
  out.end_array();
}

void write_graph(Writer& out, const GraphInfo& graph) {
  out.begin_object();
  out.key("name").string(graph.name).key("soc").string(graph.soc);
  out.key("soc_model").unsigned_integer(graph.soc_model).key("arch").unsigned_integer(graph.arch);
  out.key("optimization").unsigned_integer(graph.optimization);
  write_tensors(out, "inputs", graph.inputs);
  write_tensors(out, "outputs", graph.outputs);
  out.key("ops").begin_array();
  for (const OpInfo& op : graph.ops) {
    out.begin_object().key("name").string(op.name).key("type").string(op.type);
    write_names(out, "nodes", op.nodes);
    write_names(out, "inputs", op.inputs);
    write_names(out, "outputs", op.outputs);
    out.key("constant_bytes").unsigned_integer(op.constant_bytes).end_object();
  }
  out.end_array();
  out.key("constant_bytes").unsigned_integer(graph.constant_bytes);
  out.key("activation_bytes").unsigned_integer(graph.activation_bytes);
  out.key("vtcm_bytes").unsigned_integer(graph.vtcm_bytes);
  out.key("hvx_threads").unsigned_integer(graph.hvx_threads);
  out.key("tasks").unsigned_integer(graph.tasks);
  out.end_object();
}

std::string json_of(const ContextBinary& binary) {
  Writer out;
  out.begin_object();
  out.key("file").string(binary.path()).key("bytes").unsigned_integer(binary.file_bytes());
  out.key("format").begin_object(Writer::Style::kInline);
  out.key("major").unsigned_integer(binary.format().major);
  out.key("minor").unsigned_integer(binary.format().minor).end_object();
  out.key("producer").string(binary.producer());
  out.key("sections").begin_array();
  for (const SectionInfo& section : binary.sections()) {
    out.begin_object(Writer::Style::kInline).key("name").string(section.name);
    out.key("offset").unsigned_integer(section.offset);
    out.key("bytes").unsigned_integer(section.bytes).end_object();
  }
  out.end_array().key("graphs").begin_array();
  for (const GraphInfo& graph : binary.graphs()) write_graph(out, graph);
  out.end_array().end_object();
  return out.take();
}

int inspect_log(const Args& args) {
  const std::string path(args.positional(0));
  const auto file = MappedFile::open(path);
  if (!file) return fail("cannot inspect", file.error());
  auto log = profile::read_profile_log((*file)->bytes());
  if (!log) {
    Diagnostic reason = std::move(log).error();
    reason.where.object = path;
    return fail("cannot inspect", reason);
  }
  print(args.has("--json") ? profile::log_json(*log, path) : profile::log_text(*log, shown(path)));
  return kOk;
}

int inspect_binary(const Args& args) {
  const auto binary = ContextBinary::open(args.positional(0));
  if (!binary) return fail("cannot inspect", binary.error());
  print(args.has("--json") ? json_of(*binary) : text_of(*binary));
  return kOk;
}

int run_inspect(const Args& args) {
  const FileKind kind = kind_of_file(args.positional(0));
  for (const std::string_view option : {"--tensors", "--nodes"})
    if (args.has(option) && kind != FileKind::kDlc && kind != FileKind::kUnknown)
      return fail(
          "cannot inspect",
          invalid("option-kind", concat("option ", option, " is for a DLC, and this is ", title_of(kind)))
              .at(args.positional(0))
              .fix_by("leave it out"));
  switch (kind) {
    case FileKind::kOnnx:
      return inspect_onnx(args);
    case FileKind::kProfileLog:
      return inspect_log(args);
    case FileKind::kDlc:
      return inspect_dlc(args);
    case FileKind::kContextBinary:
      return inspect_binary(args);
    default:
      return fail("cannot inspect",
                  expect_known_kind(args.positional(0), {FileKind::kContextBinary, FileKind::kProfileLog,
                                                         FileKind::kDlc, FileKind::kOnnx})
                      .error());
  }
}

}  // namespace

Command inspect_command() {
  return {.spec = {.name = "inspect",
                   .summary = "Show what a context binary, a profile log, a DLC or an ONNX model holds",
                   .details = R"(
Of a context binary: its sections, and for each graph the part it was prepared for, inputs, outputs,
ops and memory. The data's checksums are not checked: openqnn validate does that.
Of a profile log: who wrote it, and the events of each measured step.
Of a DLC of openqnn: what made it, and for each graph inputs, outputs, ops and weights; on request
every tensor and node, with the names that the model gave them.
Of an ONNX model: inputs, outputs, how many nodes of each type, and its weights.)",
                   .positionals = {{"FILE",
                                    "a context binary, a profile log or a DLC of openqnn, or an ONNX model"}},
                   .options = {{"--json", "", "print JSON for programs"},
                               {"--tensors", "", "of a DLC: list every tensor, with its name in the model"},
                               {"--nodes", "",
                                "of a DLC: list every node, with its operands and what it was in the model"}},
                   .examples = {"openqnn inspect model.bin", "openqnn inspect --tensors model.dlc",
                                "openqnn inspect --json run_qnn.log", "openqnn inspect model.onnx"}},
          .run = run_inspect};
}

}  // namespace openqnn::tools
