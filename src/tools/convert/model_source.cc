// SPDX-License-Identifier: BSD-3-Clause
#include "tools/convert/model_source.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <map>

#include "base/text.h"
#include "tools/api_names.h"

namespace openqnn::tools::convert {
namespace {

using EncodingKind = ir::Quantization::Kind;

// A function of the source has at most so many calls: compilers take more than twice the time for a function
// of twice the size.
constexpr size_t kMostCalls = 32;
constexpr size_t kLongestFileStem = 80;  // of 100 that a tar archive has for a name

// ---- C++ text ----

// A string literal. What is not plain ASCII is written in octal, which ends after three digits.
std::string literal(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\' || byte < 0x20 || byte >= 0x7F) {
      out += '\\';
      for (const int shift : {6, 3, 0}) out += static_cast<char>('0' + (byte >> shift & 7));
    } else {
      out += c;
    }
  }
  return out + '"';
}

// A text in a comment that ends with its line: no line ends, and no backslash that would swallow one.
std::string in_comment(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    out += byte < 0x20 || byte == 0x7F || c == '\\' ? '?' : c;
  }
  return out;
}

std::string comment_lines(std::string_view text) {
  std::string out;
  for (const std::string_view line : split(text, "\n")) out += concat("// ", in_comment(line), "\n");
  return out;
}

std::string float_text(float value) {
  if (!std::isfinite(value)) {
    uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof(bits));
    return concat("float_of(", bits, "u)");
  }
  char digits[32];
  const auto [end, error] = std::to_chars(std::begin(digits), std::end(digits), value);
  std::string text(digits, end);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text + "F";
}

std::string list_of(std::span<const uint32_t> values) {
  std::string out = "{";
  for (const uint32_t value : values) out += concat(out.size() > 1 ? ", " : "", value);
  return out + "}";
}

// ---- What C sources call the values of the C API's enumerations ----

std::string type_constant(ir::DataType type) {
  return type == ir::DataType::kUndefined ? "QNN_DATATYPE_UNDEFINED"
                                          : data_type_name(static_cast<uint32_t>(type));
}

std::string_view role_constant(ir::TensorRole role) {
  switch (role) {
    case ir::TensorRole::kInput:
      return "QNN_TENSOR_TYPE_APP_WRITE";
    case ir::TensorRole::kOutput:
      return "QNN_TENSOR_TYPE_APP_READ";
    case ir::TensorRole::kNative:
      return "QNN_TENSOR_TYPE_NATIVE";
    case ir::TensorRole::kStatic:
      break;
  }
  return "QNN_TENSOR_TYPE_STATIC";
}

// ---- Parameters ----

// The C++ type whose values stand for elements: by their meaning where there is one, else by their bytes.
struct ElementType {
  std::string_view name;
  std::string (*text)(const std::byte* at);
};

template <class Value>
std::string number_at(const std::byte* at) {
  Value value = 0;
  std::memcpy(&value, at, sizeof(value));
  if constexpr (std::is_same_v<Value, float>) {
    return float_text(value);
  } else if constexpr (std::is_same_v<Value, int64_t>) {
    // The lowest number has no literal of its own.
    return value == INT64_MIN ? "INT64_MIN" : concat(value, "LL");
  } else if constexpr (std::is_same_v<Value, uint64_t>) {
    return concat(value, "ULL");
  } else if constexpr (std::is_same_v<Value, int32_t>) {
    return value == INT32_MIN ? "INT32_MIN" : concat(value);
  } else {
    return std::to_string(value);
  }
}

ElementType element_type(ir::DataType type) {
  if (type == ir::DataType::kFloat32) return {"float", number_at<float>};
  if (type == ir::DataType::kInt64) return {"int64_t", number_at<int64_t>};
  if (type == ir::DataType::kInt32 || type == ir::DataType::kSfixed32) return {"int32_t", number_at<int32_t>};
  if (type == ir::DataType::kInt16 || type == ir::DataType::kSfixed16) return {"int16_t", number_at<int16_t>};
  if (type == ir::DataType::kInt8 || type == ir::DataType::kSfixed8) return {"int8_t", number_at<int8_t>};
  switch (ir::byte_size(type)) {
    case 8:
      return {"uint64_t", number_at<uint64_t>};
    case 4:
      return {"uint32_t", number_at<uint32_t>};
    case 2:
      return {"uint16_t", number_at<uint16_t>};
    default:
      return {"uint8_t", number_at<uint8_t>};
  }
}

std::string param_text(const ir::Param& param) {
  const ElementType type = element_type(param.type);
  const size_t size = std::max<size_t>(ir::byte_size(param.type), 1);
  const std::string begin = concat("(", literal(param.name), ", ", type_constant(param.type), ", ");
  if (param.shape.rank() == 0) {
    const std::string value = param.data.size() < size ? "0" : type.text(param.data.data());
    return concat("scalar<", type.name, ">", begin, value, ")");
  }
  std::string values;
  for (size_t at = 0; at + size <= param.data.size(); at += size)
    append_item(values, type.text(param.data.data() + at));
  return concat("array<", type.name, ">", begin, list_of(param.shape.dims()), ", {", values, "})");
}

// ---- The steps ----

class SourceWriter {
 public:
  SourceWriter(const frontend::DlcGraph& model, const SourceNames& names)
      : graph_(model.graph), names_(names) {
    for (const frontend::Trace::Node& node : model.trace.nodes) sources_[node.name] = &node.sources;
  }

  // A function for each node, with the tensors that it is the first to need. They come in the graph's order,
  // so that a backend sees the same as from the .dlc.
  std::string steps() {
    for (const ir::Node& node : graph_.nodes()) {
      const std::string said = what_it_is(node);
      ir::TensorIndex needed = 0;
      for (const auto* const operands : {&node.inputs, &node.outputs})
        for (const ir::TensorIndex tensor : *operands)
          if (tensor != ir::kNoTensor) needed = std::max(needed, tensor + 1);
      add_tensors_below(needed, said);
      add_call(node_call(node), said);
      finish_step();
    }
    add_tensors_below(static_cast<ir::TensorIndex>(graph_.tensors().size()), "Tensors that no node has");
    finish_step();
    return out_ + table();
  }

 private:
  std::string what_it_is(const ir::Node& node) const {
    std::string text = concat(node.type, " '", node.name, "'");
    const auto found = sources_.find(node.name);
    if (found == sources_.end() || found->second->empty()) return text;
    text += ", in the model:";
    for (const std::string& source : *found->second) text += concat(" ", source);
    return text;
  }

  void add_tensors_below(ir::TensorIndex end, const std::string& said) {
    for (; next_tensor_ < end; ++next_tensor_) add_call(tensor_call(next_tensor_), said);
  }

  void add_call(const std::string& call, const std::string& said) {
    if (calls_ == kMostCalls) finish_step();
    if (calls_ == 0) out_ += concat("\n// ", in_comment(said), "\nvoid step_", steps_, "(Graph& graph) {\n");
    out_ += concat("  graph.", call, ";\n");
    ++calls_;
  }

  void finish_step() {
    if (calls_ == 0) return;
    out_ += "}\n";
    ++steps_;
    calls_ = 0;
  }

  std::string tensor_call(ir::TensorIndex index) const {
    const ir::Tensor& tensor = graph_.tensors()[index];
    std::string text = concat("tensor(", literal(names_.tensors[index]), ", ", role_constant(tensor.role),
                              ", ", type_constant(tensor.desc.type), ", ", list_of(tensor.desc.shape.dims()),
                              ",\n               ", encoding_text(tensor.desc.quantization, index));
    if (tensor.data) text += concat(", ", literal(concat(names_.files[index], kValuesFile)));
    return text + ")";
  }

  std::string encoding_text(const ir::Quantization& from, ir::TensorIndex index) const {
    if (from.kind == EncodingKind::kNone) return "none()";
    const std::string bits = from.bits == 0 ? "" : concat(from.bits, ", ");
    const std::string_view with_bits = from.bits == 0 ? "" : "bw_";
    const std::string file = literal(concat(names_.files[index], kEncodingsFile));
    if (from.kind == EncodingKind::kPerTensor)
      return concat(with_bits, "scale_offset(", bits, float_text(from.encodings[0].scale), ", ",
                    from.encodings[0].offset, ")");
    if (from.kind == EncodingKind::kPerAxis)
      return concat(with_bits, "axis_scale_offset(", bits, from.axis, ", ", file, ")");
    return concat("block_scale_offset(", list_of(from.block.dims()), ", ", file, ")");
  }

  std::string node_call(const ir::Node& node) const {
    std::string params;
    for (const ir::Param& param : node.params.all())
      params += concat(params.empty() ? "\n             {" : ",\n              ", param_text(param));
    params += params.empty() ? " {}, " : "},\n             ";
    return concat("node(", literal(node.name), ", ", literal(node.type), ",", params, operands(node.inputs),
                  ", ", operands(node.outputs), ")");
  }

  std::string operands(const std::vector<ir::TensorIndex>& tensors) const {
    std::string out = "{";
    for (const ir::TensorIndex tensor : tensors)
      out += concat(out.size() > 1 ? ", " : "",
                    tensor == ir::kNoTensor ? "nullptr" : literal(names_.tensors[tensor]));
    return out + "}";
  }

  std::string table() const {
    std::string out = "\nvoid (*const kSteps[])(Graph&) = {";
    for (size_t i = 0; i < steps_; ++i) out += concat(i % 8 == 0 ? "\n    " : " ", "step_", i, ",");
    return out + "\n};\n";
  }

  const ir::Graph& graph_;
  const SourceNames& names_;
  std::map<std::string, const std::vector<std::string>*> sources_;
  std::string out_;
  ir::TensorIndex next_tensor_ = 0;
  size_t calls_ = 0;  // of the step that is being written
  size_t steps_ = 0;  // before it
};

bool is_plain(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

std::string file_stem(std::string_view name) {
  std::string out;
  for (const char c : name.substr(0, kLongestFileStem)) out += is_plain(c) ? c : '_';
  return out;
}

bool is_file_name(std::string_view name) {
  const size_t dot = name.find('.');
  if (dot == name.npos || !std::ranges::all_of(name.substr(0, dot), is_plain)) return false;
  return name.substr(dot) == kValuesFile || name.substr(dot) == kEncodingsFile;
}

}  // namespace

// A file's name ends the call it is given to, as nothing else does that can be called like one: `, "w.raw")`.
std::vector<std::string> files_read_by(std::string_view source) {
  std::vector<std::string> files;
  for (const std::string_view line : split(source, "\n")) {
    if (line.starts_with("//")) continue;  // it has names of the model as they are
    for (const std::string_view before : split(line, "\")")) {
      const size_t quote = before.rfind('"');
      const std::string_view name = before.substr(quote == before.npos ? before.size() : quote + 1);
      if (is_file_name(name)) files.emplace_back(name);
    }
  }
  return files;
}

SourceNames source_names(const ir::Graph& graph, bool numbered) {
  SourceNames names;
  std::set<std::string> taken_tensors;
  std::set<std::string> taken_files;
  for (const ir::Tensor& tensor : graph.tensors())
    if (ir::is_io(tensor.role)) taken_tensors.insert(tensor.name);
  size_t number = 0;
  for (const ir::Tensor& tensor : graph.tensors()) {
    const bool seen = ir::is_io(tensor.role);
    std::string name = tensor.name;
    if (numbered && !seen) {
      do {
        name = std::to_string(number++);
      } while (taken_tensors.contains(name));
    }
    const std::string stem = file_stem(name);
    std::string file = stem;
    for (size_t i = names.files.size(); !taken_files.insert(file).second; ++i) file = concat(stem, "_", i);
    names.tensors.push_back(std::move(name));
    names.files.push_back(std::move(file));
  }
  return names;
}

std::string model_source(const frontend::DlcGraph& model, const SourceNames& names,
                         const SourceTexts& texts) {
  std::string out = concat("// Made by ", texts.made_by, ": ", in_comment(texts.command), "\n");
  if (!texts.copyright.empty()) out += concat("//\n", comment_lines(texts.copyright));
  out += concat("//\n// A model as calls of the QNN C API: ", texts.prefix,
                "_composeGraphs makes its graph in a context.\n"
                "// The values of constants are in the .bin, a tar archive.\n");
  out += kModelSourceHead;
  out += concat("\n// ---- The model ----\n\n#define MODEL_PREFIX(name) ", texts.prefix,
                "_##name\n\nconst char kGraphName[] = ", literal(model.graph.name()), ";\n");
  out += concat("extern const char kMadeBy[];\n__attribute__((used)) const char kMadeBy[] = ",
                literal(concat("made by ", texts.made_by)), ";\n");
  out += SourceWriter(model, names).steps();
  out += kModelSourceTail;
  return out;
}

}  // namespace openqnn::tools::convert
