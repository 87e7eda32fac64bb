// SPDX-License-Identifier: BSD-3-Clause
#include "tools/convert/quantization.h"

#include <cerrno>
#include <cstdlib>

#include "base/text.h"
#include "prepare/dlbc.h"
#include "quant/equalize.h"
#include "quant/reference_run.h"
#include "tools/console.h"
#include "tools/convert/program.h"
#include "tools/number_in.h"

namespace openqnn::tools::convert {
namespace {

constexpr std::string_view kSteps = "--restrict_quantization_steps";
constexpr std::string_view kPercentile = "--percentile_calibration_value";
constexpr std::string_view kCalibrations = "min-max sqnr entropy mse percentile";
constexpr std::string_view kSchemes = "asymmetric symmetric unsignedsymmetric";

Result<int64_t> step_from(std::string_view word) {
  const std::string text(word);
  char* end = nullptr;
  errno = 0;
  const int64_t value = std::strtoll(text.c_str(), &end, 0);
  if (!text.empty() && *end == '\0' && errno == 0) return value;
  return wrong_option(kSteps, concat("'", text, "' is no whole number"));
}

Result<quant::Steps> steps_from(const std::string& text) {
  std::vector<std::string_view> words;
  for (const std::string_view word : split(text, " "))
    if (!word.empty()) words.push_back(word);
  if (words.size() != 2) {
    return wrong_option(kSteps, concat("'", text, "' is no pair of numbers")).fix_by("\"-0x8000 0x7F7F\"");
  }
  quant::Steps steps;
  OPENQNN_ASSIGN(steps.low, step_from(words[0]));
  OPENQNN_ASSIGN(steps.high, step_from(words[1]));
  if (steps.low >= 0 || steps.high <= 0) {
    return wrong_option(kSteps, concat("'", text, "' is no range around 0"))
        .fix_by("\"-0x8000 0x7F7F\": the lowest step, which is negative, and the highest");
  }
  return steps;
}

Status read_widths(const Args& args, quant::Options& options) {
  OPENQNN_ASSIGN(options.bias_bits, number_among(args, "--bias_bitwidth", {8, 32}, 8));
  OPENQNN_ASSIGN(options.activation_bits, number_among(args, "--act_bitwidth", {8, 16}, 8));
  OPENQNN_ASSIGN(options.weight_bits, number_among(args, "--weights_bitwidth", {4, 8, 16}, 8));
  return {};
}

// Biases and weights as coarse as the vendor's defaults lose accuracy that costs the device nothing.
void warn_of_coarse_defaults(const Args& args) {
  if (args.has("--use_per_channel_quantization") || args.has("--bias_bitwidth")) return;
  warn(
      "one encoding per weight tensor and 8-bit biases, as this program's defaults are; "
      "--use_per_channel_quantization and --bias_bitwidth 32 are usually more accurate and as fast");
}

// Steps are counted from 0 in signed integers, which only symmetric weights are.
void warn_of_unused_steps(const quant::Options& options) {
  const bool some_symmetric = options.weight_scheme == quant::Scheme::kSymmetric ||
                              options.weight_bits == 16 || options.per_channel || options.per_row;
  if (!options.weight_steps || some_symmetric) return;
  warn(concat(
      kSteps,
      " has no effect: it is for symmetric weights, and these have one asymmetric encoding per tensor; "
      "ask for symmetric ones, or for --use_per_channel_quantization"));
}

Result<double> percentile_from(const std::string& text) {
  const auto value = number_in<double>(text);
  if (value && *value >= quant::kLowestPercentile && *value <= quant::kHighestPercentile) return *value;
  return wrong_option(kPercentile, concat("'", text, "' is no number from ", quant::kLowestPercentile, " to ",
                                          quant::kHighestPercentile));
}

void warn_of_unused_percentile(const quant::Options& options) {
  if (options.activation_calibration == quant::Calibration::kPercentile ||
      options.weight_calibration == quant::Calibration::kPercentile)
    return;
  warn(concat(kPercentile,
              " has no effect: neither --act_quantizer_calibration nor --param_quantizer_calibration is "
              "percentile"));
}

constexpr std::string_view kLeaveHalf =
    "convert without --float_bitwidth 16 (the quantizer has that option as well)";

// Constants alone may be integers in a float model.
bool has_quantized_activations(const ir::Graph& graph) {
  for (const ir::Tensor& tensor : graph.tensors())
    if (tensor.role == ir::TensorRole::kNative && ir::is_quantized(tensor.desc.type)) return true;
  return false;
}

// Names of inputs and outputs as the model or the graph has them, as the graph has them.
Result<std::set<std::string>> io_names(const frontend::DlcGraph& model, const std::set<std::string>& given) {
  std::map<std::string, std::string> known;
  for (const ir::Tensor& tensor : model.graph.tensors())
    if (ir::is_io(tensor.role)) known[tensor.name] = tensor.name;
  const std::map<std::string, std::string> in_graph = known;
  for (const frontend::Trace::Tensor& tensor : model.trace.tensors)
    if (in_graph.contains(tensor.name)) known.emplace(tensor.source, tensor.name);
  std::set<std::string> names;
  for (const std::string& name : given) {
    const auto found = known.find(name);
    if (found == known.end())
      return invalid("option-value",
                     concat("the model has no input or output '", name, "' whose type could stay"));
    names.insert(found->second);
  }
  return names;
}

}  // namespace

std::vector<OptionSpec> encoding_options() {
  return {
      one("--apply_algorithms", "NAME", "cle: make the ranges of layers in a row alike first", "--algorithms",
          "cle"),
      one("--act_bitwidth", "BITS", "of activations: 8 (default) or 16", "--act_bw"),
      one("--weights_bitwidth", "BITS", "of weights: 4, 8 (default) or 16", "--weight_bw"),
      one("--bias_bitwidth", "BITS", "of biases: 8 (default) or 32", "--bias_bw"),
      flag("--use_per_channel_quantization", "an encoding for each output channel of convolutions' weights"),
      flag("--use_per_row_quantization", "the same for MatMul and FullyConnected"),
      one(kSteps, "\"MIN MAX\"", "stored integers that symmetric weights may use, e.g. \"-0x8000 0x7F7F\""),
      flag("--ignore_quantization_overrides", "calibrate also what the model has encodings for",
           "--ignore_encodings"),
  };
}

std::vector<OptionSpec> range_options() {
  return {
      one("--act_quantizer_calibration", "HOW", "which range activations get (default min-max)", "",
          kCalibrations),
      one("--param_quantizer_calibration", "HOW", "which range weights get (default min-max)", "",
          kCalibrations),
      one(kPercentile, "PERCENT", "what the method percentile keeps: 90 to 100 (default 99.99)"),
      one("--act_quantizer_schema", "HOW", "of activations (default asymmetric)", "", kSchemes),
      one("--param_quantizer_schema", "HOW", "of weights with one encoding (default asymmetric)", "",
          kSchemes),
  };
}

std::vector<OptionSpec> quantizer_options(std::string_view list_alias) {
  return joined_options(
      {{
           one("--input_list", "FILE", "inputs to calibrate with, one inference a line: raw files",
               list_alias),
           flag("--enable_float_fallback", "quantize only what encodings are given for; the rest stays float",
                "-f --float_fallback"),
           flag("--use_native_input_files", "the files hold the inputs' own types, not float",
                "--use_native_dtype"),
       },
       encoding_options()});
}

Result<QuantizationSettings> quantizer_settings(const Args& args) {
  QuantizationSettings settings;
  quant::Options& options = settings.options;
  options.weight_scheme = quant::Scheme::kAsymmetric;
  options.per_channel = args.has("--use_per_channel_quantization");
  options.per_row = args.has("--use_per_row_quantization");
  OPENQNN_TRY(read_widths(args, options));
  if (args.has(kSteps)) {
    OPENQNN_ASSIGN(options.weight_steps, steps_from(args.get(kSteps)));
  }
  settings.equalize = args.has("--apply_algorithms");
  settings.ignore_encodings = args.has("--ignore_quantization_overrides");
  if (args.has("--use_native_input_files")) settings.files = InputFiles::kNative;
  OPENQNN_TRY(exclude(args, "--input_list", "--enable_float_fallback"));
  OPENQNN_TRY(exclude(args, "--ignore_quantization_overrides", "--enable_float_fallback"));
  return settings;
}

Status read_ranges(const Args& args, quant::Options& options) {
  options.activation_calibration =
      *quant::calibration_from(args.get("--act_quantizer_calibration", "min-max"));
  options.weight_calibration = *quant::calibration_from(args.get("--param_quantizer_calibration", "min-max"));
  options.activation_scheme = *quant::scheme_from(args.get("--act_quantizer_schema", "asymmetric"));
  options.weight_scheme = *quant::scheme_from(args.get("--param_quantizer_schema", "asymmetric"));
  if (args.has(kPercentile)) {
    OPENQNN_ASSIGN(options.percentile, percentile_from(args.get(kPercentile)));
    warn_of_unused_percentile(options);
  }
  return {};
}

Result<ir::Graph> equalized_graph(const FloatModel& model) {
  std::set<std::string> keep;  // what has encodings was trained for them
  for (const auto& [name, encoding] : model.graph.encodings) keep.insert(name);
  OPENQNN_ASSIGN(quant::Equalized equalized, quant::equalize(model.graph.graph, keep));
  print(concat("equalized ", equalized.pairs, equalized.pairs == 1 ? " pair" : " pairs", " of layers\n"));
  return std::move(equalized.graph);
}

Result<QuantizedModel> quantize_as(const QuantizationSettings& settings, FloatModel model,
                                   const std::vector<Sample>& samples) {
  OPENQNN_TRY(check_quantizable(model.graph.graph, kLeaveHalf));
  warn_of_unused_steps(settings.options);
  QuantizedModel made{std::move(model), {}};
  frontend::DlcGraph& source = made.source.graph;
  Precision precision;
  precision.options = settings.options;
  OPENQNN_ASSIGN(precision.options.float_io_names, io_names(source, settings.options.float_io_names));
  if (settings.ignore_encodings) source.encodings.clear();
  if (settings.equalize) {
    OPENQNN_ASSIGN(source.graph, equalized_graph(made.source));
  }
  OPENQNN_ASSIGN(made.prepared, bring_to(precision, made.source, samples));
  return made;
}

Diagnostic already_quantized() {
  return unsupported("quantize-twice", "the model is quantized already").fix_by("give the float model");
}

Status check_quantizable(const ir::Graph& graph, std::string_view how_to_leave_half) {
  if (has_quantized_activations(graph)) return already_quantized();
  for (const ir::Tensor& tensor : graph.tensors()) {
    if (tensor.desc.type != ir::DataType::kFloat16) continue;
    return unsupported("quantize-half", concat("'", tensor.name,
                                               "' is a half float; it is single precision that is quantized"))
        .fix_by(std::string(how_to_leave_half));
  }
  return {};
}

Result<PreparedModel> quantize_model(const QuantizationSettings& settings, FloatModel model,
                                     const Args& args) {
  take_edges_in(model.graph);
  OPENQNN_TRY(check_quantizable(model.graph.graph, kLeaveHalf));
  OPENQNN_TRY(io_names(model.graph, settings.options.float_io_names));  // before anything is told
  std::vector<Sample> samples;
  if (args.has("--input_list")) {
    warn_of_coarse_defaults(args);
    OPENQNN_ASSIGN(samples, load_samples(model.graph, args, settings.files));
  }
  OPENQNN_ASSIGN(QuantizedModel made, quantize_as(settings, std::move(model), samples));
  PreparedModel& prepared = made.prepared;
  const size_t left = prepared.float_nodes.size();
  print(concat("quantized with ", samples.size(), samples.size() == 1 ? " input" : " inputs", ", ", left,
               left == 1 ? " op" : " ops", " left in float\n"));
  print_float_nodes(prepared.float_nodes, args.has("--debug") ? FloatNodeList::kAll : FloatNodeList::kGrouped,
                    "  ", "--debug");
  if (!samples.empty()) {
    OPENQNN_ASSIGN(prepared.activation_share,
                   activation_share(prepared.graph, made.source.graph.graph, samples.front()));
  }
  return std::move(prepared);
}

Result<double> activation_share(const ir::Graph& graph, const ir::Graph& model, const Sample& sample) {
  OPENQNN_ASSIGN(const quant::StoredInputs inputs, quant::stored_inputs(sample.inputs(), model, graph));
  uint64_t before = 0;
  uint64_t after = 0;
  quant::ReferenceRun run(graph, quant::FloatsAs::kHalf);
  OPENQNN_TRY(run.run({inputs.begin(), inputs.end()},
                      [&](ir::TensorIndex /*tensor*/, std::span<const std::byte> values) {
                        before += values.size();
                        after += prepare::compressed_bytes(values);
                      }));
  return before == 0 ? 1.0 : static_cast<double>(after) / static_cast<double>(before);
}

}  // namespace openqnn::tools::convert
