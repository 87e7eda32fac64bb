// SPDX-License-Identifier: BSD-3-Clause
#include "tools/model_job.h"

#include <algorithm>
#include <cstdlib>
#include <set>

#include "base/files.h"
#include "base/text.h"
#include "config/input_list.h"
#include "frontend/onnx/fuse/fusion.h"
#include "quant/calibrate.h"
#include "quant/float_graph.h"
#include "quant/quantize.h"
#include "quant/random_inputs.h"
#include "tools/console.h"
#include "tools/file_kind.h"
#include "tools/integer_files.h"
#include "tools/interrupt.h"
#include "tools/number_in.h"
#include "tools/value_types.h"

namespace openqnn::tools {
namespace {

namespace fs = std::filesystem;
namespace onnx = frontend::onnx;

constexpr int64_t kMostSamples = 1000;  // all of them are held in memory

// What shapes an ONNX model; a .dlc has its shapes.
constexpr std::string_view kOnnxOptions[] = {"--input_dim", "--define_symbol",  "--fix_input",
                                             "--batch",     "--without_fusion", "--image_layout"};
constexpr std::string_view kImageLayouts = "channel_last model";

// Of an option that is given once per name: "name=1,3,224,224".
Result<std::pair<std::string, std::string>> named_value(const std::string& text, std::string_view option) {
  auto pair = name_and_value(text);
  if (pair.first.empty()) {
    return wrong_option(option, concat("'", text, "' names nothing")).fix_by(concat(option, " NAME=VALUE"));
  }
  return pair;
}

Status refuse_named_twice(const Args& args, std::string_view option) {
  std::set<std::string> names;
  for (const std::string& given : args.all(option)) {
    OPENQNN_ASSIGN(const auto pair, named_value(given, option));
    if (!names.insert(pair.first).second)
      return wrong_option(option, concat("it is given twice for '", pair.first, "'")).fix_by("give it once");
  }
  return {};
}

Result<onnx::ImportOptions> import_options(const Args& args) {
  onnx::ImportOptions options;
  for (const std::string_view option : {"--input_dim", "--define_symbol", "--fix_input"})
    OPENQNN_TRY(refuse_named_twice(args, option));
  for (const std::string& given : args.all("--input_dim")) {
    OPENQNN_ASSIGN(const auto pair, named_value(given, "--input_dim"));
    onnx::Dims dims;
    for (const std::string_view dim : split(pair.second, ",")) {
      OPENQNN_ASSIGN(const int64_t number, dimension_from(dim, "--input_dim"));
      dims.push_back(number);
    }
    options.input_dims[pair.first] = std::move(dims);
  }
  for (const std::string& given : args.all("--define_symbol")) {
    OPENQNN_ASSIGN(const auto pair, named_value(given, "--define_symbol"));
    OPENQNN_ASSIGN(options.symbols[pair.first], dimension_from(pair.second, "--define_symbol"));
  }
  for (const std::string& given : args.all("--fix_input")) {
    OPENQNN_ASSIGN(const auto pair, named_value(given, "--fix_input"));
    OPENQNN_ASSIGN(options.fixed_numbers[pair.first], real_from(pair.second, "--fix_input"));
  }
  if (args.has("--batch")) {
    OPENQNN_ASSIGN(options.batch, dimension_from(args.get("--batch"), "--batch"));
  }
  for (const auto& [name, dims] : options.input_dims) {
    if (!options.batch || dims.front() == *options.batch) continue;
    return wrong_option("--batch", concat("--input_dim gives input '", name, "' the first dimension ",
                                          dims.front(), ", and --batch ", *options.batch))
        .fix_by("leave it out, or give the same number twice");
  }
  return options;
}

Result<std::set<std::string>> unwanted_fusions(const Args& args) {
  std::set<std::string> unwanted;
  for (const std::string& name : args.all("--without_fusion")) {
    std::string known;
    for (const onnx::Fusion& fusion : onnx::all_fusions()) {
      append_item(known, fusion.name);
      if (fusion.name == name) unwanted.insert(name);
    }
    if (unwanted.contains(name)) continue;
    return wrong_option("--without_fusion", concat("there is no fusion '", name, "'"))
        .fix_by(concat("one of ", known));
  }
  return unwanted;
}

// How many random inputs are made where there is no input list.
Result<int64_t> sample_count(const Args& args) {
  if (args.has("--input_list") && args.has("--samples")) {
    return wrong_option("--samples", "--samples is for random inputs, and --input_list gives real ones")
        .fix_by("leave one of them out");
  }
  OPENQNN_ASSIGN(const int64_t count, integer_from(args.get("--samples", "4"), "--samples"));
  if (count >= 1 && count <= kMostSamples) return count;
  return wrong_option("--samples", concat(count, " random inputs cannot be made"))
      .fix_by(concat("give 1 to ", kMostSamples));
}

std::vector<ir::TensorIndex> inputs_of(const ir::Graph& graph) {
  std::vector<ir::TensorIndex> inputs;
  for (ir::TensorIndex i = 0; i < graph.tensors().size(); ++i)
    if (graph.tensors()[i].role == ir::TensorRole::kInput) inputs.push_back(i);
  return inputs;
}

// Integers of the encoding that the model has for a float input.
std::vector<std::byte> from_integers(const ir::TensorDesc& desc, const ir::TensorEncoding& encoding,
                                     std::span<const std::byte> integers) {
  ir::TensorDesc fixed = desc;
  fixed.type = encoding.type;
  fixed.quantization = encoding.quantization;
  return quant::stored(desc, quant::reals_of(fixed, integers));
}

// A file of a list. What is wrong with it is told at the line that names it.
Result<std::vector<std::byte>> read_values(const config::InputFile& file, const Where& line,
                                           const frontend::DlcGraph& model, const ir::Tensor& tensor,
                                           InputFiles files) {
  const auto mapped = MappedFile::open(file.path);
  if (!mapped) {
    Diagnostic unreadable = mapped.error();
    unreadable.message = concat("'", file.path, "': ", unreadable.message);
    unreadable.where = line;
    return unreadable;
  }
  const auto bytes = (*mapped)->bytes();
  const ir::DataType type = files == InputFiles::kFloat ? ir::DataType::kFloat32 : tensor.desc.type;
  const uint64_t needs = tensor.desc.shape.elements() * ir::byte_size(type);
  if (const auto own = model.encodings.find(tensor.name);
      own != model.encodings.end() && files == InputFiles::kNative && bytes.size() != needs &&
      bytes.size() == tensor.desc.shape.elements() * ir::byte_size(own->second.type))
    return from_integers(tensor.desc, own->second, bytes);
  if (bytes.size() != needs) {
    const std::string remedy = remedy_of_other_type(type, tensor.desc.shape.elements(), bytes.size());
    return invalid("input-size",
                   concat("'", file.path, "' has ", bytes.size(), " bytes; input '", tensor.name, "' ",
                          tensor.desc.shape.to_string(), " ", ir::name(type), " needs ", needs))
        .at(line)
        .fix_by(remedy.empty() ? "write the tensor's elements one after another, without a header" : remedy);
  }
  const bool native = files == InputFiles::kNative;
  const std::string remedy =
      native ? concat("write ", ir::name(type)) : "say --use_native_input_files, or write float32";
  OPENQNN_TRY(refuse_other_kind({file.path, tensor, native, line, remedy}, bytes));
  if (type != tensor.desc.type)
    return quant::stored(tensor.desc,
                         {reinterpret_cast<const float*>(bytes.data()), bytes.size() / sizeof(float)});
  return std::vector<std::byte>(bytes.begin(), bytes.end());
}

// The graph's own names go first: the file's name of one input may be the graph's of another.
std::optional<ir::TensorIndex> input_named(const frontend::DlcGraph& model,
                                           const std::vector<ir::TensorIndex>& inputs,
                                           const std::string& name) {
  const auto& tensors = model.graph.tensors();
  for (const ir::TensorIndex input : inputs)
    if (tensors[input].name == name) return input;
  for (const ir::TensorIndex input : inputs)
    if (frontend::source_of(model.trace, tensors[input].name) == name) return input;
  return std::nullopt;
}

Diagnostic unknown_input(const std::string& name, const std::vector<ir::TensorIndex>& inputs,
                         const ir::Graph& graph, const Where& line) {
  std::vector<std::string_view> known;
  for (const ir::TensorIndex input : inputs) known.push_back(graph.tensors()[input].name);
  const std::string_view meant = closest(name, known);
  return invalid("input-name", concat("the model has no input '", name, "'"))
      .at(line)
      .fix_by(meant.empty() ? concat("its inputs: ", joined({known.begin(), known.end()}))
                            : concat("did you mean '", meant, "'?"));
}

Result<Sample> listed_sample(const frontend::DlcGraph& model, const config::Inference& inference,
                             const Where& line, InputFiles files) {
  const ir::Graph& graph = model.graph;
  const std::vector<ir::TensorIndex> inputs = inputs_of(graph);
  Sample sample;
  if (inference.files.size() != inputs.size()) {
    return invalid("input-count", concat("the line gives ", inference.files.size(),
                                         inference.files.size() == 1 ? " file" : " files", "; the model has ",
                                         inputs.size(), inputs.size() == 1 ? " input" : " inputs"))
        .at(line)
        .fix_by("give one file for each input, as name:=path; a blank ends a path");
  }
  for (size_t i = 0; i < inputs.size(); ++i) {
    const config::InputFile& file = inference.files[i];
    const std::optional<ir::TensorIndex> named = input_named(model, inputs, file.name);
    if (!named && !file.name.empty()) return unknown_input(file.name, inputs, graph, line);
    const ir::TensorIndex input = file.name.empty() ? inputs[i] : named.value_or(inputs[i]);
    if (sample.values.contains(input))
      return invalid("input-name",
                     concat("input '", graph.tensors()[input].name, "' is given twice, under two names"))
          .at(line)
          .fix_by("give each input once");
    OPENQNN_ASSIGN(sample.values[input], read_values(file, line, model, graph.tensors()[input], files));
  }
  return sample;
}

Result<std::vector<Sample>> listed_samples(const frontend::DlcGraph& model, const std::string& path,
                                           InputFiles files) {
  OPENQNN_ASSIGN(const std::string text, read_text_file(path));
  OPENQNN_ASSIGN(const config::InputList list, config::parse_input_list(text, path));
  // Documented for the lists of the quantizer, which computes all tensors anyway.
  if (!list.output_layers.empty() || !list.output_tensors.empty())
    warn(concat(path, ": lines with # or % choose outputs of a run; here all outputs of the model count"));
  std::vector<Sample> samples;
  for (const config::Inference& inference : list.inferences) {
    OPENQNN_ASSIGN(Sample sample, listed_sample(model, inference, {path, inference.line, 0}, files));
    sample.name = std::to_string(samples.size());
    samples.push_back(std::move(sample));
  }
  return samples;
}

Result<FloatModel> float_model(onnx::Conversion converted, const std::string& where) {
  if (!converted.refusals.empty()) {
    Diagnostic refused = onnx::refused_nodes(converted);
    refused.where = {where};
    return refused;
  }
  FloatModel model;
  model.graph.graph = *std::move(converted.graph);
  model.graph.trace = std::move(converted.trace);
  model.graph.encodings = std::move(converted.encodings);
  take_edges_in(model.graph);
  model.notes = std::move(converted.notes);
  model.fusions = std::move(converted.fusions);
  return model;
}

}  // namespace

std::pair<std::string, std::string> name_and_value(const std::string& text) {
  const size_t at = text.find_last_of('=');
  if (at == std::string::npos) return {"", text};
  return {text.substr(0, at), text.substr(at + 1)};
}

Result<double> real_from(const std::string& text, std::string_view option) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0') {
    return wrong_option(option, concat("'", text, "' is no number")).fix_by("give a number");
  }
  return value;
}

Result<int64_t> integer_from(std::string_view text, std::string_view option) {
  const auto value = number_in<int64_t>(text);
  if (value && *value >= 0) return *value;
  return wrong_option(option, concat("'", text, "' is no number of 0 or more")).fix_by("give a whole number");
}

Result<int64_t> dimension_from(std::string_view text, std::string_view option) {
  const auto value = number_in<int64_t>(text);
  if (value && *value > 0) return *value;
  return wrong_option(option, concat("'", text, "' is no whole number above 0"))
      .fix_by("tensors have 1 element or more in every dimension");
}

std::vector<OptionSpec> shape_options() {
  return {
      {"--input_dim", "NAME=D,D,...", "the dimensions of an input of an ONNX model", /*repeatable=*/true},
      {"--define_symbol", "NAME=N", "the value of a named dimension of an ONNX model", /*repeatable=*/true},
      {"--fix_input", "NAME=NUMBER", "make an input of an ONNX model a constant, e.g. a sample rate",
       /*repeatable=*/true},
      {"--without_fusion", "NAME", "leave the nodes of a fusion of an ONNX model as they are (docs/onnx.md)",
       /*repeatable=*/true},
      {"--batch", "N", "the first dimension of every input of an ONNX model"},
  };
}

OptionSpec image_layout_option() {
  return {"--image_layout", "NAME",
          "how inputs and outputs of rank 4 of an ONNX model lie: channel_last (default), as on\n"
          "devices, or as in the model",
          /*repeatable=*/false, kImageLayouts};
}

Result<Images> images_from(const Args& args) {
  const std::string name = args.get("--image_layout", "channel_last");
  if (name == "channel_last") return Images::kChannelLast;
  if (name == "model") return Images::kAsInModel;
  return wrong_option("--image_layout", concat("there is no layout '", name, "'"))
      .fix_by(concat("one of ", kImageLayouts));
}

std::vector<OptionSpec> model_options() {
  return joined_options(
      {shape_options(),
       {{"--input_list", "FILE",
         "inputs, one inference a line, as qnn-net-run takes them: raw files of the tensors",
         /*repeatable=*/false, /*choices=*/{}, /*aliases=*/"--inputs"},
        {"--samples", "N", "without --input_list: how many random inputs, always the same (default 4)"}}});
}

Status check_model_options(const Args& args) {
  OPENQNN_TRY(import_options(args));
  OPENQNN_TRY(unwanted_fusions(args));
  OPENQNN_TRY(sample_count(args));
  return {};
}

Status check_listed_inputs(const Args& args) {
  const std::string path = args.get("--input_list");
  std::error_code ignored;
  if (path.empty() || (fs::exists(path, ignored) && !fs::is_regular_file(path, ignored))) return {};
  OPENQNN_ASSIGN(const std::string text, read_text_file(path));
  OPENQNN_TRY(config::parse_input_list(text, path));
  return {};
}

Result<Precision> precision_from(std::string_view name) {
  Precision precision;
  precision.floating = name == "fp16" || name == "float";
  precision.name = precision.floating ? "fp16" : name;
  if (precision.floating || name == kAsQuantizer) return precision;
  if (name != "w8a8" && name != "w8a16" && name != "w16a16" && name != "w4a16") {
    return wrong_option("--precision", concat("there is no precision '", name, "'"))
        .fix_by(concat("one of ", kPrecisions));
  }
  precision.options.weight_bits = name.starts_with("w16") ? 16 : name.starts_with("w4") ? 4 : 8;
  precision.options.activation_bits = name.ends_with("a16") ? 16 : 8;
  if (precision.options.weight_bits == 16) precision.options.weight_steps = kWeightSteps16;
  return precision;
}

std::string fusions_text(const std::vector<std::string>& fusions) {
  std::map<std::string_view, uint64_t> counts;
  for (const std::string& fusion : fusions) ++counts[std::string_view(fusion).substr(0, fusion.find(':'))];
  std::string text;
  for (const auto& [name, count] : counts) append_item(text, name, " ", count);
  return text;
}

std::string samples_text(size_t count, bool random) {
  return concat(count, random ? " random" : "", count == 1 ? " input" : " inputs");
}

Status check_model_file(const fs::path& path) {
  OPENQNN_TRY(MappedFile::open(path));
  return expect_kind(path, {FileKind::kOnnx, FileKind::kDlc});
}

bool is_quantized(const ir::Graph& graph) {
  return std::ranges::any_of(graph.tensors(),
                             [](const ir::Tensor& tensor) { return ir::is_quantized(tensor.desc.type); });
}

uint64_t weight_bytes(const ir::Graph& graph) {
  uint64_t bytes = 0;
  for (const ir::Tensor& tensor : graph.tensors())
    if (tensor.data) bytes += tensor.data.size();
  return bytes;
}

Result<FloatModel> load_model(const fs::path& path, const Args& args, Images images) {
  OPENQNN_ASSIGN(FloatModel model, load_unrun_model(path, args, images));
  if (!is_quantized(model.graph.graph)) return model;
  return unsupported("model-quantized",
                     "the model in this file is quantized already, so that there is no float to start from")
      .at(path.string())
      .fix_by("give the float model, and this file as --quantized");
}

Result<FloatModel> load_unrun_model(const fs::path& path, const Args& args, Images images, Weights weights) {
  OPENQNN_TRY(check_model_file(path));
  OPENQNN_ASSIGN(const auto file, MappedFile::open(path));
  FloatModel model;
  if (frontend::looks_like_dlc(file->bytes())) {
    const auto refused = [](std::string_view option) {
      return wrong_option(option, "this is for ONNX models; what a .dlc holds is converted already")
          .fix_by("leave it out, or give the ONNX model");
    };
    for (const std::string_view option : kOnnxOptions)
      if (args.has(option)) return refused(option);
    if (weights == Weights::kUnread) return refused("--shapes_only");
    OPENQNN_ASSIGN(frontend::Dlc dlc, frontend::read_dlc(file->bytes(), path.string()));
    if (dlc.graphs.size() != 1) {
      return unsupported("model-graphs", concat("the file has ", dlc.graphs.size(), " graphs"))
          .at(path.string())
          .fix_by("give a file with one");
    }
    model.graph = std::move(dlc.graphs[0]);
    take_edges_in(model.graph);
    return model;
  }
  onnx::ConvertOptions options;
  OPENQNN_ASSIGN(options.import, import_options(args));
  OPENQNN_ASSIGN(options.without_fusions, unwanted_fusions(args));
  options.channel_last_images = images == Images::kChannelLast;
  options.shapes_only = weights == Weights::kUnread;
  OPENQNN_ASSIGN(model, convert_onnx(path, options));
  if (options.shapes_only)
    model.notes.insert(model.notes.begin(), "the weights were not read: their shapes alone count");
  return model;
}

void take_edges_in(frontend::DlcGraph& model) {
  if (!is_quantized(model.graph) || !quant::is_float_inside(model.graph)) return;
  auto floats = quant::float_graph_of(model.graph);
  if (!floats) return;  // no op is left between an input and an output: as it stands
  for (const ir::Tensor& tensor : model.graph.tensors())
    if (ir::is_quantized(tensor.desc.type))
      model.encodings[tensor.name] = {tensor.desc.type, tensor.desc.quantization};
  model.graph = *std::move(floats);
  std::set<std::string_view> left;  // names of tensors, then of nodes
  for (const ir::Tensor& tensor : model.graph.tensors()) left.insert(tensor.name);
  const auto is_gone = [&left](const std::string& name) { return !left.contains(name); };
  std::erase_if(model.encodings, [&](const auto& encoding) { return is_gone(encoding.first); });
  std::erase_if(model.trace.tensors, [&](const auto& tensor) { return is_gone(tensor.name); });
  left.clear();
  for (const ir::Node& node : model.graph.nodes()) left.insert(node.name);
  std::erase_if(model.trace.nodes, [&](const auto& node) { return is_gone(node.name); });
}

Result<FloatModel> convert_onnx(const fs::path& path, const onnx::ConvertOptions& options) {
  OPENQNN_ASSIGN(onnx::Conversion converted, onnx::convert_file(path, options));
  return float_model(std::move(converted), path.string());
}

Result<FloatModel> convert_onnx(std::span<const std::byte> bytes, const onnx::ConvertOptions& options) {
  OPENQNN_ASSIGN(onnx::Conversion converted, onnx::convert_bytes(bytes, options));
  return float_model(std::move(converted), std::string(onnx::kBytesInMemory));
}

Result<std::vector<Sample>> load_samples(const frontend::DlcGraph& model, const Args& args,
                                         InputFiles files) {
  const ir::Graph& graph = model.graph;
  OPENQNN_ASSIGN(const int64_t count, sample_count(args));
  if (args.has("--input_list")) return listed_samples(model, args.get("--input_list"), files);
  std::vector<Sample> samples;
  for (int64_t i = 0; i < count; ++i) {
    Sample sample{std::to_string(i), {}};
    for (const ir::TensorIndex input : inputs_of(graph))
      sample.values[input] = quant::random_input(graph, input, static_cast<uint64_t>(i) * 1000 + input);
    samples.push_back(std::move(sample));
  }
  return samples;
}

std::string precision_text(const Precision& precision, const FloatModel& model) {
  const auto& encodings = model.graph.encodings;
  if (precision.floating || encodings.empty()) return precision.name;
  std::map<std::string_view, uint64_t> counts;
  for (const auto& [tensor, encoding] : encodings) ++counts[ir::name(encoding.type)];
  std::string types;
  for (const auto& [type, count] : counts) append_item(types, type, " ", count);
  return concat("the model's own ", encodings.size(), encodings.size() == 1 ? " encoding (" : " encodings (",
                types, "), ", precision.name, " for what has none");
}

void warn_of_own_encodings(const Precision& precision, const FloatModel& model) {
  const size_t own = model.graph.encodings.size();
  if (own == 0) return;
  if (precision.floating)
    warn(concat("--precision fp16 leaves the model's own ", own, own == 1 ? " encoding" : " encodings",
                " out"));
  else
    warn(concat("--precision ", precision.name, " is for tensors without an encoding; the model brings ", own,
                " of its own, which ", own == 1 ? "stays" : "stay"));
}

Result<PreparedModel> bring_to(const Precision& precision, const FloatModel& model,
                               const std::vector<Sample>& samples) {
  const ir::Graph& graph = model.graph.graph;
  if (precision.floating) return PreparedModel{graph, {}};
  quant::Calibrator calibrator(graph);
  Progress progress("calibrate", samples.size());
  for (const Sample& sample : samples) {
    OPENQNN_TRY(go_on());
    OPENQNN_TRY(calibrator.add(sample.inputs()));
    progress.step();
  }
  if (const std::vector<std::string> names = calibrator.not_finite(); !names.empty())
    warn(concat("'", names.front(), "'",
                names.size() == 1 ? " was"
                                  : concat(" and ", names.size() - 1,
                                           names.size() == 2 ? " tensor more were" : " tensors more were"),
                " infinite or no number with some input; such values do not count"));
  return quantized_as_seen(precision.options, model.graph, calibrator.seen());
}

Result<PreparedModel> quantized_as_seen(const quant::Options& options, const frontend::DlcGraph& model,
                                        const quant::Observations& seen) {
  const ir::Graph& graph = model.graph;
  OPENQNN_ASSIGN(const quant::Plan plan, quant::make_plan(graph, seen, model.encodings, options));
  PreparedModel prepared;
  for (size_t i = 0; i < plan.nodes.size(); ++i) {
    if (plan.nodes[i].why_float.empty()) continue;
    const ir::Node& node = graph.nodes()[i];
    prepared.float_nodes.push_back({node.name, node.type, plan.nodes[i].why_float});
  }
  OPENQNN_ASSIGN(prepared.graph, quant::apply(graph, plan, options));
  return prepared;
}

}  // namespace openqnn::tools
