// SPDX-License-Identifier: BSD-3-Clause
#include "tools/qnn/throughput_plan.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "config/follow.h"
#include "tools/file_kind.h"
#include "tools/qnn/output_files.h"
#include "tools/qnn/power.h"
#include "tools/qnn/tool.h"

namespace openqnn::tools {
namespace {

using config::Record;

std::string text_of(const Record& record, std::string_view option) {
  return std::string(record.text(option).or_else(""));
}

std::vector<std::string> parts_of(const Record& record, std::string_view option) {
  std::vector<std::string> parts;
  const std::string text = text_of(record, option);
  if (text.empty()) return parts;
  for (const std::string_view part : split(text, ",")) parts.emplace_back(part);
  return parts;
}

// Reads a file that the check has found to be right.
class Reader {
 public:
  Reader(std::string path, ThroughputPlan& plan) : path_(std::move(path)), plan_(plan) {}

  Status read(const Record& root) {
    for (const Record& backend : root.records("backends")) OPENQNN_TRY(read_backend(backend));
    for (const Record& model : root.records("models")) OPENQNN_TRY(read_model(model));
    for (const Record& context : root.records("contexts")) read_context(context);
    for (const Record& test : root.records("testCase")) OPENQNN_TRY(read_test(test));
    return {};
  }

 private:
  Diagnostic refuse(const Record& record, std::string_view option, std::string_view why,
                    std::string fix) const {
    return unsupported("throughput-refused",
                       concat(record.path().to_string(option), " is not offered: ", why))
        .at(path_)
        .fix_by(std::move(fix));
  }
  Diagnostic wrong(const Record& record, std::string_view option, std::string_view what,
                   std::string fix) const {
    return invalid("throughput-value", concat(record.path().to_string(option), ": ", what))
        .at(path_)
        .fix_by(std::move(fix));
  }

  Status read_backend(const Record& record) {
    if (record.has("platformOption"))
      return refuse(record, "platformOption", "no platform reads it on a host", "leave it out");
    if (const std::string level = text_of(record, "profilingLevel"); !level.empty() && level != "OFF")
      return refuse(record, "profilingLevel", "no public source tells where this program leaves a profile",
                    "set it to OFF; qnn-net-run --profiling_level profiles a run");
    PlannedBackend& backend = plan_.backends.emplace_back();
    backend.name = text_of(record, "backendName");
    backend.path = text_of(record, "backendPath");
    backend.op_packages = text_of(record, "opPackagePath");
    backend.extension = text_of(record, "backendExtensions");
    backend.perf_profile = chosen_profile(text_of(record, "perfProfile"));
    return {};
  }

  Status read_model(const Record& record) {
    if (record.has("groundTruthPath"))
      return refuse(record, "groundTruthPath", "no public source tells what its files hold",
                    "leave it out: results are compared with the first one");
    PlannedModel& model = plan_.models.emplace_back();
    model.name = text_of(record, "modelName");
    model.path = text_of(record, "modelPath");
    model.is_binary = record.on("loadFromCachedBinary");
    model.input_lists = parts_of(record, "inputPath");
    model.native_inputs = text_of(record, "inputDataType") != "FLOAT";
    model.output_path = text_of(record, "outputPath");
    const std::string forms = text_of(record, "outputDataType");
    model.forms = {.floats = forms == "FLOAT_ONLY" || forms == "FLOAT_AND_NATIVE",
                   .native = forms != "FLOAT_ONLY"};
    const std::string save = text_of(record, "saveOutput");
    model.save = save == "NATIVE_ALL"    ? SaveOutput::kAll
                 : save == "NATIVE_LAST" ? SaveOutput::kLast
                                         : SaveOutput::kNone;
    if (model.save != SaveOutput::kNone && model.output_path.empty())
      return wrong(record, "saveOutput", "there is no place for outputs", "set outputPath");
    return read_post_processors(record, model);
  }

  Status read_post_processors(const Record& record, PlannedModel& model) {
    constexpr std::array<std::pair<std::string_view, PostProcessor>, 5> kWords = {{
        {"NONE", PostProcessor::kNone},
        {"MSE", PostProcessor::kMse},
        {"MSE_FLOAT32", PostProcessor::kMse},
        {"MSE_INT8", PostProcessor::kMseInt8},
        {"MSE_INT16", PostProcessor::kMseInt16},
    }};
    for (const std::string& word : parts_of(record, "postProcessor")) {
      const auto* const found = std::ranges::find(kWords, word, [](const auto& pair) { return pair.first; });
      if (found == kWords.end())
        return wrong(record, "postProcessor", concat("there is no '", word, "'"),
                     "NONE, MSE, MSE_FLOAT32, MSE_INT8 or MSE_INT16");
      model.post_processors.push_back(found->second);
    }
    return {};
  }

  void read_context(const Record& record) {
    PlannedContext& context = plan_.contexts.emplace_back();
    context.name = text_of(record, "contextName");
    const std::string priority = text_of(record, "priority");
    if (priority == "LOW") context.priority = QNN_PRIORITY_LOW;
    if (priority == "NORMAL") context.priority = QNN_PRIORITY_NORMAL;
    if (priority == "HIGH") context.priority = QNN_PRIORITY_HIGH;
    context.queue_depth = static_cast<uint32_t>(
        std::min<int64_t>(record.integer("executeAsyncQueueDepth").or_else(0), UINT32_MAX));
    context.strict = text_of(record, "cacheCompatibilityMode") == "strict";
  }

  Status read_test(const Record& record) {
    plan_.iterations = record.integer("iteration").or_else(1);
    if (plan_.iterations == 0)
      return wrong(record, "iteration", "0 runs nothing", "1 or more, or -1 for ever");
    if (const std::string level = text_of(record, "logLevel"); !level.empty()) {
      plan_.log_level = level_named(level);
      if (!plan_.log_level)
        return wrong(record, "logLevel", concat("there is no level '", level, "'"),
                     "error, warn, info, debug or verbose");
    }
    for (const Record& thread : record.records("threads")) OPENQNN_TRY(read_thread(thread));
    if (plan_.threads.empty()) return wrong(record, "threads", "there are none", "add one");
    return {};
  }

  template <class Entry>
  static const Entry* named(const std::deque<Entry>& entries, const std::string& name) {
    const auto found = std::ranges::find(entries, name, &Entry::name);
    return found == entries.end() ? nullptr : &*found;
  }

  Status read_thread(const Record& record) {
    PlannedThread thread;
    thread.name = text_of(record, "threadName");
    thread.backend = named(plan_.backends, text_of(record, "backend"));
    thread.context = named(plan_.contexts, text_of(record, "context"));
    thread.model = named(plan_.models, text_of(record, "model"));
    if (thread.backend == nullptr || thread.context == nullptr || thread.model == nullptr)
      return wrong(record, "threadName", "its backend, context or model is none of those listed",
                   "correct it");
    thread.makes_model_in_loop = record.on("initModelInLoop");
    if (thread.makes_model_in_loop && thread.model->is_binary)
      return wrong(record, "initModelInLoop", "a model from a context binary cannot be made in the loop",
                   "remove it, or use a model library");
    thread.loads_inputs_in_loop = record.on("loadInputDataInLoop");
    thread.random_inputs = record.on("useRandomData") || thread.model->input_lists.empty();
    thread.interval_us = static_cast<uint64_t>(record.integer("interval").or_else(0));
    thread.loop_is_seconds = text_of(record, "loopUnit") == "second";
    const int64_t loop = record.integer("loop").or_else(1);
    if (loop < 1) return wrong(record, "loop", concat(loop, " is no number of 1 or more"), "give one");
    thread.loop = static_cast<uint64_t>(loop);
    thread.asynchronous = record.on("executeAsynchronous");
    thread.backend_config = text_of(record, "backendConfig");
    if (thread.name.empty()) return wrong(record, "threadName", "a thread has no name", "give it one");
    const auto same_folder = [&](const PlannedThread& other) {
      return file_name_of(other.name) == file_name_of(thread.name);
    };
    if (const auto twin = std::ranges::find_if(plan_.threads, same_folder); twin != plan_.threads.end())
      return wrong(record, "threadName",
                   twin->name == thread.name ? concat("there are two threads '", thread.name, "'")
                                             : concat("the results of '", thread.name, "' and '", twin->name,
                                                      "' have the same folder"),
                   "give each a name of its own: results go by it");
    plan_.threads.push_back(std::move(thread));
    return {};
  }

  const std::string path_;
  ThroughputPlan& plan_;
};

}  // namespace

Status read_throughput_plan(const std::string& path, const TellFinding& tell, ThroughputPlan& plan) {
  OPENQNN_TRY(expect_kind(path, {FileKind::kJson}));
  const config::Document document = config::read_file(path, config::Kind::kThroughput);
  config::CheckOptions options;
  options.circumstances.tool = config::Tool::kThroughputNetRun;
  for (const config::CheckedFile& file : config::check_document(document, options))
    OPENQNN_TRY(tell_findings(file.name, file.text, file.findings, tell));
  if (!document.config) return invalid("config-file", "this is no configuration file").at(path);
  return Reader(path, plan).read(document.config->root());
}

}  // namespace openqnn::tools
