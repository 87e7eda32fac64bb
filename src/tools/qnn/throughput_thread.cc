// SPDX-License-Identifier: BSD-3-Clause
#include "tools/qnn/throughput_thread.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "base/files.h"
#include "base/text.h"
#include "config/option.h"
#include "tools/file_kind.h"
#include "tools/qnn/preparation.h"
#include "tools/qnn/tool.h"

namespace openqnn::tools {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

// False when it was ended before its time. Seconds as a real number: a file may ask for centuries.
bool pause(double seconds, const std::atomic<bool>& stop) {
  constexpr double kLongestNap = 0.02;
  const Clock::time_point start = Clock::now();
  for (double left = seconds; left > 0; left = seconds - seconds_since(start)) {
    if (stop) return false;
    std::this_thread::sleep_for(std::chrono::duration<double>(std::min(left, kLongestNap)));
  }
  return !stop;
}

}  // namespace

// Destroyed from the last member to the first: executions before what they use.
struct ThroughputThread::RunningGraph {
  RunnableGraph graph;
  std::unique_ptr<InputSource> inputs;
  std::unique_ptr<JudgedOutputs> outputs;
  std::unique_ptr<Executions> executions;
};

// ---- Opening ----

Result<std::unique_ptr<ThroughputThread>> ThroughputThread::open(const PlannedThread& plan,
                                                                 std::optional<QnnLog_Level_t> log_level,
                                                                 const TellFinding& tell) {
  std::unique_ptr<ThroughputThread> thread(new ThroughputThread(plan));
  OPENQNN_TRY(thread->prepare(log_level, tell));
  return thread;
}

ThroughputThread::ThroughputThread(const PlannedThread& plan) : plan_(plan) {}
ThroughputThread::~ThroughputThread() = default;

Status ThroughputThread::prepare(std::optional<QnnLog_Level_t> log_level, const TellFinding& tell) {
  OPENQNN_TRY(open_extension(tell));
  std::span<const std::byte> binary;
  if (plan_.model->is_binary) {
    OPENQNN_TRY(expect_kind(plan_.model->path, {FileKind::kContextBinary}));
    OPENQNN_ASSIGN(binary_, MappedFile::open(plan_.model->path));
    binary = binary_->bytes();
  } else {
    ModelChoice choice;
    const bool is_dlc = fs::path(plan_.model->path).extension() == ".dlc";
    (is_dlc ? choice.dlcs : choice.libraries) = {plan_.model->path};
    OPENQNN_ASSIGN(models_, Models::open(choice));
  }
  OPENQNN_ASSIGN(client_, Client::open({.backend = plan_.backend->path,
                                        .op_packages = plan_.backend->op_packages,
                                        .log_level = log_level,
                                        .extension = extension_.get()},
                                       binary));
  OPENQNN_ASSIGN(votes_, PowerVotes::open(client_->library(), extension_.get(), ""));
  OPENQNN_TRY(votes_->begin_stage());  // for the whole run: it has no pauses
  execution_.queue = !plan_.asynchronous               ? 1
                     : plan_.context->queue_depth != 0 ? plan_.context->queue_depth
                                                       : kDefaultQueue;
  execution_.rereads_inputs = plan_.loads_inputs_in_loop;
  if (extension_ != nullptr && extension_->shared_buffers()) {
    OPENQNN_ASSIGN(execution_.shared, SharedMemoryLibrary::open(client_->library()));
  }
  return plan_.makes_model_in_loop ? Status() : make_graphs();
}

// Without it there are neither a backend's file nor power votes; the check has warned of both.
Status ThroughputThread::open_extension(const TellFinding& tell) {
  if (plan_.backend->extension.empty()) return {};
  ExtensionRequest request;
  request.library = plan_.backend->extension;
  request.config_file = plan_.backend_config;
  request.tool = config::tool_name(config::Tool::kThroughputNetRun);
  request.stage = plan_.model->is_binary ? OPENQNN_EXTENSION_STAGE_LOAD : OPENQNN_EXTENSION_STAGE_ONLINE;
  request.perf_profile = plan_.backend->perf_profile;
  OPENQNN_ASSIGN(extension_, Extension::open(request, tell));
  return {};
}

// ---- Graphs ----

std::vector<const QnnContext_Config_t*> ThroughputThread::context_configs() {
  std::vector<const QnnContext_Config_t*> list;
  QnnContext_Config_t* next = own_options_;
  const PlannedContext& context = *plan_.context;
  if (context.priority != QNN_PRIORITY_UNDEFINED) {
    next->option = QNN_CONTEXT_CONFIG_OPTION_PRIORITY;
    next->priority = context.priority;
    list.push_back(next++);
  }
  if (context.queue_depth != 0) {
    next->option = QNN_CONTEXT_CONFIG_ASYNC_EXECUTION_QUEUE_DEPTH;
    next->asyncExeQueueDepth = {QNN_CONTEXT_ASYNC_EXECUTION_QUEUE_DEPTH_TYPE_NUMERIC, {context.queue_depth}};
    list.push_back(next++);
  }
  if (plan_.model->is_binary) {
    next->option = QNN_CONTEXT_CONFIG_BINARY_COMPATIBILITY;
    next->binaryCompatibilityType = context.strict ? QNN_CONTEXT_BINARY_COMPATIBILITY_STRICT
                                                   : QNN_CONTEXT_BINARY_COMPATIBILITY_PERMISSIVE;
    list.push_back(next++);
  }
  if (extension_ != nullptr)
    for (const QnnContext_Config_t** option = extension_->context_configs(); *option != nullptr; ++option)
      list.push_back(*option);
  list.push_back(nullptr);
  return list;
}

Result<std::vector<RunnableGraph>> ThroughputThread::load_graphs() {
  OPENQNN_TRY(client_->load_context(context_configs().data(), binary_->bytes(), nullptr));
  OPENQNN_ASSIGN(std::vector<RunnableGraph> graphs, client_->graphs_of(binary_->bytes()));
  for (RunnableGraph& graph : graphs) {
    OPENQNN_ASSIGN(graph.handle, client_->retrieve(graph.name));
  }
  return graphs;
}

Result<std::vector<RunnableGraph>> ThroughputThread::compose_graphs() {
  OPENQNN_TRY(client_->create_context(context_configs().data()));
  GraphConfigs none;  // the documents let this program read no options of graphs
  OPENQNN_ASSIGN(const std::vector<RunnableGraph> graphs, compose_models(*client_, models_, {}, none));
  for (const RunnableGraph& graph : graphs)
    OPENQNN_TRY(client_->check(client_->api().graphFinalize(graph.handle, nullptr, nullptr),
                               concat("QnnGraph_finalize for '", graph.name, "'")));
  return graphs;
}

Status ThroughputThread::make_graphs() {
  OPENQNN_ASSIGN(std::vector<RunnableGraph> graphs,
                 plan_.model->is_binary ? load_graphs() : compose_graphs());
  ++results_.models_made;
  std::vector<std::optional<config::InputList>> lists(graphs.size());
  if (!plan_.random_inputs) {
    OPENQNN_ASSIGN(lists, read_input_lists(plan_.model->input_lists, names_of(graphs), "inputPath"));
  }
  OPENQNN_TRY(check_places(graphs, lists));
  const size_t count = graphs.size();
  for (size_t i = 0; i < count; ++i) {
    if (!plan_.random_inputs && !lists[i]) continue;  // skipped with "__"
    OPENQNN_TRY(add_graph(std::move(graphs[i]), i, count, std::move(lists[i])));
  }
  return {};
}

// What each graph needs beside its inputs, before those are read.
Status ThroughputThread::check_places(const std::vector<RunnableGraph>& graphs,
                                      const std::vector<std::optional<config::InputList>>& lists) const {
  std::vector<std::string> executed;
  for (size_t i = 0; i < graphs.size(); ++i)
    if (plan_.random_inputs || lists[i]) executed.push_back(graphs[i].name);
  if (executed.empty())
    return invalid("throughput-nothing", "every graph of the model is skipped").at(plan_.model->path);
  if (plan_.model->save != SaveOutput::kNone) OPENQNN_TRY(check_folders_of(executed));
  const size_t judges = plan_.model->post_processors.size();
  if (judges > 1 && judges != graphs.size())
    return invalid("throughput-post-processor",
                   concat(judges, " post-processors are given for ", graphs.size(), " graphs"))
        .at("postProcessor")
        .fix_by("give one for all, or one for each");
  return {};
}

Result<std::unique_ptr<InputSource>> ThroughputThread::inputs_for(
    const RunnableGraph& graph, size_t index, std::optional<config::InputList> list) const {
  std::unique_ptr<InputSource> inputs = std::make_unique<RandomInputs>(graph);
  if (list) {
    const PlannedModel& model = *plan_.model;
    OPENQNN_ASSIGN(
        ListedInputs files,
        ListedInputs::open(
            graph, *std::move(list), model.input_lists[index], /*batches=*/1,
            NativeInputs{.all = model.native_inputs, .by_graph = {}, .option = "inputDataType NATIVE"}));
    inputs = std::make_unique<ListedInputs>(std::move(files));
  }
  if (plan_.loads_inputs_in_loop) return inputs;
  OPENQNN_ASSIGN(inputs, KeptInputs::read(graph, *inputs));
  return inputs;
}

// Null where none are saved.
Result<std::unique_ptr<OutputFiles>> ThroughputThread::files_for(const RunnableGraph& graph, bool is_only) {
  const PlannedModel& model = *plan_.model;
  if (model.save == SaveOutput::kNone) return std::unique_ptr<OutputFiles>();
  // Ours: a folder for each thread, and for each graph where there are several.
  fs::path folder = fs::path(model.output_path) / file_name_of(plan_.name);
  if (!is_only) folder /= file_name_of(graph.name);
  OPENQNN_ASSIGN(OutputFiles opened, OutputFiles::open(graph, folder, model.forms));
  older_.try_emplace(graph.name, folder, opened.file_names());  // before the first model of several
  return std::make_unique<OutputFiles>(std::move(opened));
}

Status ThroughputThread::add_graph(RunnableGraph graph, size_t index, size_t count,
                                   std::optional<config::InputList> list) {
  const PlannedModel& model = *plan_.model;
  auto running = std::make_unique<RunningGraph>();
  running->graph = std::move(graph);
  const RunnableGraph& own = running->graph;
  OPENQNN_ASSIGN(running->inputs, inputs_for(own, index, std::move(list)));
  OPENQNN_ASSIGN(std::unique_ptr<OutputFiles> files, files_for(own, count == 1));
  const std::vector<PostProcessor>& judges = model.post_processors;
  const PostProcessor judge = judges.empty()       ? PostProcessor::kNone
                              : judges.size() == 1 ? judges[0]
                                                   : judges[index];
  // Kept over all models that the loop makes.
  Judgement* const judgement = judge == PostProcessor::kNone ? nullptr : &results_.judgements[own.name];
  OPENQNN_ASSIGN(running->outputs, JudgedOutputs::open(own, running->inputs->executions(), judge, judgement,
                                                       model.save, std::move(files)));
  running->executions = std::make_unique<Executions>(*client_, own, *running->inputs, *running->outputs,
                                                     execution_, /*profiling=*/nullptr);
  graphs_.push_back(std::move(running));
  return {};
}

Status ThroughputThread::drop_graphs() {
  for (const auto& running : graphs_) {
    OPENQNN_TRY(running->executions->end_all());
    results_.executions.add_all(running->executions->times());
  }
  graphs_.clear();
  return client_->free_context(nullptr);
}

// ---- Running ----

Status ThroughputThread::run_round() {
  if (plan_.makes_model_in_loop) {
    OPENQNN_TRY(drop_graphs());
    OPENQNN_TRY(make_graphs());
  }
  for (const auto& running : graphs_) OPENQNN_TRY(running->executions->begin(rounds_));
  ++rounds_;
  return {};
}

Status ThroughputThread::run(const std::atomic<bool>& stop) {
  const Clock::time_point start = Clock::now();
  const auto goes_on = [&](uint64_t done) {
    if (stop) return false;
    if (!plan_.loop_is_seconds) return done < plan_.loop;
    return done == 0 || seconds_since(start) < static_cast<double>(plan_.loop);
  };
  for (uint64_t done = 0; goes_on(done); ++done) {
    if (done > 0 && !pause(static_cast<double>(plan_.interval_us) * 1e-6, stop)) break;
    OPENQNN_TRY(run_round());
  }
  for (const auto& running : graphs_) OPENQNN_TRY(running->executions->end_all());
  return {};
}

void ThroughputThread::tell_older_results() const {
  if (rounds_ == 0) return;
  const bool all = plan_.model->save == SaveOutput::kAll;
  const WrittenResults written = {all ? 0 : rounds_ - 1, all ? rounds_ : 1};
  for (const auto& entry : older_) entry.second.tell(written, "outputPath");
}

Result<ThreadResults> ThroughputThread::finish() {
  for (const auto& running : graphs_) {
    OPENQNN_TRY(running->executions->end_all());
    OPENQNN_TRY(running->outputs->finish());
  }
  OPENQNN_TRY(drop_graphs());
  tell_older_results();
  return std::move(results_);
}

}  // namespace openqnn::tools
