// SPDX-License-Identifier: BSD-3-Clause
// qnn-context-binary-utility: what a context binary says of itself, as JSON.
#include <array>
#include <cstring>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "HTP/QnnHtpSystemContext.h"
#include "base/files.h"
#include "base/text.h"
#include "json/json.h"
#include "program/context_binary.h"
#include "program/memory_needs.h"
#include "tools/api_names.h"
#include "tools/file_kind.h"
#include "tools/products.h"
#include "tools/program_options.h"
#include "tools/qnn/client.h"
#include "tools/qnn/data_formats.h"
#include "tools/qnn/tool.h"

namespace openqnn::tools {
namespace {

namespace fs = std::filesystem;

// ---- The JSON that readers of the vendor's utility parse ----

using json::Writer;
using Inline = Writer::Style;

// The name of an enumerator; its number when it has none here.
template <size_t kCount>
std::string name_in(const std::array<std::pair<uint32_t, std::string_view>, kCount>& names, uint32_t value) {
  for (const auto& [number, name] : names)
    if (number == value) return std::string(name);
  return std::to_string(value);
}

constexpr std::array<std::pair<uint32_t, std::string_view>, 6> kTensorTypes = {{
    {QNN_TENSOR_TYPE_APP_WRITE, "QNN_TENSOR_TYPE_APP_WRITE"},
    {QNN_TENSOR_TYPE_APP_READ, "QNN_TENSOR_TYPE_APP_READ"},
    {QNN_TENSOR_TYPE_APP_READWRITE, "QNN_TENSOR_TYPE_APP_READWRITE"},
    {QNN_TENSOR_TYPE_NATIVE, "QNN_TENSOR_TYPE_NATIVE"},
    {QNN_TENSOR_TYPE_STATIC, "QNN_TENSOR_TYPE_STATIC"},
    {QNN_TENSOR_TYPE_NULL, "QNN_TENSOR_TYPE_NULL"},
}};
constexpr std::array<std::pair<uint32_t, std::string_view>, 3> kDefinitions = {{
    {QNN_DEFINITION_IMPL_GENERATED, "QNN_DEFINITION_IMPL_GENERATED"},
    {QNN_DEFINITION_DEFINED, "QNN_DEFINITION_DEFINED"},
    {QNN_DEFINITION_UNDEFINED, "QNN_DEFINITION_UNDEFINED"},
}};
constexpr std::array<std::pair<uint32_t, std::string_view>, 7> kEncodings = {{
    {QNN_QUANTIZATION_ENCODING_SCALE_OFFSET, "QNN_QUANTIZATION_ENCODING_SCALE_OFFSET"},
    {QNN_QUANTIZATION_ENCODING_AXIS_SCALE_OFFSET, "QNN_QUANTIZATION_ENCODING_AXIS_SCALE_OFFSET"},
    {QNN_QUANTIZATION_ENCODING_BW_SCALE_OFFSET, "QNN_QUANTIZATION_ENCODING_BW_SCALE_OFFSET"},
    {QNN_QUANTIZATION_ENCODING_BW_AXIS_SCALE_OFFSET, "QNN_QUANTIZATION_ENCODING_BW_AXIS_SCALE_OFFSET"},
    {QNN_QUANTIZATION_ENCODING_BLOCK, "QNN_QUANTIZATION_ENCODING_BLOCK"},
    {QNN_QUANTIZATION_ENCODING_BLOCKWISE_EXPANSION, "QNN_QUANTIZATION_ENCODING_BLOCKWISE_EXPANSION"},
    {QNN_QUANTIZATION_ENCODING_UNDEFINED, "QNN_QUANTIZATION_ENCODING_UNDEFINED"},
}};

void write_text(Writer& out, std::string_view key, const char* text) {
  out.key(key).string(text == nullptr ? "" : text);
}

void write_version(Writer& out, std::string_view key, const Qnn_Version_t& version) {
  out.key(key).begin_object(Inline::kInline);
  out.key("major").unsigned_integer(version.major);
  out.key("minor").unsigned_integer(version.minor);
  out.key("patch").unsigned_integer(version.patch);
  out.end_object();
}

// ---- Tensors ----

void write_scale_offset(Writer& out, float scale, int32_t offset) {
  out.begin_object(Inline::kInline);
  out.key("scale").number(static_cast<double>(scale));
  out.key("offset").integer(offset);
  out.end_object();
}

void write_axis(Writer& out, const Qnn_AxisScaleOffset_t& axis) {
  out.key("axisScaleOffset").begin_object();
  out.key("axis").integer(axis.axis);
  out.key("numScaleOffsets").unsigned_integer(axis.numScaleOffsets);
  out.key("scaleOffsets").begin_array();
  for (uint32_t i = 0; i < axis.numScaleOffsets; ++i)
    write_scale_offset(out, axis.scaleOffset[i].scale, axis.scaleOffset[i].offset);
  out.end_array().end_object();
}

void write_encoding(Writer& out, const Qnn_QuantizeParams_t& params) {
  out.key("quantizeParams").begin_object();
  out.key("definition").string(name_in(kDefinitions, static_cast<uint32_t>(params.encodingDefinition)));
  out.key("quantizationEncoding")
      .string(name_in(kEncodings, static_cast<uint32_t>(params.quantizationEncoding)));
  if (params.encodingDefinition == QNN_DEFINITION_DEFINED) {
    if (params.quantizationEncoding == QNN_QUANTIZATION_ENCODING_SCALE_OFFSET) {
      out.key("scaleOffset");
      write_scale_offset(out, params.scaleOffsetEncoding.scale, params.scaleOffsetEncoding.offset);
    } else if (params.quantizationEncoding == QNN_QUANTIZATION_ENCODING_BW_SCALE_OFFSET) {
      out.key("bitwidth").unsigned_integer(params.bwScaleOffsetEncoding.bitwidth);
      out.key("scaleOffset");
      write_scale_offset(out, params.bwScaleOffsetEncoding.scale, params.bwScaleOffsetEncoding.offset);
    } else if (params.quantizationEncoding == QNN_QUANTIZATION_ENCODING_AXIS_SCALE_OFFSET) {
      write_axis(out, params.axisScaleOffsetEncoding);
    }
  }
  out.end_object();
}

void write_tensor(Writer& out, const Qnn_Tensor_t& tensor) {
  const Qnn_TensorV1_t& fields = fields_of(tensor);
  out.begin_object();
  out.key("version").unsigned_integer(static_cast<uint32_t>(tensor.version));
  out.key("info").begin_object();
  out.key("id").unsigned_integer(fields.id);
  write_text(out, "name", fields.name);
  out.key("type").string(name_in(kTensorTypes, static_cast<uint32_t>(fields.type)));
  out.key("dataFormat").string(data_format_name(fields.dataFormat));
  out.key("dataType").string(data_type_name(static_cast<uint32_t>(fields.dataType)));
  write_encoding(out, fields.quantizeParams);
  out.key("rank").unsigned_integer(fields.rank);
  out.key("dimensions").begin_array(Inline::kInline);
  for (uint32_t i = 0; i < fields.rank; ++i) out.unsigned_integer(fields.dimensions[i]);
  out.end_array().end_object().end_object();
}

void write_tensors(Writer& out, std::string_view count_key, std::string_view key, uint32_t count,
                   const Qnn_Tensor_t* tensors) {
  out.key(count_key).unsigned_integer(count);
  out.key(key).begin_array();
  for (uint32_t i = 0; i < count; ++i) write_tensor(out, tensors[i]);
  out.end_array();
}

// ---- Graphs ----

// HTP's own part. The system library tells version 1 of it.
void write_blob(Writer& out, const void* blob, uint32_t size) {
  QnnHtpSystemContext_GraphBlobInfo_t first;
  if (blob == nullptr || size < sizeof first) return;
  std::memcpy(&first, blob, sizeof first);
  const auto& info = first.contextBinaryGraphBlobInfoV1;
  out.key("graphBlobInfo").begin_object();
  out.key("version").unsigned_integer(static_cast<uint32_t>(first.version));
  out.key("info").begin_object();
  out.key("spillFillBufferSize").unsigned_integer(info.spillFillBufferSize);
  out.key("vtcmSize").unsigned_integer(info.vtcmSize);
  out.key("optimizationLevel").unsigned_integer(info.optimizationLevel);
  out.key("htpDlbc").unsigned_integer(info.htpDlbc);
  out.key("numHvxThreads").unsigned_integer(info.numHvxThreads);
  out.end_object().end_object();
}

// What the graph takes of memory. Channels of caches are not split here; the numbers are those that readers
// know.
void write_memory(Writer& out, const program::MemoryNeeds& memory) {
  constexpr uint64_t kUsualKeyChannels = 256;
  constexpr uint64_t kUsualValueChannels = 64;
  out.key("graphBlobInfoV2").begin_object();
  out.key("nativeKChannelSize").unsigned_integer(kUsualKeyChannels);
  out.key("nativeVChannelSize").unsigned_integer(kUsualValueChannels);
  out.key("isSafeShareIO").unsigned_integer(0);
  out.key("ioTensorSize").unsigned_integer(memory.io_tensors);
  out.key("opDataSize").unsigned_integer(memory.op_data);
  out.key("constSize").unsigned_integer(memory.constants);
  out.key("ddrTensorSize").unsigned_integer(memory.ddr_tensors);
  out.key("sharedWeightsSize").unsigned_integer(memory.shared_weights);
  out.end_object();
}

void write_graph(Writer& out, const QnnSystemContext_GraphInfo_t& graph, const program::MemoryNeeds& memory) {
  const QnnSystemContext_GraphInfoV1_t& info = graph.graphInfoV1;  // what all versions begin with
  const bool updates = graph.version >= QNN_SYSTEM_CONTEXT_GRAPH_INFO_VERSION_2;
  out.begin_object();
  out.key("version").unsigned_integer(static_cast<uint32_t>(graph.version));
  out.key("info").begin_object();
  write_text(out, "graphName", info.graphName);
  write_tensors(out, "numGraphInputs", "graphInputs", info.numGraphInputs, info.graphInputs);
  write_tensors(out, "numGraphOutputs", "graphOutputs", info.numGraphOutputs, info.graphOutputs);
  write_tensors(out, "numUpdateableTensors", "updateableTensors",
                updates ? graph.graphInfoV2.numUpdateableTensors : 0,
                updates ? graph.graphInfoV2.updateableTensors : nullptr);
  if (graph.version == QNN_SYSTEM_CONTEXT_GRAPH_INFO_VERSION_3)
    write_blob(out, graph.graphInfoV3.graphBlobInfo, graph.graphInfoV3.graphBlobInfoSize);
  write_memory(out, memory);
  out.end_object().end_object();
}

// ---- The whole ----

// Fields that all versions of the information have, under the same names.
template <class Info>
void write_common(Writer& out, const Info& info) {
  out.key("backendId").unsigned_integer(info.backendId);
  write_text(out, "buildId", info.buildId);
  write_version(out, "coreApiVersion", info.coreApiVersion);
  write_version(out, "backendApiVersion", info.backendApiVersion);
  write_text(out, "socVersion", info.socVersion);
  if constexpr (requires { info.socModel; }) out.key("socModel").unsigned_integer(info.socModel);
  if constexpr (requires { info.hwInfoBlobVersion; })
    write_version(out, "hwInfoBlobVersion", info.hwInfoBlobVersion);
  write_version(out, "contextBlobVersion", info.contextBlobVersion);
  out.key("contextBlobSize").unsigned_integer(info.contextBlobSize);
  write_tensors(out, "numContextTensors", "contextTensors", info.numContextTensors, info.contextTensors);
  if constexpr (requires { info.contextMetadata; }) {
    QnnHtpSystemContext_ContextBlobInfo_t context;
    if (info.contextMetadata != nullptr && info.contextMetadataSize >= sizeof context) {
      std::memcpy(&context, info.contextMetadata, sizeof context);
      out.key("dspArch").unsigned_integer(context.contextBinaryContextBlobInfoV1.dspArch);
    }
  }
  out.key("numGraphs").unsigned_integer(info.numGraphs);
}

// Field names are the structs'; enumerators are written as their names. `vtcmSize` is in MB, other sizes in
// bytes. `memory` is of each graph: what it needs is told as newer libraries do (graphBlobInfoV2), which ours
// is not.
std::string binary_json(const BinaryInfo& binary, const std::vector<program::MemoryNeeds>& memory) {
  const QnnSystemContext_BinaryInfo_t& info = binary.info();
  Writer out;
  out.begin_object();
  out.key("version").unsigned_integer(static_cast<uint32_t>(info.version));
  out.key("info").begin_object();
  if (info.version == QNN_SYSTEM_CONTEXT_BINARY_INFO_VERSION_1)
    write_common(out, info.contextBinaryInfoV1);
  else if (info.version == QNN_SYSTEM_CONTEXT_BINARY_INFO_VERSION_2)
    write_common(out, info.contextBinaryInfoV2);
  else
    write_common(out, info.contextBinaryInfoV3);
  out.key("graphs").begin_array();
  const auto graphs = binary.graphs();
  for (size_t i = 0; i < graphs.size(); ++i) write_graph(out, graphs[i], memory[i]);
  out.end_array().end_object().end_object();
  return out.take();
}

// ---- The program ----

// The reader of binaries says the same without the call, and what helps.
Diagnostic unreadable(const std::string& path, std::span<const std::byte> bytes, Diagnostic answer) {
  if (auto read = program::read_context_binary(bytes, nullptr, program::DataCheck::kUnused); !read)
    answer = std::move(read).error();
  answer.where = {path};
  return answer;
}

Status run(const Args& args) {
  if (!args.has("--context_binary"))
    return invalid("option-missing", "--context_binary is required").fix_by("name the binary");
  const std::string path = args.get("--context_binary");
  const fs::path json_path = args.get("--json_file");
  if (args.has("--json_file")) {
    OPENQNN_TRY(check_output_file(json_path));
    OPENQNN_TRY(refuse_own_input(json_path, {path}));
  }
  OPENQNN_TRY(expect_kind(path, {FileKind::kContextBinary}));
  OPENQNN_ASSIGN(const auto library, BackendLibrary::open(""));
  OPENQNN_ASSIGN(const auto file, MappedFile::open(path));
  auto binary = BinaryInfo::read(*library, file->bytes());
  if (!binary) return unreadable(path, file->bytes(), std::move(binary).error());
  if (!args.has("--json_file")) {
    log_info(concat(path, ": the metadata is valid, ", binary->graphs().size(),
                    binary->graphs().size() == 1 ? " graph" : " graphs"));
    return {};
  }
  OPENQNN_ASSIGN(const program::ProgramSet set,
                 program::read_context_binary(file->bytes(), file, program::DataCheck::kUnused));
  const std::string_view verb = written_verb(json_path);
  OPENQNN_TRY(write_file(json_path, std::string_view(binary_json(*binary, program::memory_needs(set)))));
  log_info(concat(verb, " ", json_path.string()));
  return {};
}

}  // namespace

Program this_program() {
  return {
      .spec = {.name = "qnn-context-binary-utility",
               .summary = "Check the metadata of a context binary, and write it as JSON",
               .details = "The file of --json_file is replaced when it is there already.",
               .options = {{"--context_binary", "FILE", "the context binary (required)"},
                           {"--json_file", "FILE",
                            "where the JSON goes, in a folder that is there; without it the metadata is only "
                            "checked"}},
               .examples = {"qnn-context-binary-utility --context_binary model.bin --json_file model.json"},
               .usage = "qnn-context-binary-utility --context_binary FILE [--json_file FILE]"},
      .refused = {{"--unified_qairt_format", "", "no public source tells its layout"}},
      .run = run};
}

}  // namespace openqnn::tools
