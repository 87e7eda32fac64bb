// SPDX-License-Identifier: BSD-3-Clause
#include "tools/qnn/models.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "api/model_facts.h"
#include "base/text.h"
#include "frontend/dlc/dlc.h"
#include "tools/backend_library.h"
#include "tools/file_kind.h"
#include "tools/qnn/tool.h"

namespace openqnn::tools {
namespace {

namespace fs = std::filesystem;

Result<fs::path> path_of_library(const std::string& given) {
  std::error_code error;
  if (fs::is_regular_file(given, error)) return fs::absolute(given);
  if (const auto found = find_library(given)) return *found;
  return system_failure("model-missing", "there is no such model library")
      .at(given)
      .fix_by("give the path of a lib*.so with <prefix>_composeGraphs, or a model with --dlc_path");
}

// Errors that a model library tells while it composes: reasons, should it fail. One library composes at a
// time.
std::vector<std::string> errors_of_library;

// All else that it says goes where this program's own lines go.
void log_of_library(const char* format, QnnLog_Level_t level, uint64_t, va_list arguments) {
  char line[1024];
  std::vsnprintf(line, sizeof line, format, arguments);
  if (level == QNN_LOG_LEVEL_ERROR)
    errors_of_library.emplace_back(line);
  else
    log_line(level, line);
}

Diagnostic compose_failure(const std::string& library, int code) {
  Diagnostic failure =
      invalid("model-compose", concat("Graph Compose failure: ", errors_of_library.empty()
                                                                     ? concat("the library answered ", code)
                                                                     : errors_of_library.front()))
          .at(library);
  if (!errors_of_library.empty())
    failure.notes.assign(errors_of_library.begin() + 1, errors_of_library.end());
  return failure;
}

}  // namespace

const QnnGraph_Config_t** configs_for(GraphConfigs& configs, const std::string& graph) {
  const auto found = std::ranges::find(configs.names, graph);
  return found == configs.names.end()
             ? nullptr
             : configs.configs[static_cast<size_t>(found - configs.names.begin())].data();
}

struct Models::Library {
  std::string path;
  void* handle = nullptr;
  QnnModelComposeGraphs compose = nullptr;
  QnnModelFreeGraphsInfo free = nullptr;

  Library() = default;
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
  ~Library() {
    if (handle != nullptr) dlclose(handle);
  }

  static Result<std::shared_ptr<Library>> open(const std::string& given, const std::string& prefix) {
    const auto library = std::make_shared<Library>();
    OPENQNN_ASSIGN(const fs::path path, path_of_library(given));
    library->path = path.string();
    OPENQNN_TRY(expect_kind(path, {FileKind::kLibrary}));
    library->handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library->handle == nullptr)
      return system_failure("model-unloadable", loader_reason()).at(library->path);
    const auto find = [&](const char* suffix) -> Result<void*> {
      const std::string name = prefix + suffix;
      void* const symbol = dlsym(library->handle, name.c_str());
      if (symbol != nullptr) return symbol;
      return invalid("model-symbol", concat("the library has no ", name))
          .at(library->path)
          .fix_by("--model takes a model library, not a backend; --model_prefix tells another prefix");
    };
    OPENQNN_ASSIGN(void* const compose, find("_composeGraphs"));
    OPENQNN_ASSIGN(void* const free, find("_freeGraphsInfo"));
    library->compose = reinterpret_cast<QnnModelComposeGraphs>(compose);
    library->free = reinterpret_cast<QnnModelFreeGraphsInfo>(free);
    return library;
  }

  Status run(const ComposeTarget& target, GraphConfigs& configs, bool debug) const {
    std::vector<QnnModelGraphConfigInfo> infos;
    for (size_t i = 0; i < configs.names.size(); ++i)
      infos.push_back({configs.names[i].c_str(), configs.configs[i].data()});
    std::vector<const QnnModelGraphConfigInfo*> pointers;
    for (const QnnModelGraphConfigInfo& info : infos) pointers.push_back(&info);
    QnnModelGraphInfo** graphs = nullptr;
    uint32_t count = 0;
    errors_of_library.clear();
    const int code = compose(
        target.backend, target.api, target.context, pointers.empty() ? nullptr : pointers.data(),
        static_cast<uint32_t>(pointers.size()), &graphs, &count, debug, log_of_library, QNN_LOG_LEVEL_ERROR);
    if (code != 0) return compose_failure(path, code);
    if (free(&graphs, count) != 0) log_warning(concat(path, ": freeing its description of graphs failed"));
    for (const std::string& error : errors_of_library) log_line(QNN_LOG_LEVEL_ERROR, error);
    return {};
  }
};

std::vector<OptionSpec> model_options_of_tools() {
  return {
      {"--model", "FILE[,FILE]",
       "model libraries; libQnnModelDlc.so with --dlc_path, where it may be left out"},
      {"--dlc_path", "FILE[,FILE]", "models as .dlc files of openqnn"},
      {"--model_prefix", "NAME", "what the functions of model libraries begin with (default QnnModel)"},
  };
}

Result<ModelChoice> model_choice(const Args& args) {
  ModelChoice choice;
  OPENQNN_ASSIGN(choice.libraries, list_of(args, "--model"));
  OPENQNN_ASSIGN(choice.dlcs, list_of(args, "--dlc_path"));
  choice.prefix = args.get("--model_prefix", kDefaultModelPrefix);
  if (args.has("--model_prefix") && choice.libraries.empty())
    return invalid("option-conflict", "--model_prefix is for --model alone").fix_by("leave it out");
  for (const std::string& library : choice.libraries) {
    const bool is_dlc_library = fs::path(library).filename() == kDlcModelLibrary;
    if (is_dlc_library && choice.dlcs.empty())
      return invalid("model-without-dlc", "this library composes .dlc files, and none is given")
          .at(library)
          .fix_by("add --dlc_path FILE");
    if (!is_dlc_library && !choice.dlcs.empty())
      return invalid("option-conflict", "--dlc_path goes with libQnnModelDlc.so alone")
          .at(library)
          .fix_by("leave --model or --dlc_path out");
  }
  return choice;
}

Status compose_dlc(const std::string& path, const ComposeTarget& target, GraphConfigs& configs) {
  OPENQNN_ASSIGN(const frontend::Dlc dlc, frontend::read_dlc(path));
  for (const frontend::DlcGraph& graph : dlc.graphs) {
    ComposeTarget own = target;
    own.configs = configs_for(configs, graph.graph.name());
    OPENQNN_TRY(compose(own, graph.graph, api::facts_of(graph)));
  }
  return {};
}

Result<Models> Models::open(const ModelChoice& choice) {
  Models models;
  models.dlcs_ = choice.dlcs;
  for (const std::string& dlc : choice.dlcs) OPENQNN_TRY(expect_kind(dlc, {FileKind::kDlc}));
  for (const std::string& given : choice.libraries) {
    OPENQNN_ASSIGN(models.libraries_.emplace_back(), Library::open(given, choice.prefix));
  }
  return models;
}

Status Models::compose(ComposeWatch& watch, Qnn_BackendHandle_t backend, Qnn_ContextHandle_t context,
                       GraphConfigs& configs, bool debug) {
  const ComposeTarget target = {watch.table(), backend, context};
  if (dlcs_.empty()) {
    for (const auto& library : libraries_) {
      watch.begin_model(library->path);
      OPENQNN_TRY(library->run(target, configs, debug));
    }
    return {};
  }
  for (const std::string& dlc : dlcs_) {
    watch.begin_model(dlc);
    if (libraries_.empty()) {
      OPENQNN_TRY(compose_dlc(dlc, target, configs));
      continue;
    }
    setenv(kDlcPathVariable, dlc.c_str(), /*overwrite=*/1);
    OPENQNN_TRY(libraries_.front()->run(target, configs, debug));
  }
  return {};
}

}  // namespace openqnn::tools
