// SPDX-License-Identifier: BSD-3-Clause
// qnn-context-binary-generator: models are composed, prepared for a part, and written as a context binary.
#include <cstdlib>
#include <filesystem>

#include "base/files.h"
#include "base/text.h"
#include "soc/target.h"
#include "tools/console.h"
#include "tools/file_kind.h"
#include "tools/interrupt.h"
#include "tools/products.h"
#include "tools/program_options.h"
#include "tools/qnn/client.h"
#include "tools/qnn/data_formats.h"
#include "tools/qnn/preparation.h"
#include "tools/qnn/tool.h"

namespace openqnn::tools {
namespace {

namespace fs = std::filesystem;

struct Job {
  ModelChoice models;
  ClientOptions client;
  ComposeWishes wishes;
  fs::path folder;
  std::optional<fs::path> binary;
};

Result<Job> job_of(const Args& args) {
  Job job;
  OPENQNN_TRY(exclude(args, "--verbose", "--log_level"));
  OPENQNN_TRY(check_profiling(args));
  OPENQNN_ASSIGN(job.models, model_choice(args));
  if (job.models.libraries.empty() && job.models.dlcs.empty())
    return invalid("option-missing", "there is no model").fix_by("give --dlc_path or --model");
  OPENQNN_ASSIGN(job.client, client_options(args));
  OPENQNN_ASSIGN(job.wishes, output_wishes(args, "--enable_intermediate_outputs"));
  if (args.has("--input_output_tensor_mem_type"))
    job.wishes.io_memory = args.get("--input_output_tensor_mem_type") == "memhandle"
                               ? QNN_TENSORMEMTYPE_MEMHANDLE
                               : QNN_TENSORMEMTYPE_RAW;
  job.folder = args.get("--output_dir", "./output");
  // An absolute path replaces the folder. The extension is added to the name, whatever dots it has.
  if (args.has("--binary_file")) job.binary = job.folder / (args.get("--binary_file") + ".bin");
  return job;
}

// What is there under the binary's name may be a binary of before, but nothing else: a converter's weights
// have the same extension.
Status check_place(const Args& args, const Job& job) {
  if (!job.binary) return {};
  OPENQNN_TRY(refuse_standard_output(args.get("--binary_file")));
  std::vector<std::string> sources = job.models.dlcs;
  sources.insert(sources.end(), job.models.libraries.begin(), job.models.libraries.end());
  for (const std::string_view option : {kConfigFileOption.name, std::string_view("--data_format_config")})
    sources.push_back(args.get(option));
  OPENQNN_TRY(refuse_own_input(*job.binary, sources));
  std::error_code ignored;
  const bool holds_something =
      fs::is_regular_file(*job.binary, ignored) && fs::file_size(*job.binary, ignored) > 0;
  if (!holds_something) return {};
  const FileKind kind = kind_of_file(*job.binary);
  if (kind == FileKind::kContextBinary) return {};
  return invalid("output-foreign",
                 concat("this file would be replaced, but it is ",
                        kind == FileKind::kUnknown ? "no context binary of openqnn" : title_of(kind)))
      .at(job.binary->string())
      .fix_by("choose another --binary_file, or remove the file");
}

Status read_files(const Args& args, Job& job, ToolConfig& config) {
  ConfigRequest request;
  request.path = args.get(kConfigFileOption.name);
  request.tool = config::Tool::kContextBinaryGenerator;
  request.stage = config::Stage::kOffline;
  request.tell = log_finding;
  OPENQNN_TRY(config.read(std::move(request)));
  job.client.extension = config.extension();
  if (!args.has("--data_format_config")) return {};
  OPENQNN_ASSIGN(job.wishes.formats,
                 read_data_formats(args.get("--data_format_config"), config.part(), log_finding));
  return {};
}

// ", for SM8550"; empty where the binary tells no part that is known.
std::string part_text(const Client& client, std::span<const std::byte> binary, const ToolConfig& config) {
  const auto info = BinaryInfo::read(client.library(), binary);
  if (!info || info->info().version != QNN_SYSTEM_CONTEXT_BINARY_INFO_VERSION_3) return {};
  const auto target = soc::target_by_model(info->info().contextBinaryInfoV3.socModel);
  if (!target) return {};
  const bool is_default = config.part().told_by.empty() && std::getenv("OPENQNN_TARGET") == nullptr;
  return concat(", for ", target->soc,
                is_default ? ", the backend's default, because no --config_file names a part" : "");
}

Status write_binary(const Job& job, const Client& client, const ToolConfig& config) {
  if (!job.binary) {
    log_info("no binary is written, because --binary_file is not given");
    return {};
  }
  OPENQNN_ASSIGN(const std::vector<std::byte> bytes, client.binary());
  OPENQNN_TRY(make_folder(job.binary->parent_path()));
  const std::string_view verb = written_verb(*job.binary);
  OPENQNN_TRY(write_file(*job.binary, std::span(bytes)));
  log_info(concat(verb, " ", job.binary->string(), ", ", bytes_text(bytes.size()),
                  part_text(client, bytes, config)));
  return {};
}

Status run(const Args& args) {
  OPENQNN_ASSIGN(Job job, job_of(args));
  OPENQNN_TRY(check_place(args, job));
  ToolConfig config;
  OPENQNN_TRY(read_files(args, job, config));
  OPENQNN_TRY(check_output_folder(job.folder));
  OPENQNN_ASSIGN(Models models, Models::open(job.models));
  OPENQNN_ASSIGN(const auto client, Client::open(job.client));
  catch_interrupts();
  OPENQNN_ASSIGN(const auto profiling, Profiling::start(args, *client, config, job.folder.string()));
  OPENQNN_TRY(client->create_context(config.context_configs()));
  OPENQNN_ASSIGN(const std::vector<RunnableGraph> graphs,
                 compose_models(*client, models, job.wishes, config, *profiling));
  for (size_t i = 0; i < graphs.size(); ++i) {
    OPENQNN_TRY(go_on());
    const RunnableGraph& graph = graphs[i];
    {
      const Progress progress("prepare graphs", graphs.size(), i);
      OPENQNN_TRY(finalize_graph(*client, graph, *profiling));
    }
    log_info(concat("prepared graph '", graph.name, "': ", graph.inputs.size(), " inputs, ",
                    graph.outputs.size(), " outputs"));
  }
  OPENQNN_TRY(go_on());
  OPENQNN_TRY(write_binary(job, *client, config));
  if (profiling->on()) log_info(profiling->written());
  return client->free_context(nullptr);
}

std::vector<OptionSpec> options() {
  return joined_options(
      {model_options_of_tools(),
       backend_options(),
       {{"--binary_file", "NAME",
         "the context binary, without its extension; .bin is added. A relative name is in\n"
         "--output_dir. Without it nothing is written, but all is checked"},
        {"--output_dir", "DIR", "where files go (default ./output)"},
        kConfigFileOption,
        kOutputTensorsOption,
        {"--enable_intermediate_outputs", "", "make every tensor an output"},
        {"--input_output_tensor_mem_type", "TYPE", "how inputs and outputs are declared", false,
         "raw memhandle"},
        {"--data_format_config", "FILE",
         "layouts of inputs and outputs, JSON: graphs[].graph_name, tensors[].tensor_name and\n"
         "dataFormat; a layout that the backend does not take is an error"}},
       profiling_options("basic detailed backend"),
       {{"--verbose", "", "the same as --log_level verbose"}}});
}

}  // namespace

Program this_program() {
  return {
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
                  {"--adapter_weight_config", "", "no public source tells the layout of its file"},
                  {"--platform_options", "", "no platform reads them on a host"}},
      .run = run};
}

}  // namespace openqnn::tools
