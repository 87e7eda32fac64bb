// SPDX-License-Identifier: BSD-3-Clause
// qnn-net-run: graphs from a model or a context binary are executed on files.
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "base/files.h"
#include "base/text.h"
#include "tools/console.h"
#include "tools/file_kind.h"
#include "tools/interrupt.h"
#include "tools/number_in.h"
#include "tools/products.h"
#include "tools/program_options.h"
#include "tools/qnn/client.h"
#include "tools/qnn/executions.h"
#include "tools/qnn/power.h"
#include "tools/qnn/preparation.h"
#include "tools/qnn/tool.h"

namespace openqnn::tools {
namespace {

namespace fs = std::filesystem;

struct Job {
  const Args& args;
  ModelChoice models = {};
  ClientOptions client = {};
  ComposeWishes wishes = {};
  NativeInputs native_inputs = {};
  std::vector<std::string> input_lists = {};
  OutputForms forms = {};
  ExecutionOptions execution = {};
  fs::path folder = {};
  ToolConfig config = {};
};

// ---- The command line ----

Status check_source(const Args& args) {
  OPENQNN_TRY(exclude(args, "--retrieve_context", "--model"));
  OPENQNN_TRY(exclude(args, "--retrieve_context", "--dlc_path"));
  if (!args.has("--retrieve_context") && !args.has("--model") && !args.has("--dlc_path"))
    return invalid("option-missing", "there is nothing to run")
        .fix_by("give --retrieve_context, --dlc_path or --model");
  if (!args.has("--input_list"))
    return invalid("option-missing", "--input_list is required").fix_by("name one list per graph");
  for (const std::string_view option : {"--debug", "--set_output_tensors"})
    if (args.has(option) && args.has("--retrieve_context"))
      return invalid("option-conflict",
                     concat(option, " does not go with --retrieve_context: the outputs of ",
                            "a finished binary are fixed"))
          .fix_by(concat("prepare it so, with qnn-context-binary-generator ",
                         option == "--debug" ? "--enable_intermediate_outputs" : "--set_output_tensors"));
  for (const std::string_view option : {"--use_mmap", "--validate_binary"})
    if (args.has(option) && !args.has("--retrieve_context"))
      return invalid("option-conflict", concat(option, " is for --retrieve_context alone"))
          .fix_by("leave it out");
  return {};
}

// ---- Options whose only value is what happens anyway ----

constexpr std::string_view kCacheOptions[] = {"--max_input_cache_tensor_sets", "--max_input_cache_size_mb"};
constexpr std::string_view kDeviceOption = "--device_options";

Status check_device_options(const std::string& text) {
  for (const std::string_view option : split(text, ";"))
    if (!option.empty() && option != "device_id:0" && option != "core_id:0")
      return unsupported("option-value",
                         concat("'", option, "' is not offered: one device with one core is ", "modelled"))
          .at(std::string(kDeviceOption))
          .fix_by("device_id:0;core_id:0, or leave it out");
  log_info(concat(kDeviceOption, " names the one device and core that there are"));
  return {};
}

// How many inputs are kept is a hint, and -1 leaves it to the program.
Status check_cache_option(std::string_view option, const std::string& text) {
  if (number_in<int64_t>(text).value_or(INT64_MIN) < -1)
    return wrong_option(option, concat("'", text, "' is no whole number of -1 or more"))
        .fix_by("give a whole number");
  log_info(concat(option,
                  " changes nothing: inputs are read when they are needed, and kept as long as their ",
                  "buffers are free"));
  return {};
}

Status check_hints(const Args& args) {
  for (const std::string_view option : kCacheOptions)
    if (args.has(option)) OPENQNN_TRY(check_cache_option(option, args.get(option)));
  return args.has(kDeviceOption) ? check_device_options(args.get(kDeviceOption)) : Status();
}

Status read_execution(Job& job) {
  const Args& args = job.args;
  OPENQNN_TRY(exclude(args, "--num_inferences", "--duration"));
  ExecutionOptions& options = job.execution;
  if (args.has("--num_inferences")) {
    OPENQNN_ASSIGN(options.inferences, count_of(args, "--num_inferences", 1));
  }
  if (args.has("--duration")) {
    OPENQNN_ASSIGN(options.seconds, seconds_of(args, "--duration"));
  }
  if (args.has("--fps")) {
    OPENQNN_ASSIGN(options.per_second, seconds_of(args, "--fps"));
  }
  if (args.has("--timeout")) {
    OPENQNN_ASSIGN(options.timeout_us, count_of(args, "--timeout", 1));
  }
  options.interruptible = true;
  OPENQNN_ASSIGN(options.kept, count_of(args, "--keep_num_outputs", UINT64_MAX));
  OPENQNN_ASSIGN(const uint64_t batches, count_of(args, "--batch_multiplier", 1));
  if (batches > UINT32_MAX)
    return wrong_option("--batch_multiplier", concat(batches, " batches are too many"));
  options.batches = static_cast<uint32_t>(batches);
  return {};
}

// One at a time where each execution is measured, paced or limited by itself, or works in a buffer that all
// have in common.
uint64_t queue_of(const Job& job) {
  const Args& args = job.args;
  const bool one_by_one = args.has("--synchronous") || args.has("--profiling_level") ||
                          args.has("--timeout") || args.has("--fps") || job.config.working_buffers().any();
  return one_by_one ? 1 : job.config.queue_depth().value_or(kDefaultQueue);
}

Status read_arguments(Job& job) {
  OPENQNN_TRY(check_source(job.args));
  OPENQNN_TRY(check_profiling(job.args));
  OPENQNN_TRY(check_hints(job.args));
  OPENQNN_ASSIGN(job.models, model_choice(job.args));
  OPENQNN_ASSIGN(job.client, client_options(job.args));
  OPENQNN_ASSIGN(job.wishes, output_wishes(job.args, "--debug"));
  OPENQNN_ASSIGN(job.native_inputs, native_inputs_of(job.args));
  OPENQNN_ASSIGN(job.forms, output_forms_of(job.args));
  OPENQNN_ASSIGN(job.input_lists, list_of(job.args, "--input_list"));
  job.folder = job.args.get("--output_dir", "./output");
  return read_execution(job);
}

Status read_config(Job& job) {
  ConfigRequest request;
  request.path = job.args.get(kConfigFileOption.name);
  request.tool = config::Tool::kNetRun;
  request.stage = job.args.has("--retrieve_context") ? config::Stage::kLoad : config::Stage::kOnline;
  request.perf_profile = chosen_profile(job.args.get("--perf_profile"));
  request.tell = log_finding;
  OPENQNN_TRY(job.config.read(std::move(request)));
  job.client.extension = job.config.extension();
  job.execution.queue = queue_of(job);
  return {};
}

// ---- Where graphs come from ----

// The bytes of a binary, for as long as its context lives.
struct LoadedBinary {
  std::string path;
  std::shared_ptr<const MappedFile> mapping;
  std::vector<std::byte> copy;
  std::span<const std::byte> bytes;
};

// The name that --binary_file of the generator was given will do: it adds .bin, and so does this.
std::string binary_path(const std::string& given) {
  std::error_code error;
  if (!fs::exists(given, error) && fs::exists(given + ".bin", error)) return given + ".bin";
  return given;
}

Result<LoadedBinary> read_binary(const Job& job) {
  LoadedBinary binary;
  binary.path = binary_path(job.args.get("--retrieve_context"));
  OPENQNN_TRY(expect_kind(binary.path, {FileKind::kContextBinary}));
  OPENQNN_ASSIGN(binary.mapping, MappedFile::open(binary.path));
  binary.bytes = binary.mapping->bytes();
  if (job.args.has("--use_mmap")) return binary;
  binary.copy.assign(binary.bytes.begin(), binary.bytes.end());
  binary.bytes = binary.copy;
  binary.mapping.reset();
  return binary;
}

Result<std::vector<RunnableGraph>> load(Job& job, Client& client, const LoadedBinary& binary,
                                        Profiling& profiling) {
  const auto of_file = [&](Status status) -> Status {
    if (status) return status;
    Diagnostic failure = std::move(status).error();
    failure.where = {binary.path};
    return failure;
  };
  if (job.args.has("--use_mmap")) job.config.promise_persistence();
  if (job.args.has("--validate_binary"))
    OPENQNN_TRY(of_file(client.validate_binary(job.config.loading_configs(), binary.bytes)));
  const uint64_t begun = host_microseconds();
  OPENQNN_ASSIGN(const Qnn_ProfileHandle_t profile, profiling.handle());
  OPENQNN_TRY(of_file(client.load_context(job.config.loading_configs(), binary.bytes, profile)));
  OPENQNN_TRY(profiling.record(QNN_SYSTEM_PROFILE_METHOD_TYPE_BACKEND_CREATE_FROM_BINARY, "", begun));
  OPENQNN_ASSIGN(std::vector<RunnableGraph> graphs, client.graphs_of(binary.bytes));
  OPENQNN_TRY(job.config.check_graphs(names_of(graphs)));
  std::erase_if(graphs, [&](const RunnableGraph& graph) { return !job.config.loads(graph.name); });
  return graphs;
}

Result<std::vector<RunnableGraph>> compose(Job& job, Client& client, Models& models, Profiling& profiling) {
  OPENQNN_TRY(client.create_context(job.config.context_configs()));
  return compose_models(client, models, job.wishes, job.config, profiling);
}

// ---- Running them ----

// A graph that is not skipped, with its inputs.
struct PlannedRun {
  RunnableGraph* graph = nullptr;
  ListedInputs inputs;
};

// All inputs are looked at before anything is executed.
Result<std::vector<PlannedRun>> plan_runs(const Job& job, const Client& client,
                                          std::vector<RunnableGraph>& graphs) {
  OPENQNN_ASSIGN(auto lists, read_input_lists(job.input_lists, names_of(graphs), "--input_list"));
  std::vector<PlannedRun> runs;
  std::vector<std::string> executed;
  for (size_t i = 0; i < graphs.size(); ++i) {
    if (!lists[i]) {
      log_info(concat("graph '", graphs[i].name, "' is skipped"));
      continue;
    }
    if (graphs[i].handle == nullptr) {
      OPENQNN_ASSIGN(graphs[i].handle, client.retrieve(graphs[i].name));
    }
    OPENQNN_ASSIGN(ListedInputs inputs,
                   ListedInputs::open(graphs[i], *std::move(lists[i]), job.input_lists[i],
                                      job.execution.batches, job.native_inputs));
    runs.push_back({&graphs[i], std::move(inputs)});
    executed.push_back(graphs[i].name);
  }
  if (job.execution.kept > 0) OPENQNN_TRY(check_folders_of(executed));
  if (runs.empty()) log_warning("nothing is executed: --input_list skips every graph with __");
  return runs;
}

Result<GraphRun> run_graph(const Job& job, const Client& client, const PlannedRun& run, bool is_only,
                           Profiling& profiling) {
  const RunnableGraph& graph = *run.graph;
  // Ours: results of several graphs lie in a folder each; no source tells where.
  const fs::path folder = is_only ? job.folder : job.folder / file_name_of(graph.name);
  OPENQNN_ASSIGN(OutputFiles outputs, OutputFiles::open(graph, folder, job.forms));
  const bool goes_through_once = !job.execution.inferences && !job.execution.seconds;
  const uint64_t results = goes_through_once ? run.inputs.executions() : UINT64_MAX;
  OPENQNN_TRY(refuse_results_as_inputs(folder, outputs.file_names(), std::min(results, job.execution.kept),
                                       files_of_lists(job.input_lists)));
  const OlderResults older(folder, outputs.file_names());
  const uint64_t begun = host_microseconds();
  OPENQNN_ASSIGN(const uint64_t done,
                 execute_all(client, graph, run.inputs, outputs, job.execution, profiling));
  const uint64_t written = std::min(done, job.execution.kept);
  const double milliseconds = static_cast<double>(host_microseconds() - begun) / 1000;
  log_info(concat("graph '", graph.name, "': ", counted(done, "inference"), " in ", fixed(milliseconds, 1),
                  " ms, ", counted(written, "result"), " in ", folder.string()));
  older.tell({0, written}, "--output_dir");
  return GraphRun{&graph, done};
}

// Inputs are judged before graphs are prepared, which may take long.
Status run_graphs(Job& job, Client& client, std::vector<RunnableGraph>& graphs, Profiling& profiling,
                  PowerVotes& power) {
  OPENQNN_ASSIGN(const std::vector<PlannedRun> planned, plan_runs(job, client, graphs));
  if (!job.args.has("--retrieve_context"))
    for (const RunnableGraph& graph : graphs) OPENQNN_TRY(finalize_graph(client, graph, profiling));
  const Extension* const extension = job.config.extension();
  if (job.args.has("--shared_buffer") || (extension != nullptr && extension->shared_buffers())) {
    OPENQNN_ASSIGN(job.execution.shared, SharedMemoryLibrary::open(client.library()));
  }
  OPENQNN_TRY(power.end_stage());  // of init
  job.execution.power = &power;
  OPENQNN_TRY(make_folder(job.folder));  // not before: what fails until here leaves none
  catch_interrupts();                    // not before: loading and preparing end at once
  std::vector<GraphRun> runs;
  for (const PlannedRun& run : planned) {
    if (interrupted()) break;
    OPENQNN_ASSIGN(runs.emplace_back(), run_graph(job, client, run, graphs.size() == 1, profiling));
  }
  if (interrupted()) log_warning("ended by a signal before all was executed; what was executed is written");
  return write_metadata(job.folder, runs);
}

// De-init, the last stage.
Status free_graphs(Client& client, Profiling& profiling, PowerVotes& power) {
  const uint64_t begun = host_microseconds();
  OPENQNN_TRY(power.begin_stage());
  OPENQNN_ASSIGN(const Qnn_ProfileHandle_t profile, profiling.handle());
  OPENQNN_TRY(client.free_context(profile));
  OPENQNN_TRY(profiling.record(QNN_SYSTEM_PROFILE_METHOD_TYPE_BACKEND_DEINIT, "", begun));
  OPENQNN_TRY(power.lower());
  power.withdraw();
  return {};
}

Status write_history(const Job& job, const PowerVotes& power) {
  OPENQNN_ASSIGN(const std::optional<std::string> history, power.history());
  if (!history) return {};
  const fs::path path = job.folder / kPowerHistoryFile;
  OPENQNN_TRY(write_file(path, *history));
  if (power.casts_any()) log_info(concat("wrote ", path.string(), "; `openqnn power` shows it"));
  return {};
}

Status run(const Args& args) {
  print(concat("qnn-net-run pid:", getpid(), "\n"));
  Job job{.args = args};
  OPENQNN_TRY(read_arguments(job));
  OPENQNN_TRY(read_config(job));
  LoadedBinary binary;  // outlives the context
  Models models;
  if (args.has("--retrieve_context")) {
    OPENQNN_ASSIGN(binary, read_binary(job));
  } else {
    OPENQNN_ASSIGN(models, Models::open(job.models));
  }
  OPENQNN_TRY(check_output_folder(job.folder));
  OPENQNN_ASSIGN(const auto client, Client::open(job.client, binary.bytes));
  OPENQNN_ASSIGN(const auto profiling, Profiling::start(args, *client, job.config, job.folder.string()));
  OPENQNN_ASSIGN(const auto power, PowerVotes::open(client->library(), job.config.extension(),
                                                    chosen_profile(args.get("--perf_profile"))));
  OPENQNN_TRY(power->begin_stage());
  OPENQNN_ASSIGN(std::vector<RunnableGraph> graphs, args.has("--retrieve_context")
                                                        ? load(job, *client, binary, *profiling)
                                                        : compose(job, *client, models, *profiling));
  OPENQNN_ASSIGN(auto working,
                 WorkingBuffers::make(client->library(), client->context(), job.config.working_buffers()));
  for (const std::string& sentence : working->sentences()) log_info(sentence);
  OPENQNN_TRY(run_graphs(job, *client, graphs, *profiling, *power));
  working.reset();
  OPENQNN_TRY(free_graphs(*client, *profiling, *power));
  if (profiling->on()) {
    log_info(profiling->written());
    OPENQNN_TRY(write_history(job, *power));
  }
  if (!interrupted()) log_info("Finished Executing Graphs");
  return {};
}

std::vector<OptionSpec> options() {
  return joined_options(
      {backend_options(),
       {{"--retrieve_context", "FILE", "a context binary to run"}},
       model_options_of_tools(),
       input_options(),
       output_options(),
       {kConfigFileOption,
        {"--debug", "", "write every tensor's values, not the outputs' alone"},
        kOutputTensorsOption,
        {"--num_inferences", "N", "execute so often, going through the list again"},
        {"--duration", "SECONDS", "execute so long, going through the list again"},
        {"--fps", "N", "begin at most so many executions a second, one at a time"},
        {"--keep_num_outputs", "N", "write the results of the first N executions alone"},
        {"--batch_multiplier", "N",
         "execute N batches at once: inputs and outputs have N times the elements"},
        {"--synchronous", "",
         "one execution after the other; else up to 10, or the configured queue depth, are\n"
         "under way at once, unless they are profiled, paced or limited in time"},
        {"--timeout", "MICROSECONDS", "end an execution that takes longer, with an error"},
        {"--perf_profile", "NAME", "the power profile whose votes are cast; it wins over that of the file",
         false, kPerfProfileNames},
        {"--shared_buffer", "", "inputs and outputs in memory shared with the device, from libcdsprpc.so"},
        {"--io_tensor_mem_handle_type", "TYPE", "the kind of these buffers", false, "ion"},
        {kDeviceOption, "TEXT", "device_id:0;core_id:0, the one device and core that are modelled"},
        {kCacheOptions[0], "N", "a hint without effect: inputs are read when they are needed"},
        {kCacheOptions[1], "N", "a hint without effect, as well"},
        {"--use_mmap", "", "map the binary instead of reading it"},
        {"--validate_binary", "", "have the binary checked before it is loaded"}},
       profiling_options("basic detailed client backend")});
}

}  // namespace

Program this_program() {
  constexpr const char* kUnknownFile = "no public source tells the layout of its file";
  constexpr const char* kNoGraphProfiles = "this backend has no profile handles of graphs";
  return {
      .spec = {.name = "qnn-net-run",
               .summary = "Execute a model or a context binary on files",
               .details = "Outputs go to Result_<i>/<tensor>.raw, i being the number of the execution.",
               .options = options(),
               .examples = {"qnn-net-run --backend libQnnHtp.so --retrieve_context model.bin --input_list "
                            "inputs.txt",
                            "qnn-net-run --backend libQnnHtp.so --dlc_path model.dlc --input_list inputs.txt "
                            "--profiling_level basic"},
               .usage =
                   "qnn-net-run --backend FILE (--retrieve_context FILE | --dlc_path FILE | --model FILE)\n"
                   "                   --input_list FILE [OPTION]..."},
      .refused = {{"--retrieve_context_list", "", kUnknownFile},
                  {"--binary_updates", "", kUnknownFile},
                  {"--retrieve_context_timeout", "", "this backend takes no signal while it loads"},
                  {"--platform_options", "", "no platform reads them on a host"},
                  {"--graph_profiling_start_delay", "", kNoGraphProfiles},
                  {"--graph_profiling_num_executions", "", kNoGraphProfiles},
                  {"--direct_mode", "", "it is for the LPAI backend on a device"}},
      .run = run};
}

}  // namespace openqnn::tools
