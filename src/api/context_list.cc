// SPDX-License-Identifier: BSD-3-Clause
// QnnContext_createFromBinaryListAsync: several context binaries in one call, loaded in the background.
//
// What is wrong with the list as a whole is answered by the call, and nothing is loaded. What is wrong with
// one context reaches the notify function of that context, and the others are loaded.
#include <vector>

#include "HTP/QnnHtpContext.h"
#include "api/answer.h"
#include "api/context_load.h"
#include "api/context_options.h"
#include "api/doubtful_memory.h"
#include "api/graph_options.h"
#include "api/twins.h"
#include "base/text.h"
#include "soc/part_name.h"

namespace openqnn::api {
namespace {

constexpr const char* kFunction = "QnnContext_createFromBinaryListAsync";

// ---- What holds for the whole list ----

struct Sharing {
  bool on = false;
  uint32_t type = SEQUENTIAL_WITH_VA_OPTIMIZATION;
};

Outcome<> check_platform(const runtime::Persona& persona) {
  if (persona.platform != runtime::Platform::kLinux && persona.platform != runtime::Platform::kQnx) return {};
  return ApiError(
      QNN_CONTEXT_ERROR_UNSUPPORTED_FEATURE,
      unsupported("context-list-platform", "lists of binaries are for mobile and Windows platforms")
          .fix_by("load the binaries one by one with QnnContext_createFromBinary"));
}

// The part that the list is loaded for; where nobody named one, the documented default.
Outcome<soc::Target> target_of(const std::shared_ptr<runtime::DeviceState>& device) {
  if (device) return device->target;
  OPENQNN_ASSIGN_AS(soc::Target target, QNN_COMMON_ERROR_GENERAL, soc::default_target());
  return target;
}

// True when the option is one that only a list has.
Outcome<bool> read_sharing(const QnnContext_Config_t& config, Sharing& sharing) {
  if (number_of(config.option) != QNN_CONTEXT_CONFIG_OPTION_CUSTOM) return false;
  OPENQNN_TRY(check_custom_config(config.customConfig, QNN_CONTEXT_ERROR_INVALID_ARGUMENT));
  const auto& custom = *static_cast<const QnnHtpContext_CustomConfig_t*>(config.customConfig);
  const uint32_t option = number_of(custom.option);
  if (option == QNN_HTP_CONTEXT_CONFIG_OPTION_SHARE_RESOURCES) {
    sharing.on = flag_of(custom.shareResources);
    return true;
  }
  if (option != QNN_HTP_CONTEXT_CONFIG_OPTION_SHARE_RESOURCES_OPTIMIZATION_TYPE) return false;
  sharing.type = number_of(custom.shareResOptType);
  if (sharing.type <= CONCURRENT_OPTIMIZATION) return true;
  return ApiError(
      QNN_CONTEXT_ERROR_INVALID_CONFIG,
      invalid("context-share-type", concat("no way to share resources has the number ", sharing.type))
          .at("list configuration")
          .fix_by("0 and 1 are sequential, with and without address space; 2 is concurrent"));
}

const char* name_of_type(uint32_t type) {
  if (type == SEQUENTIAL_WITH_VA_OPTIMIZATION) return "SEQUENTIAL_WITH_VA_OPTIMIZATION";
  return type == CONCURRENT_OPTIMIZATION ? "CONCURRENT_OPTIMIZATION" : "SEQUENTIAL_WITHOUT_VA_OPTIMIZATION";
}

// Documented: concurrent sharing is for Android on v81. A host models the part it is asked for. Which parts
// save address space is not public: the default type is taken on all of them.
Outcome<> check_sharing(const Sharing& sharing, const runtime::Persona& persona, const soc::Target& target) {
  constexpr uint32_t kConcurrentArch = 81;
  const bool platform_fits =
      persona.platform == runtime::Platform::kAndroid || persona.platform == runtime::Platform::kHost;
  if (!sharing.on || sharing.type != CONCURRENT_OPTIMIZATION ||
      (platform_fits && target.arch == kConcurrentArch))
    return {};
  return ApiError(QNN_CONTEXT_ERROR_UNSUPPORTED_FEATURE,
                  unsupported("context-share-concurrent",
                              concat("resources are shared concurrently on Android and v81 alone; this is ",
                                     part_and_arch(target)))
                      .at("list configuration")
                      .fix_by("choose a sequential type"));
}

// The options of each context start from what the list says.
Outcome<runtime::ContextOptions> read_list_configs(const QnnContext_Config_t** configs,
                                                   const runtime::Backend& backend,
                                                   const soc::Target& target) {
  Sharing sharing;
  std::vector<const QnnContext_Config_t*> of_contexts;
  OPENQNN_TRY(for_each_config(configs, [&](const QnnContext_Config_t& config) -> Outcome<> {
    OPENQNN_ASSIGN(const bool of_list, read_sharing(config, sharing));
    if (!of_list) of_contexts.push_back(&config);
    return {};
  }));
  of_contexts.push_back(nullptr);
  OPENQNN_TRY(check_sharing(sharing, backend.persona(), target));
  OPENQNN_ASSIGN(runtime::ContextOptions options, read_context_configs(of_contexts.data(), backend.log()));
  if (!sharing.on) return options;
  options.sharing = std::make_shared<runtime::ResourceSharing>(sharing.type != CONCURRENT_OPTIMIZATION);
  backend.log().info(
      concat("the contexts of the list share resources (", name_of_type(sharing.type),
             "): executes that a device could not run side by side are named in the log; the host keeps the "
             "memory of each context apart and saves none"));
  return options;
}

// ---- One context of the list ----

struct Entry {
  ClientBinary binary;
  QnnContext_createFromBinaryNotifyFn_t notify;
  void* param;
};

template <class Params>
Entry entry_of(const Params& params) {
  return {{params.config, params.binaryBuffer, params.binaryBufferSize, params.profile},
          params.notifyFunc,
          params.notifyParam};
}

Outcome<Entry> read_params(const QnnContext_Params_t& params, const std::string& where) {
  const auto refuse = [&](Qnn_ErrorHandle_t code, DiagnosticBuilder&& reason) {
    return ApiError(code, std::move(reason).at(where));
  };
  const uint32_t version = number_of(params.version);
  if (version != QNN_CONTEXT_PARAMS_VERSION_1 && version != QNN_CONTEXT_PARAMS_VERSION_2)
    return refuse(QNN_CONTEXT_ERROR_INVALID_ARGUMENT,
                  invalid("context-list-version",
                          concat("parameters of version ", version, " are not known; 1 and 2 are")));
  if (version == QNN_CONTEXT_PARAMS_VERSION_2 && !params.v2)
    return refuse(QNN_CONTEXT_ERROR_INVALID_ARGUMENT,
                  invalid("argument-null", "the parameters are of version 2, and 'v2' is null"));
  if (version == QNN_CONTEXT_PARAMS_VERSION_2 && params.v2->callback)
    return refuse(QNN_CONTEXT_ERROR_UNSUPPORTED_FEATURE,
                  unsupported("context-list-callback", "binaries of a list are not read through callbacks")
                      .fix_by("pass the whole binary, and no callback"));
  const Entry entry = version == QNN_CONTEXT_PARAMS_VERSION_1 ? entry_of(params.v1) : entry_of(*params.v2);
  if (!entry.notify)
    return refuse(QNN_CONTEXT_ERROR_INVALID_ARGUMENT,
                  invalid("context-list-notify", "'notifyFunc' is null: nobody would learn the handles"));
  return entry;
}

Outcome<std::vector<Entry>> read_list(const QnnContext_Params_t** list) {
  if (!list) return null_argument(QNN_CONTEXT_ERROR_INVALID_ARGUMENT, "contextParams");
  std::vector<Entry> entries;
  for (; *list; ++list) {
    OPENQNN_ASSIGN(const Entry entry, read_params(**list, concat("contextParams[", entries.size(), "]")));
    entries.push_back(entry);
  }
  if (entries.empty())
    return ApiError(QNN_CONTEXT_ERROR_INVALID_ARGUMENT,
                    invalid("context-list-empty", "the list names no context")
                        .at("contextParams")
                        .fix_by("pass a pointer to each context's parameters, then null"));
  return entries;
}

// A context on its way. Runs and notifies on the thread of the backend's loads.
class ListedContext {
 public:
  ListedContext(Outcome<ContextLoad> load, const Entry& entry, Logger log)
      : load_(std::move(load)), notify_(entry.notify), param_(entry.param), log_(std::move(log)) {}

  Qnn_ErrorHandle_t run(const runtime::SignalledCall& signal) {
    has_run_ = true;
    return answer(kFunction, [&]() -> Outcome<> {
      CallScope::current().belongs_to(log_);
      if (!load_) return load_.error();
      OPENQNN_ASSIGN(context_, load_->run(signal));
      return {};
    });
  }

  // Every graph, then the context. What could not be loaded has no graphs, and no handle.
  void finish(Qnn_ErrorHandle_t status) const {
    // A queue that is closed gives up what waits, with a code of graphs.
    if (!has_run_) status = QNN_CONTEXT_ERROR_ABORTED;
    runtime::GraphList graphs;
    if (const auto context = runtime::HandleTable::instance().acquire<runtime::Context>(context_))
      graphs = context->graphs();
    for (const auto& [name, graph] : graphs)
      notify_(context_, graph, name.c_str(), QNN_CONTEXT_NOTIFY_TYPE_GRAPH_INIT, param_, status);
    notify_(context_, nullptr, nullptr, QNN_CONTEXT_NOTIFY_TYPE_CONTEXT_INIT, param_, status);
  }

 private:
  Outcome<ContextLoad> load_;
  const QnnContext_createFromBinaryNotifyFn_t notify_;
  void* const param_;
  const Logger log_;
  bool has_run_ = false;
  Qnn_ContextHandle_t context_ = nullptr;
};

// The signal is free again before the last context is notified, so that the client may free it then: each
// `run` holds it, and nobody else.
Outcome<> queue_load(runtime::AsyncQueue& loads, const std::shared_ptr<ListedContext>& context,
                     std::shared_ptr<runtime::SignalledCall> signal) {
  const auto pushed = loads.push({[context, signal = std::move(signal)] { return context->run(*signal); },
                                  [context](Qnn_ErrorHandle_t status) { context->finish(status); }});
  if (pushed == runtime::AsyncQueue::Pushed::kYes) return {};
  if (pushed == runtime::AsyncQueue::Pushed::kNoThread)
    return ApiError(
        QNN_CONTEXT_ERROR_MEM_ALLOC,
        system_failure("context-list-thread", "the thread that loads binaries cannot be started"));
  return ApiError(QNN_CONTEXT_ERROR_INVALID_HANDLE,
                  invalid("handle", "the backend is being freed: it loads nothing any more"));
}

Outcome<> queue_all(const std::vector<Entry>& entries, runtime::Backend& backend,
                    const std::shared_ptr<runtime::DeviceState>& device,
                    const runtime::ContextOptions& defaults, std::shared_ptr<runtime::SignalledCall> signal) {
  std::vector<std::shared_ptr<ListedContext>> contexts;
  for (const Entry& entry : entries)
    contexts.push_back(std::make_shared<ListedContext>(
        ContextLoad::read(entry.binary, backend, device, defaults), entry, backend.log()));
  for (size_t i = 0; i < contexts.size(); ++i) {
    auto held = i + 1 < contexts.size() ? signal : std::move(signal);
    OPENQNN_TRY(queue_load(backend.loads(), contexts[i], std::move(held)));
  }
  return {};
}

}  // namespace
}  // namespace openqnn::api

using namespace openqnn;       // NOLINT: the C API has no namespace of its own
using namespace openqnn::api;  // NOLINT

Qnn_ErrorHandle_t QnnContext_createFromBinaryListAsync(Qnn_BackendHandle_t backend, Qnn_DeviceHandle_t device,
                                                       const QnnContext_Params_t** contextParams,
                                                       const QnnContext_Config_t** listConfig,
                                                       Qnn_SignalHandle_t signal) {
  return answer(kFunction, [&]() -> Outcome<> {
    OPENQNN_TRY(refuse_twins());
    OPENQNN_ASSIGN(const auto owner, find<runtime::Backend>(backend, QNN_CONTEXT_ERROR_INVALID_HANDLE));
    OPENQNN_TRY(check_platform(owner->persona()));
    OPENQNN_ASSIGN(const std::vector<Entry> entries, read_list(contextParams));
    OPENQNN_ASSIGN(const auto state, device_to_load_for(device, *owner));
    OPENQNN_ASSIGN(const soc::Target target, target_of(state));
    OPENQNN_ASSIGN(const runtime::ContextOptions defaults, read_list_configs(listConfig, *owner, target));
    OPENQNN_ASSIGN(auto call, runtime::SignalledCall::begin(signal, runtime::kContextSignalCodes));
    return queue_all(entries, *owner, state, defaults,
                     std::make_shared<runtime::SignalledCall>(std::move(call)));
  });
}
