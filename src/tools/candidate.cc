// SPDX-License-Identifier: BSD-3-Clause
#include "tools/candidate.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "frontend/dlc/dlc.h"
#include "quant/calibrate.h"
#include "tools/convert/conversion.h"
#include "tools/file_kind.h"
#include "tools/program_options.h"

namespace openqnn::tools {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFile = "--quantized";
constexpr std::string_view kOverrides = "--quantization_overrides";

std::vector<OptionSpec> quantizer_options() {
  return joined_options({convert::encoding_options(), convert::range_options()});
}

// ---- What is asked for ----

std::string wanted_names(const Args& args, bool as_quantizer, std::string_view fallback) {
  if (args.has("--precision")) return args.get("--precision");
  if (as_quantizer) return std::string(kAsQuantizer);
  return args.has(kFile) ? "" : std::string(fallback);
}

Status check_choices(const Args& args) {
  CommandSpec spec;
  spec.options = quantizer_options();
  const OptionSpec* const wrong = option_with_wrong_value(spec, args);
  if (wrong == nullptr) return {};
  return wrong_option(wrong->name, concat("there is no '", args.get(wrong->name), "'"))
      .fix_by(concat("one of ", wrong->choices));
}

Result<convert::QuantizationSettings> quantizer_settings(const Args& args) {
  OPENQNN_TRY(check_choices(args));
  OPENQNN_ASSIGN(convert::QuantizationSettings settings, convert::quantizer_settings(args));
  OPENQNN_TRY(convert::read_ranges(args, settings.options));
  return settings;
}

// ---- What it is ----

std::string text_of(const quant::Options& options) {
  const auto per = [](bool each, std::string_view what) { return each ? concat(", per ", what) : ""; };
  return concat("qairt-quantizer's w", options.weight_bits, "a", options.activation_bits, ", ",
                options.bias_bits, "-bit biases", per(options.per_channel, "channel"),
                per(options.per_row, "row"),
                options.per_channel || options.per_row ? "" : ", one encoding per weight tensor");
}

// Inputs and outputs of the float model must be there under their names, as large as they are.
Status check_same_io(const ir::Graph& model, const ir::Graph& file, const std::string& told_by) {
  for (const ir::Tensor& wanted : model.tensors()) {
    if (!ir::is_io(wanted.role)) continue;
    const std::string what =
        concat(wanted.role == ir::TensorRole::kInput ? "input '" : "output '", wanted.name, "'");
    const auto found = std::ranges::find(file.tensors(), wanted.name, &ir::Tensor::name);
    if (found == file.tensors().end() || found->role != wanted.role)
      return invalid("quantized-other", concat("it has no ", what, ", which the float model has"))
          .at(told_by)
          .fix_by("give the model that it was made from");
    if (found->desc.shape != wanted.desc.shape)
      return invalid("quantized-other", concat("its ", what, " is ", found->desc.shape.to_string(),
                                               ", and the float model's ", wanted.desc.shape.to_string()))
          .at(told_by)
          .fix_by("give the float .dlc that it was made from, or the same dimensions and layouts");
  }
  return {};
}

// Equalized layers compute the same, but what is between them is scaled: only float that is scaled, too, can
// be compared with it.
bool was_equalized(const frontend::Dlc& dlc) {
  return dlc.quantizer_command.find("algorithms cle") != std::string::npos;  // the option has two names
}

Result<frontend::Dlc> read_quantized(const Candidate& candidate) {
  const fs::path& path = candidate.file;
  OPENQNN_TRY(expect_kind(path, {FileKind::kDlc}));
  OPENQNN_ASSIGN(frontend::Dlc dlc, frontend::read_dlc(path));
  if (dlc.graphs.size() != 1)
    return unsupported("model-graphs", concat("the file has ", dlc.graphs.size(), " graphs, not one"))
        .at(path.string())
        .fix_by("give a file with one");
  if (!is_quantized(dlc.graphs[0].graph))
    return invalid("quantized-float", concat("nothing in '", path.string(), "' is quantized: it is float"))
        .at(candidate.told_by)
        .fix_by("give the .dlc that qairt-quantizer wrote; --precision fp16 is float, computed in half");
  return dlc;
}

Result<Judged> read_file(const Candidate& candidate, const FloatModel& model) {
  OPENQNN_ASSIGN(frontend::Dlc dlc, read_quantized(candidate));
  OPENQNN_TRY(check_same_io(model.graph.graph, dlc.graphs[0].graph, candidate.told_by));
  Judged made;
  made.reference = model.graph.graph;
  made.prepared.graph = std::move(dlc.graphs[0].graph);
  made.prepared.activation_share = dlc.graphs[0].activation_share;
  made.computed_as = candidate.file.string();
  if (!dlc.quantizer_command.empty()) made.computed_as += concat(", made by ", dlc.quantizer_command);
  if (candidate.against_itself) {
    made.computed_as += "; against its own graph in float, with the weights that it stores";
  } else if (was_equalized(dlc)) {
    OPENQNN_ASSIGN(made.reference, convert::equalized_graph(model));
    made.computed_as += "; against float with layers equalized in the same way";
  }
  return made;
}

}  // namespace

std::vector<OptionSpec> candidate_options() {
  return joined_options({{{kFile, "FILE", "measure this .dlc, made from MODEL by qairt-quantizer, as it is"},
                          {kOverrides, "FILE", "encodings, as the converters take them"}},
                         quantizer_options()});
}

Result<std::vector<Candidate>> candidates_from(const Args& args, std::string_view fallback) {
  const auto options = given_quantizer_options(args);
  const std::string names = wanted_names(args, !options.empty(), fallback);
  std::vector<Candidate> made;
  for (const std::string_view name : split(names, ",")) {
    if (names.empty()) break;
    Candidate& candidate = made.emplace_back();
    OPENQNN_ASSIGN(candidate.precision, precision_from(name));
    if (name != kAsQuantizer) continue;
    OPENQNN_ASSIGN(candidate.quantizer, quantizer_settings(args));
    candidate.precision.options = candidate.quantizer->options;
  }
  const bool is_used =
      std::ranges::any_of(made, [](const Candidate& one) { return one.quantizer.has_value(); });
  if (!options.empty() && !is_used)
    return wrong_option(options.front().first, concat("it changes nothing: no precision is ", kAsQuantizer))
        .fix_by(concat("--precision ", kAsQuantizer, ", or leave --precision out"));
  if (args.has(kFile)) made.push_back(candidate_of(args.get(kFile), std::string(kFile)));
  return made;
}

Candidate candidate_of(const fs::path& dlc, std::string told_by) {
  Candidate candidate;
  candidate.told_by = std::move(told_by);
  candidate.file = dlc;
  candidate.precision.name = dlc.filename().string();
  return candidate;
}

Status check_candidate_file(const Candidate& candidate) {
  if (!candidate.file.empty()) OPENQNN_TRY(read_quantized(candidate));
  return {};
}

Result<FloatModel> load_judged_model(const fs::path& path, const Args& args, Images images) {
  OPENQNN_ASSIGN(FloatModel model, load_model(path, args, images));
  if (args.has(kOverrides)) OPENQNN_TRY(convert::add_overrides(args.get(kOverrides), model));
  return model;
}

Result<Judged> judged(const Candidate& candidate, const FloatModel& model,
                      const std::vector<Sample>& samples) {
  if (!candidate.file.empty()) return read_file(candidate, model);
  Judged made;
  if (!candidate.quantizer) {
    made.reference = model.graph.graph;
    made.computed_as = precision_text(candidate.precision, model);
    OPENQNN_ASSIGN(made.prepared, bring_to(candidate.precision, model, samples));
    return made;
  }
  OPENQNN_ASSIGN(convert::QuantizedModel quantized,
                 convert::quantize_as(*candidate.quantizer, model, samples));
  Precision described = candidate.precision;
  described.name = text_of(described.options);
  made.computed_as = precision_text(described, quantized.source);
  made.reference = std::move(quantized.source.graph.graph);
  made.prepared = std::move(quantized.prepared);
  return made;
}

Result<Judged> judged_unrun(const Candidate& candidate, const FloatModel& model) {
  Judged made;
  made.reference = model.graph.graph;
  made.computed_as = precision_text(candidate.precision, model);
  OPENQNN_ASSIGN(made.prepared, quantized_as_seen(candidate.precision.options, model.graph,
                                                  quant::assumed_observations(model.graph.graph)));
  return made;
}

Result<std::optional<frontend::DlcGraph>> quantized_graph(const std::string& path) {
  if (kind_of_file(path) != FileKind::kDlc) return std::optional<frontend::DlcGraph>();
  OPENQNN_ASSIGN(frontend::Dlc dlc, frontend::read_dlc(path));
  if (dlc.graphs.size() != 1 || !is_quantized(dlc.graphs[0].graph))
    return std::optional<frontend::DlcGraph>();
  return std::optional(std::move(dlc.graphs[0]));
}

std::vector<std::pair<std::string, std::string>> given_quantizer_options(const Args& args) {
  std::vector<std::pair<std::string, std::string>> given;
  for (const OptionSpec& option : quantizer_options())
    if (args.has(option.name)) given.emplace_back(option.name, args.get(option.name));
  return given;
}

}  // namespace openqnn::tools
