// SPDX-License-Identifier: BSD-3-Clause
#include "tools/qnn/tool_config.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "config/follow.h"
#include "tools/qnn/tool.h"

namespace openqnn::tools {
namespace {

constexpr std::array<std::pair<std::string_view, Qnn_Priority_t>, 8> kPriorities = {{
    {"low", QNN_PRIORITY_LOW},
    {"normal_low", QNN_PRIORITY_NORMAL_LOW},
    {"normal", QNN_PRIORITY_NORMAL},
    {"normal_high", QNN_PRIORITY_NORMAL_HIGH},
    {"high", QNN_PRIORITY_HIGH},
    {"high_plus", QNN_PRIORITY_HIGH_PLUS},
    {"critical", QNN_PRIORITY_CRITICAL},
    {"critical_plus", QNN_PRIORITY_CRITICAL_PLUS},
}};

// The check has made sure that it is one of them.
Qnn_Priority_t priority_of(std::string_view name) {
  const auto* const found = std::ranges::find(kPriorities, name, [](const auto& pair) { return pair.first; });
  return found == kPriorities.end() ? QNN_PRIORITY_DEFAULT : found->second;
}

// What the check of the file says: warnings as lines, the first error as the answer.
Status tell_findings(const std::string& path, const std::vector<config::Finding>& findings,
                     std::string_view text) {
  const json::LineIndex lines(text);
  for (const config::Finding& finding : findings) {
    const uint32_t line = finding.span.empty() ? 0 : lines.position(finding.span.begin).line;
    const Where where{path, line, 0};
    if (finding.severity == Severity::kError)
      return invalid(std::string(finding.code), finding.message)
          .at(where)
          .fix_by(finding.advice.empty() ? concat("`openqnn check ", path, "` tells more") : finding.advice);
    if (finding.severity == Severity::kWarning) log_warning(concat(where.to_string(), ": ", finding.message));
  }
  return {};
}

// What the file may say but this program cannot do.
Status refuse_what_is_missing(const config::Record& root, const std::string& path) {
  for (const config::Record& extensions : root.records("backend_extensions")) {
    if (!extensions.has("shared_library_path") && !extensions.has("config_file_path")) continue;
    return unsupported("config-extensions",
                       "backend_extensions is set, but extension libraries are not loaded yet, so that the "
                       "backend's own file would not be read")
        .at(path)
        .fix_by("leave backend_extensions out");
  }
  for (const config::Record& context : root.records("context_configs"))
    for (const std::string_view option : {"spill_fill_buffer", "weights_buffer"})
      if (const auto value = context.integer(option); value && *value != 0)
        return unsupported("config-buffer",
                           concat(option, " is set, but this program provides no such buffers"))
            .at(path)
            .fix_by("leave it out, or set it to 0");
  for (const config::Record& graph : root.records("graph_configs"))
    for (const std::string_view option : {"graph_profiling_start_delay", "graph_profiling_num_executions"})
      if (graph.has(option))
        return unsupported("config-graph-profiling",
                           concat(option, " is set, but this backend has no profile handles of graphs"))
            .at(path)
            .fix_by("leave it out");
  return {};
}

}  // namespace

Status ToolConfig::read(const Args& args, config::Tool tool) {
  if (!args.has(kConfigFileOption.name)) return {};
  const std::string path = args.get(kConfigFileOption.name);
  const config::Document document = config::read_file(path, config::Kind::kTool);
  config::Circumstances circumstances;
  circumstances.tool = tool;
  OPENQNN_TRY(tell_findings(path, config::check_documents({&document}, circumstances), document.text));
  if (!document.config) return invalid("config-file", "this is no configuration file").at(path);
  const config::Record root = document.config->root();
  OPENQNN_TRY(refuse_what_is_missing(root, path));
  for (const config::Record& context : root.records("context_configs")) OPENQNN_TRY(read_context(context));
  OPENQNN_TRY(read_graphs(root));
  for (const config::Record& profile : root.records("profile_configs"))
    if (const auto most = profile.integer("num_max_events")) most_events_ = static_cast<uint64_t>(*most);
  for (const config::Record& async : root.records("async_graph_execution_config")) {
    if (const auto limit = async.integer("execute_enqueue_tasks_limit"); limit && *limit > 0)
      queue_depth_ = static_cast<uint64_t>(*limit);
    if (async.has("input_tensors_creation_tasks_limit"))
      log_warning(concat(path, ": input_tensors_creation_tasks_limit has no effect here: an input is made ",
                         "ready when its execution is queued"));
  }
  return {};
}

Status ToolConfig::read_context(const config::Record& record) {
  if (const auto priority = record.text("context_priority")) {
    QnnContext_Config_t& config = for_all_.emplace_back();
    config.option = QNN_CONTEXT_CONFIG_OPTION_PRIORITY;
    config.priority = priority_of(*priority);
  }
  if (const auto depth = record.integer("async_execute_queue_depth")) {
    QnnContext_Config_t& config = for_all_.emplace_back();
    config.option = QNN_CONTEXT_CONFIG_ASYNC_EXECUTION_QUEUE_DEPTH;
    config.asyncExeQueueDepth.type = QNN_CONTEXT_ASYNC_EXECUTION_QUEUE_DEPTH_TYPE_NUMERIC;
    config.asyncExeQueueDepth.depth = static_cast<uint32_t>(*depth);
    if (*depth > 0) queue_depth_ = static_cast<uint64_t>(*depth);
  }
  const auto names = [&](const char* option, QnnContext_ConfigOption_t number,
                         std::vector<const char*>& list) {
    const auto given = record.texts(option);
    if (!given || (*given).empty()) return;
    for (const std::string_view name : *given) list.push_back(keep(name));
    list.push_back(nullptr);
    QnnContext_Config_t& config = for_loading_.emplace_back();
    config.option = number;
    config.enableGraphs = list.data();  // the two lists of names lie in the same place
  };
  names("enable_graphs", QNN_CONTEXT_CONFIG_ENABLE_GRAPHS, enabled_graphs_);
  names("graph_retention_order", QNN_CONTEXT_CONFIG_GRAPH_RETENTION_ORDER, retained_graphs_);
  if (const auto hint = record.integer("memory_limit_hint")) {
    QnnContext_Config_t& config = for_loading_.emplace_back();
    config.option = QNN_CONTEXT_CONFIG_MEMORY_LIMIT_HINT;
    config.memoryLimitHint = static_cast<uint64_t>(*hint);
  }
  if (record.on("is_persistent_binary")) promise_persistence();
  if (const auto mode = record.text("cache_compatibility_mode")) {
    QnnContext_Config_t& config = for_loading_.emplace_back();
    config.option = QNN_CONTEXT_CONFIG_BINARY_COMPATIBILITY;
    config.binaryCompatibilityType = *mode == "strict" ? QNN_CONTEXT_BINARY_COMPATIBILITY_STRICT
                                                       : QNN_CONTEXT_BINARY_COMPATIBILITY_PERMISSIVE;
  }
  return {};
}

Status ToolConfig::read_graphs(const config::Record& root) {
  for (const config::Record& graph : root.records("graph_configs")) {
    const auto name = graph.text("graph_name");
    if (!name) continue;  // the check has said it
    std::vector<const QnnGraph_Config_t*> list;
    if (const auto priority = graph.text("graph_priority")) {
      QnnGraph_Config_t& config = graph_options_.emplace_back();
      config.option = QNN_GRAPH_CONFIG_OPTION_PRIORITY;
      config.priority = priority_of(*priority);
      list.push_back(&config);
    }
    list.push_back(nullptr);
    graphs_.names.emplace_back(*name);
    graphs_.configs.push_back(std::move(list));
  }
  return {};
}

void ToolConfig::promise_persistence() {
  QnnContext_Config_t& config = for_loading_.emplace_back();
  config.option = QNN_CONTEXT_CONFIG_PERSISTENT_BINARY;
  config.isPersistentBinary = 1;
}

const QnnContext_Config_t** ToolConfig::context_configs() {
  context_list_.clear();
  for (const QnnContext_Config_t& config : for_all_) context_list_.push_back(&config);
  context_list_.push_back(nullptr);
  return context_list_.data();
}

const QnnContext_Config_t** ToolConfig::loading_configs() {
  loading_list_.clear();
  for (const QnnContext_Config_t& config : for_all_) loading_list_.push_back(&config);
  for (const QnnContext_Config_t& config : for_loading_) loading_list_.push_back(&config);
  loading_list_.push_back(nullptr);
  return loading_list_.data();
}

bool ToolConfig::names_graph_that_is_not_in(const std::vector<std::string>& graphs, std::string& name) const {
  for (const std::string& configured : graphs_.names) {
    if (std::ranges::find(graphs, configured) != graphs.end()) continue;
    name = configured;
    return true;
  }
  return false;
}

}  // namespace openqnn::tools
