// SPDX-License-Identifier: BSD-3-Clause
#include "base/files.h"
#include "base/text.h"
#include "tools/console.h"
#include "tools/convert/conversion.h"
#include "tools/convert/io_config.h"
#include "tools/convert/layouts.h"
#include "tools/products.h"
#include "tools/program_options.h"

namespace openqnn::tools::convert {
namespace {

namespace onnx = frontend::onnx;

// As it is where YAML reads it as one word, else in quotes.
std::string word(std::string_view text) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./";
  if (!text.empty() && text.find_first_not_of(kPlain) == text.npos) return std::string(text);
  const char* const quote = text.find('"') == text.npos ? "\"" : "'";
  return concat(quote, text, quote);
}

// The letters of the model's layout; nothing where the rank does not tell them.
std::string layout_of(const onnx::ValueInfo& value) {
  const std::string_view usual = usual_layout(value.shape ? value.shape->size() : 0);
  return usual == "NONTRIVIAL" ? "" : std::string(usual);
}

std::string type_of(const onnx::ValueInfo& value) {
  return value.type == onnx::ElementType::kFloat ? "float32" : onnx::name_of(value.type);
}

// " 1,3,8,8", or what is open as a comment.
std::string shape_text(const onnx::ValueInfo& value) {
  if (!value.shape) return "  # the model does not tell it";
  std::string dims;
  bool is_open = false;
  for (const onnx::Dimension& dim : *value.shape) {
    const bool has_number = dim.value && *dim.value > 0;
    is_open = is_open || !has_number;
    const std::string name = dim.name.empty() ? "?" : std::string(dim.name);
    dims += concat(dims.empty() ? "" : ",", has_number ? concat(*dim.value) : name);
  }
  return is_open || dims.empty() ? concat("  # ", shown(dims), " in the model") : concat(" ", dims);
}

std::string key(std::string_view name, const std::string& value) {
  return value.empty() ? concat(name, ":\n") : concat(name, ": ", value, "\n");
}

std::string config_entry(const onnx::ValueInfo& value, bool is_input) {
  const std::string layout = layout_of(value);
  std::string text = concat("  - ", key("Name", word(value.name)), "    Src Model Parameters:\n");
  text += concat("      ", key("DataType", is_input ? type_of(value) : ""), "      ", key("Layout", layout));
  text +=
      concat("    Desired Model Parameters:\n      ", key("DataType", ""), "      ", key("Layout", layout));
  if (is_input) text += concat("      Shape:", shape_text(value), "\n");
  return text;
}

std::string config_template(const onnx::Graph& graph) {
  std::string text = "# For --config of qairt-converter. What a key leaves empty is not said.\n";
  text += "Input Tensor Configuration:\n";
  for (const onnx::ValueInfo* const input : client_inputs(graph)) text += config_entry(*input, true);
  text += "Output Tensor Configuration:\n";
  for (const onnx::ValueInfo& output : graph.outputs) text += config_entry(output, false);
  return text;
}

std::string custom_io_entry(const onnx::ValueInfo& value, bool is_input) {
  const std::string layout = layout_of(value);
  std::string text = concat("- ", key("IOName", word(value.name)), "  Layout:\n");
  if (is_input)
    text += concat("    ", key("Model", layout), "    ", key("Custom", std::string(channels_last(layout))));
  else  // whether it has its channels last depends on how it is computed: nothing is said
    text += concat("    Model:", layout.empty() ? "" : concat("  # ", layout), "\n    Custom:\n");
  return text + "  Datatype:\n  QuantParam:\n    Type: QNN_DEFINITION_UNDEFINED\n    Scale:\n    Offset:\n";
}

std::string custom_io_template(const onnx::Graph& graph) {
  std::string text = "# For --custom_io of qnn-onnx-converter. What a key leaves empty is not said.\n";
  for (const onnx::ValueInfo* const input : client_inputs(graph)) text += custom_io_entry(*input, true);
  for (const onnx::ValueInfo& output : graph.outputs) text += custom_io_entry(output, false);
  return text;
}

Status write_template(const Args& args, std::string_view option, const ConversionSettings& settings,
                      std::string (*made_of)(const onnx::Graph&)) {
  const Products products = products_of(args, {option});
  for (const auto& file : products.files) OPENQNN_TRY(check_output_file(file));
  OPENQNN_TRY(check_products(args, products));
  OPENQNN_ASSIGN(const OnnxSource source, open_source(settings.input));
  const std::string text = made_of(*source.model.graph);
  if (products.files.empty()) {
    set_quiet(false);  // it was asked for
    print(text);
  }
  for (const auto& file : products.files) {
    const std::string_view verb = written_verb(file);
    OPENQNN_TRY(write_file(file, text));
    print(concat(verb, " ", shown(file.string()), "\n"));
  }
  return {};
}

}  // namespace

Status write_config_template(const Args& args, std::string_view option, const ConversionSettings& settings) {
  return write_template(args, option, settings, config_template);
}

Status write_custom_io_template(const Args& args, std::string_view option,
                                const ConversionSettings& settings) {
  return write_template(args, option, settings, custom_io_template);
}

}  // namespace openqnn::tools::convert
