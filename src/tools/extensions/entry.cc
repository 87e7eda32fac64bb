// SPDX-License-Identifier: BSD-3-Clause
// The C interface of every extension library (extension.h).
#include "base/text.h"
#include "tools/extensions/handle.h"

namespace openqnn::tools {
namespace {

void tell(const OpenQnnExtension_Request_t& request, QnnLog_Level_t level, const std::string& line) {
  if (request.tell != nullptr) request.tell(request.listener, level, line.c_str());
}

void tell_error(const OpenQnnExtension_Request_t& request, const Diagnostic& error) {
  tell(request, QNN_LOG_LEVEL_ERROR,
       concat(error.where.empty() ? "" : concat(error.where.to_string(), ": "), error.message,
              error.fix.empty() ? "" : concat("; ", error.fix)));
  for (const std::string& note : error.notes) tell(request, QNN_LOG_LEVEL_ERROR, note);
}

OpenQnnExtension_Handle_t read(const OpenQnnExtension_Request_t& request) {
  std::vector<std::string> warnings;
  auto made = make_extension(request, warnings);
  if (!made) {
    tell_error(request, made.error());
    return nullptr;
  }
  const std::string file = request.configFile == nullptr ? "" : concat(request.configFile, ": ");
  for (const std::string& warning : warnings) tell(request, QNN_LOG_LEVEL_WARN, concat(file, warning));
  return made->release();
}

// Runs `act`; when memory runs out, or a listener of the client throws, `fallback` is the answer.
template <class Answer, class Act>
Answer guarded(Answer fallback, Act act) noexcept {
  try {
    return act();
  } catch (...) {
    return fallback;
  }
}

OpenQnnExtension_Handle_t open(const OpenQnnExtension_Request_t* request) noexcept {
  if (request == nullptr) return nullptr;
  bool ended = false;  // with or without success, but not by an exception
  const auto handle = guarded(OpenQnnExtension_Handle_t(nullptr), [&] {
    const OpenQnnExtension_Handle_t made = read(*request);
    ended = true;
    return made;
  });
  if (!ended && request->tell != nullptr)
    guarded(0, [&] {
      request->tell(request->listener, QNN_LOG_LEVEL_ERROR,
                    "there is not enough memory to read the file; free some, or make the file smaller");
      return 0;
    });
  return handle;
}

Qnn_ErrorHandle_t vote(OpenQnnExtension_Handle_t handle,
                       const QnnInterface_ImplementationV2_39_t* api) noexcept {
  return guarded(Qnn_ErrorHandle_t(QNN_COMMON_ERROR_MEM_ALLOC), [&] { return handle->vote(*api); });
}

Qnn_ErrorHandle_t lower_votes(OpenQnnExtension_Handle_t handle,
                              const QnnInterface_ImplementationV2_39_t* api) noexcept {
  return guarded(Qnn_ErrorHandle_t(QNN_COMMON_ERROR_MEM_ALLOC), [&] { return handle->lower_votes(*api); });
}

constexpr OpenQnnExtension_Interface_t make_interface() {
  using Handle = OpenQnnExtension_Handle_t;
  return {
      .version = OPENQNN_EXTENSION_VERSION,
      .backendId = 0,
      .backendName = nullptr,
      .open = open,
      .close = [](Handle handle) { delete handle; },
      .backendConfigs = [](Handle handle) { return handle->backend_configs(); },
      .deviceConfigs = [](Handle handle) { return handle->device_configs(); },
      .contextConfigs = [](Handle handle) { return handle->context_configs(); },
      .graphNames = [](Handle handle) { return handle->graph_names(); },
      .graphConfigs = [](Handle handle,
                         const char* graph) { return handle->graph_configs(graph == nullptr ? "" : graph); },
      .profileLevel = [](Handle handle) { return handle->profile_level(); },
      .sharedBuffers = [](Handle handle) -> uint32_t { return handle->shared_buffers() ? 1 : 0; },
      .vote = vote,
      .lowerVotes = lower_votes,
      .holdMicroseconds = [](Handle handle) { return handle->hold_us(); },
      .endVotes = [](Handle handle) { handle->end_votes(); },
  };
}

}  // namespace
}  // namespace openqnn::tools

const OpenQnnExtension_Interface_t* OpenQnnExtension_getInterface(uint32_t version) {
  using namespace openqnn::tools;  // NOLINT: the C interface has no namespace of its own
  if (version != OPENQNN_EXTENSION_VERSION) return nullptr;
  static const OpenQnnExtension_Interface_t table = [] {
    OpenQnnExtension_Interface_t made = make_interface();
    made.backendId = kExtensionBackend.id;
    made.backendName = kExtensionBackend.name;
    return made;
  }();
  return &table;
}
