// SPDX-License-Identifier: BSD-3-Clause
// openqnn run: a model from its file to outputs, a context binary and a report.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>

#include "HTP/QnnHtpDevice.h"
#include "base/files.h"
#include "base/text.h"
#include "openqnn/report.h"
#include "openqnn/version.h"
#include "quant/compare.h"
#include "soc/target.h"
#include "tools/commands.h"
#include "tools/compose.h"
#include "tools/console.h"
#include "tools/device_commands.h"
#include "tools/model_job.h"
#include "tools/program_options.h"
#include "tools/qnn/power.h"
#include "tools/qnn/tool_config.h"
#include "tools/steps.h"

namespace openqnn::tools {
namespace {

namespace fs = std::filesystem;

// The demo's part, too. Ours: it runs every precision, which QNN's own default does not.
constexpr std::string_view kDefaultPart = "SM8650";

struct Paths {
  fs::path folder;
  fs::path dlc;
  fs::path binary;
  fs::path trace;
  bool replaces = false;  // some of them were there
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
  FloatModel model;
  std::vector<Sample> samples;
  PreparedModel prepared;
  std::vector<std::vector<std::vector<std::byte>>> outputs;  // of each sample, in the graph's order
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
  if (args.has("--soc")) return soc::target_by_chipset(args.get("--soc"));
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
  std::error_code error;
  for (const fs::path& path : {paths.dlc, paths.binary, paths.trace, paths.folder / "Result_0"}) {
    if (!fs::exists(path, error)) continue;
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
  OPENQNN_ASSIGN(job.samples, load_samples(job.model.graph.graph, job.args));
  const Stopwatch time;
  OPENQNN_ASSIGN(job.prepared, bring_to(job.precision, job.model, job.samples));
  const std::string inputs = samples_text(job.samples.size(), !job.args.has("--input_list"));
  if (job.precision.floating) {
    step("precision", "fp16: float tensors, computed in half");
  } else {
    step("quantize", concat(job.precision.name, ", calibrated on ", inputs, ", ",
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
  const fs::path folder = job.paths.folder / concat("Result_", sample);
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
  session.free_context();  // before the mapping goes
  step("run",
       concat(job.samples.size(), job.samples.size() == 1 ? " inference" : " inferences", time.text()));
  return {};
}

// ---- Against float ----

Status compare(const Job& job) {
  const ir::Graph& graph = job.model.graph.graph;
  const auto wanted = outputs_of(graph);
  const auto got = outputs_of(job.prepared.graph);
  std::vector<quant::Distance> distances(wanted.size());
  quant::ReferenceRun run(graph, quant::FloatsAs::kSingle);
  for (size_t s = 0; s < job.samples.size(); ++s) {
    OPENQNN_TRY(
        run.run(job.samples[s].inputs(), [&](ir::TensorIndex tensor, std::span<const std::byte> values) {
          for (size_t i = 0; i < wanted.size(); ++i) {
            if (wanted[i] != &graph.tensors()[tensor]) continue;
            distances[i].add(quant::reals_of(run.desc(tensor), values),
                             quant::reals_of(got[i]->desc, job.outputs[s][i]));
          }
        }));
  }
  for (size_t i = 0; i < wanted.size(); ++i) {
    const double sqnr = distances[i].sqnr();
    step("compare",
         concat(shown(wanted[i]->name), ": ",
                std::isinf(sqnr) ? "equal to float" : concat("SQNR ", fixed(sqnr, 1), " dB against float"),
                ", largest difference ", fixed(distances[i].largest, 6)));
  }
  return {};
}

// ---- The end ----

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
  print(concat("\n", bold("Where the time goes"), "\n", op_table(*simulation)));
  if (const auto status = write_chrometrace(*simulation, job.paths.trace); !status)
    return fail("cannot write the trace", status.error());
  const char* const files =
      job.paths.replaces ? "Files left, in place of those that were there" : "Files left";
  print(concat("\n", bold(files), "\n  ", shown(job.paths.dlc.string()), "  the model, ready to compile\n  ",
               shown(job.paths.binary.string()), "  the context binary\n  ", shown(job.paths.trace.string()),
               "  the simulated timeline, for https://ui.perfetto.dev\n  ",
               shown((job.paths.folder / "Result_0").string()), " ...  outputs, raw float32\n"));
  if (fs::path(job.args.positional(0)).extension() == ".onnx")
    print(concat("\n", bold("The same for a device, with the vendor's tools"), "\n",
                 device_commands({job.args, job.target, job.precision, job.paths.binary.stem().string(),
                                  job.configs.to_compile.is_outer()})));
  return kOk;
}

int run_run(const Args& args) {
  if (args.has("--quiet")) set_quiet();
  Configs configs;
  if (const Status read = read_configs(args, configs); !read) return fail("cannot run", read.error());
  auto target = choose_target(args, configs.to_compile.part());
  if (!target) return fail("cannot run", target.error());
  auto precision = precision_from(args.get("--precision", "w8a8"));
  if (!precision) return fail("cannot run", precision.error());
  if (const Status fine = check_model_options(args); !fine) return fail("cannot run", fine.error());
  if (const Status fine = check_model_file(args.positional(0)); !fine)
    return fail("cannot run", fine.error());
  auto paths = choose_paths(args);
  if (!paths) return fail("cannot run", paths.error());
  print(concat(bold(shown(args.positional(0))), " on ", shown(target->soc), "\n"));
  Job job{args, configs, *std::move(paths), *std::move(target), *std::move(precision), {}, {}, {}, {}};
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
