// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "base/text.h"
#include "base/units.h"
#include "prepare/prepare.h"
#include "tools/console.h"
#include "tools/file_kind.h"
#include "tools/profiled_run.h"
#include "tools/qnn/power.h"
#include "tools/run_job.h"
#include "tools/simulation/graph_choices.h"
#include "tools/steps.h"

namespace openqnn::tools {

namespace fs = std::filesystem;

std::vector<OptionSpec> compiling_options() {
  std::vector<OptionSpec> all = joined_options(
      {part_options(), session_options(), model_options(), candidate_options(), {image_layout_option()}});
  std::erase_if(all, [](const OptionSpec& option) { return option.name == "--soc"; });
  for (OptionSpec& option : all)
    if (option.name == "--samples")
      option.help = "calibrate on so many random inputs, always the same (default: ranges are assumed)";
  return all;
}

Status refuse_compiling_options(const Args& args, const std::string& path) {
  return refuse_options(args, names_of(compiling_options()),
                        concat("it is for models, and '", path, "' is compiled already"),
                        "leave it out, or give the model");
}

namespace {

Settings given_settings(const Args& args) {
  Settings given;
  for (const OptionSpec& option : compiling_options()) {
    const bool says_nothing =
        option.name == "--verbose" || option.name == "--backend" || option.name == "--precision";
    if (!args.has(option.name) || says_nothing) continue;  // what the precision came to is told by itself
    given.emplace_back(option.name, option.value.empty() ? "given" : joined(args.all(option.name)));
  }
  return given;
}

// A .dlc whose graph is quantized is compiled as it is. Nothing is asked of those that make a quantized
// graph.
Result<bool> take_quantized(RunJob& job) {
  OPENQNN_ASSIGN(auto quantized, quantized_graph(job.source));
  if (!quantized) return false;
  const auto unused = joined_options(
      {model_options(), candidate_options(), {{"--precision", "NAME", ""}, image_layout_option()}});
  OPENQNN_TRY(refuse_options(job.args, names_of(unused),
                             "the model in this file is quantized already, and compiled as it is",
                             "leave it out, or give the float model"));
  job.model.graph.trace = std::move(quantized->trace);
  job.prepared.graph = std::move(quantized->graph);
  job.prepared.activation_share = quantized->activation_share;
  OPENQNN_TRY(check_runs_on(job.target, job.prepared.graph));
  step("quantized", concat(shown(job.source), ", as it is"));
  return true;
}

// As `openqnn simulate` has them, as far as what is given allows.
Result<RunDefaults> defaults_for(const Args& args, const Candidate& candidate) {
  RunDefaults defaults;
  defaults.whole_part = true;
  const bool calibrates = args.has("--samples") || args.has("--input_list");
  defaults.assumes_ranges = !calibrates && candidate.file.empty() && !candidate.quantizer;
  OPENQNN_ASSIGN(defaults.images, images_from(args));
  for (const std::string_view option : {"--input_list", "--quantized"}) {
    if (!args.has(option)) continue;
    if (args.has("--image_layout") && defaults.images != Images::kAsInModel)
      return wrong_option("--image_layout", concat("what ", option, " names lies as in the model"))
          .fix_by("leave it out");
    defaults.images = Images::kAsInModel;
  }
  return defaults;
}

// Where no flag is given, this and `openqnn simulate` take the same; what keeps them from it is told.
void tell_defaults(const RunJob& job, bool is_stored, const Choices& set, RunOrigin& compiled) {
  const auto tell = [&](std::string text) { compiled.assumed.push_back(std::move(text)); };
  const auto is_set = [&](std::string_view option) {
    return std::ranges::any_of(set, [&](const Choice& choice) { return choice.option == option; });
  };
  const config::Part& of_file = job.configs.to_compile.part();
  if (!job.args.has("--soc") && !of_file.soc && !of_file.arch)
    tell(concat("no part was named: ", kDefaultPart,
                " (ours); `openqnn simulate` takes QNN's default: give --soc to both"));
  if (!is_set("vtcm_mb") && !is_set("vtcm_size") && job.target.vtcm.value > prepare::kDefaultVtcmBytes)
    tell(concat("vtcm_mb is not set: all VTCM of the part is taken, as by `openqnn simulate`; ",
                prepare::kDefaultVtcmBytes / kMiB, " MB by the vendor's programs"));
  if (!is_set("hvx_threads") && job.target.hvx_contexts > prepare::kDefaultHvxThreads)
    tell(concat("hvx_threads is not set: all of the part are taken, as by `openqnn simulate`; ",
                prepare::kDefaultHvxThreads, " by the vendor's programs"));
  const bool is_onnx = kind_of_file(job.source) == FileKind::kOnnx;
  if (is_onnx && job.defaults.images == Images::kAsInModel && !job.args.has("--image_layout"))
    tell(
        "images lie as in the model, as the files that were given; `openqnn simulate --image_layout model` "
        "does likewise");
  if (is_stored || job.candidate.precision.floating) return;
  compiled.has_assumed_ranges = job.defaults.assumes_ranges;
  if (job.defaults.assumes_ranges)
    tell(
        "the ranges of tensors are assumed, as by `openqnn simulate`: nothing was run; --samples and "
        "--input_list calibrate");
  else if (job.candidate.file.empty())
    tell(concat("the ranges of tensors were calibrated on ",
                samples_text(job.samples.size(), !job.args.has("--input_list")),
                "; `openqnn simulate` assumes them, as this does without --samples and --input_list"));
}

// What --config says of the graph and of the votes, each option by its name, so that runs can be compared.
Result<Choices> add_file_settings(const Args& args, const RunJob& job, RunOrigin& compiled) {
  compiled.conditions.perf_profile = chosen_profile(args.get("--perf_profile"));
  if (!args.has("--config")) return Choices();
  OPENQNN_ASSIGN(const GraphConfig file, GraphConfig::of(job.configs.to_compile.files()));
  for (const std::string& note : file.unused()) warn(note);
  OPENQNN_ASSIGN(compiled.conditions, file.conditions(compiled.conditions));
  const Choices set = file.choices(job.prepared.graph.name());
  for (const Choice& choice : set) compiled.settings.emplace_back(choice.option, choice.value_text());
  return set;
}

}  // namespace

Result<RunOrigin> compile(const std::string& path, const Args& args, const fs::path& folder) {
  RunConfigs configs;
  OPENQNN_TRY(read_config_to_compile(args, configs.to_compile));
  OPENQNN_ASSIGN(RunRequest request, run_request_from(args, configs));
  OPENQNN_ASSIGN(const RunDefaults defaults, defaults_for(args, request.candidate));
  RunPaths paths;
  paths.folder = folder;
  const std::string stem = fs::path(path).stem().string();
  paths.dlc = folder / (stem + ".dlc");
  paths.binary = folder / (stem + ".bin");
  RunJob job{.args = args,
             .source = path,
             .configs = configs,
             .paths = paths,
             .target = std::move(request.target),
             .candidate = std::move(request.candidate),
             .defaults = defaults};
  OPENQNN_ASSIGN(const bool is_ready, take_quantized(job));
  if (!is_ready) {
    OPENQNN_TRY(convert_model(job));
    OPENQNN_TRY(quantize_model(job));
  }
  OPENQNN_ASSIGN(const auto session, open_session(job));
  OPENQNN_TRY(compile_model(job, *session));
  RunOrigin compiled{.source = path,
                     .stem = stem,
                     .binary = paths.binary,
                     .dlc = paths.dlc,
                     .settings = given_settings(args)};
  compiled.settings.emplace_back("computed as", is_ready ? "as quantized in the file" : job.computed_as);
  OPENQNN_ASSIGN(const Choices set, add_file_settings(args, job, compiled));
  tell_defaults(job, is_ready, set, compiled);
  return compiled;
}

}  // namespace openqnn::tools
