// SPDX-License-Identifier: BSD-3-Clause
// openqnn run: a model from its file to outputs, a context binary and a report.
#include <cstring>
#include <filesystem>

#include "HTP/QnnHtpDevice.h"
#include "base/files.h"
#include "base/text.h"
#include "config/check.h"
#include "openqnn/report.h"
#include "openqnn/version.h"
#include "soc/target.h"
#include "tools/busiest_ops.h"
#include "tools/commands.h"
#include "tools/compose.h"
#include "tools/console.h"
#include "tools/device_commands.h"
#include "tools/part_check.h"
#include "tools/program_options.h"
#include "tools/qnn/power.h"
#include "tools/run_job.h"
#include "tools/steps.h"

namespace openqnn::tools {
namespace {

namespace fs = std::filesystem;

// The demo's part, too. Ours: it runs every precision, which QNN's own default does not.
constexpr std::string_view kDefaultPart = "SM8650";
constexpr std::string_view kDefaultTop = "10";

// ---- The configuration file ----

Status read_configs(const Args& args, RunConfigs& configs) {
  if (!args.has("--config")) return {};
  const auto request_of = [&](config::Tool tool, config::Stage stage) -> Result<ConfigRequest> {
    ConfigRequest request;
    request.path = args.get("--config");
    request.tool = tool;
    request.stage = stage;
    request.kind.reset();  // the outer file, or the backend's own
    OPENQNN_ASSIGN(const config::Circumstances known, config::circumstances_of({.soc = args.get("--soc")}));
    request.soc = known.soc;
    return request;
  };
  OPENQNN_ASSIGN(ConfigRequest compiling,
                 request_of(config::Tool::kContextBinaryGenerator, config::Stage::kOffline));
  compiling.tell = [](Severity severity, const std::string& line) {
    if (severity == Severity::kWarning) warn(line);  // notes are about keys that are for the other program
  };
  OPENQNN_TRY(configs.to_compile.read(std::move(compiling)));
  OPENQNN_ASSIGN(ConfigRequest running, request_of(config::Tool::kNetRun, config::Stage::kLoad));
  running.tell = [](Severity, const std::string&) {};  // what is to be told has been
  return configs.to_run.read(std::move(running));
}

// --soc, else the file's part, else our default. That the first two differ is for the check to tell.
Result<soc::Target> choose_target(const Args& args, const config::Part& part) {
  if (args.has("--soc")) {
    if (auto exact = soc::target_by_chipset(args.get("--soc"))) return exact;
    OPENQNN_ASSIGN(const config::Circumstances known, config::circumstances_of({.soc = args.get("--soc")}));
    return soc::target_by_chipset(known.soc->chipset);
  }
  if (part.soc) return soc::target_by_chipset(part.soc->chipset);
  if (part.arch) return soc::target_by_arch(*part.arch);
  return soc::target_by_chipset(kDefaultPart);
}

// The file's options of the device, and after them, so that it counts, the part that was chosen.
class ChosenDevice {
 public:
  ChosenDevice(const soc::Target& target, const QnnDevice_Config_t** of_file) {
    std::memset(&part_, 0, sizeof part_);
    if (target.soc_model != 0) {
      part_.option = QNN_HTP_DEVICE_CONFIG_OPTION_SOC;
      part_.socModel = target.soc_model;
    } else {
      part_.option = QNN_HTP_DEVICE_CONFIG_OPTION_ARCH;
      part_.arch.arch = static_cast<QnnHtpDevice_Arch_t>(target.arch);
    }
    config_.option = QNN_DEVICE_CONFIG_OPTION_CUSTOM;
    config_.customConfig = &part_;
    for (; of_file != nullptr && *of_file != nullptr; ++of_file) list_.push_back(*of_file);
    list_.push_back(&config_);
    list_.push_back(nullptr);
  }
  ChosenDevice(const ChosenDevice&) = delete;
  ChosenDevice& operator=(const ChosenDevice&) = delete;
  const QnnDevice_Config_t** list() { return list_.data(); }

 private:
  QnnHtpDevice_CustomConfig_t part_;
  QnnDevice_Config_t config_ = QNN_DEVICE_CONFIG_INIT;
  std::vector<const QnnDevice_Config_t*> list_;
};

Result<std::unique_ptr<Session>> open_session(const RunJob& job) {
  OPENQNN_ASSIGN(auto library, BackendLibrary::open(job.args.get("--backend")));
  const ToolConfig& config = job.configs.to_compile;
  if (config.extension() != nullptr) {
    OPENQNN_TRY(config.extension()->check_backend(*library));
    step("config", concat(shown(job.args.get("--config")), ", through its extension library"));
  }
  ChosenDevice device(job.target, config.device_configs());
  SessionOptions options;
  options.backend_configs = config.backend_configs();
  options.device_configs = device.list();
  options.log_level = job.args.has("--verbose") ? static_cast<uint32_t>(QNN_LOG_LEVEL_VERBOSE) : 0;
  return Session::open(std::move(library), options);
}

// ---- Where results go ----

Result<RunPaths> choose_paths(const Args& args) {
  const std::string stem = fs::path(args.positional(0)).stem().string();
  RunPaths paths;
  paths.folder = args.get("--output_dir", "output");
  paths.dlc = paths.folder / (stem + ".dlc");
  paths.binary = paths.folder / (stem + ".bin");
  paths.trace = paths.folder / (stem + "_trace.json");
  // Made only when there is something to put into it.
  OPENQNN_TRY(check_output_folder(paths.folder));
  // A blank ends a path of a list.
  if (!args.has("--input_list") && paths.folder.string().find_first_of(" \t\r\n\v\f") == std::string::npos)
    paths.input_list = paths.folder / "input_list.txt";
  std::error_code error;
  for (const fs::path& path : {paths.dlc, paths.binary, paths.trace, paths.result(0),
                               paths.folder / kPowerHistoryFile, paths.input_list.value_or("")}) {
    if (path.empty() || !fs::exists(path, error)) continue;
    paths.replaces = true;
    if (args.has("--overwrite")) continue;
    return invalid("output-exists", "this is there already")
        .at(path.string())
        .fix_by("choose another --output_dir, or give --overwrite");
  }
  return paths;
}

// ---- Steps ----

uint64_t weights_of(const ir::Graph& graph) {
  uint64_t bytes = 0;
  for (const ir::Tensor& tensor : graph.tensors())
    if (tensor.data) bytes += tensor.data.size();
  return bytes;
}

Status convert(RunJob& job) {
  const Stopwatch time;
  const std::string path = job.args.positional(0);
  OPENQNN_ASSIGN(job.model, load_judged_model(path, job.args));
  const ir::Graph& graph = job.model.graph.graph;
  step("convert", concat(shown(path), ": ", graph.nodes().size(), " ops, weights ",
                         bytes_text(weights_of(graph)), time.text()));
  if (!job.model.fusions.empty()) print(concat("      fused: ", fusions_text(job.model.fusions), "\n"));
  for (const std::string& note : job.model.notes) print(concat("      ", shown(note), "\n"));
  return {};
}

Status quantize(RunJob& job) {
  const Candidate& candidate = job.candidate;
  if (candidate.file.empty()) OPENQNN_TRY(check_will_run_on(job.target, job.model, candidate.precision));
  if (job.args.has("--precision")) warn_of_own_encodings(candidate.precision, job.model);
  OPENQNN_ASSIGN(job.samples, load_samples(job.model.graph, job.args));
  const Stopwatch time;
  OPENQNN_ASSIGN(Judged made, judged(candidate, job.model, job.samples));
  job.prepared = std::move(made.prepared);
  job.computed_as = std::move(made.computed_as);
  OPENQNN_TRY(check_runs_on(job.target, job.prepared.graph));
  const std::string inputs = samples_text(job.samples.size(), !job.args.has("--input_list"));
  if (candidate.precision.floating) {
    step("precision", "fp16: float tensors, computed in half");
  } else if (!candidate.file.empty()) {
    step("quantized", shown(job.computed_as));
  } else {
    step("quantize", concat(job.computed_as, ", calibrated on ", inputs, ", ",
                            job.prepared.float_nodes.size(), " ops left in float", time.text()));
    print_float_nodes(job.prepared.float_nodes,
                      job.args.has("--verbose") ? FloatNodeList::kAll : FloatNodeList::kGrouped, "      ",
                      "--verbose");
  }
  return {};
}

Status write_model(const RunJob& job) {
  frontend::Dlc dlc;
  dlc.made_by = concat("openqnn ", version());
  dlc.graphs.push_back({job.prepared.graph, job.model.graph.trace, {}});
  return frontend::write_dlc(job.paths.dlc, dlc);
}

Status compile(RunJob& job, Session& session) {
  ToolConfig& config = job.configs.to_compile;
  OPENQNN_TRY(session.create_context(config.context_configs()));
  const Stopwatch time;
  const std::string& name = job.prepared.graph.name();
  OPENQNN_TRY(config.check_graphs({name}));
  OPENQNN_ASSIGN(const ComposedGraph graph, compose({session.api(), session.backend(), session.context(),
                                                     configs_for(config.graph_configs(), name)},
                                                    job.prepared.graph));
  OPENQNN_TRY(session.finalize(graph.handle));
  OPENQNN_ASSIGN(const std::vector<std::byte> binary, session.binary());
  OPENQNN_TRY(make_folder(job.paths.folder));
  OPENQNN_TRY(write_model(job));
  OPENQNN_TRY(write_file(job.paths.binary, std::span(binary)));
  step("compile", concat(shown(job.paths.binary.string()), ", ", bytes_text(binary.size()), time.text()));
  session.free_context();
  return {};
}

// ---- The end ----

void print_files(const RunPaths& paths) {
  const auto line = [](const fs::path& path, std::string_view what) {
    print(concat("  ", shown(path.string()), what, "\n"));
  };
  const char* const title = paths.replaces ? "Files left, in place of those that were there" : "Files left";
  print(concat("\n", bold(title), "\n"));
  line(paths.dlc, "  the model, ready to compile");
  line(paths.binary, "  the context binary");
  line(paths.trace, "  the simulated timeline, for https://ui.perfetto.dev");
  if (paths.power) line(*paths.power, "  what power votes did, for `openqnn power`");
  line(paths.result(0), " ...  outputs, raw float32");
  if (paths.input_list) line(*paths.input_list, "  the random inputs, one inference a line");
}

void print_summary(const RunJob& job, const Simulation& simulation) {
  print(concat("\n", bold("Summary"), "\n  ",
               shown(job.candidate.file.empty() ? job.computed_as : job.candidate.precision.name), " on ",
               shown(job.target.soc), ", ", samples_text(job.samples.size(), !job.args.has("--input_list")),
               ", ", fixed(simulation.times().accelerator_us, 1), " us an inference (simulated)\n"));
  for (const OutputReport& output : job.reports)
    print(concat("  ", text_of(output), decisions_text(output), "\n"));
}

// What no number says must not look like success.
int exit_code(const RunJob& job) {
  for (const OutputReport& output : job.reports) {
    if (output.distance.not_finite == 0) continue;
    const char* const fix = job.candidate.precision.floating
                                ? "half precision ends at 65504: quantize the model, or scale its values down"
                                : "`openqnn compare` shows the first layer where it happens";
    return fail("the outputs are not float's",
                invalid("run-not-finite", concat("'", output.name,
                                                 "' is not finite where float's is, or the "
                                                 "reverse"))
                    .fix_by(fix));
  }
  return kOk;
}

Result<int> run_job(RunJob& job) {
  OPENQNN_TRY(convert(job));
  OPENQNN_TRY(quantize(job));
  OPENQNN_ASSIGN(const auto session, open_session(job));
  OPENQNN_TRY(compile(job, *session));
  OPENQNN_TRY(execute_samples(job, *session));
  OPENQNN_TRY(compare_with_float(job));

  const auto binary = ContextBinary::open(job.paths.binary);
  if (!binary) return fail("cannot read the binary", binary.error());
  const auto simulation = simulate(*binary, {});
  if (!simulation) return fail("cannot simulate", simulation.error());
  print(concat("\n", bold("Where the time goes"), "\n", busiest_ops(*simulation, job.top),
               "`openqnn simulate ", shown(job.paths.binary.string()), "` shows every op.\n"));
  if (const auto status = write_chrometrace(*simulation, job.paths.trace); !status)
    return fail("cannot write the trace", status.error());
  print_files(job.paths);
  if (fs::path(job.args.positional(0)).extension() == ".onnx")
    print(concat("\n", bold("The same for a device, with the vendor's tools"), "\n",
                 device_commands({job.args, job.target, job.candidate, job.paths.binary.stem().string(),
                                  job.paths.input_list ? job.paths.input_list->string() : "",
                                  job.configs.to_compile.is_outer()})));
  print_summary(job, *simulation);
  return exit_code(job);
}

// What the command line alone can be wrong about.
struct Request {
  soc::Target target;
  Candidate candidate;
  size_t top = 0;
};

Result<Request> request_from(const Args& args, const RunConfigs& configs) {
  Request request;
  OPENQNN_ASSIGN(request.target, choose_target(args, configs.to_compile.part()));
  OPENQNN_ASSIGN(std::vector<Candidate> candidates, candidates_from(args, "w8a8"));
  if (candidates.size() != 1)
    return invalid("option-value",
                   concat(candidates.size(), " kinds of the model are asked for, and one is run"))
        .at(args.has("--quantized") ? "--quantized" : "--precision")
        .fix_by("`openqnn compare` measures several");
  request.candidate = std::move(candidates.front());
  OPENQNN_ASSIGN(const int64_t top, integer_from(args.get("--top", kDefaultTop), "--top"));
  request.top = static_cast<size_t>(top);
  OPENQNN_TRY(check_model_options(args));
  return request;
}

int run_run(const Args& args) {
  if (args.has("--quiet")) set_quiet();
  RunConfigs configs;
  if (const Status read = read_configs(args, configs); !read) return fail("cannot run", read.error());
  auto request = request_from(args, configs);
  if (!request) return fail_usage("cannot run", request.error());
  if (const Status fine = check_model_file(args.positional(0)); !fine)
    return fail("cannot run", fine.error());
  auto paths = choose_paths(args);
  if (!paths) return fail("cannot run", paths.error());
  print(concat(bold(shown(args.positional(0))), " on ", shown(request->target.soc), "\n"));
  RunJob job{args,
             configs,
             *std::move(paths),
             std::move(request->target),
             std::move(request->candidate),
             request->top,
             {},
             {},
             {},
             {},
             {},
             {}};
  const auto code = run_job(job);
  return code ? *code : fail("cannot run", code.error());
}

}  // namespace

const Command& run_command() {
  static const Command command = [] {
    Command made{
        {.name = "run",
         .summary = "Convert, quantize, compile and run a model, and compare it with float",
         .details =
             "The whole way of MODEL (ONNX, or a float .dlc of openqnn): it is converted, quantized, "
             "compiled to\n"
             "a context binary, run from that binary through the C API with the NPU's numbers, and compared\n"
             "with single precision. Device times are simulated. Without --input_list the inputs are "
             "random,\n"
             "which shows that the model works but not how accurate it is.",
         .positionals = {{"MODEL", "an ONNX model or a .dlc"}},
         .options =
             {{"--soc", "NAME",
               "the part to compile for, e.g. SM8650 (default: that of --config, else SM8650)"},
              {"--config", "FILE", "a configuration: the outer file of the tools, or the HTP backend's own"},
              {"--precision", "NAME",
               "bits of weights and activations (default w8a8); quantizer: what qairt-quantizer makes\n"
               "with its options below, the default where some are given",
               false, kPrecisions},
              {"--output_dir", "DIR", "where the files go (default: output)"},
              {"--overwrite", "", "replace files that are there already"},
              {"--top", "N", "print so many ops, those that take longest (default 10)"},
              {"--backend", "PATH", "libQnnHtp.so or its folder (default: beside this program)"},
              {"--verbose", "", "show the backend's log, and every op that stays in float"},
              {"--quiet", "", "print warnings and errors only"}},
         .examples = {"openqnn run model.onnx --soc SM8650",
                      "openqnn run model.onnx --precision w8a16 --input_list inputs.txt",
                      "openqnn run model.onnx --quantized model_quantized.dlc"},
         .usage = "openqnn run MODEL [--soc NAME] [--precision NAME] [--quantized FILE] [--input_list FILE] "
                  "[--output_dir DIR] [OPTION]..."},
        run_run};
    for (const OptionSpec& option : model_options()) made.spec.options.push_back(option);
    for (const OptionSpec& option : candidate_options()) made.spec.options.push_back(option);
    return made;
  }();
  return command;
}

}  // namespace openqnn::tools
