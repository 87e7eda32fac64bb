// SPDX-License-Identifier: BSD-3-Clause
// The first half of `openqnn run`, and all that `openqnn report` needs of a model: from its file to a context
// binary.
#include <cstdlib>

#include "api/model_facts.h"
#include "base/files.h"
#include "base/text.h"
#include "config/check.h"
#include "openqnn/version.h"
#include "soc/target.h"
#include "tools/compose.h"
#include "tools/console.h"
#include "tools/extensions/htp_lowering.h"
#include "tools/program_options.h"
#include "tools/run_job.h"
#include "tools/simulation/model_simulation.h"
#include "tools/steps.h"

namespace openqnn::tools {
namespace {

// All of the part's VTCM and HVX threads.
void take_whole(const soc::Target& part, HtpGraphOptions& options) {
  options.add(QNN_HTP_GRAPH_CONFIG_OPTION_VTCM_SIZE_IN_MB);  // 0 of them: all
  options.add(QNN_HTP_GRAPH_CONFIG_OPTION_NUM_HVX_THREADS).numHvxThreads = part.hvx_contexts;
}

Status read_config(const Args& args, config::Tool tool, config::Stage stage, TellFinding tell,
                   ToolConfig& config) {
  if (!args.has("--config")) return {};
  OPENQNN_ASSIGN(const config::Circumstances known, config::circumstances_of({.soc = args.get("--soc")}));
  return config.read({.path = args.get("--config"),
                      .tool = tool,
                      .stage = stage,
                      .kind = std::nullopt,  // the outer file, or the backend's own
                      .soc = known.soc,
                      .tell = std::move(tell)});
}

frontend::DlcGraph prepared_graph(const RunJob& job) {
  return {job.prepared.graph, job.model.graph.trace, {}, job.prepared.activation_share};
}

Status write_model(const RunJob& job) {
  frontend::Dlc dlc;
  dlc.made_by = concat("openqnn ", version());
  dlc.graphs.push_back(prepared_graph(job));
  return frontend::write_dlc(job.paths.dlc, dlc);
}

}  // namespace

std::vector<OptionSpec> part_options() {
  return {{"--soc", "NAME", "the part to compile for, e.g. SM8650 (default: that of --config, else SM8650)"},
          {"--config", "FILE", "a configuration: the outer file of the tools, or the HTP backend's own"},
          {"--precision", "NAME",
           "bits of weights and activations: w8a8 (default), w8a16, w16a16, w4a16; fp16 or float, which\n"
           "are the same; quantizer: what qairt-quantizer makes with its options below, the default\n"
           "where some are given",
           false, kPrecisions}};
}

std::vector<OptionSpec> session_options() {
  return {{"--backend", "PATH", "libQnnHtp.so or its folder (default: beside this program)"},
          {"--verbose", "",
           "show the backend's whole log, not its warnings alone, and every op that stays in float"}};
}

Status read_config_to_compile(const Args& args, ToolConfig& config) {
  const auto tell = [](Severity severity, const std::string& line) {
    if (severity == Severity::kWarning) warn(line);  // notes are about keys that are for the other program
  };
  OPENQNN_TRY(
      read_config(args, config::Tool::kContextBinaryGenerator, config::Stage::kOffline, tell, config));
  return refuse_other_backends(config.files());
}

Status read_config_to_run(const Args& args, ToolConfig& config) {
  const auto tell = [](Severity, const std::string&) {};  // what is to be told has been
  return read_config(args, config::Tool::kNetRun, config::Stage::kLoad, tell, config);
}

namespace {

// The C API takes a part's number, which several parts may have; the environment tells this backend which.
void tell_which(const soc::Target& target) {
  const auto by_number = soc::target_by_model(target.soc_model);
  if (target.soc_model == 0 || !by_number || by_number->soc == target.soc) return;
  constexpr int kKeep = 0;  // what the user has set
  ::setenv("OPENQNN_TARGET", concat("host:", target.soc).c_str(), kKeep);
}

}  // namespace

Result<std::unique_ptr<Session>> open_session(const RunJob& job) {
  tell_which(job.target);
  OPENQNN_ASSIGN(auto library, BackendLibrary::open(job.args.get("--backend")));
  const ToolConfig& config = job.configs.to_compile;
  if (config.extension() != nullptr) {
    OPENQNN_TRY(config.extension()->check_backend(*library));
    step("config", concat(shown(job.args.get("--config")), ", through its extension library"));
  }
  HtpDeviceOptions device;
  device.append(config.device_configs());
  add_choice({job.target.soc_model, job.target.arch}, device);
  SessionOptions options;
  options.backend_configs = config.backend_configs();
  options.device_configs = device.list();
  if (job.args.has("--verbose")) options.tell_all();
  return Session::open(std::move(library), options);
}

Result<RunRequest> run_request_from(const Args& args, const RunConfigs& configs) {
  RunRequest request;
  // That --soc and the file's part differ is for the check to tell.
  OPENQNN_ASSIGN(request.target, args.has("--soc") ? part_named(args.get("--soc"))
                                                   : part_or(configs.to_compile.part(),
                                                             soc::target_by_chipset(kDefaultPart)));
  OPENQNN_ASSIGN(std::vector<Candidate> candidates, candidates_from(args, kDefaultPrecision));
  if (candidates.size() != 1)
    return wrong_option(args.has("--quantized") ? "--quantized" : "--precision",
                        concat(candidates.size(), " kinds of the model are asked for, and one is run"))
        .fix_by("`openqnn compare` measures several");
  request.candidate = std::move(candidates.front());
  OPENQNN_TRY(check_model_options(args));
  return request;
}

Status convert_model(RunJob& job) {
  const Stopwatch time;
  const std::string& path = job.source;
  OPENQNN_ASSIGN(job.model, load_judged_model(path, job.args, job.defaults.images));
  const ir::Graph& graph = job.model.graph.graph;
  step("convert", concat(shown(path), ": ", graph.nodes().size(), " ops, weights ",
                         bytes_text(weight_bytes(graph)), time.text()));
  if (!job.model.fusions.empty()) print(concat("      fused: ", fusions_text(job.model.fusions), "\n"));
  for (const std::string& note : job.model.notes) print(concat("      ", shown(note), "\n"));
  return {};
}

Status quantize_model(RunJob& job) {
  const Candidate& candidate = job.candidate;
  const bool assumes = job.defaults.assumes_ranges && !candidate.precision.floating;
  if (candidate.file.empty()) OPENQNN_TRY(check_will_run_on(job.target, job.model, candidate.precision));
  if (job.args.has("--precision")) warn_of_own_encodings(candidate.precision, job.model);
  if (!assumes) {
    OPENQNN_ASSIGN(job.samples, load_samples(job.model.graph, job.args));
  }
  const Stopwatch time;
  OPENQNN_ASSIGN(Judged made,
                 assumes ? judged_unrun(candidate, job.model) : judged(candidate, job.model, job.samples));
  job.prepared = std::move(made.prepared);
  job.computed_as = std::move(made.computed_as);
  if (job.args.has("--input_list") && !job.samples.empty()) {  // random inputs show nothing of real ones
    OPENQNN_ASSIGN(job.prepared.activation_share,
                   convert::activation_share(job.prepared.graph, job.model.graph.graph, job.samples.front()));
  }
  OPENQNN_TRY(check_runs_on(job.target, job.prepared.graph));
  const std::string seen =
      assumes ? "ranges assumed"
              : concat("calibrated on ", samples_text(job.samples.size(), !job.args.has("--input_list")));
  if (candidate.precision.floating) {
    step("precision", "fp16: float tensors, computed in half");
  } else if (!candidate.file.empty()) {
    step("quantized", shown(job.computed_as));
  } else {
    step("quantize", concat(job.computed_as, ", ", seen, ", ", job.prepared.float_nodes.size(),
                            " ops left in float", time.text()));
    print_float_nodes(job.prepared.float_nodes,
                      job.args.has("--verbose") ? FloatNodeList::kAll : FloatNodeList::kGrouped, "      ",
                      "--verbose");
  }
  return {};
}

Status compile_model(RunJob& job, Session& session) {
  ToolConfig& config = job.configs.to_compile;
  OPENQNN_TRY(session.create_context(config.context_configs()));
  const Stopwatch time;
  const std::string& name = job.prepared.graph.name();
  OPENQNN_TRY(config.check_graphs({name}));
  HtpGraphOptions options;
  if (job.defaults.whole_part) take_whole(job.target, options);
  options.append(configs_for(config.graph_configs(), name));
  OPENQNN_ASSIGN(const ComposedGraph graph,
                 compose({session.api(), session.backend(), session.context(), options.list()},
                         job.prepared.graph, api::facts_of(prepared_graph(job))));
  OPENQNN_TRY(session.finalize(graph.handle));
  OPENQNN_ASSIGN(const std::vector<std::byte> binary, session.binary());
  OPENQNN_TRY(make_folder(job.paths.folder));
  OPENQNN_TRY(write_model(job));
  OPENQNN_TRY(write_file(job.paths.binary, std::span(binary)));
  step("compile", concat(shown(job.paths.binary.string()), ", ", bytes_text(binary.size()), time.text()));
  session.free_context();
  return {};
}

}  // namespace openqnn::tools
