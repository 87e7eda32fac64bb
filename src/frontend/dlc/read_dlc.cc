// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstring>
#include <limits>
#include <map>
#include <unordered_map>
#include <utility>

#include "base/crc32.h"
#include "base/files.h"
#include "base/text.h"
#include "base/zip.h"
#include "frontend/dlc/dlc.h"
#include "frontend/dlc/format.h"
#include "json/json.h"
#include "ops/op.h"

namespace openqnn::frontend {
namespace {

using json::Value;
namespace format = dlc_format;

constexpr uint64_t kLargestGraphText = uint64_t{1} << 30;

class DlcReader {
 public:
  // `file`, where there is one, holds the bytes: values of tensors stay in it.
  DlcReader(std::span<const std::byte> bytes, std::string_view source, std::shared_ptr<const MappedFile> file)
      : bytes_(bytes), source_(source), file_(std::move(file)) {}

  Result<Dlc> read() {
    auto opened = ZipReader::open(bytes_, source_);
    if (!opened) return std::move(opened).error();
    zip_ = std::move(opened).value();
    OPENQNN_TRY(recognise());
    OPENQNN_ASSIGN(const Value header, part(format::kHeader));
    OPENQNN_TRY(check_version(header));
    Dlc dlc;
    dlc.made_by = text(header, "made_by");
    dlc.model_version = text(header, "model_version");
    dlc.copyright = text(header, "copyright");
    dlc.converter_command = text(header, "converter_command");
    dlc.quantizer_command = text(header, "quantizer_command");
    OPENQNN_ASSIGN(weights_, stored(format::kWeights));
    if (file_) file_->release(weights_);  // that were read for their checksum
    OPENQNN_ASSIGN(const Value graphs, part(format::kGraph));
    for (const Value& graph : graphs.as_array()) {
      OPENQNN_ASSIGN(DlcGraph made, read_graph(graph));
      dlc.graphs.push_back(std::move(made));
    }
    if (dlc.graphs.empty()) return damaged("it has no graph");
    return dlc;
  }

 private:
  DiagnosticBuilder damaged(std::string_view what) const {
    return corrupt("dlc-format", std::string(what))
        .at(std::string(source_))
        .fix_by("the file is damaged or incomplete; convert the model again");
  }

  Status recognise() const {
    if (zip_.find(format::kHeader) != nullptr) return {};
    const bool vendors = zip_.find("model") != nullptr || zip_.find("model.params") != nullptr ||
                         zip_.find("dlc.metadata") != nullptr;
    if (vendors) {
      return unsupported("dlc-vendor",
                         "this is the vendor's DLC, whose format is not public; ours is another")
          .at(std::string(source_))
          .fix_by("convert the original model with openqnn's qairt-converter");
    }
    return damaged("this archive is no DLC");
  }

  Result<std::span<const std::byte>> stored(std::string_view name) const {
    const ZipReader::Entry* entry = zip_.find(name);
    if (entry == nullptr) return damaged(concat("part '", name, "' is missing"));
    if (!entry->stored)
      return damaged(concat("part '", name, "' is compressed; parts are stored as they are"));
    if (crc32_of(entry->bytes) != entry->crc)
      return damaged(concat("part '", name, "' has another checksum"));
    return entry->bytes;
  }

  Result<Value> part(std::string_view name) const {
    OPENQNN_ASSIGN(const auto bytes, stored(name));
    const std::string_view all(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return json::parse(all, concat(source_, ", part ", name), {.max_bytes = kLargestGraphText});
  }

  Status check_version(const Value& header) const {
    const Value* version = header.find("version");
    const auto number = version != nullptr ? version->as_int64() : std::nullopt;
    if (text(header, "format") != format::kFormat || !number) return damaged("its header makes no sense");
    if (*number < 1) return damaged(concat("its version is ", *number));
    if (*number <= format::kVersion) return {};
    return unsupported("dlc-version",
                       concat("it has version ", *number, ", this program reads up to ", format::kVersion))
        .at(std::string(source_))
        .fix_by("use a newer openqnn, or convert the model again with this one");
  }

  // ---- Pieces of JSON ----

  static std::string text(const Value& object, std::string_view key) {
    const Value* found = object.find(key);
    return found != nullptr ? std::string(found->as_string()) : "";
  }

  std::optional<uint64_t> number(const Value* value, uint64_t limit) const {
    const auto found = value != nullptr ? value->as_int64() : std::nullopt;
    if (!found || *found < 0 || static_cast<uint64_t>(*found) > limit) return std::nullopt;
    return static_cast<uint64_t>(*found);
  }

  // 0 where the object does not have it.
  Result<uint32_t> number_or_zero(const Value& object, std::string_view key, uint32_t limit,
                                  std::string_view whose) const {
    const Value* value = object.find(key);
    if (value == nullptr) return 0U;
    const auto found = number(value, limit);
    if (!found) return damaged(concat("'", whose, "' has a wrong ", key));
    return static_cast<uint32_t>(*found);
  }

  Result<ir::Shape> shape(const Value* value, std::string_view whose) const {
    if (value == nullptr || value->kind() != Value::Kind::kArray || value->as_array().size() > ir::kMaxRank)
      return damaged(concat("'", whose, "' has no shape"));
    ir::Shape shape;
    for (const Value& dim : value->as_array()) {
      const auto extent = number(&dim, UINT32_MAX);
      if (!extent) return damaged(concat("'", whose, "' has a wrong shape"));
      shape.push_back(static_cast<uint32_t>(*extent));
    }
    return shape;
  }

  Result<ir::DataType> type(const Value& object, std::string_view whose) const {
    const auto found = ir::data_type_from(text(object, "type"));
    if (!found) return damaged(concat("'", whose, "' has the type '", text(object, "type"), "'"));
    return *found;
  }

  template <class Table>
  auto named(const Table& table, std::string_view name) const -> Result<decltype(table.front().second)> {
    for (const auto& row : table)
      if (row.first == name) return row.second;
    return damaged(concat("'", name, "' is not known"));
  }

  // ---- Tensors ----

  Result<ir::Quantization> quantization(const Value& object, std::string_view whose) const {
    ir::Quantization made;
    OPENQNN_ASSIGN(made.kind, named(format::kKinds, text(object, "kind")));
    OPENQNN_ASSIGN(made.axis, number_or_zero(object, "axis", ir::kMaxRank, whose));
    OPENQNN_ASSIGN(made.bits, number_or_zero(object, "bits", 32, whose));
    if (const Value* expanded = object.find("expanded")) {
      if (expanded->kind() != Value::Kind::kBool)
        return damaged(concat("'", whose, "' has a wrong expanded"));
      made.expanded = expanded->as_bool();
    }
    if (made.kind == ir::Quantization::Kind::kPerBlock) {
      OPENQNN_ASSIGN(made.block, shape(object.find("block"), whose));
    }
    const Value* encodings = object.find("encodings");
    if (encodings == nullptr) return damaged(concat("'", whose, "' has no encodings"));
    for (const Value& pair : encodings->as_array()) {
      const json::Array& both = pair.as_array();
      const auto scale = both.size() == 2 ? both[0].as_double() : std::nullopt;
      const auto offset = both.size() == 2 ? both[1].as_int64() : std::nullopt;
      if (!scale || !offset || *offset < INT32_MIN || *offset > INT32_MAX)
        return damaged(concat("'", whose, "' has a wrong encoding"));
      made.encodings.push_back({static_cast<float>(*scale), static_cast<int32_t>(*offset)});
    }
    if (made.kind == ir::Quantization::Kind::kPerTensor && made.encodings.size() != 1)
      return damaged(concat("'", whose, "' has ", made.encodings.size(), " encodings, not one"));
    return made;
  }

  // Tensors that share their values share a blob. All others lie apart in a file that was written here:
  // values that overlap would make tensors of any size from a small file.
  Result<ir::Blob> values_at(uint64_t offset, uint64_t bytes, std::string_view whose) {
    const auto [found, is_new] = values_.try_emplace({offset, bytes});
    if (!is_new) return found->second;
    if (bytes > weights_.size() - values_bytes_)
      return damaged(concat("the values of '", whose, "' lie where those of other tensors are"));
    values_bytes_ += bytes;
    const auto values = weights_.subspan(offset, bytes);
    found->second = file_ && offset % format::kWeightAlignment == 0
                        ? ir::Blob::in_file(values, file_)
                        : ir::Blob::of(std::vector<std::byte>(values.begin(), values.end()));
    return found->second;
  }

  Result<ir::Tensor> read_tensor(const Value& object) {
    ir::Tensor tensor;
    tensor.name = text(object, "name");
    if (tensor.name.empty()) return damaged("a tensor has no name");
    OPENQNN_ASSIGN(tensor.role, named(format::kRoles, text(object, "role")));
    OPENQNN_ASSIGN(tensor.desc.type, type(object, tensor.name));
    OPENQNN_ASSIGN(tensor.desc.shape, shape(object.find("shape"), tensor.name));
    if (const Value* encoded = object.find("quantization")) {
      OPENQNN_ASSIGN(tensor.desc.quantization, quantization(*encoded, tensor.name));
    }
    if (tensor.role != ir::TensorRole::kStatic) return tensor;
    tensor.desc.is_static = true;
    const auto offset = number(object.find("offset"), weights_.size());
    const auto bytes = number(object.find("bytes"), weights_.size());
    if (!offset || !bytes || *bytes > weights_.size() - *offset)
      return damaged(concat("the values of '", tensor.name, "' lie outside of the file"));
    OPENQNN_ASSIGN(tensor.data, values_at(*offset, *bytes, tensor.name));
    return tensor;
  }

  // ---- Nodes ----

  std::optional<double> real(const Value& value) const {
    if (value.kind() == Value::Kind::kNumber) return value.as_double();
    if (value.as_string() == "nan") return std::numeric_limits<double>::quiet_NaN();
    if (value.as_string() == "inf") return std::numeric_limits<double>::infinity();
    if (value.as_string() == "-inf") return -std::numeric_limits<double>::infinity();
    return std::nullopt;
  }

  Result<ir::Param> read_param(const Value& object) const {
    ir::Param param;
    param.name = text(object, "name");
    OPENQNN_ASSIGN(param.type, type(object, param.name));
    OPENQNN_ASSIGN(param.shape, shape(object.find("shape"), param.name));
    const Value* values = object.find("values");
    const size_t size = ir::byte_size(param.type);
    const size_t count = values != nullptr ? values->as_array().size() : 0;
    if (param.shape.checked_elements() != count)
      return damaged(concat("'", param.name, "' has another size"));
    param.data.resize(count * size);
    for (size_t i = 0; i < count; ++i) {
      const Value& value = values->as_array()[i];
      std::byte* at = param.data.data() + i * size;
      if (param.type == ir::DataType::kFloat32 || param.type == ir::DataType::kFloat64) {
        const auto found = real(value);
        if (!found) return damaged(concat("'", param.name, "' has a value that is no number"));
        const auto single = static_cast<float>(*found);
        std::memcpy(at, size == 4 ? static_cast<const void*>(&single) : &*found, size);
      } else {
        const auto found = value.as_int64();
        if (!found || (*found < 0 && size < sizeof *found))
          return damaged(concat("'", param.name, "' has a value that is no integer"));
        std::memcpy(at, &*found, size);  // little-endian: the low bytes
      }
    }
    return param;
  }

  using Names = std::unordered_map<std::string_view, ir::TensorIndex>;

  Result<std::vector<ir::TensorIndex>> operands(const Value* list, const Names& names) const {
    std::vector<ir::TensorIndex> tensors;
    if (list == nullptr) return damaged("a node has no operands");
    for (const Value& name : list->as_array()) {
      if (name.is_null()) {
        tensors.push_back(ir::kNoTensor);
        continue;
      }
      const auto found = names.find(name.as_string());
      if (found == names.end()) return damaged(concat("there is no tensor '", name.as_string(), "'"));
      tensors.push_back(found->second);
    }
    return tensors;
  }

  Result<ir::Node> read_node(const Value& object, const Names& names) const {
    ir::Node node;
    node.name = text(object, "name");
    node.type = text(object, "type");
    OPENQNN_ASSIGN(node.inputs, operands(object.find("inputs"), names));
    OPENQNN_ASSIGN(node.outputs, operands(object.find("outputs"), names));
    if (const Value* params = object.find("params")) {
      for (const Value& param : params->as_array()) {
        OPENQNN_ASSIGN(ir::Param made, read_param(param));
        node.params.add(std::move(made));
      }
    }
    return node;
  }

  // Ops of packages are judged by those who know them.
  Status check_node(const ir::Graph& graph, const ir::Node& node) const {
    if (ops::find_op(node.type) == nullptr) return {};
    Status status = ops::validate(node.type, ops::call_of(graph, node));
    if (status.ok()) return {};
    Diagnostic refusal = std::move(status).error();
    refusal.message = concat("node '", node.name, "' (", node.type, "): ", refusal.message);
    refusal.where = {std::string(source_)};
    return refusal;
  }

  // ---- Graphs ----

  Result<DlcGraph> read_graph(const Value& object) {
    DlcGraph made;
    made.graph = ir::Graph(text(object, "name"));
    const Value* tensors = object.find("tensors");
    const Value* nodes = object.find("nodes");
    if (tensors == nullptr || nodes == nullptr) return damaged("a graph has no tensors or no nodes");
    Names names;
    for (const Value& tensor : tensors->as_array()) {
      OPENQNN_ASSIGN(ir::Tensor read, read_tensor(tensor));
      OPENQNN_ASSIGN(const ir::TensorIndex index, made.graph.add_tensor(std::move(read)));
      names.emplace(tensor.find("name")->as_string(), index);
    }
    for (const Value& node : nodes->as_array()) {
      OPENQNN_ASSIGN(ir::Node read, read_node(node, names));
      OPENQNN_TRY(made.graph.add_node(std::move(read)));
      OPENQNN_TRY(check_node(made.graph, made.graph.nodes().back()));
    }
    OPENQNN_TRY(made.graph.check_complete());
    if (const Value* encodings = object.find("encodings"))
      OPENQNN_TRY(read_encodings(*encodings, names, made));
    if (const Value* share = object.find("activation_share")) {
      made.activation_share = share->as_double();
      if (!made.activation_share || !(*made.activation_share >= 0 && *made.activation_share <= 1))
        return damaged("activation_share is no number from 0 to 1");
    }
    if (const Value* trace = object.find("trace")) read_trace(*trace, made.trace);
    return made;
  }

  Status read_encodings(const Value& object, const Names& names, DlcGraph& graph) const {
    for (const json::Member& member : object.as_object()) {
      const std::string_view name = member.key;
      ir::TensorEncoding encoding;
      OPENQNN_ASSIGN(encoding.type, type(member.value, name));
      if (const Value* given = member.value.find("quantization")) {
        OPENQNN_ASSIGN(encoding.quantization, quantization(*given, name));
      }
      const auto found = names.find(name);
      const ir::Shape shape =
          found != names.end() ? graph.graph.tensors()[found->second].desc.shape : ir::Shape{1};
      OPENQNN_TRY(check_encoding(encoding, shape, name));
      graph.encodings.emplace(name, std::move(encoding));
    }
    return {};
  }

  // Of a tensor of `shape`, as if it had this encoding.
  Status check_encoding(const ir::TensorEncoding& encoding, const ir::Shape& shape,
                        std::string_view name) const {
    if (ir::is_float(encoding.type)) return {};
    const bool is_encoded =
        ir::is_quantized(encoding.type) && encoding.quantization.kind != ir::Quantization::Kind::kNone;
    const ir::TensorDesc desc{.type = encoding.type, .shape = shape, .quantization = encoding.quantization};
    if (is_encoded && ir::check(desc).ok()) return {};
    return damaged(concat("the encoding of '", name, "' does not fit it"));
  }

  static void read_trace(const Value& object, Trace& trace) {
    if (const Value* nodes = object.find("nodes")) {
      for (const json::Member& member : nodes->as_object()) {
        Trace::Node node{std::string(std::string_view(member.key)), {}};
        for (const Value& source : member.value.as_array()) node.sources.emplace_back(source.as_string());
        trace.nodes.push_back(std::move(node));
      }
    }
    if (const Value* tensors = object.find("tensors")) {
      for (const json::Member& member : tensors->as_object())
        trace.tensors.push_back(
            {std::string(std::string_view(member.key)), std::string(member.value.as_string())});
    }
  }

  std::span<const std::byte> bytes_;
  std::string_view source_;
  ZipReader zip_;
  std::shared_ptr<const MappedFile> file_;
  std::span<const std::byte> weights_;
  std::map<std::pair<uint64_t, uint64_t>, ir::Blob> values_;  // by offset and size
  uint64_t values_bytes_ = 0;                                 // of all of them
};

}  // namespace

Result<Dlc> read_dlc(std::span<const std::byte> bytes, std::string_view source) {
  return DlcReader(bytes, source, nullptr).read();
}

Result<Dlc> read_dlc(const std::filesystem::path& path) {
  OPENQNN_ASSIGN(const auto file, MappedFile::open(path));
  return DlcReader(file->bytes(), path.string(), file).read();
}

bool looks_like_dlc(std::span<const std::byte> bytes) {
  return bytes.size() >= 4 && std::memcmp(bytes.data(), "PK\3\4", 4) == 0;
}

}  // namespace openqnn::frontend
