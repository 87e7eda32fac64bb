// SPDX-License-Identifier: BSD-3-Clause
#include "tools/qnn/tool_config.h"

#include <algorithm>

#include "base/text.h"
#include "tools/api_names.h"
#include "tools/console.h"
#include "tools/file_kind.h"

namespace openqnn::tools {
namespace {

// The check has made sure that it is one of them.
Qnn_Priority_t priority_of(std::string_view name) {
  return static_cast<Qnn_Priority_t>(priority_named(name).value_or(QNN_PRIORITY_DEFAULT));
}

// What the file may say but this program cannot do.
Status refuse_what_is_missing(const config::Record& root, const std::string& path) {
  for (const config::Record& graph : root.records("graph_configs"))
    for (const std::string_view option : {"graph_profiling_start_delay", "graph_profiling_num_executions"})
      if (graph.has(option))
        return unsupported("config-graph-profiling",
                           concat(option, " is set, but this backend has no profile handles of graphs"))
            .at(path)
            .fix_by("leave it out");
  return {};
}

// The check only warns of a list where one object belongs. Nobody says which entry of several counts, and the
// options of one context lie in one place each.
Status refuse_several(const config::Record& root, const std::string& path) {
  for (const config::OptionDef& option : root.section().options) {
    const size_t entries = root.records(option.name).size();
    if (option.type == config::Type::kSection && entries > 1)
      return invalid("config-entries", concat(option.name, " has ", entries, " entries"))
          .at(path)
          .fix_by("write one object, {…}");
  }
  return {};
}

OpenQnnExtension_Stage_t extension_stage(config::Stage stage) {
  switch (stage) {
    case config::Stage::kOnline:
      return OPENQNN_EXTENSION_STAGE_ONLINE;
    case config::Stage::kLoad:
      return OPENQNN_EXTENSION_STAGE_LOAD;
    default:
      return OPENQNN_EXTENSION_STAGE_OFFLINE;
  }
}

}  // namespace

Status ToolConfig::read(ConfigRequest request) {
  request_ = std::move(request);
  if (request_.path.empty()) return {};
  OPENQNN_TRY(expect_kind(request_.path, {FileKind::kJson}));
  OPENQNN_ASSIGN(
      files_,
      check_before_use(config::read_file(request_.path, request_.kind),
                       {.tool = request_.tool, .stage = request_.stage, .soc = request_.soc}, request_.tell));
  const config::Config& given = *files_.front().config;
  is_outer_ = given.kind == config::Kind::kTool;
  if (is_outer_) {
    const config::Record root = given.root();
    OPENQNN_TRY(read_outer(root));
    return read_extensions(root.records("backend_extensions"));
  }
  // The backend's own file by itself: its library is the one beside this program.
  const bool lpai = given.kind == config::Kind::kLpai;
  if (!lpai && given.kind != config::Kind::kHtp)
    return invalid("config-kind", concat("this is the ", config::kind_def(given.kind).title))
        .at(request_.path)
        .fix_by("give the outer file, or the backend's own");
  const std::string library = lpai ? "libQnnLpaiNetRunExtensions.so" : "libQnnHtpNetRunExtensions.so";
  return open_extension(find_own_library(library).value_or(library).string());
}

const config::Document* ToolConfig::inner() const {
  const size_t place = is_outer_ ? 1 : 0;
  return place < files_.size() ? &files_[place] : nullptr;
}

Status ToolConfig::read_outer(const config::Record& root) {
  OPENQNN_TRY(refuse_what_is_missing(root, request_.path));
  OPENQNN_TRY(refuse_several(root, request_.path));
  for (const config::Record& context : root.records("context_configs")) read_context(context);
  read_graphs(root);
  for (const config::Record& profile : root.records("profile_configs"))
    if (const auto most = profile.integer("num_max_events")) most_events_ = static_cast<uint64_t>(*most);
  for (const config::Record& async : root.records("async_graph_execution_config")) {
    if (const auto limit = async.integer("execute_enqueue_tasks_limit"); limit && *limit > 0)
      queue_depth_ = static_cast<uint64_t>(*limit);
    if (async.has("input_tensors_creation_tasks_limit"))
      request_.tell(
          Severity::kWarning,
          concat(request_.path, ": input_tensors_creation_tasks_limit has no effect here: an input ",
                 "is made ready when its execution is queued"));
  }
  return {};
}

// ---- The backend's own file ----

Status ToolConfig::read_extensions(const std::vector<config::Record>& entries) {
  for (const config::Record& entry : entries)
    if (const auto library = entry.text("shared_library_path"); library && !(*library).empty())
      return open_extension(std::string(*library));
  return {};
}

Status ToolConfig::open_extension(const std::string& library) {
  ExtensionRequest request;
  request.library = library;
  if (inner() != nullptr) request.config_file = inner()->name;
  request.tool = config::tool_name(request_.tool);
  request.stage = extension_stage(request_.stage);
  request.perf_profile = request_.perf_profile;
  OPENQNN_ASSIGN(extension_, Extension::open(request, request_.tell));
  if (inner() != nullptr && inner()->config) part_ = config::Subject({&*inner()->config}, {}).part;
  add_extension_graphs();
  return {};
}

void ToolConfig::add_extension_graphs() {
  for (const std::string& name : extension_->graph_names()) {
    std::vector<const QnnGraph_Config_t*>& list = graph_list(name);
    list.pop_back();  // the null
    for (const QnnGraph_Config_t** option = extension_->graph_configs(name); *option != nullptr; ++option)
      list.push_back(*option);
    list.push_back(nullptr);
  }
}

// The list of a graph, which ends with null.
std::vector<const QnnGraph_Config_t*>& ToolConfig::graph_list(const std::string& name) {
  const auto [place, is_new] = graph_index_.try_emplace(name, graphs_.names.size());
  if (!is_new) return graphs_.configs[place->second];
  graphs_.names.push_back(name);
  return graphs_.configs.emplace_back(1, nullptr);
}

const QnnBackend_Config_t** ToolConfig::backend_configs() const {
  return extension_ == nullptr ? nullptr : extension_->backend_configs();
}

const QnnDevice_Config_t** ToolConfig::device_configs() const {
  return extension_ == nullptr ? nullptr : extension_->device_configs();
}

Status ToolConfig::check_graphs(const std::vector<std::string>& graphs) const {
  const auto check = [&](std::string_view key, const std::string& name) -> Status {
    if (std::ranges::find(graphs, name) != graphs.end()) return {};
    return invalid("config-graph", concat(key, " names '", name, "', but there is no such graph"))
        .at(request_.path)
        .fix_by(concat("the graphs: ", joined(graphs)));
  };
  for (const std::string& name : outer_graphs_) OPENQNN_TRY(check("graph_configs", name));
  if (request_.stage == config::Stage::kLoad)
    for (const char* const name : retained_graphs_)
      if (name != nullptr) OPENQNN_TRY(check("graph_retention_order", name));
  // In a finished binary the names have no effect at all, which the check has said.
  const config::Document* const file = inner();
  if (file == nullptr || request_.stage == config::Stage::kLoad) return {};
  return tell_findings(file->name, file->text, findings_on_graphs(*file, graphs), request_.tell);
}

bool ToolConfig::loads(const std::string& graph) const {
  return enabled_graphs_.empty() || std::ranges::any_of(enabled_graphs_, [&](const char* name) {
           return name != nullptr && graph == name;
         });
}

// ---- The outer file ----

void ToolConfig::read_context(const config::Record& record) {
  if (const auto priority = record.text("context_priority")) {
    QnnContext_Config_t& config = for_all_.emplace_back();
    config.option = QNN_CONTEXT_CONFIG_OPTION_PRIORITY;
    config.priority = priority_of(*priority);
  }
  if (const auto depth = record.integer("async_execute_queue_depth")) {
    QnnContext_Config_t& config = for_all_.emplace_back();
    config.option = QNN_CONTEXT_CONFIG_ASYNC_EXECUTION_QUEUE_DEPTH;
    config.asyncExeQueueDepth.type = QNN_CONTEXT_ASYNC_EXECUTION_QUEUE_DEPTH_TYPE_NUMERIC;
    config.asyncExeQueueDepth.depth = static_cast<uint32_t>(std::min<int64_t>(*depth, UINT32_MAX));
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
  if (request_.stage == config::Stage::kLoad) {
    working_buffers_.spill_fill = record.integer("spill_fill_buffer").or_else(0);
    working_buffers_.weights = record.integer("weights_buffer").or_else(0);
  }
  if (const auto mode = record.text("cache_compatibility_mode")) {
    QnnContext_Config_t& config = for_loading_.emplace_back();
    config.option = QNN_CONTEXT_CONFIG_BINARY_COMPATIBILITY;
    config.binaryCompatibilityType = *mode == "strict" ? QNN_CONTEXT_BINARY_COMPATIBILITY_STRICT
                                                       : QNN_CONTEXT_BINARY_COMPATIBILITY_PERMISSIVE;
  }
}

void ToolConfig::read_graphs(const config::Record& root) {
  for (const config::Record& graph : root.records("graph_configs")) {
    const auto name = graph.text("graph_name");
    if (!name) continue;  // the check has said it
    outer_graphs_.emplace_back(*name);
    std::vector<const QnnGraph_Config_t*>& list = graph_list(std::string(*name));
    if (const auto priority = graph.text("graph_priority")) {
      QnnGraph_Config_t& config = graph_options_.emplace_back();
      config.option = QNN_GRAPH_CONFIG_OPTION_PRIORITY;
      config.priority = priority_of(*priority);
      list.insert(list.end() - 1, &config);  // before the null
    }
  }
}

void ToolConfig::promise_persistence() {
  QnnContext_Config_t& config = for_loading_.emplace_back();
  config.option = QNN_CONTEXT_CONFIG_PERSISTENT_BINARY;
  config.isPersistentBinary = 1;
}

void ToolConfig::append_extension_options(std::vector<const QnnContext_Config_t*>& list) const {
  if (extension_ != nullptr)
    for (const QnnContext_Config_t** option = extension_->context_configs(); *option != nullptr; ++option)
      list.push_back(*option);
  list.push_back(nullptr);
}

const QnnContext_Config_t** ToolConfig::context_configs() {
  context_list_.clear();
  for (const QnnContext_Config_t& config : for_all_) context_list_.push_back(&config);
  append_extension_options(context_list_);
  return context_list_.data();
}

const QnnContext_Config_t** ToolConfig::loading_configs() {
  loading_list_.clear();
  for (const QnnContext_Config_t& config : for_all_) loading_list_.push_back(&config);
  for (const QnnContext_Config_t& config : for_loading_) loading_list_.push_back(&config);
  append_extension_options(loading_list_);
  return loading_list_.data();
}

}  // namespace openqnn::tools
