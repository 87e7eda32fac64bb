// SPDX-License-Identifier: BSD-3-Clause
#include "tools/convert/io_config.h"

#include <algorithm>
#include <initializer_list>

#include "base/text.h"
#include "tools/convert/layouts.h"
#include "tools/convert/yaml.h"

namespace openqnn::tools::convert {
namespace {

using NodeKind = YamlNode::Kind;

// A part of a file: what it may hold, and where.
class Part {
 public:
  Part(const YamlNode& node, std::string_view file) : node_(node), file_(file) {}

  // Refuses what is no mapping, and keys that are none of these.
  Status check(std::initializer_list<std::string_view> known) const {
    if (node_.kind == NodeKind::kNothing) return {};
    if (node_.kind != NodeKind::kMap) return wrong("a mapping is expected here", "write \"key: value\"");
    for (const std::string& key : node_.keys) {
      if (std::ranges::find(known, key) != known.end()) continue;
      std::string all;
      for (const std::string_view each : known) append_item(all, each);
      return at(key).wrong(concat("there is no key '", key, "' here"), concat("one of ", all));
    }
    return {};
  }

  // Nothing where the key is not there or says nothing.
  Part at(std::string_view key) const {
    static const YamlNode nothing;
    const auto found = std::ranges::find(node_.keys, key);
    if (found == node_.keys.end()) return {nothing, file_};
    return {node_.items[static_cast<size_t>(found - node_.keys.begin())], file_};
  }
  bool is_said() const { return node_.kind != NodeKind::kNothing; }

  Result<std::string> word() const {
    if (node_.kind == NodeKind::kNothing) return std::string();
    if (node_.kind == NodeKind::kWord) return node_.word;
    return wrong("a word is expected here", "write \"key: value\"");
  }

  Result<std::vector<Part>> items() const {
    std::vector<Part> parts;
    if (node_.kind == NodeKind::kNothing) return parts;
    if (node_.kind != NodeKind::kList)
      return wrong("a list is expected here", "begin each of its items with \"- \"");
    for (const YamlNode& item : node_.items) parts.emplace_back(item, file_);
    return parts;
  }

  // "1, 3, 224, 224" or [1, 3, 224, 224].
  Result<frontend::onnx::Dims> dims() const {
    if (node_.kind == NodeKind::kMap) return wrong("dimensions are expected here", "\"1,3,224,224\"");
    std::vector<std::string> words;
    if (node_.kind == NodeKind::kWord)
      for (const std::string_view each : split(node_.word, ",")) words.emplace_back(each);
    for (const YamlNode& item : node_.items) words.push_back(item.word);
    frontend::onnx::Dims made;
    for (std::string& each : words) {
      each.erase(0, each.find_first_not_of(' '));
      OPENQNN_ASSIGN(const int64_t number, dimension_from(each, place().to_string()));
      made.push_back(number);
    }
    return made;
  }

  Where place() const { return {std::string(file_), node_.line, 0}; }
  Diagnostic wrong(std::string why, std::string fix) const {
    return invalid("io-config", std::move(why)).at(place()).fix_by(std::move(fix));
  }
  Status refuse_if_said(std::string_view key, std::string_view why, std::string_view fix) const {
    const Part part = at(key);
    if (!part.is_said()) return {};
    return unsupported("io-config", concat("'", key, "' has no effect here: ", why))
        .at(part.place())
        .fix_by(std::string(fix));
  }

 private:
  const YamlNode& node_;
  std::string_view file_;
};

Result<std::string> name_of(const Part& tensor, std::string_view key) {
  OPENQNN_ASSIGN(std::string name, tensor.at(key).word());
  if (!name.empty()) return name;
  return tensor.wrong("a tensor has no name", concat("\"", key, ": ...\""));
}

// The layout that stands at a key, unless the command line gave one.
Status read_layout(const Part& part, std::string_view key, std::string& layout) {
  OPENQNN_ASSIGN(const std::string word, part.at(key).word());
  if (word.empty()) return {};
  OPENQNN_TRY(check_layout(word, part.at(key).place().to_string()));
  if (layout.empty()) layout = word;
  return {};
}

constexpr std::string_view kUseOverrides = "give encodings by --quantization_overrides";

// ---- --config ----

constexpr std::string_view kSource = "Src Model Parameters";
constexpr std::string_view kDesired = "Desired Model Parameters";

Status check_tensor(const Part& tensor) {
  OPENQNN_TRY(tensor.check({"Name", kSource, kDesired}));
  OPENQNN_TRY(tensor.at(kSource).check({"DataType", "Layout"}));
  const Part desired = tensor.at(kDesired);
  OPENQNN_TRY(desired.check({"DataType", "Layout", "Shape", "Color Conversion", "QuantParams"}));
  OPENQNN_TRY(desired.refuse_if_said("Color Conversion", "pictures are not converted",
                                     "pass them as the model takes them"));
  const Part encoding = desired.at("QuantParams");
  OPENQNN_TRY(encoding.check({"Scale", "Offset"}));
  for (const std::string_view key : {"Scale", "Offset"})
    OPENQNN_TRY(encoding.refuse_if_said(key, "the product is a float model", kUseOverrides));
  return {};
}

Status read_input(const Part& tensor, ConversionSettings& settings) {
  OPENQNN_ASSIGN(const std::string name, name_of(tensor, "Name"));
  for (const std::string_view side : {kSource, kDesired}) {
    const Part type = tensor.at(side).at("DataType");
    OPENQNN_ASSIGN(const std::string word, type.word());
    if (word.empty()) continue;
    const std::string& known = settings.input_types.emplace(name, word).first->second;
    if (side == kDesired && known != word)
      return type.wrong(concat("input '", name, "' cannot become ", word, " of ", known),
                        "inputs keep the model's types here: leave it out");
  }
  const Part shape = tensor.at(kDesired).at("Shape");
  if (shape.is_said()) {
    OPENQNN_ASSIGN(frontend::onnx::Dims dims, shape.dims());
    settings.import.input_dims.emplace(name, std::move(dims));
  }
  TensorLayout& layout = settings.input_layouts[name];
  OPENQNN_TRY(read_layout(tensor.at(kSource), "Layout", layout.model));
  return read_layout(tensor.at(kDesired), "Layout", layout.wanted);
}

Status read_output(const Part& tensor, ConversionSettings& settings) {
  OPENQNN_ASSIGN(const std::string name, name_of(tensor, "Name"));
  constexpr std::string_view kKept = "outputs keep the model's types and shapes";
  OPENQNN_TRY(tensor.at(kSource).refuse_if_said("DataType", kKept, "leave it out"));
  for (const std::string_view key : {"DataType", "Shape"})
    OPENQNN_TRY(tensor.at(kDesired).refuse_if_said(key, kKept, "leave it out"));
  TensorLayout& layout = settings.output_layouts[name];
  OPENQNN_TRY(read_layout(tensor.at(kSource), "Layout", layout.model));
  return read_layout(tensor.at(kDesired), "Layout", layout.wanted);
}

}  // namespace

Status read_io_config(std::string_view text, const std::string& file, ConversionSettings& settings) {
  OPENQNN_ASSIGN(const YamlNode root, parse_yaml(text, file));
  const Part whole(root, file);
  constexpr std::string_view kInputs = "Input Tensor Configuration";
  constexpr std::string_view kOutputs = "Output Tensor Configuration";
  OPENQNN_TRY(whole.check({kInputs, kOutputs}));
  for (const std::string_view key : {kInputs, kOutputs}) {
    OPENQNN_ASSIGN(const std::vector<Part> tensors, whole.at(key).items());
    for (const Part& tensor : tensors) {
      OPENQNN_TRY(check_tensor(tensor));
      OPENQNN_TRY(key == kInputs ? read_input(tensor, settings) : read_output(tensor, settings));
    }
  }
  return {};
}

// ---- --custom_io ----

namespace {

// A type of the file, the product's of that name, and how a tensor gets it.
struct CustomType {
  std::string_view name;
  ir::DataType made;
  std::string_view how;
};

constexpr CustomType kCustomTypes[] = {
    {"float32", ir::DataType::kFloat32, "float32 is what inputs and outputs of reals are"},
    {"float16", ir::DataType::kFloat16,
     "float16 is what --float_bitwidth 16 makes of inputs and outputs, without --preserve_io datatype"},
    {"uint8", ir::DataType::kUfixed8,
     "uint8 is what quantization (--input_list) with 8-bit activations makes of inputs and outputs"},
    {"int8", ir::DataType::kSfixed8, "activations are unsigned integers here: uint8, or float32"},
};

const CustomType* find_custom_type(std::string_view name) {
  const auto found = std::ranges::find(kCustomTypes, name, &CustomType::name);
  return found == std::end(kCustomTypes) ? nullptr : found;
}

const ir::Tensor* find_io(const frontend::DlcGraph& product, std::string_view name) {
  for (const ir::Tensor& tensor : product.graph.tensors()) {
    if (ir::is_io(tensor.role) &&
        (tensor.name == name || frontend::source_of(product.trace, tensor.name) == name))
      return &tensor;
  }
  return nullptr;
}

}  // namespace

Status check_custom_types(const ConversionSettings& settings, const frontend::DlcGraph& product) {
  for (const auto& [name, stated] : settings.io_types) {
    const CustomType* const wanted = find_custom_type(stated.type);
    const ir::Tensor* const tensor = find_io(product, name);
    if (wanted == nullptr || tensor == nullptr) continue;  // an unknown name is told before
    ir::DataType made = tensor->desc.type;
    const bool is_narrowed = settings.half && !settings.keep_io_types;  // when it is written
    if (made == ir::DataType::kFloat32 && is_narrowed) made = ir::DataType::kFloat16;
    if (made == wanted->made) continue;
    return unsupported("io-config",
                       concat("'", name, "' is ", ir::name(made), " in the product, not ", stated.type))
        .at(stated.place)
        .fix_by(std::string(wanted->how));
  }
  return {};
}

Status read_custom_io(std::string_view text, const std::string& file, ConversionSettings& settings,
                      std::set<std::string>& float_types) {
  OPENQNN_ASSIGN(const YamlNode root, parse_yaml(text, file));
  OPENQNN_ASSIGN(const std::vector<Part> tensors, Part(root, file).items());
  for (const Part& tensor : tensors) {
    OPENQNN_TRY(tensor.check({"IOName", "Layout", "Datatype", "QuantParam"}));
    OPENQNN_ASSIGN(const std::string name, name_of(tensor, "IOName"));
    OPENQNN_TRY(tensor.at("Layout").check({"Model", "Custom"}));
    TensorLayout& layout = settings.io_layouts[name];
    OPENQNN_TRY(read_layout(tensor.at("Layout"), "Model", layout.model));
    OPENQNN_TRY(read_layout(tensor.at("Layout"), "Custom", layout.wanted));
    OPENQNN_ASSIGN(const std::string type, tensor.at("Datatype").word());
    if (!type.empty() && find_custom_type(type) == nullptr)
      return tensor.at("Datatype")
          .wrong(concat("there is no type '", type, "'"), "one of float32, float16, uint8, int8");
    if (type == "float32") float_types.insert(name);
    if (!type.empty()) settings.io_types[name] = {type, tensor.at("Datatype").place()};
    const Part encoding = tensor.at("QuantParam");
    OPENQNN_TRY(encoding.check({"Type", "Scale", "Offset"}));
    for (const std::string_view key : {"Scale", "Offset"})
      OPENQNN_TRY(encoding.refuse_if_said(key, "ranges are calibrated", kUseOverrides));
    OPENQNN_ASSIGN(const std::string definition, encoding.at("Type").word());
    if (!definition.empty() && definition != "QNN_DEFINITION_UNDEFINED")
      return encoding.at("Type").wrong(concat("there is no encoding of type '", definition, "' here"),
                                       std::string(kUseOverrides));
  }
  return {};
}

}  // namespace openqnn::tools::convert
