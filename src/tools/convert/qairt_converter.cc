// SPDX-License-Identifier: BSD-3-Clause
// qairt-converter: an ONNX model becomes a float .dlc, with the encodings that it or a file has.
#include "base/files.h"
#include "base/text.h"
#include "tools/console.h"
#include "tools/convert/conversion.h"
#include "tools/convert/io_config.h"
#include "tools/convert/program.h"
#include "tools/products.h"

namespace openqnn::tools::convert {
namespace {

constexpr std::string_view kTemplate = "--dump_config_template";
constexpr size_t kLongestVersion = 64;  // bytes, documented

std::vector<OptionSpec> options() {
  return joined_options(
      {common_options(),
       {named("--source_model_input_shape", "NAME D,D,...", "the dimensions of an input",
              "-s --desired_input_shape -d"),
        {.name = "--out_tensor_node",
         .value = "NAME",
         .help = "a tensor to give, in place of the model's outputs",
         .repeatable = true,
         .aliases = "--out_tensor_name"},
        named("--source_model_input_datatype", "NAME TYPE",
              "the type of an input, which must be the model's"),
        named("--source_model_input_layout", "NAME LAYOUT",
              "how an input lies in the model (4: NCHW, 5: NCDHW)"),
        named("--desired_input_layout", "NAME LAYOUT",
              "how the client passes it (default: as the model has it)"),
        named("--source_model_output_layout", "NAME LAYOUT", "how an output lies in the model"),
        named("--desired_output_layout", "NAME LAYOUT", "how the client gets it"),
        one("--config", "FILE", "the same for many tensors, in YAML; options go first", "--io_config"),
        one(kTemplate, "FILE", "write such a file of the model to start from, and make nothing else",
            "--dump_io_config_template"),
        {.name = "--preserve_io_datatype",
         .value = "[NAME...]",
         .help = "with --float_bitwidth 16: inputs and outputs stay float32 (here: all of them)",
         .least = 0,
         .most = UINT32_MAX},
        flag("--dry_run", "tell which ops can be computed, and make nothing"),
        flag("--onnx_summary", "the same as --dry_run"),
        flag("--onnx_skip_simplification", "make no groups of nodes one op", "-oss --onnx_no_simplification"),
        flag("--preserve_onnx_output_order", "outputs in the order of the model (always done)"),
        flag("--onnx_defer_loading", "leave weights in their file until they are needed (always done)"),
        one("--onnx_override_batch", "N", "dimension 0 of every input", "--onnx_batch"),
        named("--onnx_define_symbol", "NAME N", "the value of a named dimension"),
        one("--set_model_version", "TEXT", "a version of the model, at most 64 bytes", "--model_version"),
        one("--export_format", "FORMAT", "DLC_STRIP_QUANT: without encodings", "",
            "DLC_DEFAULT DLC_STRIP_QUANT"),
        one("--target_backend", "NAME", "the backend that it is for", "", "HTP")}});
}

Result<ConversionSettings> settings_from(const Args& args) {
  OPENQNN_ASSIGN(ConversionSettings settings, common_settings(args));
  OPENQNN_TRY(read_dims(args, "--source_model_input_shape", settings));
  OPENQNN_TRY(read_symbols(args, "--onnx_define_symbol", settings));
  OPENQNN_TRY(read_batch(args, "--onnx_override_batch", settings));
  settings.import.outputs = args.all("--out_tensor_node");
  OPENQNN_TRY(
      read_layouts(args, "--source_model_input_layout", &TensorLayout::model, settings.input_layouts));
  OPENQNN_TRY(read_layouts(args, "--desired_input_layout", &TensorLayout::wanted, settings.input_layouts));
  OPENQNN_TRY(
      read_layouts(args, "--source_model_output_layout", &TensorLayout::model, settings.output_layouts));
  OPENQNN_TRY(read_layouts(args, "--desired_output_layout", &TensorLayout::wanted, settings.output_layouts));
  for (const std::vector<std::string>& words : args.uses("--source_model_input_datatype"))
    settings.input_types[words[0]] = words[1];
  if (args.has("--config")) {
    OPENQNN_ASSIGN(const std::string text, read_text_file(args.get("--config")));
    OPENQNN_TRY(read_io_config(text, args.get("--config"), settings));
  }
  if (args.has("--onnx_skip_simplification")) settings.without_fusions = every_fusion();
  settings.keep_encodings = args.get("--export_format") != "DLC_STRIP_QUANT";
  settings.model_version = args.get("--set_model_version");
  if (settings.model_version.size() > kLongestVersion)
    return wrong_option("--set_model_version",
                        concat("it has ", settings.model_version.size(), " bytes; 64 are the most"));
  settings.keep_io_types = args.has("--preserve_io_datatype");
  if (settings.keep_io_types && !args.all("--preserve_io_datatype").empty()) {
    return unsupported("option-value", "a float model keeps the types of all inputs and outputs or of none")
        .at("--preserve_io_datatype")
        .fix_by("give no names");
  }
  return settings;
}

Result<int> run(const Args& args) {
  OPENQNN_ASSIGN(const ConversionSettings settings, settings_from(args));
  if (args.has(kTemplate)) {
    OPENQNN_TRY(write_config_template(args, kTemplate, settings));
    return kOk;
  }
  if (args.has("--dry_run") || args.has("--onnx_summary")) return print_support_report(settings, false);
  if (!settings.keep_encodings && !settings.overrides_file.empty())
    return invalid("option-conflict",
                   "--quantization_overrides and --export_format DLC_STRIP_QUANT exclude each other");
  OPENQNN_TRY(check_output_file(settings.output));
  OPENQNN_TRY(check_products(args, {{settings.output}, {"--output_path"}}));
  OPENQNN_ASSIGN(FloatModel model, convert_model(settings));
  OPENQNN_TRY(write_model(settings, std::move(model)));
  return kOk;
}

}  // namespace

Program this_program() {
  return {.spec = {.name = "qairt-converter",
                   .summary = "Convert an ONNX model to a .dlc",
                   .details = R"(
The product is a float model of the backend's ops. Encodings that the model has
(QuantizeLinear and DequantizeLinear) or that --quantization_overrides gives are kept
in it for qairt-quantizer. The .dlc is openqnn's own format.)",
                   .options = options(),
                   .examples = {"qairt-converter -i model.onnx -o model.dlc",
                                "qairt-converter -i model.onnx --desired_input_layout image NHWC"},
                   .usage = "qairt-converter --input_network FILE [--output_path FILE] [OPTION]..."},
          .refused = refused_by_qairt_converter(),
          .run = run};
}

}  // namespace openqnn::tools::convert
