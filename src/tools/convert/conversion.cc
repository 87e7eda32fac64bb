// SPDX-License-Identifier: BSD-3-Clause
#include "tools/convert/conversion.h"

#include <algorithm>

#include "base/files.h"
#include "base/text.h"
#include "frontend/onnx/fuse/fusion.h"
#include "quant/overrides.h"
#include "tools/console.h"
#include "tools/convert/half.h"
#include "tools/convert/layouts.h"
#include "tools/convert/product.h"
#include "tools/convert/program.h"
#include "tools/file_kind.h"

namespace openqnn::tools::convert {
namespace {

namespace fs = std::filesystem;
namespace onnx = frontend::onnx;
using onnx::Order;

// ---- Inputs and outputs ----

size_t rank_of(const onnx::ValueInfo& value, const ConversionSettings& settings) {
  const auto given = settings.import.input_dims.find(std::string(value.name));
  if (given != settings.import.input_dims.end()) return given->second.size();
  return value.shape ? value.shape->size() : 0;
}

std::set<std::string> output_names(const onnx::Graph& graph, const ConversionSettings& settings) {
  std::set<std::string> names(settings.import.outputs.begin(), settings.import.outputs.end());
  if (names.empty())
    for (const onnx::ValueInfo& output : graph.outputs) names.emplace(output.name);
  return names;
}

Status check_names(const std::map<std::string, TensorLayout>& layouts, const std::set<std::string>& known,
                   std::string_view what) {
  for (const auto& [name, layout] : layouts)
    if (!known.contains(name))
      return invalid("option-value", concat("the model has no ", what, " '", name, "' to give a layout for"));
  return {};
}

Status check_settings(const onnx::Graph& graph, const ConversionSettings& settings) {
  std::map<std::string, onnx::ElementType> types;
  std::set<std::string> inputs;
  for (const onnx::ValueInfo* const input : client_inputs(graph)) {
    types[std::string(input->name)] = input->type;
    inputs.emplace(input->name);
  }
  const std::set<std::string> outputs = output_names(graph, settings);
  OPENQNN_TRY(check_names(settings.input_layouts, inputs, "input"));
  OPENQNN_TRY(check_names(settings.output_layouts, outputs, "output"));
  for (const std::string& name : settings.kept_layouts)
    if (!inputs.contains(name) && !outputs.contains(name))
      return wrong_option("--preserve_io", concat("the model has no input or output '", name, "'"));
  for (const auto& [name, type] : settings.input_types) {
    if (!types.contains(name))
      return invalid("option-value", concat("the model has no input '", name, "' to give a type for"));
    const std::string has = onnx::name_of(types.at(name));
    if (has == type || (has == "float" && type == "float32")) continue;
    return invalid("option-value", concat("input '", name, "' is ", has, " in the model, not ", type))
        .fix_by("inputs keep the model's types here: leave the option out");
  }
  return {};
}

// Gives layouts of tensors that are only known by name to the inputs or the outputs. What the command line
// said of one goes first.
Status place_io_layouts(const onnx::Graph& graph, ConversionSettings& settings) {
  std::set<std::string> inputs;
  for (const onnx::ValueInfo* const input : client_inputs(graph)) inputs.emplace(input->name);
  const std::set<std::string> outputs = output_names(graph, settings);
  for (const auto& [name, layout] : settings.io_layouts) {
    if (!inputs.contains(name) && !outputs.contains(name))
      return wrong_option("--custom_io", concat("the model has no input or output '", name, "'"));
    if (layout.model.empty() && layout.wanted.empty()) continue;
    TensorLayout& placed = (inputs.contains(name) ? settings.input_layouts : settings.output_layouts)[name];
    if (placed.model.empty()) placed.model = layout.model;
    if (placed.wanted.empty()) placed.wanted = layout.wanted;
  }
  return {};
}

Result<std::optional<Order>> wanted_order(const std::string& name, size_t rank,
                                          const std::map<std::string, TensorLayout>& layouts,
                                          const ConversionSettings& settings) {
  const auto found = layouts.find(name);
  TensorLayout layout = found == layouts.end() ? TensorLayout{} : found->second;
  if (layout.model.empty()) layout.model = usual_layout(rank);
  if (layout.wanted.empty()) {
    const bool moves = settings.channels_last_io && !settings.kept_layouts.contains(name);
    layout.wanted = moves ? std::string(channels_last(layout.model)) : layout.model;
  }
  if (layout.wanted == layout.model) return std::optional<Order>();
  OPENQNN_ASSIGN(Order order, order_between(layout.model, layout.wanted, concat("layout of ", name)));
  return std::optional<Order>(std::move(order));
}

Status set_orders(const onnx::Graph& graph, const ConversionSettings& settings,
                  onnx::ConvertOptions& options) {
  for (const onnx::ValueInfo* const input : client_inputs(graph)) {
    const std::string name(input->name);
    OPENQNN_ASSIGN(auto order,
                   wanted_order(name, rank_of(*input, settings), settings.input_layouts, settings));
    if (order) options.input_orders[name] = *std::move(order);
  }
  for (const auto& [name, layout] : settings.output_layouts) {
    // The rank is only known from the layouts themselves; a wrong one is refused by the front end.
    const size_t rank = layout.model.empty() ? layout.wanted.size() : layout.model.size();
    OPENQNN_ASSIGN(auto order, wanted_order(name, rank, settings.output_layouts, settings));
    if (order) options.output_orders[name] = *std::move(order);
  }
  return {};
}

bool brings_channels_first(const ir::Node& node, size_t rank) {
  if (node.type != "Transpose" || rank < 3) return false;
  const Order back = onnx::between(onnx::channels_last(rank), onnx::plain_order(rank));
  for (size_t i = 0; i < rank; ++i)
    if (node.params.u32_at("perm", i, UINT32_MAX) != back[i]) return false;
  return true;
}

// Outputs that are computed with channels last and brought back for the client alone.
std::map<std::string, Order> outputs_computed_channels_last(const onnx::Conversion& conversion,
                                                            const ConversionSettings& settings) {
  std::map<std::string, Order> orders;
  const ir::Graph& graph = *conversion.graph;
  for (ir::TensorIndex i = 0; i < graph.tensors().size(); ++i) {
    const ir::Tensor& tensor = graph.tensors()[i];
    const auto producer = graph.producer(i);
    const size_t rank = tensor.desc.shape.rank();
    if (tensor.role != ir::TensorRole::kOutput || !producer) continue;
    if (!brings_channels_first(graph.nodes()[*producer], rank)) continue;
    const auto source =
        std::ranges::find(conversion.trace.tensors, tensor.name, &frontend::Trace::Tensor::name);
    if (source == conversion.trace.tensors.end()) continue;
    const std::string& name = source->source;
    if (!settings.kept_layouts.contains(name) && !settings.output_layouts.contains(name))
      orders[name] = onnx::channels_last(rank);
  }
  return orders;
}

// How a tensor lies, where the client's order is not the model's: "NHWC (NCHW in the model)".
std::string layout_text(const std::string& name, const Order& order,
                        const std::map<std::string, TensorLayout>& layouts) {
  const auto found = layouts.find(name);
  std::string model = found == layouts.end() ? "" : found->second.model;
  if (model.empty()) model = usual_layout(order.size());
  const bool has_letters = model.size() == order.size();
  std::string text;
  for (const uint32_t dim : order)
    text += has_letters ? std::string(1, model[dim]) : concat(text.empty() ? "" : ", ", dim);
  return has_letters ? concat(text, " (", model, " in the model)")
                     : concat("dimensions ", text, " of the model's");
}

IoLayouts layouts_of(const onnx::Conversion& conversion, const ConversionSettings& settings,
                     const onnx::ConvertOptions& options) {
  IoLayouts layouts;
  for (const frontend::Trace::Tensor& tensor : conversion.trace.tensors) {
    const auto input = options.input_orders.find(tensor.source);
    const auto output = options.output_orders.find(tensor.source);
    if (input != options.input_orders.end())
      layouts[tensor.name] = layout_text(tensor.source, input->second, settings.input_layouts);
    else if (output != options.output_orders.end())
      layouts[tensor.name] = layout_text(tensor.source, output->second, settings.output_layouts);
  }
  return layouts;
}

}  // namespace

// ---- Options ----

std::vector<OptionSpec> common_options() {
  return {
      one("--input_network", "FILE", "the ONNX model", "-i"),
      one("--output_path", "FILE", "what to make (default: the model's name)", "-o"),
      one("--quantization_overrides", "FILE", "encodings of tensors, JSON of either form", "-q"),
      one("--copyright_file", "FILE", "a text that goes into the product"),
      named("--fix_input", "NAME NUMBER", "make an input a constant, e.g. a sample rate (openqnn's own)"),
      one("--float_bitwidth", "BITS", "of float tensors: 32 (default) or 16", "--float_bw"),
      flag("--enable_framework_trace", "keep what each op was in the model (always done)"),
      {.name = "--debug",
       .value = "[LEVEL]",
       .help = "tell which groups of nodes became one",
       .least = 0,
       .most = 1},
  };
}

Result<ConversionSettings> common_settings(const Args& args) {
  ConversionSettings settings;
  if (!args.has("--input_network"))
    return invalid("option-missing", "no model is given").fix_by("--input_network FILE");
  settings.input = args.get("--input_network");
  OPENQNN_TRY(expect_kind(settings.input, {FileKind::kOnnx}));
  settings.output = args.get("--output_path", fs::path(settings.input).replace_extension(".dlc").string());
  settings.graph_name = settings.output.stem().string();
  for (const std::vector<std::string>& words : args.uses("--fix_input")) {
    OPENQNN_ASSIGN(settings.import.fixed_numbers[words[0]], real_from(words[1], "--fix_input"));
  }
  settings.overrides_file = args.get("--quantization_overrides");
  settings.debug = args.has("--debug");
  OPENQNN_ASSIGN(const uint32_t bits, number_among(args, "--float_bitwidth", {32, 16}, 32));
  settings.half = bits == 16;
  if (args.has("--copyright_file")) {
    OPENQNN_ASSIGN(settings.copyright, text_of(args.get("--copyright_file"), size_t{1} << 16));
  }
  return settings;
}

Status read_dims(const Args& args, std::string_view option, ConversionSettings& settings) {
  settings.import.names.input_dims = option;
  for (const std::vector<std::string>& words : args.uses(option)) {
    onnx::Dims dims;
    for (const std::string_view dim : split(words[1], ",")) {
      OPENQNN_ASSIGN(const int64_t number, dimension_from(dim, option));
      dims.push_back(number);
    }
    settings.import.input_dims[words[0]] = std::move(dims);
  }
  return {};
}

Status read_symbols(const Args& args, std::string_view option, ConversionSettings& settings) {
  settings.import.names.symbols = option;
  for (const std::vector<std::string>& words : args.uses(option)) {
    OPENQNN_ASSIGN(settings.import.symbols[words[0]], dimension_from(words[1], option));
  }
  return {};
}

Status read_batch(const Args& args, std::string_view option, ConversionSettings& settings) {
  settings.import.names.batch = option;
  if (!args.has(option)) return {};
  OPENQNN_ASSIGN(settings.import.batch, dimension_from(args.get(option), option));
  return {};
}

Status read_layouts(const Args& args, std::string_view option, std::string TensorLayout::*member,
                    std::map<std::string, TensorLayout>& layouts) {
  for (const std::vector<std::string>& words : args.uses(option)) {
    OPENQNN_TRY(check_layout(words[1], option));
    layouts[words[0]].*member = words[1];
  }
  return {};
}

std::set<std::string> every_fusion() {
  std::set<std::string> names;
  for (const onnx::Fusion& fusion : onnx::all_fusions()) names.emplace(fusion.name);
  return names;
}

// ---- The ONNX file ----

Result<OnnxSource> open_source(const std::filesystem::path& path) {
  OnnxSource source;
  OPENQNN_ASSIGN(source.file, MappedFile::open(path));
  OPENQNN_ASSIGN(source.model, onnx::read_model(source.file->bytes(), path.string()));
  if (!source.model.graph) return invalid("onnx-graph", "the model has no graph").at(path.string());
  return source;
}

Result<onnx::Conversion> convert_source(const OnnxSource& source, const ConversionSettings& settings,
                                        const onnx::ConvertOptions& options) {
  onnx::ExternalFiles files(settings.input.parent_path(), source.file);
  return onnx::convert(source.model, files, settings.graph_name, options);
}

std::vector<const onnx::ValueInfo*> client_inputs(const onnx::Graph& graph) {
  std::vector<const onnx::ValueInfo*> inputs;
  for (const onnx::ValueInfo& input : graph.inputs) {
    const bool has_value =
        std::ranges::find(graph.initializers, input.name, &onnx::Tensor::name) != graph.initializers.end();
    if (!has_value) inputs.push_back(&input);
  }
  return inputs;
}

// ---- The work ----

Result<FloatModel> convert_model(ConversionSettings settings) {
  OPENQNN_ASSIGN(const OnnxSource source, open_source(settings.input));
  OPENQNN_TRY(place_io_layouts(*source.model.graph, settings));
  OPENQNN_TRY(check_settings(*source.model.graph, settings));
  onnx::ConvertOptions options;
  options.import = settings.import;
  options.without_fusions = settings.without_fusions;
  OPENQNN_TRY(set_orders(*source.model.graph, settings, options));
  OPENQNN_ASSIGN(onnx::Conversion converted, convert_source(source, settings, options));
  if (!converted.refusals.empty()) {
    Diagnostic refused = onnx::refused_nodes(converted);
    refused.where = {settings.input.string()};
    return refused;
  }
  if (settings.channels_last_io) {
    // Which outputs are computed that way is only known now.
    auto orders = outputs_computed_channels_last(converted, settings);
    if (!orders.empty()) {
      options.output_orders.merge(orders);
      OPENQNN_ASSIGN(converted, convert_source(source, settings, options));
    }
  }
  FloatModel model;
  model.layouts = layouts_of(converted, settings, options);
  model.graph.graph = *std::move(converted.graph);
  model.graph.trace = std::move(converted.trace);
  if (settings.keep_encodings) model.graph.encodings = std::move(converted.encodings);
  model.notes = std::move(converted.notes);
  for (const std::string& note : model.notes) print(concat("note: ", shown(note), "\n"));
  if (settings.debug)
    for (const std::string& fusion : converted.fusions) print(concat("fused: ", shown(fusion), "\n"));
  if (!settings.overrides_file.empty()) OPENQNN_TRY(add_overrides(settings.overrides_file, model));
  return model;
}

Status add_overrides(const std::string& path, FloatModel& model) {
  OPENQNN_ASSIGN(const std::string text, read_text_file(path));
  OPENQNN_ASSIGN(const quant::EncodingsFile file, quant::read_encodings(text, path));
  OPENQNN_ASSIGN(quant::MatchedEncodings matched,
                 quant::match_encodings(file, model.graph.graph, model.graph.trace));
  for (auto& [name, given] : matched.overrides) model.graph.encodings[name] = std::move(given);
  if (!matched.unmatched.empty())
    warn(concat(path, ": ", matched.unmatched.size(),
                " names match no tensor of the graph: ", joined(matched.unmatched)));
  return {};
}

Status write_model(const ConversionSettings& settings, FloatModel model) {
  if (settings.half) {
    OPENQNN_ASSIGN(model.graph.graph, in_half(model.graph.graph, settings.keep_io_types));
  }
  frontend::Dlc dlc;
  dlc.graphs.push_back(std::move(model.graph));
  dlc.model_version = settings.model_version;
  dlc.copyright = settings.copyright;
  dlc.converter_command = command_line();
  return write_and_tell(settings.output, std::move(dlc), model.layouts);
}

}  // namespace openqnn::tools::convert
