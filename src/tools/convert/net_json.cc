// SPDX-License-Identifier: BSD-3-Clause
#include <cstring>
#include <set>

#include "QnnOpDef.h"
#include "base/text.h"
#include "json/json.h"
#include "tools/compose.h"
#include "tools/console.h"
#include "tools/convert/model_source.h"
#include "tools/macs.h"

namespace openqnn::tools::convert {
namespace {

using json::Writer;

uint64_t elements_of_constants(const ir::Graph& graph) {
  uint64_t sum = 0;
  for (const ir::Tensor& tensor : graph.tensors())
    if (tensor.data) sum += tensor.desc.shape.elements();
  return sum;
}

std::string parameters_text(uint64_t count) {
  const double megabytes = static_cast<double>(count) * sizeof(float) / (1024.0 * 1024.0);
  return concat(count, " (", fixed(megabytes, 2), " MB assuming single precision float)");
}

// ---- Tensors ----

void write_numbers(Writer& out, std::span<const uint32_t> numbers) {
  out.begin_array(Writer::Style::kInline);
  for (const uint32_t number : numbers) out.unsigned_integer(number);
  out.end_array();
}

void write_scale_offset(Writer& out, float scale, int32_t offset) {
  out.key("offset").integer(offset).key("scale").number(scale);
}

void write_scale_offsets(Writer& out, const std::vector<Qnn_ScaleOffset_t>& encodings) {
  out.key("num_scale_offsets").unsigned_integer(encodings.size()).key("scale_offsets").begin_array();
  for (const Qnn_ScaleOffset_t& one : encodings) {
    out.begin_object(Writer::Style::kInline);
    write_scale_offset(out, one.scale, one.offset);
    out.end_object();
  }
  out.end_array();
}

// Readers know the first two forms; the names of the others are those of the C API's members (ours).
void write_encoding(Writer& out, const DescribedTensor& described) {
  const Qnn_QuantizeParams_t& params = described.tensor.v1.quantizeParams;
  out.key("quant_params").begin_object();
  out.key("definition")
      .integer(params.encodingDefinition)
      .key("encoding")
      .integer(params.quantizationEncoding);
  switch (params.quantizationEncoding) {
    case QNN_QUANTIZATION_ENCODING_AXIS_SCALE_OFFSET:
      out.key("axis_scale_offset").begin_object().key("axis").integer(params.axisScaleOffsetEncoding.axis);
      write_scale_offsets(out, described.encodings);
      break;
    case QNN_QUANTIZATION_ENCODING_BW_SCALE_OFFSET:
      out.key("bw_scale_offset").begin_object(Writer::Style::kInline);
      out.key("bitwidth").unsigned_integer(params.bwScaleOffsetEncoding.bitwidth);
      write_scale_offset(out, params.bwScaleOffsetEncoding.scale, params.bwScaleOffsetEncoding.offset);
      break;
    case QNN_QUANTIZATION_ENCODING_BW_AXIS_SCALE_OFFSET:
      out.key("bw_axis_scale_offset").begin_object();
      out.key("bitwidth").unsigned_integer(params.bwAxisScaleOffsetEncoding.bitwidth);
      out.key("axis").integer(params.bwAxisScaleOffsetEncoding.axis);
      write_scale_offsets(out, described.encodings);
      break;
    case QNN_QUANTIZATION_ENCODING_BLOCK:
      out.key("block_encoding").begin_object().key("block_size");
      write_numbers(out, described.block);
      write_scale_offsets(out, described.encodings);
      break;
    default: {
      const bool defined = params.encodingDefinition == QNN_DEFINITION_DEFINED;
      out.key("scale_offset").begin_object(Writer::Style::kInline);
      write_scale_offset(out, defined ? params.scaleOffsetEncoding.scale : 0.0F,
                         defined ? params.scaleOffsetEncoding.offset : 0);
    }
  }
  out.end_object().end_object();
}

// All but the braces and the number of parameters.
void write_description(Writer& out, const DescribedTensor& described, uint32_t id) {
  const Qnn_TensorV1_t& tensor = described.tensor.v1;
  out.key("id").unsigned_integer(id).key("type").integer(tensor.type);
  out.key("dataFormat").unsigned_integer(tensor.dataFormat).key("data_type").integer(tensor.dataType);
  write_encoding(out, described);
  out.key("current_dims");
  write_numbers(out, described.dimensions);
  out.key("max_dims");
  write_numbers(out, described.dimensions);
}

Status write_tensors(Writer& out, const ir::Graph& graph, const SourceNames& names) {
  out.key("tensors").begin_object();
  for (size_t i = 0; i < graph.tensors().size(); ++i) {
    ir::Tensor tensor = graph.tensors()[i];
    const bool constant = static_cast<bool>(tensor.data);
    tensor.data = nullptr;  // not looked at, so that values in a file need not be read
    DescribedTensor described;
    OPENQNN_TRY(describe(tensor, described));
    out.key(names.tensors[i]).begin_object();
    write_description(out, described, static_cast<uint32_t>(i));
    if (constant) out.key("params_count").unsigned_integer(tensor.desc.shape.elements());
    out.end_object();
  }
  out.end_object();
  return {};
}

// ---- Nodes ----

void write_element(Writer& out, ir::DataType type, const std::byte* at) {
  const auto as = [at](auto value) {
    std::memcpy(&value, at, sizeof(value));
    return value;
  };
  const bool is_signed = type == ir::DataType::kInt8 || type == ir::DataType::kInt16 ||
                         type == ir::DataType::kInt32 || type == ir::DataType::kInt64;
  if (type == ir::DataType::kFloat32) {
    out.number(as(float{}));
    return;
  }
  switch (ir::byte_size(type)) {
    case 8:
      is_signed ? out.integer(as(int64_t{})) : out.unsigned_integer(as(uint64_t{}));
      break;
    case 4:
      is_signed ? out.integer(as(int32_t{})) : out.unsigned_integer(as(uint32_t{}));
      break;
    case 2:
      is_signed ? out.integer(as(int16_t{})) : out.unsigned_integer(as(uint16_t{}));
      break;
    default:
      is_signed ? out.integer(as(int8_t{})) : out.unsigned_integer(as(uint8_t{}));
  }
}

void write_elements(Writer& out, const ir::Param& param) {
  const size_t size = std::max<size_t>(ir::byte_size(param.type), 1);
  out.begin_array(Writer::Style::kInline);
  for (size_t at = 0; at + size <= param.data.size(); at += size)
    write_element(out, param.type, param.data.data() + at);
  out.end_array();
}

Status write_array_param(Writer& out, const ir::Param& param, const std::string& tensor_name) {
  ir::Tensor tensor;
  tensor.role = ir::TensorRole::kStatic;
  tensor.desc.type = param.type;
  tensor.desc.shape = param.shape;
  DescribedTensor described;
  OPENQNN_TRY(describe(tensor, described));
  out.key(param.name).begin_object().key(tensor_name).begin_object();
  write_description(out, described, 0);
  out.key("data");
  write_elements(out, param);
  out.end_object().end_object();
  return {};
}

Status write_params(Writer& out, const ir::Node& node) {
  out.key("tensor_params").begin_object();
  for (const ir::Param& param : node.params.all())
    if (param.shape.rank() > 0)
      OPENQNN_TRY(write_array_param(out, param, concat(node.name, "_", param.name)));
  out.end_object().key("scalar_params").begin_object();
  for (const ir::Param& param : node.params.all()) {
    if (param.shape.rank() > 0 || param.data.size() < ir::byte_size(param.type)) continue;
    out.key(param.name)
        .begin_object(Writer::Style::kInline)
        .key(std::to_string(static_cast<uint32_t>(param.type)));
    write_element(out, param.type, param.data.data());
    out.end_object();
  }
  out.end_object();
  return {};
}

void write_operands(Writer& out, std::string_view key, const std::vector<ir::TensorIndex>& operands,
                    const SourceNames& names) {
  out.key(key).begin_array(Writer::Style::kInline);
  for (const ir::TensorIndex operand : operands)
    out.string(operand == ir::kNoTensor ? "" : names.tensors[operand]);
  out.end_array();
}

Status write_nodes(Writer& out, const ir::Graph& graph, const SourceNames& names) {
  out.key("nodes").begin_object();
  for (const ir::Node& node : graph.nodes()) {
    out.key(node.name).begin_object();
    out.key("package").string(QNN_OP_PACKAGE_NAME_QTI_AISW).key("type").string(node.type);
    OPENQNN_TRY(write_params(out, node));
    write_operands(out, "input_names", node.inputs, names);
    write_operands(out, "output_names", node.outputs, names);
    out.key("macs_per_inference").string(std::to_string(macs_of(graph, node)));
    out.end_object();
  }
  out.end_object();
  return {};
}

}  // namespace

Result<std::string> net_json(const std::string& stem, const ir::Graph& graph, const SourceNames& names,
                             const SourceTexts& texts) {
  std::set<std::string> types;
  uint64_t macs = 0;
  for (const ir::Node& node : graph.nodes()) {
    types.insert(node.type);
    macs += macs_of(graph, node);
  }
  Writer out;
  out.begin_object().key("model.cpp").string(stem + ".cpp").key("model.bin").string(stem + ".bin");
  out.key("converter_command").string(texts.command).key("copyright_str").string(texts.copyright);
  out.key("op_types").begin_array(Writer::Style::kInline);
  for (const std::string& type : types) out.string(type);
  out.end_array();
  out.key("Total parameters").string(parameters_text(elements_of_constants(graph)));
  out.key("Total MACs per inference").string(std::to_string(macs));
  out.key("graph").begin_object();
  OPENQNN_TRY(write_tensors(out, graph, names));
  OPENQNN_TRY(write_nodes(out, graph, names));
  out.end_object().end_object();
  return out.take();
}

}  // namespace openqnn::tools::convert
