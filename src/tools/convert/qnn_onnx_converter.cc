// SPDX-License-Identifier: BSD-3-Clause
// qnn-onnx-converter: an ONNX model becomes the sources of a model library, or a .dlc; quantized in the same
// run where that is asked for.
#include "base/files.h"
#include "base/text.h"
#include "frontend/onnx/graph_draft.h"
#include "tools/console.h"
#include "tools/convert/conversion.h"
#include "tools/convert/io_config.h"
#include "tools/convert/program.h"
#include "tools/convert/quantization.h"
#include "tools/convert/source_files.h"
#include "tools/products.h"

namespace openqnn::tools::convert {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTemplate = "--dump_custom_io_config_template";
constexpr std::string_view kQuantizers = "tf enhanced symmetric";

std::vector<OptionSpec> options() {
  return joined_options(
      {common_options(),
       {one("--export_format", "FORMAT", "dlc: a .dlc in place of NAME.cpp, NAME.bin and NAME_net.json", "",
            "dlc"),
        flag("--overwrite_model_prefix", "name the functions of the source after the output, not QnnModel"),
        flag("--exclude_named_tensors", "number the tensors of the source that no client sees"),
        named("--input_dim", "NAME D,D,...", "the dimensions of an input", "-d"),
        named("--define_symbol", "NAME N", "the value of a named dimension", "-s"),
        one("--batch", "N", "dimension 0 of every input", "-b"),
        {.name = "--out_node",
         .value = "NAME",
         .help = "a tensor to give, in place of the model's outputs",
         .repeatable = true,
         .aliases = "--out_name"},
        named("--input_layout", "NAME LAYOUT", "how an input lies in the model (4: NCHW, 5: NCDHW)", "-l"),
        named("--input_dtype", "NAME TYPE", "the type of an input, which must be the model's"),
        named("--input_type", "NAME TYPE", "default or opaque: values are passed on as they are", "-t"),
        {.name = "--input_encoding",
         .value = "NAME ENCODING",
         .help = "other or time_series: values are passed on as they are",
         .repeatable = true,
         .aliases = "-e",
         .least = 2,
         .most = 3},
        one("--custom_io", "FILE", "layouts and types of inputs and outputs, in YAML"),
        one(kTemplate, "FILE", "write such a file of the model to start from, and make nothing else"),
        {.name = "--preserve_io",
         .value = "[layout|datatype [NAME...]]",
         .help = "inputs and outputs stay as the model has them",
         .repeatable = true,
         .least = 0,
         .most = UINT32_MAX},
        {.name = "--dry_run",
         .value = "[info|debug]",
         .help = "tell which ops can be computed, and make nothing",
         .choices = "info debug",
         .least = 0,
         .most = 1},
        flag("--no_simplification", "make no groups of nodes one op", "-n"),
        flag("--disable_batchnorm_folding", "leave batch normalisation beside its convolution"),
        one("--param_quantizer", "HOW", "of weights: tf (default), enhanced, symmetric", "", kQuantizers),
        one("--act_quantizer", "HOW", "of activations: tf (default), enhanced, symmetric", "", kQuantizers),
        flag("--disable_relu_squashing", "give what feeds a Relu its own range")},
       quantizer_options("")});
}

// What --preserve_io says.
struct Preserved {
  bool every_layout = false;
  bool every_type = false;
  std::set<std::string> layouts;
  std::set<std::string> types;
};

Result<Preserved> preserved_from(const Args& args) {
  Preserved made;
  for (const std::vector<std::string>& words : args.uses("--preserve_io")) {
    if (words.empty()) {
      made.every_layout = made.every_type = true;
      continue;
    }
    if (words[0] != "layout" && words[0] != "datatype")
      return wrong_option("--preserve_io", concat("'", words[0], "' is neither layout nor datatype"));
    const bool layout = words[0] == "layout";
    if (words.size() == 1) (layout ? made.every_layout : made.every_type) = true;
    (layout ? made.layouts : made.types).insert(words.begin() + 1, words.end());
  }
  return made;
}

// Options that promise something which is always so; other values would need work that is not done.
Status check_passed_on(const Args& args, std::string_view option, const std::set<std::string>& allowed) {
  for (const std::vector<std::string>& words : args.uses(option)) {
    const bool fine = allowed.contains(words[1]) && (words.size() < 3 || words[2] == words[1]);
    if (fine) continue;
    return unsupported("option-value",
                       concat("values are not converted here: '", words[1], "' for ", words[0]))
        .at(std::string(option))
        .fix_by(concat(*allowed.begin(), ": convert pictures before they are passed"));
  }
  return {};
}

// What --custom_io says of types is added to `preserved`.
Result<ConversionSettings> conversion_from(const Args& args, Preserved& preserved) {
  OPENQNN_ASSIGN(ConversionSettings settings, common_settings(args));
  if (args.has("--custom_io")) {
    OPENQNN_ASSIGN(const std::string text, read_text_file(args.get("--custom_io")));
    OPENQNN_TRY(read_custom_io(text, args.get("--custom_io"), settings, preserved.types));
  }
  OPENQNN_TRY(read_dims(args, "--input_dim", settings));
  OPENQNN_TRY(read_symbols(args, "--define_symbol", settings));
  OPENQNN_TRY(read_batch(args, "--batch", settings));
  settings.import.outputs = args.all("--out_node");
  OPENQNN_TRY(read_layouts(args, "--input_layout", &TensorLayout::model, settings.input_layouts));
  for (const std::vector<std::string>& words : args.uses("--input_dtype"))
    settings.input_types[words[0]] = words[1];
  OPENQNN_TRY(check_passed_on(args, "--input_type", {"default", "opaque"}));
  OPENQNN_TRY(check_passed_on(args, "--input_encoding", {"other", "time_series"}));
  settings.channels_last_io = !preserved.every_layout;
  settings.kept_layouts = preserved.layouts;
  settings.keep_io_types = preserved.every_type;
  if (settings.half && !preserved.types.empty() && !preserved.every_type) {
    return unsupported("option-value",
                       "with --float_bitwidth 16 all inputs and outputs keep their types or none")
        .at("--preserve_io datatype")
        .fix_by("give no names");
  }
  if (args.has("--no_simplification")) settings.without_fusions = every_fusion();
  if (args.has("--disable_batchnorm_folding")) settings.without_fusions.insert("batch_norm");
  settings.keep_encodings = !args.has("--ignore_quantization_overrides");
  return settings;
}

void set_quantizer(const std::string& name, quant::Scheme& scheme, quant::Calibration& calibration) {
  scheme = name == "symmetric" ? quant::Scheme::kSymmetric : quant::Scheme::kAsymmetric;
  // Ours: the documents say of "enhanced" only that it gives up rare values for finer steps.
  calibration = name == "enhanced" ? quant::Calibration::kMse : quant::Calibration::kMinMax;
}

Result<QuantizationSettings> quantization_from(const Args& args, const Preserved& preserved) {
  OPENQNN_ASSIGN(QuantizationSettings settings, quantizer_settings(args));
  quant::Options& options = settings.options;
  set_quantizer(args.get("--param_quantizer", "tf"), options.weight_scheme, options.weight_calibration);
  set_quantizer(args.get("--act_quantizer", "tf"), options.activation_scheme, options.activation_calibration);
  options.squash_relu = !args.has("--disable_relu_squashing");
  options.float_io = preserved.every_type;
  options.float_io_names = preserved.types;
  return settings;
}

// Everything that only the quantizer reads needs something to calibrate with.
Status check_has_inputs(const Args& args) {
  if (args.has("--input_list") || args.has("--enable_float_fallback")) return {};
  std::vector<OptionSpec> needing = quantizer_options("");
  for (const std::string_view name : {"--param_quantizer", "--act_quantizer", "--disable_relu_squashing"})
    needing.push_back(flag(name, ""));
  for (const OptionSpec& option : needing) {
    if (option.name == "--ignore_quantization_overrides" || !args.has(option.name)) continue;
    return invalid("option-conflict", concat(option.name, " is of the quantizer, which does not run"))
        .fix_by("give --input_list, or leave it out");
  }
  return {};
}

Status check_combinations(const Args& args) {
  for (const std::string_view of_sources : {"--overwrite_model_prefix", "--exclude_named_tensors"})
    OPENQNN_TRY(exclude(args, of_sources, "--export_format"));
  OPENQNN_TRY(exclude(args, "--ignore_quantization_overrides", "--quantization_overrides"));
  if (fs::path(args.get("--output_path")).extension() == ".dlc" && !args.has("--export_format"))
    return invalid("option-conflict",
                   "the output is named .dlc, but sources of a model library would be made")
        .at("--output_path")
        .fix_by("add --export_format dlc, or leave the ending out");
  return check_has_inputs(args);
}

// "dir/model" of "dir/model.cpp": what the names of the three files begin with.
fs::path base_of_sources(const Args& args, const ConversionSettings& settings) {
  fs::path base = args.has("--output_path") ? settings.output : settings.input;
  const bool has_extension = !args.has("--output_path") || base.extension() == ".cpp";
  return has_extension ? base.replace_extension() : base;
}

Status check_files(const Args& args, const ConversionSettings& settings) {
  OPENQNN_TRY(refuse_standard_output(settings.output));
  Products products{{settings.output}, {"--output_path"}};
  if (!args.has("--export_format")) products.files = source_files(base_of_sources(args, settings));
  OPENQNN_TRY(check_output_file(products.files.front()));
  return check_products(args, products);
}

Status write_product(const Args& args, const ConversionSettings& conversion, FloatModel model) {
  if (args.has("--export_format")) return write_model(conversion, std::move(model));
  SourceSettings settings;
  settings.base = base_of_sources(args, conversion);
  if (args.has("--overwrite_model_prefix"))
    settings.prefix = frontend::onnx::identifier(settings.base.filename().string());
  settings.numbered_tensors = args.has("--exclude_named_tensors");
  return write_sources(settings, conversion, std::move(model));
}

Result<int> run(const Args& args) {
  OPENQNN_ASSIGN(Preserved preserved, preserved_from(args));
  OPENQNN_ASSIGN(ConversionSettings conversion, conversion_from(args, preserved));
  if (!args.has("--export_format"))
    conversion.graph_name = base_of_sources(args, conversion).filename().string();
  if (args.has(kTemplate)) {
    OPENQNN_TRY(write_custom_io_template(args, kTemplate, conversion));
    return kOk;
  }
  if (args.has("--dry_run")) return print_support_report(conversion, args.get("--dry_run") == "debug");
  OPENQNN_TRY(check_combinations(args));
  OPENQNN_ASSIGN(const QuantizationSettings quantization, quantization_from(args, preserved));
  OPENQNN_TRY(check_files(args, conversion));
  OPENQNN_ASSIGN(FloatModel model, convert_model(conversion));
  if (args.has("--input_list") || args.has("--enable_float_fallback")) {
    OPENQNN_ASSIGN(PreparedModel prepared, quantize_model(quantization, model, args));
    model.graph.graph = std::move(prepared.graph);
    model.graph.activation_share = prepared.activation_share;
    model.graph.encodings.clear();
  }
  OPENQNN_TRY(check_custom_types(conversion, model.graph));
  OPENQNN_TRY(write_product(args, conversion, std::move(model)));
  return kOk;
}

}  // namespace

Program this_program() {
  Program made;
  made.spec = {
      .name = "qnn-onnx-converter",
      .summary = "Convert an ONNX model, and quantize it",
      .details = R"(
Makes NAME.cpp, NAME.bin and NAME_net.json for qnn-model-lib-generator, or with
--export_format dlc a .dlc, which needs no compiler.
With --input_list the model is quantized, with the vendor's defaults; without, it stays
float. Inputs and outputs of 4 and 5 dimensions have their channels last, as the
backend computes them, unless --preserve_io layout is given.)",
      .options = options(),
      .examples = {"qnn-onnx-converter -i model.onnx --export_format dlc -o model.dlc",
                   "qnn-onnx-converter -i model.onnx --export_format dlc --input_list inputs.txt "
                   "--bias_bitwidth 32 --use_per_channel_quantization"},
      .usage =
          "qnn-onnx-converter --input_network FILE [--output_path FILE] [--input_list FILE] [OPTION]..."};
  made.refused = refused_by_qnn_onnx_converter();
  constexpr std::string_view kAdjusted =
      "the vendor has deprecated it, and no public page says what it computes";
  for (const std::string_view option : {"--param_quantizer", "--act_quantizer"})
    made.refused_values.push_back({option, "adjusted", kAdjusted});
  made.run = run;
  return made;
}

}  // namespace openqnn::tools::convert
