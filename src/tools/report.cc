// SPDX-License-Identifier: BSD-3-Clause
// openqnn report: from a model or a run to a folder with every report of it, and a page to look at it.
#include <filesystem>

#include "base/text.h"
#include "config/follow.h"
#include "config/render.h"
#include "soc/part_name.h"
#include "tools/advise/model_advice.h"
#include "tools/commands.h"
#include "tools/console.h"
#include "tools/model_job.h"
#include "tools/products.h"
#include "tools/profiled_run.h"
#include "tools/program_options.h"
#include "tools/report_folder.h"
#include "tools/simulate_report.h"
#include "tools/simulation/graph_choices.h"
#include "tools/steps.h"

namespace openqnn::tools {
namespace {

namespace fs = std::filesystem;

constexpr size_t kTop = 5;  // ops of the table that is printed

Status check_free(const ReportFolder& folder, const Args& args) {
  std::vector<fs::path> names = folder.names(args.positional(0));
  if (args.has("--config")) names.push_back(folder.check_list());
  OPENQNN_TRY(check_products(args, {names, {"--output_dir"}}));
  std::error_code error;
  for (const fs::path& name : names) {
    if (args.has("--overwrite") || !fs::exists(name, error)) continue;
    return invalid("output-exists", "this is there already")
        .at(name.string())
        .fix_by("choose another --output_dir, or give --overwrite");
  }
  return {};
}

// As `openqnn check` says it. What makes compiling impossible is told again there, as an error.
Result<std::string> check_config(const Args& args) {
  if (!args.has("--config")) return std::string();
  const auto given = config::with_named(config::read_file(args.get("--config")));
  if (given.back().config) OPENQNN_TRY(GraphConfig::of(given));
  config::CheckOptions options;
  OPENQNN_ASSIGN(options.circumstances, config::circumstances_of({.soc = args.get("--soc")}));
  const auto files = config::check_document(given.front(), options);
  const std::string words = config::count_words(files);
  step("check", concat(shown(args.get("--config")), ": ", words.empty() ? "nothing to mend" : words));
  return config::render_text(files);
}

// On what was compiled: a model's .dlc has the ranges that it was quantized to, and the framework's names.
Status add_advice(const Args& args, const ProfiledRun& run, ReportFolder& out) {
  if (run.binary.empty()) {
    step("advise", "nothing: a log does not tell what could be changed; `openqnn advise MODEL` does");
    return {};
  }
  AdviceRequest request;
  const bool compiled = is_model(run.source);
  request.model = compiled ? run.dlc : run.binary;
  request.as_compiled = true;
  request.config = args.get("--config");
  if (compiled) request.soc = run.model.soc;
  OPENQNN_ASSIGN(advise::Advice advice, advice_on(request));
  advice.model = run.source;
  step("advise", advice.findings.empty() ? "nothing" : advise::count_words(advice.findings));
  OPENQNN_TRY(out.add(out.advice_text(), advise::advice_text(advice), "what `openqnn advise` says"));
  return out.add(out.advice_json(), advise::advice_json(advice), "the same as JSON");
}

void print_files(const ReportFolder& folder) {
  print(concat("\n", bold("Files left"), "\n"));
  for (const ReportFolder::File& file : folder.files())
    print(concat("  ", shown(file.path.string()), "  ", file.what, "\n"));
}

Status report(const Args& args) {
  const std::string path = args.positional(0);
  const fs::path folder = args.get("--output_dir", "report");
  OPENQNN_TRY(check_output_folder(folder));
  const std::string stem = named_place(path).stem().string();
  ReportFolder out(folder, stem);
  OPENQNN_TRY(check_free(out, args));
  OPENQNN_ASSIGN(const std::string checked, check_config(args));
  OPENQNN_ASSIGN(ProfiledRun run, profiled_run(path, args, folder));
  if (!run.simulation)
    return invalid("report-saved",
                   "this is a run that was saved, and a report is made from what can be simulated")
        .at(path)
        .fix_by(
            "`openqnn profile export FILE --format html` makes its page; for a report, give the binary or "
            "the model");
  run.stem = stem;
  step(run.log.empty() ? "simulate" : "read",
       concat(run.model.htp_ops.size(), " HTP ops of ", run.model.ops.size(), " QNN ops on ",
              shown(soc::part_name(run.model.soc, run.model.arch))));
  for (const std::string& text : run.assumed) print(concat("      assumed: ", shown(text), "\n"));
  OPENQNN_TRY(out.write(run));
  if (args.has("--config"))
    OPENQNN_TRY(out.add(out.check_list(), checked, "what `openqnn check` says of the configuration"));
  if (const Status advised = add_advice(args, run, out); !advised)
    warn(concat("there is no advice on this run: ", advised.error().to_string()));
  print(concat("\n", bold("Where the time goes"), "\n", busiest_ops(*run.simulation, kTop)));
  print_files(out);
  print(concat("\nOpen ", shown(out.page().string()), "\n"));
  return {};
}

int run_report(const Args& args) {
  if (args.has("--quiet")) set_quiet();
  const Status done = report(args);
  return done ? kOk : fail("cannot report", done.error());
}

}  // namespace

Command report_command() {
  return {
      .spec =
          {.name = "report",
           .summary = "Leave every report of a model or a run in a folder, with a page to open",
           .details = R"(
MODEL is an ONNX model or a .dlc (quantized ones are compiled as they are), and prepared as by
`openqnn simulate`: with all VTCM and HVX threads unless --config says otherwise, and with assumed
ranges unless --samples or --input_list calibrate. RUN is a context binary, the folder that
qnn-net-run --profiling_level detailed --profiling_option optrace left or its log, or the folder of
an earlier report. Leaves the analysis summary as a page that needs no network and as JSON with its
schema, a chrometrace, tables of ops as text, CSV and JSON lines, the linting report, a file for
Netron, the profile log and the schematic, the compiled files, what `openqnn advise` says, and what
`openqnn check` says of --config; and lists them. All device times are simulated.)",
           .positionals = {{"MODEL",
                            "an ONNX model, a .dlc, a context binary, or a run's or report's folder"}},
           .options = joined_options(
               {{{"--output_dir", "DIR", "where the files go (default: report)", false, {}, "-o"},
                 {"--overwrite", "", "replace files that are there already"},
                 {"--quiet", "", "print warnings and errors only"}},
                run_options()}),
           .examples = {"openqnn report model.onnx",
                        "openqnn report model.onnx --soc SM8750 --precision fp16 -o fp16",
                        "openqnn report model.bin --dlc model.dlc -o report",
                        "openqnn report output --dlc model.dlc      a folder of qnn-net-run"},
           .usage =
               "openqnn report MODEL [--soc NAME] [--config FILE] [--precision NAME] [-o DIR] [OPTION]..."},
      .run = run_report};
}

}  // namespace openqnn::tools
