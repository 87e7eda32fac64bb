// SPDX-License-Identifier: BSD-3-Clause
// openqnn simulate: how long a model or a prepared graph takes on the modelled device, and where the time
// goes.
#include "openqnn/simulate.h"

#include <array>
#include <chrono>
#include <optional>

#include "base/text.h"
#include "openqnn/report.h"
#include "soc/part_name.h"
#include "tools/commands.h"
#include "tools/console.h"
#include "tools/file_kind.h"
#include "tools/interrupt.h"
#include "tools/model_job.h"
#include "tools/products.h"
#include "tools/profiled_run.h"
#include "tools/qnn/power.h"
#include "tools/run_job.h"
#include "tools/simulate_report.h"
#include "tools/simulation/model_simulation.h"

namespace openqnn::tools {
namespace {

constexpr std::string_view kCannotSimulate = "cannot simulate";
// What the command line alone says.
struct SimulateRequest {
  std::vector<std::string> parts;
  std::vector<Precision> precisions;
  std::vector<Choices> combinations;
  Priorities clients;
  Conditions conditions;
  Images images = Images::kChannelLast;
};

std::vector<std::string> words_of(const std::string& list) {
  std::vector<std::string> words;
  if (list.empty()) return words;
  for (const std::string_view word : split(list, ",")) words.emplace_back(word);
  return words;
}

Status check_words(const Args& args) {
  const std::string format = args.get("--format", "text");
  if (format != "text" && format != "json")
    return wrong_option("--format", concat("there is no format '", format, "'")).fix_by("text or json");
  if (args.has("--json") && format == "text" && args.has("--format"))
    return wrong_option("--json", "--json is --format json, and --format text is given too")
        .fix_by("leave one of them out");
  return {};
}

bool wants_json(const Args& args) { return args.has("--json") || args.get("--format") == "json"; }

Result<SimulateRequest> simulate_request_from(const Args& args) {
  OPENQNN_TRY(check_words(args));
  SimulateRequest request;
  request.parts = words_of(args.get("--soc"));
  for (const std::string& name : words_of(args.get("--precision", kDefaultPrecision))) {
    OPENQNN_ASSIGN(request.precisions.emplace_back(), simulated_precision(name));
  }
  std::vector<Sweep> sweeps;
  for (const std::string& text : args.all("--sweep")) {
    OPENQNN_ASSIGN(sweeps.emplace_back(), sweep_from(text));
  }
  OPENQNN_ASSIGN(request.combinations, combinations(sweeps));
  OPENQNN_ASSIGN(request.clients, clients_from(args.get("--clients", "1")));
  OPENQNN_ASSIGN(request.conditions.perf_profile, perf_profile_from(args));
  OPENQNN_ASSIGN(request.images, images_from(args));
  OPENQNN_ASSIGN(request.conditions.level, simulation_level(args.get("--level")));
  OPENQNN_TRY(check_model_options(args));
  return request;
}

// ---- Results ----

Status refuse_trace_of_several(const Args& args, size_t results) {
  if (!args.has("--trace") || results == 1) return {};
  return wrong_option("--trace", concat(results, " results are asked for, and a trace holds one timeline"))
      .fix_by("name one part and one precision, and leave --sweep out");
}

int report(const Args& args, const SimulatedResults& all, bool op_by_op) {
  const std::vector<SimulatedResult>& results = all.results;
  if (!all.refused.empty())
    warn(concat(all.refused.size(), " of ", all.size(), " combinations ",
                all.refused.size() == 1 ? "was" : "were", " refused: ", all.refused.front().title(), ": ",
                all.refused.front().reason()));
  if (args.has("--trace")) {
    const auto status = write_chrometrace(results.front().simulation, args.get("--trace"));
    if (!status) return fail("cannot write the trace", status.error());
  }
  if (wants_json(args)) {
    print(simulation_json(all, args.has("--explain")));
    return kOk;
  }
  const std::string model =
      concat(args.positional(0), args.has("--graph") ? concat(", graph '", args.get("--graph"), "'") : "");
  if (all.size() > 1) print(comparison_text(model, all));
  if (all.size() == 1 && !op_by_op) print(summary_text(model, results.front()));
  if (op_by_op)
    for (const SimulatedResult& result : results) {
      if (results.size() > 1)
        print(concat(
            "\n",
            bold(concat(soc::part_name(result.simulation.soc(), result.simulation.arch()), ", ",
                        result.precision, result.chosen.empty() ? "" : concat(", ", text_of(result.chosen)))),
            "\n"));
      print(explained_text(result));
    }
  if (args.has("--trace"))
    print(concat("\nTrace: ", shown(args.get("--trace")),
                 results.front().has_clients() ? ", of one execute with the device to itself" : "",
                 "; open it in https://ui.perfetto.dev or chrome://tracing\n"));
  return kOk;
}

// ---- A context binary ----

// What a binary has decided already.
Status check_binary_options(const Args& args) {
  std::vector<std::string_view> decided = {"--precision", "--sweep", "--config", "--image_layout",
                                           "--shapes_only"};
  std::ranges::copy(names_of(shape_options()), std::back_inserter(decided));
  return refuse_options(args, decided, "this is for models; a context binary is simulated as it was prepared",
                        "leave it out, or give the model");
}

int simulate_binary(const Args& args, SimulateRequest request) {
  if (const Status fine =
          expect_known_kind(args.positional(0), {FileKind::kContextBinary, FileKind::kDlc, FileKind::kOnnx});
      !fine)
    return fail(kCannotSimulate, fine.error());
  if (const Status fine = check_binary_options(args); !fine) return fail(kCannotSimulate, fine.error());
  for (std::string& part : request.parts) {
    const auto known = part_named(part);
    if (!known) return fail(kCannotSimulate, known.error());
    part = known->soc;
  }
  if (request.parts.empty()) request.parts.emplace_back();  // the one it was prepared for
  if (const Status fine = refuse_trace_of_several(args, request.parts.size()); !fine)
    return fail(kCannotSimulate, fine.error());
  const auto binary = ContextBinary::open(args.positional(0));
  if (!binary) return fail(kCannotSimulate, binary.error());
  SimulatedResults all;
  for (const std::string& part : request.parts) {
    auto simulation = simulate(*binary, {.graph = args.get("--graph"),
                                         .soc = part,
                                         .perf_profile = request.conditions.perf_profile,
                                         .level = request.conditions.level});
    if (!simulation) return fail(kCannotSimulate, simulation.error());
    all.results.push_back(result_of(*std::move(simulation), request.clients));
  }
  return report(args, all, args.has("--explain"));
}

// ---- A model ----

// How far a long preparation is, on a terminal; a signal stops it.
class ShownStages : public prepare::Follower {
 public:
  explicit ShownStages(bool shows) : shows_(shows) {}

  bool wants_to_stop() override { return interrupted(); }
  void stage_advances(prepare::Stage stage, uint64_t done, uint64_t total) override {
    if (!shows_) return;
    constexpr auto kOften = std::chrono::milliseconds(100);
    const auto now = std::chrono::steady_clock::now();
    if (now - shown_ < kOften) return;
    shown_ = now;
    progress_.emplace(prepare::stage_name(stage), total, done);
  }
  void stage_ends(prepare::Stage) override { progress_.reset(); }

 private:
  const bool shows_;
  std::chrono::steady_clock::time_point shown_ = std::chrono::steady_clock::now();
  std::optional<Progress> progress_;
};

// The part that a file is checked for, where one is named.
Result<std::optional<soc::SocInfo>> named_part(const SimulateRequest& request) {
  if (request.parts.size() != 1) return std::optional<soc::SocInfo>();
  OPENQNN_ASSIGN(const config::Circumstances known, config::circumstances_of({.soc = request.parts.front()}));
  return known.soc;
}

int simulate_file(const Args& args, const SimulateRequest& request) {
  if (args.has("--graph"))
    return fail(
        kCannotSimulate,
        wrong_option("--graph", "this is for context binaries; a model is one graph").fix_by("leave it out"));
  std::optional<GraphConfig> file;
  if (args.has("--config")) {
    const auto part = named_part(request);
    if (!part) return fail(kCannotSimulate, part.error());
    auto read = GraphConfig::read(args.get("--config"), *part);
    if (!read) return fail(kCannotSimulate, read.error());
    file = *std::move(read);
  }
  auto parts = parts_for(request.parts, file ? &*file : nullptr);
  if (!parts) return fail(kCannotSimulate, parts.error());
  const auto model = load_unrun_model(args.positional(0), args, request.images,
                                      args.has("--shapes_only") ? Weights::kUnread : Weights::kRead);
  if (!model) return fail(kCannotSimulate, model.error());

  ModelRequest job{.parts = *std::move(parts),
                   .precisions = request.precisions,
                   .file = file ? &*file : nullptr,
                   .combinations = request.combinations,
                   .conditions = request.conditions,
                   .clients = request.clients,
                   .notes = model->notes};
  if (request.parts.empty() && !(file && (file->part().soc || file->part().arch)))
    job.notes.push_back(concat("`openqnn report` and `openqnn run` take ", kDefaultPart,
                               " where no part is named: give --soc to both"));
  if (is_quantized(model->graph.graph)) {
    if (args.has("--precision"))
      return fail(kCannotSimulate, wrong_option("--precision", "the model in this file is quantized already")
                                       .fix_by("leave it out, or give the float model"));
    job.precisions.clear();
  }
  const size_t results =
      job.parts.size() * std::max<size_t>(job.precisions.size(), 1) * job.combinations.size();
  if (const Status fine = refuse_trace_of_several(args, results); !fine)
    return fail(kCannotSimulate, fine.error());
  std::optional<Progress> progress;
  ShownStages stages(results == 1);
  job.follower = &stages;
  catch_interrupts();
  if (results != 1) {
    progress.emplace("prepare", results);
    job.prepared_one = [&] { progress->step(); };
  }
  auto made = simulate_model(*model, job);
  progress.reset();
  if (!made && made.error().code == prepare::kStopped) return fail(kCannotSimulate, go_on().error());
  if (!made) return fail(kCannotSimulate, made.error());
  return report(args, *made, args.has("--explain"));
}

Status check_trace(const Args& args) {
  if (args.has("--trace")) OPENQNN_TRY(check_output_file(args.get("--trace")));
  return check_products(args, products_of(args, {"--trace"}));
}

int run_simulate(const Args& args) {
  auto request = simulate_request_from(args);
  if (!request) return fail(kCannotSimulate, request.error());
  if (const Status fine = check_trace(args); !fine) return fail(kCannotSimulate, fine.error());
  return may_be_model(args.positional(0)) ? simulate_file(args, *request)
                                          : simulate_binary(args, *std::move(request));
}

}  // namespace

Command simulate_command() {
  return {
      .spec =
          {.name = "simulate",
           .summary = "Time a model or a context binary on the modelled NPU, and compare options",
           .details = R"(
All times are simulated: they come from a model of the NPU, whose name and error band are printed
with them. The same file gives the same numbers on every machine. A model (ONNX, or a .dlc of
openqnn) needs no data and is not run: it is brought to each precision, prepared for each part with
all of its VTCM and HVX threads and O 2 unless --config or --sweep say otherwise, and timed under
burst, polling and warm. A context binary is timed as it was prepared.)",
           .positionals = {{"FILE", "an ONNX model, a .dlc, or a context binary of openqnn"}},
           .options = joined_options(
               {{{"--soc", "NAME,...",
                  "parts to compare (openqnn soc); default: that of --config, else SM8350, QNN's own. Of a\n"
                  "binary, others than the one it was prepared for: as new, and with as much VTCM"},
                 {"--precision", "NAME,...",
                  "of a model: float (or fp16), w8a8 (default), w8a16, w16a16, w4a16", false,
                  kSimulatedPrecisions},
                 {"--config", "FILE",
                  "options of the graph: an HTP backend file, or the outer file that names it"},
                 {"--sweep", "OPTION=V,V,...",
                  "compare values of an option of graphs, e.g. vtcm_mb=2,4,8; several make every "
                  "combination,\n"
                  "at most 64. One that is refused is told, and the others stand; all of them: exit status 1",
                  true},
                 {"--graph", "NAME", "which graph, when a binary holds several"},
                 {"--clients", "N|NAME,...",
                  "so many programs at once, or programs of these priorities (high,normal): how many "
                  "executes\n"
                  "a second they get, how long they wait, and who has to yield"},
                 {"--level", "NAME",
                  "event (default), or roofline: each unit at its rate, waiting for nothing", false,
                  kSimulationLevels},
                 {"--explain", "", "every op: its units, its cycles, and what bounds it"},
                 {"--trace", "OUT.json", "write the timeline as a chrometrace too"},
                 {"--perf_profile", "NAME",
                  "a warm call under the votes of this profile; else burst, with polling\n"
                  "(the clocks of other profiles are ours: docs/power.md)",
                  false, kChosenPerfProfiles},
                 {"--shapes_only", "",
                  "do not read the weights of an ONNX model: files beside it need not be there"},
                 image_layout_option(),
                 {"--format", "NAME", "text (default) or json", false, "text json"},
                 {"--json", "", "the same as --format json"}},
                shape_options()}),
           .examples = {"openqnn simulate model.onnx --soc SM8550,SM8650 --precision float,w8a8",
                        "openqnn simulate model.onnx --soc SM8650 --sweep vtcm_mb=2,4,8 --sweep O=1,2,3",
                        "openqnn simulate model.bin --trace model_chrometrace.json"},
           .usage = "openqnn simulate FILE [--soc NAME,...] [--precision NAME,...] [--config FILE] "
                    "[--sweep OPTION=V,V,...] [--clients N|NAME,...] [--explain] [--format text|json] "
                    "[OPTION]..."},
      .run = run_simulate};
}

}  // namespace openqnn::tools
