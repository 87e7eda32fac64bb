// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/text.h"
#include "base/units.h"
#include "base/zip.h"
#include "frontend/dlc/dlc.h"
#include "frontend/dlc/format.h"
#include "json/json.h"

namespace openqnn::frontend {
namespace {

using json::Writer;
using Style = json::Writer::Style;
namespace format = dlc_format;

template <class Table, class Value>
std::string_view name_in(const Table& table, Value value) {
  return std::find_if(table.begin(), table.end(), [&](const auto& row) { return row.second == value; })
      ->first;
}

Blob blob_of(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text.data(), text.size()));
  return Blob::of({bytes.begin(), bytes.end()});
}

// Static values of all graphs, one after another; a blob that several tensors share is stored once.
class Weights {
 public:
  uint64_t add(const ir::Blob& blob) {
    const auto [found, is_new] = offsets_.try_emplace(blob.identity(), 0);
    if (!is_new) return found->second;
    const uint64_t aligned = round_up(bytes_, format::kWeightAlignment);
    if (aligned != bytes_) pieces_.push_back(Blob::of(std::vector<std::byte>(aligned - bytes_)));
    pieces_.push_back(blob);
    found->second = aligned;
    bytes_ = aligned + blob.size();
    return aligned;
  }
  std::vector<Blob> take() { return std::move(pieces_); }

 private:
  std::map<const void*, uint64_t> offsets_;
  std::vector<Blob> pieces_;
  uint64_t bytes_ = 0;
};

void write_shape(Writer& out, const ir::Shape& shape) {
  out.begin_array(Style::kInline);
  for (const uint32_t dim : shape.dims()) out.unsigned_integer(dim);
  out.end_array();
}

void write_quantization(Writer& out, const ir::Quantization& quantization) {
  out.begin_object(Style::kInline);
  out.key("kind").string(name_in(format::kKinds, quantization.kind));
  if (quantization.kind == ir::Quantization::Kind::kPerAxis)
    out.key("axis").unsigned_integer(quantization.axis);
  if (quantization.bits != 0) out.key("bits").unsigned_integer(quantization.bits);
  if (quantization.kind == ir::Quantization::Kind::kPerBlock)
    write_shape(out.key("block"), quantization.block);
  if (quantization.expanded) out.key("expanded").boolean(true);
  out.key("encodings").begin_array(Style::kInline);
  for (const ir::ScaleOffset& encoding : quantization.encodings) {
    out.begin_array(Style::kInline).number(static_cast<double>(encoding.scale));
    out.integer(encoding.offset).end_array();
  }
  out.end_array().end_object();
}

void write_tensor(Writer& out, const ir::Tensor& tensor, Weights& weights) {
  out.begin_object(Style::kInline);
  out.key("name").string(tensor.name).key("role").string(name_in(format::kRoles, tensor.role));
  out.key("type").string(ir::name(tensor.desc.type));
  write_shape(out.key("shape"), tensor.desc.shape);
  if (tensor.desc.quantization.kind != ir::Quantization::Kind::kNone)
    write_quantization(out.key("quantization"), tensor.desc.quantization);
  if (tensor.data) {
    out.key("offset").unsigned_integer(weights.add(tensor.data));
    out.key("bytes").unsigned_integer(tensor.data.size());
  }
  out.end_object();
}

// Numbers as they are; what JSON has no number for as its name.
void write_real(Writer& out, double value) {
  if (std::isfinite(value))
    out.number(value);
  else
    out.string(std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
}

template <class T>
T element(const ir::Param& param, size_t index) {
  T value;
  std::memcpy(&value, param.data.data() + index * sizeof(T), sizeof(T));
  return value;
}

void write_param(Writer& out, const ir::Param& param) {
  out.begin_object(Style::kInline);
  out.key("name").string(param.name).key("type").string(ir::name(param.type));
  write_shape(out.key("shape"), param.shape);
  out.key("values").begin_array(Style::kInline);
  const size_t size = ir::byte_size(param.type);
  for (size_t i = 0; i < param.data.size() / std::max<size_t>(size, 1); ++i) {
    if (param.type == ir::DataType::kFloat32)
      write_real(out, static_cast<double>(element<float>(param, i)));
    else if (param.type == ir::DataType::kFloat64)
      write_real(out, element<double>(param, i));
    else if (size == 8)
      out.integer(element<int64_t>(param, i));
    else if (size == 4)
      out.unsigned_integer(element<uint32_t>(param, i));
    else if (size == 2)
      out.unsigned_integer(element<uint16_t>(param, i));
    else
      out.unsigned_integer(element<uint8_t>(param, i));
  }
  out.end_array().end_object();
}

void write_operands(Writer& out, const ir::Graph& graph, const std::vector<ir::TensorIndex>& tensors) {
  out.begin_array(Style::kInline);
  for (const ir::TensorIndex tensor : tensors) {
    if (tensor == ir::kNoTensor)
      out.null();
    else
      out.string(graph.tensors()[tensor].name);
  }
  out.end_array();
}

void write_node(Writer& out, const ir::Graph& graph, const ir::Node& node) {
  out.begin_object();
  out.key("name").string(node.name).key("type").string(node.type);
  write_operands(out.key("inputs"), graph, node.inputs);
  write_operands(out.key("outputs"), graph, node.outputs);
  if (!node.params.all().empty()) {
    out.key("params").begin_array();
    for (const ir::Param& param : node.params.all()) write_param(out, param);
    out.end_array();
  }
  out.end_object();
}

void write_trace(Writer& out, const Trace& trace) {
  out.begin_object();
  out.key("nodes").begin_object();
  for (const Trace::Node& node : trace.nodes) {
    out.key(node.name).begin_array(Style::kInline);
    for (const std::string& source : node.sources) out.string(source);
    out.end_array();
  }
  out.end_object().key("tensors").begin_object();
  for (const Trace::Tensor& tensor : trace.tensors) out.key(tensor.name).string(tensor.source);
  out.end_object().end_object();
}

void write_graph(Writer& out, const DlcGraph& dlc, Weights& weights) {
  const ir::Graph& graph = dlc.graph;
  out.begin_object().key("name").string(graph.name());
  out.key("tensors").begin_array();
  for (const ir::Tensor& tensor : graph.tensors()) write_tensor(out, tensor, weights);
  out.end_array().key("nodes").begin_array();
  for (const ir::Node& node : graph.nodes()) write_node(out, graph, node);
  out.end_array();
  if (!dlc.encodings.empty()) {
    out.key("encodings").begin_object();
    for (const auto& [name, encoding] : dlc.encodings) {
      out.key(name).begin_object(Style::kInline).key("type").string(ir::name(encoding.type));
      if (!encoding.quantization.encodings.empty())
        write_quantization(out.key("quantization"), encoding.quantization);
      out.end_object();
    }
    out.end_object();
  }
  if (dlc.activation_share) out.key("activation_share").number(*dlc.activation_share);
  write_trace(out.key("trace"), dlc.trace);
  out.end_object();
}

std::string header_of(const Dlc& dlc) {
  Writer out;
  out.begin_object();
  out.key("format").string(format::kFormat).key("version").integer(format::kVersion);
  out.key("made_by").string(dlc.made_by).key("model_version").string(dlc.model_version);
  out.key("copyright").string(dlc.copyright).key("converter_command").string(dlc.converter_command);
  out.key("quantizer_command").string(dlc.quantizer_command);
  out.end_object();
  return out.take();
}

}  // namespace

Status write_dlc(const std::filesystem::path& path, const Dlc& dlc) {
  for (const DlcGraph& graph : dlc.graphs)
    for (const ir::Tensor& tensor : graph.graph.tensors())
      if (tensor.desc.is_sparse())
        return unsupported("dlc-sparse",
                           concat("tensor '", tensor.name, "' is sparse, which a DLC cannot hold"));
  Weights weights;
  Writer graphs;
  graphs.begin_array();
  for (const DlcGraph& graph : dlc.graphs) write_graph(graphs, graph, weights);
  graphs.end_array();
  const std::string header = header_of(dlc);
  const std::string text = graphs.take();
  return write_zip(path, {{std::string(format::kHeader), {blob_of(header)}},
                          {std::string(format::kGraph), {blob_of(text)}},
                          {std::string(format::kWeights), weights.take()}});
}

}  // namespace openqnn::frontend
