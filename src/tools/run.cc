// SPDX-License-Identifier: BSD-3-Clause
// openqnn run: a model from its file to outputs, a context binary and a report.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <optional>

#include "HTP/QnnHtpDevice.h"
#include "base/files.h"
#include "base/text.h"
#include "config/check.h"
#include "openqnn/report.h"
#include "openqnn/version.h"
#include "quant/compare.h"
#include "soc/target.h"
#include "tools/busiest_ops.h"
#include "tools/commands.h"
#include "tools/compose.h"
#include "tools/console.h"
#include "tools/device_commands.h"
#include "tools/model_job.h"
#include "tools/part_check.h"
#include "tools/program_options.h"
#include "tools/qnn/power.h"
#include "tools/qnn/tool_config.h"
#include "tools/steps.h"

namespace openqnn::tools {
namespace {

namespace fs = std::filesystem;

// The demo's part, too. Ours: it runs every precision, which QNN's own default does not.
constexpr std::string_view kDefaultPart = "SM8650";
constexpr std::string_view kDefaultTop = "10";

struct Paths {
  fs::path folder;
  fs::path dlc;
  fs::path binary;
  fs::path trace;
  std::optional<fs::path> input_list;  // of the inputs that are made, where a list can name them
  bool replaces = false;               // some of them were there

  fs::path result(size_t sample) const { return folder / concat("Result_", sample); }
};

// An output against float, over all samples.
struct OutputReport {
  std::string name;
  quant::Distance distance;
  quant::Decisions decisions;
};

// What --config says, read as the two programs read it that this command stands for.
struct Configs {
  ToolConfig to_compile;  // as qnn-context-binary-generator
  ToolConfig to_run;      // as qnn-net-run, of the binary
};

struct Job {
  const Args& args;
  Configs& configs;
  Paths paths;
  soc::Target target;
  Precision precision;
  size_t top;  // ops of the table
  FloatModel model;
  std::vector<Sample> samples;
  PreparedModel prepared;
  std::vector<std::vector<std::vector<std::byte>>> outputs;  // of each sample, in the graph's order
  std::vector<OutputReport> reports;                         // in the graph's order
};

// ---- The configuration file ----

Status read_configs(const Args& args, Configs& configs) {
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

Result<std::unique_ptr<Session>> open_session(const Job& job) {
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

Result<Paths> choose_paths(const Args& args) {
  const std::string stem = fs::path(args.positional(0)).stem().string();
  Paths paths;
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
  for (const fs::path& path :
       {paths.dlc, paths.binary, paths.trace, paths.result(0), paths.input_list.value_or("")}) {
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

Status convert(Job& job) {
  const Stopwatch time;
  const std::string path = job.args.positional(0);
  OPENQNN_ASSIGN(job.model, load_model(path, job.args));
  const ir::Graph& graph = job.model.graph.graph;
  step("convert", concat(shown(path), ": ", graph.nodes().size(), " ops, weights ",
                         bytes_text(weights_of(graph)), time.text()));
  if (!job.model.fusions.empty()) print(concat("      fused: ", fusions_text(job.model.fusions), "\n"));
  for (const std::string& note : job.model.notes) print(concat("      ", shown(note), "\n"));
  return {};
}

Status quantize(Job& job) {
  OPENQNN_TRY(check_will_run_on(job.target, job.model, job.precision));
  if (job.args.has("--precision")) warn_of_own_encodings(job.precision, job.model);
  OPENQNN_ASSIGN(job.samples, load_samples(job.model.graph, job.args));
  const Stopwatch time;
  OPENQNN_ASSIGN(job.prepared, bring_to(job.precision, job.model, job.samples));
  OPENQNN_TRY(check_runs_on(job.target, job.prepared.graph));
  const std::string inputs = samples_text(job.samples.size(), !job.args.has("--input_list"));
  if (job.precision.floating) {
    step("precision", "fp16: float tensors, computed in half");
  } else {
    step("quantize", concat(precision_text(job.precision, job.model), ", calibrated on ", inputs, ", ",
                            job.prepared.float_nodes.size(), " ops left in float", time.text()));
    for (const std::string& node : job.prepared.float_nodes) print(concat("      ", shown(node), "\n"));
  }
  return {};
}

Status write_model(const Job& job) {
  frontend::Dlc dlc;
  dlc.made_by = concat("openqnn ", version());
  dlc.graphs.push_back({job.prepared.graph, job.model.graph.trace, {}});
  return frontend::write_dlc(job.paths.dlc, dlc);
}

Status compile(Job& job, Session& session) {
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

// ---- Execution, from the file as a program on a device would ----

struct Buffers {
  std::vector<DescribedTensor> described;
  std::vector<Qnn_Tensor_t> tensors;
  std::vector<std::vector<std::byte>> memory;
};

Status make_buffers(const ir::Graph& graph, ir::TensorRole role, const std::vector<uint32_t>& ids,
                    Buffers& out) {
  std::vector<const ir::Tensor*> tensors;
  for (const ir::Tensor& tensor : graph.tensors())
    if (tensor.role == role) tensors.push_back(&tensor);
  if (tensors.size() != ids.size())
    return internal("run-tensors", "the binary has other inputs or outputs than its graph");
  out.described.resize(tensors.size());
  out.memory.resize(tensors.size());
  for (size_t i = 0; i < tensors.size(); ++i) {
    OPENQNN_TRY(describe(*tensors[i], out.described[i]));
    out.memory[i].resize(ir::plain_bytes(tensors[i]->desc));
    Qnn_Tensor_t tensor = out.described[i].tensor;
    tensor.v1.id = ids[i];
    tensor.v1.clientBuf = {out.memory[i].data(), static_cast<uint32_t>(out.memory[i].size())};
    out.tensors.push_back(tensor);
  }
  return {};
}

// The sample's values in the types that the prepared graph's inputs have.
void fill_inputs(const Job& job, const Sample& sample, Buffers& inputs) {
  size_t i = 0;
  for (const ir::Tensor& wanted : job.prepared.graph.tensors()) {
    if (wanted.role != ir::TensorRole::kInput) continue;
    for (const auto& [index, values] : sample.values) {
      const ir::Tensor& given = job.model.graph.graph.tensors()[index];
      if (given.name != wanted.name) continue;
      const bool same = given.desc.type == wanted.desc.type;
      const std::vector<std::byte> bytes =
          same ? values
               : quant::quantized(wanted.desc, {reinterpret_cast<const float*>(values.data()),
                                                values.size() / sizeof(float)});
      std::copy(bytes.begin(), bytes.end(), inputs.memory[i].begin());
    }
    ++i;
  }
}

std::vector<const ir::Tensor*> outputs_of(const ir::Graph& graph) {
  std::vector<const ir::Tensor*> outputs;
  for (const ir::Tensor& tensor : graph.tensors())
    if (tensor.role == ir::TensorRole::kOutput) outputs.push_back(&tensor);
  return outputs;
}

Status write_outputs(const Job& job, size_t sample, const Buffers& outputs) {
  const fs::path folder = job.paths.result(sample);
  OPENQNN_TRY(make_folder(folder));
  const auto tensors = outputs_of(job.prepared.graph);
  for (size_t i = 0; i < tensors.size(); ++i) {
    const bool real = ir::is_float(tensors[i]->desc.type) || ir::is_quantized(tensors[i]->desc.type);
    const fs::path path = folder / (tensors[i]->name + ".raw");
    if (!real) {
      OPENQNN_TRY(write_file(path, std::span<const std::byte>(outputs.memory[i])));
      continue;
    }
    const std::vector<float> values = quant::reals_of(tensors[i]->desc, outputs.memory[i]);
    OPENQNN_TRY(write_file(path, std::as_bytes(std::span(values))));
  }
  return {};
}

// What the model was calibrated and run on, so that the same can be given to other programs.
Status write_made_inputs(const Job& job) {
  if (!job.paths.input_list) return {};
  const fs::path folder = job.paths.folder / "inputs";
  OPENQNN_TRY(make_folder(folder));
  std::string list;
  for (const Sample& sample : job.samples) {
    std::string line;
    for (const auto& [index, values] : sample.values) {
      const std::string& name = job.model.graph.graph.tensors()[index].name;
      const fs::path path = folder / concat(name, "_", sample.name, ".raw");
      OPENQNN_TRY(write_file(path, std::span<const std::byte>(values)));
      line += concat(line.empty() ? "" : " ", name, ":=", path.string());
    }
    list += concat(line, "\n");
  }
  return write_file(*job.paths.input_list, list);
}

// With --overwrite, results beyond this run's are a user's: left, but not to be taken for this run's.
void tell_older_results(const Job& job) {
  std::error_code error;
  size_t end = job.samples.size();
  while (fs::exists(job.paths.result(end), error)) ++end;
  const size_t left = end - job.samples.size();
  if (left == 0) return;
  warn(concat(job.paths.result(job.samples.size()).string(),
              left == 1 ? " is" : concat(" and ", left - 1, " more are"),
              " of an earlier run and left; remove ", left == 1 ? "it" : "them",
              ", or choose another --output_dir"));
}

Status execute(Job& job, Session& session, std::vector<Event>& events) {
  OPENQNN_ASSIGN(const auto file, MappedFile::open(job.paths.binary));
  const auto bytes = file->bytes();
  OPENQNN_ASSIGN(const BinarySummary summary, session.summarize({bytes.begin(), bytes.end()}));
  OPENQNN_TRY(session.load_context(bytes, job.configs.to_run.loading_configs()));
  OPENQNN_ASSIGN(const auto votes,
                 PowerVotes::cast(session.library(), job.configs.to_run.extension(), /*profile=*/""));
  OPENQNN_ASSIGN(const Qnn_GraphHandle_t graph, session.retrieve(job.prepared.graph.name()));
  Buffers inputs;
  Buffers outputs;
  OPENQNN_TRY(
      make_buffers(job.prepared.graph, ir::TensorRole::kInput, summary.graphs.at(0).input_ids, inputs));
  OPENQNN_TRY(
      make_buffers(job.prepared.graph, ir::TensorRole::kOutput, summary.graphs.at(0).output_ids, outputs));
  const Stopwatch time;
  for (size_t i = 0; i < job.samples.size(); ++i) {
    fill_inputs(job, job.samples[i], inputs);
    const bool last = i + 1 == job.samples.size();
    OPENQNN_TRY(session.execute(graph, inputs.tensors, outputs.tensors, last ? &events : nullptr));
    OPENQNN_TRY(write_outputs(job, i, outputs));
    job.outputs.push_back(outputs.memory);
  }
  OPENQNN_TRY(write_made_inputs(job));
  session.free_context();  // before the mapping goes
  step("run",
       concat(job.samples.size(), job.samples.size() == 1 ? " inference" : " inferences", time.text()));
  tell_older_results(job);
  return {};
}

// ---- Against float ----

std::string ratio_text(const quant::Distance& distance) {
  const double sqnr = distance.sqnr();
  if (std::isinf(sqnr)) return sqnr > 0 ? "equal to float" : "float is zero everywhere";
  return concat("SQNR ", fixed(sqnr, 1), " dB against float");
}

std::string output_text(const OutputReport& output) {
  const quant::Distance& distance = output.distance;
  std::string text = concat(shown(output.name), ": ");
  if (distance.not_finite != 0)
    text += concat("not finite: ", distance.not_finite, " of ", distance.count,
                   " elements are infinite or no number in one of the two alone; the others: ");
  text += ratio_text(distance);
  if (distance.never_finite != 0)
    text += concat(", without ", distance.never_finite, " of ", distance.count,
                   " elements that are infinite or no number in float, too");
  return text;
}

std::string decisions_text(const quant::Decisions& decisions) {
  if (decisions.count == 0) return "";
  return concat(", the largest element is where float has it in ", decisions.same, " of ", decisions.count,
                decisions.count == 1 ? " row" : " rows");
}

Status compare(Job& job) {
  const ir::Graph& graph = job.model.graph.graph;
  const auto wanted = outputs_of(graph);
  const auto got = outputs_of(job.prepared.graph);
  for (const ir::Tensor* const output : wanted) job.reports.push_back({output->name, {}, {}});
  quant::ReferenceRun run(graph, quant::FloatsAs::kSingle);
  for (size_t s = 0; s < job.samples.size(); ++s) {
    OPENQNN_TRY(
        run.run(job.samples[s].inputs(), [&](ir::TensorIndex tensor, std::span<const std::byte> values) {
          for (size_t i = 0; i < wanted.size(); ++i) {
            if (wanted[i] != &graph.tensors()[tensor]) continue;
            const std::vector<float> reference = quant::reals_of(run.desc(tensor), values);
            const std::vector<float> measured = quant::reals_of(got[i]->desc, job.outputs[s][i]);
            job.reports[i].distance.add(reference, measured);
            if (const size_t row = quant::decision_row(*wanted[i]); row != 0)
              job.reports[i].decisions.add(reference, measured, row);
          }
        }));
  }
  for (const OutputReport& output : job.reports) {
    const std::string text =
        concat(output_text(output), ", largest difference ", fixed(output.distance.largest, 6));
    if (output.distance.not_finite == 0)
      step("compare", text);
    else
      failed_step("compare", text);
  }
  return {};
}

// ---- The end ----

void print_files(const Paths& paths) {
  const auto line = [](const fs::path& path, std::string_view what) {
    print(concat("  ", shown(path.string()), what, "\n"));
  };
  const char* const title = paths.replaces ? "Files left, in place of those that were there" : "Files left";
  print(concat("\n", bold(title), "\n"));
  line(paths.dlc, "  the model, ready to compile");
  line(paths.binary, "  the context binary");
  line(paths.trace, "  the simulated timeline, for https://ui.perfetto.dev");
  line(paths.result(0), " ...  outputs, raw float32");
  if (paths.input_list) line(*paths.input_list, "  the random inputs, one inference a line");
}

void print_summary(const Job& job, const Simulation& simulation) {
  print(concat("\n", bold("Summary"), "\n  ", precision_text(job.precision, job.model), " on ",
               shown(job.target.soc), ", ", samples_text(job.samples.size(), !job.args.has("--input_list")),
               ", ", fixed(simulation.times().accelerator_us, 1), " us an inference (simulated)\n"));
  for (const OutputReport& output : job.reports)
    print(concat("  ", output_text(output), decisions_text(output.decisions), "\n"));
}

// What no number says must not look like success.
int exit_code(const Job& job) {
  for (const OutputReport& output : job.reports) {
    if (output.distance.not_finite == 0) continue;
    const char* const fix = job.precision.floating
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

Result<int> run_job(Job& job) {
  OPENQNN_TRY(convert(job));
  OPENQNN_TRY(quantize(job));
  OPENQNN_ASSIGN(const auto session, open_session(job));
  OPENQNN_TRY(compile(job, *session));
  std::vector<Event> events;
  OPENQNN_TRY(execute(job, *session, events));
  OPENQNN_TRY(compare(job));

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
                 device_commands({job.args, job.target, job.precision, job.paths.binary.stem().string(),
                                  job.paths.input_list ? job.paths.input_list->string() : "",
                                  job.configs.to_compile.is_outer()})));
  print_summary(job, *simulation);
  return exit_code(job);
}

// What the command line alone can be wrong about.
struct Request {
  soc::Target target;
  Precision precision;
  size_t top = 0;
};

Result<Request> request_from(const Args& args, const Configs& configs) {
  Request request;
  OPENQNN_ASSIGN(request.target, choose_target(args, configs.to_compile.part()));
  OPENQNN_ASSIGN(request.precision, precision_from(args.get("--precision", "w8a8")));
  OPENQNN_ASSIGN(const int64_t top, integer_from(args.get("--top", kDefaultTop), "--top"));
  request.top = static_cast<size_t>(top);
  OPENQNN_TRY(check_model_options(args));
  return request;
}

int run_run(const Args& args) {
  if (args.has("--quiet")) set_quiet();
  Configs configs;
  if (const Status read = read_configs(args, configs); !read) return fail("cannot run", read.error());
  auto request = request_from(args, configs);
  if (!request) return fail_usage("cannot run", request.error());
  if (const Status fine = check_model_file(args.positional(0)); !fine)
    return fail("cannot run", fine.error());
  auto paths = choose_paths(args);
  if (!paths) return fail("cannot run", paths.error());
  print(concat(bold(shown(args.positional(0))), " on ", shown(request->target.soc), "\n"));
  Job job{args,
          configs,
          *std::move(paths),
          std::move(request->target),
          std::move(request->precision),
          request->top,
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
         .options = {{"--soc", "NAME",
                      "the part to compile for, e.g. SM8650 (default: that of --config, else SM8650)"},
                     {"--config", "FILE",
                      "a configuration: the outer file of the tools, or the HTP backend's own"},
                     {"--precision", "NAME", "bits of weights and activations (default w8a8)", false,
                      kPrecisions},
                     {"--output_dir", "DIR", "where the files go (default: output)"},
                     {"--overwrite", "", "replace files that are there already"},
                     {"--top", "N", "print so many ops, those that take longest (default 10)"},
                     {"--backend", "PATH", "libQnnHtp.so or its folder (default: beside this program)"},
                     {"--verbose", "", "show the backend's log"},
                     {"--quiet", "", "print warnings and errors only"}},
         .examples = {"openqnn run model.onnx --soc SM8650",
                      "openqnn run model.onnx --precision w8a16 --input_list inputs.txt"}},
        run_run};
    for (OptionSpec& option : model_options()) made.spec.options.push_back(option);
    return made;
  }();
  return command;
}

}  // namespace openqnn::tools
