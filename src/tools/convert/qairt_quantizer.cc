// SPDX-License-Identifier: BSD-3-Clause
// qairt-quantizer: a float .dlc becomes one of integers.
#include "base/files.h"
#include "base/text.h"
#include "frontend/dlc/dlc.h"
#include "quant/overrides.h"
#include "tools/console.h"
#include "tools/convert/half.h"
#include "tools/convert/product.h"
#include "tools/convert/program.h"
#include "tools/convert/quantization.h"
#include "tools/file_kind.h"
#include "tools/products.h"

namespace openqnn::tools::convert {
namespace {

namespace fs = std::filesystem;

std::vector<OptionSpec> options() {
  return joined_options(
      {{
           one("--input_dlc", "FILE", "the float model", "-i"),
           one("--output_dlc", "FILE", "the .dlc to make (default: NAME_quantized.dlc)", "-o"),
           one("--float_bitwidth", "BITS", "of what stays float: 32 (default) or 16"),
           {.name = "--preserve_io_datatype",
            .value = "[NAME...]",
            .help = "these inputs and outputs stay float (all of them without a name)",
            .least = 0,
            .most = UINT32_MAX},
           flag("--dump_encoding_json", "write the encodings beside the product, NAME_encoding.json"),
           one("--target_backend", "NAME", "the backend that it is for", "", "HTP"),
           {.name = "--debug",
            .value = "[LEVEL]",
            .help = "list every op that stays float, not one of each kind",
            .least = 0,
            .most = 1},
       },
       range_options(),
       quantizer_options("-l")});
}

Result<QuantizationSettings> settings_from(const Args& args) {
  OPENQNN_ASSIGN(QuantizationSettings settings, quantizer_settings(args));
  quant::Options& options = settings.options;
  OPENQNN_TRY(read_ranges(args, options));
  const std::vector<std::string> names = args.all("--preserve_io_datatype");
  options.float_io = args.has("--preserve_io_datatype") && names.empty();
  options.float_io_names = {names.begin(), names.end()};
  return settings;
}

// What is wrong with the model itself is told at its file.
Result<PreparedModel> quantized(const QuantizationSettings& settings, FloatModel model, const Args& args,
                                const fs::path& file) {
  auto made = quantize_model(settings, std::move(model), args);
  if (made || !made.error().where.empty()) return made;
  Diagnostic why = made.error();
  why.where.object = file.string();
  return why;
}

Result<int> run(const Args& args) {
  if (!args.has("--input_dlc"))
    return invalid("option-missing", "no model is given").fix_by("--input_dlc FILE");
  if (!args.has("--input_list") && !args.has("--enable_float_fallback"))
    return invalid("option-missing", "there is nothing to quantize by")
        .fix_by(
            "--input_list FILE to calibrate, or --enable_float_fallback to use the model's encodings alone");
  OPENQNN_ASSIGN(const QuantizationSettings settings, settings_from(args));
  OPENQNN_ASSIGN(const uint32_t float_bits, number_among(args, "--float_bitwidth", {32, 16}, 32));
  const fs::path input = args.get("--input_dlc");
  const fs::path output =
      args.get("--output_dlc", (input.parent_path() / (input.stem().string() + "_quantized.dlc")).string());
  const fs::path encodings = output.parent_path() / (output.stem().string() + "_encoding.json");
  Products products{{output}, {"--output_dlc"}};
  if (args.has("--dump_encoding_json")) products.files.push_back(encodings);
  OPENQNN_TRY(check_products(args, products));
  OPENQNN_TRY(expect_kind(input, {FileKind::kDlc}));
  OPENQNN_TRY(check_output_file(output));
  OPENQNN_ASSIGN(frontend::Dlc dlc, frontend::read_dlc(input));
  if (dlc.graphs.size() != 1)
    return unsupported("model-graphs", concat("the file has ", dlc.graphs.size(), " graphs, not one"))
        .at(input.string());

  FloatModel model;
  model.graph = std::move(dlc.graphs[0]);
  frontend::Trace trace = model.graph.trace;
  OPENQNN_ASSIGN(PreparedModel prepared, quantized(settings, std::move(model), args, input));
  ir::Graph& graph = prepared.graph;
  if (float_bits == 16) {
    const bool keep = settings.options.float_io || !settings.options.float_io_names.empty();
    OPENQNN_ASSIGN(graph, in_half(graph, keep));
  }
  if (args.has("--dump_encoding_json")) {
    const std::string_view verb = written_verb(encodings);
    OPENQNN_TRY(write_file(encodings, quant::write_encodings(graph)));
    print(concat(verb, " ", shown(encodings.string()), "\n"));
  }
  dlc.graphs[0] = {std::move(graph), std::move(trace), {}, prepared.activation_share};
  dlc.quantizer_command = command_line();
  OPENQNN_TRY(write_and_tell(output, std::move(dlc), {}));
  return kOk;
}

}  // namespace

Program this_program() {
  return {
      .spec = {.name = "qairt-quantizer",
               .summary = "Quantize a float .dlc",
               .details = R"(
Ranges come from the inputs of --input_list, or from the encodings that the model has,
which go first. The defaults are the vendor's: one encoding per tensor, asymmetric
weights, 8-bit biases. An op that the backend cannot compute in integers stays float
and is listed.)",
               .options = options(),
               .examples = {"qairt-quantizer -i model.dlc -l inputs.txt --use_per_channel_quantization "
                            "--bias_bitwidth 32",
                            "qairt-quantizer -i model.dlc --enable_float_fallback"},
               .usage =
                   "qairt-quantizer --input_dlc FILE [--input_list FILE] [--output_dlc FILE] [OPTION]..."},
      .refused = refused_by_qairt_quantizer(),
      .run = run};
}

}  // namespace openqnn::tools::convert
