// SPDX-License-Identifier: BSD-3-Clause
// libQnnModelDlc.so: a model library whose model is a .dlc. Its functions have no argument for the path: it
// comes in the environment variable OPENQNN_DLC_PATH (ours), which the programs set for --dlc_path.
#include <cstdarg>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "base/text.h"
#include "tools/console.h"
#include "tools/qnn/compose_watch.h"
#include "tools/qnn/model_interface.h"
#include "tools/qnn/models.h"
#include "tools/qnn/tool.h"

namespace openqnn::tools {
namespace {

// Numbers of our own; callers ask only whether they are 0.
enum Answer : int { kComposed = 0, kBadArgument = 1, kFailedToCompose = 2 };

void call_back(QnnLog_Callback_t callback, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  callback(format, QNN_LOG_LEVEL_ERROR, 0, arguments);
  va_end(arguments);
}

int refuse(QnnLog_Callback_t callback, Answer answer, const std::string& text) {
  if (callback != nullptr)
    call_back(callback, "%s", text.c_str());
  else
    log_line(QNN_LOG_LEVEL_ERROR, text);
  return answer;
}

// A graph's description and the memory behind it.
struct OwnedInfo {
  QnnModelGraphInfo info = {};
  std::string name;
  std::vector<DescribedTensor> described;
  std::vector<Qnn_Tensor_t> inputs;
  std::vector<Qnn_Tensor_t> outputs;
};

// What the caller holds: a list of pointers, with the owners in front of nothing it can see.
struct OwnedList {
  std::vector<std::unique_ptr<OwnedInfo>> graphs;
  std::vector<QnnModelGraphInfo*> pointers;
};
std::vector<std::unique_ptr<OwnedList>>& handed_out() {
  static std::vector<std::unique_ptr<OwnedList>> lists;
  return lists;
}

Status describe_tensors(const std::vector<IoTensor>& from, OwnedInfo& owned, std::vector<Qnn_Tensor_t>& to) {
  for (const IoTensor& tensor : from) {
    DescribedTensor& described = owned.described.emplace_back();
    OPENQNN_TRY(describe(tensor.tensor, described));
    described.tensor.v1.id = tensor.id;
    to.push_back(described.tensor);
  }
  return {};
}

Result<std::unique_ptr<OwnedInfo>> own(const RunnableGraph& graph) {
  auto owned = std::make_unique<OwnedInfo>();
  owned->name = graph.name;
  owned->described.reserve(graph.inputs.size() + graph.outputs.size());  // they must not move
  OPENQNN_TRY(describe_tensors(graph.inputs, *owned, owned->inputs));
  OPENQNN_TRY(describe_tensors(graph.outputs, *owned, owned->outputs));
  owned->info = {graph.handle,          owned->name.data(),
                 owned->inputs.data(),  static_cast<uint32_t>(owned->inputs.size()),
                 owned->outputs.data(), static_cast<uint32_t>(owned->outputs.size())};
  return owned;
}

GraphConfigs configs_from(const QnnModelGraphConfigInfo** infos, uint32_t count) {
  GraphConfigs configs;
  for (uint32_t i = 0; infos != nullptr && i < count; ++i) {
    configs.names.emplace_back(infos[i]->graphName);
    std::vector<const QnnGraph_Config_t*> list;
    for (const QnnGraph_Config_t** config = infos[i]->graphConfigs; config != nullptr && *config != nullptr;
         ++config)
      list.push_back(*config);
    list.push_back(nullptr);
    configs.configs.push_back(std::move(list));
  }
  return configs;
}

Result<std::unique_ptr<OwnedList>> compose_all(const std::string& path, const ComposeTarget& target,
                                               GraphConfigs configs, bool debug) {
  ComposeWishes wishes;
  wishes.all_outputs = debug;
  ComposeWatch watch(target.api, wishes);
  watch.begin_model(path);
  const Status composed = compose_dlc(path, {watch.table(), target.backend, target.context}, configs);
  OPENQNN_ASSIGN(const std::vector<RunnableGraph> graphs, watch.finish(composed));
  auto list = std::make_unique<OwnedList>();
  for (const RunnableGraph& graph : graphs) {
    OPENQNN_ASSIGN(auto owned, own(graph));
    list->pointers.push_back(&owned->info);
    list->graphs.push_back(std::move(owned));
  }
  return list;
}

}  // namespace
}  // namespace openqnn::tools

using namespace openqnn;         // NOLINT: C functions have no namespace
using namespace openqnn::tools;  // NOLINT

extern "C" QNN_API int QnnModel_composeGraphs(
    Qnn_BackendHandle_t backend, QnnInterface_ImplementationV2_39_t api, Qnn_ContextHandle_t context,
    const QnnModelGraphConfigInfo** graphs_config_info, uint32_t graphs_config_info_count,
    QnnModelGraphInfo*** graphs_info, uint32_t* graphs_info_count, bool debug, QnnLog_Callback_t log_callback,
    QnnLog_Level_t /*max_log_level: one kind of line is written*/) {
  if (graphs_info == nullptr || graphs_info_count == nullptr)
    return refuse(log_callback, kBadArgument, "graphsInfo and numGraphsInfo must not be null");
  const char* const path = std::getenv(kDlcPathVariable);
  if (path == nullptr || *path == '\0')
    return refuse(log_callback, kBadArgument,
                  concat("no .dlc is named: set ", kDlcPathVariable, ", or give the program --dlc_path"));
  try {  // the caller may be C
    auto list = compose_all(path, {api, backend, context},
                            configs_from(graphs_config_info, graphs_config_info_count), debug);
    if (!list) return refuse(log_callback, kFailedToCompose, list.error().sentence());
    handed_out().push_back(*std::move(list));
  } catch (const std::bad_alloc&) {
    return refuse(log_callback, kFailedToCompose, "no memory");  // short: it must not need any itself
  }
  *graphs_info = handed_out().back()->pointers.data();
  *graphs_info_count = static_cast<uint32_t>(handed_out().back()->pointers.size());
  return kComposed;
}

extern "C" QNN_API int QnnModel_freeGraphsInfo(QnnModelGraphInfo*** graphs_info, uint32_t /*count*/) {
  if (graphs_info == nullptr) return kBadArgument;
  const auto freed = std::erase_if(handed_out(), [&](const std::unique_ptr<OwnedList>& list) {
    return list->pointers.data() == *graphs_info;
  });
  if (freed == 0) return kBadArgument;
  *graphs_info = nullptr;
  return kComposed;
}
