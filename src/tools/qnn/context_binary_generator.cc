// SPDX-License-Identifier: BSD-3-Clause
// qnn-context-binary-generator: models are composed, prepared for a part, and written as a context binary.
#include <filesystem>

#include "base/files.h"
#include "base/text.h"
#include "tools/console.h"
#include "tools/program_options.h"
#include "tools/qnn/client.h"
#include "tools/qnn/models.h"
#include "tools/qnn/profiling.h"
#include "tools/qnn/tool.h"
#include "tools/qnn/tool_config.h"

namespace openqnn::tools {
namespace {

namespace fs = std::filesystem;

struct Job {
  ModelChoice models;
  ComposeWishes wishes;
  fs::path folder;
  std::optional<fs::path> binary;
};

Result<ComposeWishes> wishes_of(const Args& args) {
  OPENQNN_TRY(exclude(args, "--verbose", "--log_level"));
  OPENQNN_TRY(exclude(args, "--set_output_tensors", "--enable_intermediate_outputs"));
  ComposeWishes wishes;
  wishes.all_outputs = args.has("--enable_intermediate_outputs");
  if (args.has("--set_output_tensors")) {
    OPENQNN_ASSIGN(wishes.extra_outputs,
                   parse_names_by_graph(args.get("--set_output_tensors"), "--set_output_tensors"));
  }
  if (args.has("--input_output_tensor_mem_type"))
    wishes.io_memory = args.get("--input_output_tensor_mem_type") == "memhandle" ? QNN_TENSORMEMTYPE_MEMHANDLE
                                                                                 : QNN_TENSORMEMTYPE_RAW;
  return wishes;
}

Result<Job> job_of(const Args& args) {
  Job job;
  OPENQNN_ASSIGN(job.models, model_choice(args));
  if (job.models.libraries.empty() && job.models.dlcs.empty())
    return invalid("option-missing", "there is no model").fix_by("give --dlc_path or --model");
  OPENQNN_ASSIGN(job.wishes, wishes_of(args));
  job.folder = args.get("--output_dir", "./output");
  // An absolute path replaces the folder. The extension is added to the name, whatever dots it has.
  if (args.has("--binary_file")) job.binary = job.folder / (args.get("--binary_file") + ".bin");
  return job;
}

Result<std::vector<RunnableGraph>> compose(const Job& job, const Client& client, Models& models,
                                           ToolConfig& config, Profiling& profiling) {
  const uint64_t begun = host_microseconds();
  const ComposeWatch watch(client.api(), job.wishes);
  OPENQNN_TRY(models.compose({watch.table(), client.backend(), client.context()}, config.graph_configs(),
                             job.wishes.all_outputs));
  OPENQNN_ASSIGN(std::vector<RunnableGraph> graphs, watch.finish());
  std::vector<std::string> names;
  for (const RunnableGraph& graph : graphs) names.push_back(graph.name);
  OPENQNN_TRY(config.check_graphs(names));
  OPENQNN_TRY(profiling.record(QNN_SYSTEM_PROFILE_METHOD_TYPE_APP_COMPOSE_GRAPHS, "", begun));
  return graphs;
}

Status finalize(const Client& client, const RunnableGraph& graph, Profiling& profiling) {
  const uint64_t begun = host_microseconds();
  OPENQNN_ASSIGN(const Qnn_ProfileHandle_t profile, profiling.handle());
  OPENQNN_TRY(client.check(client.api().graphFinalize(graph.handle, profile, nullptr),
                           concat("QnnGraph_finalize for '", graph.name, "'")));
  log_info(concat("prepared graph '", graph.name, "': ", graph.inputs.size(), " inputs, ",
                  graph.outputs.size(), " outputs"));
  return profiling.record(QNN_SYSTEM_PROFILE_METHOD_TYPE_BACKEND_FINALIZE, graph.name, begun);
}

Status write_binary(const Job& job, const Client& client) {
  if (!job.binary) {
    log_info("no binary is written, because --binary_file is not given");
    return {};
  }
  OPENQNN_ASSIGN(const std::vector<std::byte> bytes, client.binary());
  OPENQNN_TRY(make_folder(job.binary->parent_path()));
  OPENQNN_TRY(write_file(*job.binary, std::span(bytes)));
  log_info(concat("wrote ", job.binary->string(), ", ", bytes_text(bytes.size())));
  return {};
}

Status run(const Args& args) {
  OPENQNN_ASSIGN(const Job job, job_of(args));
  ToolConfig config;
  ConfigRequest request;
  request.path = args.get(kConfigFileOption.name);
  request.tool = config::Tool::kContextBinaryGenerator;
  request.stage = config::Stage::kOffline;
  request.tell = log_finding;
  OPENQNN_TRY(config.read(std::move(request)));
  OPENQNN_ASSIGN(const ClientOptions client_choice, client_options(args, config.extension()));
  OPENQNN_ASSIGN(const auto client, Client::open(client_choice));
  OPENQNN_ASSIGN(Models models, Models::open(job.models));
  OPENQNN_TRY(make_folder(job.folder));
  OPENQNN_ASSIGN(const auto profiling, Profiling::start(args, *client, config, job.folder.string()));
  OPENQNN_TRY(client->create_context(config.context_configs()));
  OPENQNN_ASSIGN(const std::vector<RunnableGraph> graphs, compose(job, *client, models, config, *profiling));
  for (const RunnableGraph& graph : graphs) OPENQNN_TRY(finalize(*client, graph, *profiling));
  OPENQNN_TRY(write_binary(job, *client));
  return client->free_context(nullptr);
}

std::vector<OptionSpec> options() {
  std::vector<OptionSpec> all = model_options_of_tools();
  for (const OptionSpec& option : backend_options()) all.push_back(option);
  all.push_back({"--binary_file", "NAME",
                 "the context binary, without its extension; .bin is added. A relative name is in\n"
                 "--output_dir. Without it nothing is written, but all is checked"});
  all.push_back({"--output_dir", "DIR", "where files go (default ./output)"});
  all.push_back(kConfigFileOption);
  all.push_back({"--set_output_tensors", "GRAPH:TENSOR,...;...",
                 "tensors that become outputs, too; a bare list where there is one graph, or a .txt file"});
  all.push_back({"--enable_intermediate_outputs", "", "make every tensor an output"});
  all.push_back({"--input_output_tensor_mem_type", "TYPE", "how inputs and outputs are declared", false,
                 "raw memhandle"});
  all.push_back(profiling_option("basic detailed backend"));
  all.push_back({"--verbose", "", "the same as --log_level verbose"});
  return all;
}

// Made in place, which GCC's check for uninitialised memory can follow.
const Program& program() {
  static const Program kProgram = {
      .spec = {.name = "qnn-context-binary-generator",
               .summary = "Prepare models and write them as a context binary",
               .details = "All graphs of all models come into one context. A binary that is there already "
                          "is replaced.",
               .options = options(),
               .examples = {"qnn-context-binary-generator --backend libQnnHtp.so --dlc_path model.dlc "
                            "--binary_file model"},
               .usage = "qnn-context-binary-generator --backend FILE (--dlc_path FILE | --model FILE) "
                        "[--binary_file NAME] [OPTION]..."},
      .refused = {{"--backend_binary", "", "this backend has no second kind of binary"},
                  {"--profiling_option", "",
                   "op traces are not written yet; `openqnn simulate FILE --trace OUT.json` shows every op "
                   "of a binary"},
                  {"--data_format_config", "", "tensors in device layouts are not composed yet"},
                  {"--adapter_weight_config", "", "no public source tells the layout of its file"},
                  {"--platform_options", "", "no platform reads them on a host"}},
      .run = run};
  return kProgram;
}

}  // namespace
}  // namespace openqnn::tools

int main(int argc, char** argv) { return openqnn::tools::run_program(openqnn::tools::program(), argc, argv); }
