// SPDX-License-Identifier: BSD-3-Clause
#include "tools/session.h"

#include <array>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "HTP/QnnHtpSystemContext.h"
#include "base/text.h"
#include "tools/console.h"
#include "tools/interrupt.h"

namespace openqnn::tools {
namespace {

// Frees a profile when a call is over.
class ScopedProfile {
 public:
  ScopedProfile(const BackendLibrary& library, Qnn_BackendHandle_t backend) : library_(library) {
    status_ = library.check(library.api().profileCreate(backend, QNN_PROFILE_LEVEL_BASIC, &handle_),
                            "QnnProfile_create");
  }
  ~ScopedProfile() {
    if (handle_ != nullptr) library_.api().profileFree(handle_);
  }
  ScopedProfile(const ScopedProfile&) = delete;
  ScopedProfile& operator=(const ScopedProfile&) = delete;

  const Status& status() const { return status_; }
  Qnn_ProfileHandle_t handle() const { return handle_; }

  Result<std::vector<Event>> events() const {
    const QnnProfile_EventId_t* ids = nullptr;
    uint32_t count = 0;
    OPENQNN_TRY(
        library_.check(library_.api().profileGetEvents(handle_, &ids, &count), "QnnProfile_getEvents"));
    return read({ids, count});
  }

 private:
  Result<std::vector<Event>> read(std::span<const QnnProfile_EventId_t> ids) const {
    std::vector<Event> events;
    for (const QnnProfile_EventId_t id : ids) {
      QnnProfile_EventData_t data = QNN_PROFILE_EVENT_DATA_INIT;
      OPENQNN_TRY(library_.check(library_.api().profileGetEventData(id, &data), "QnnProfile_getEventData"));
      const QnnProfile_EventId_t* children = nullptr;
      uint32_t count = 0;
      OPENQNN_TRY(library_.check(library_.api().profileGetSubEvents(id, &children, &count),
                                 "QnnProfile_getSubEvents"));
      Event event = {data.identifier == nullptr ? "" : data.identifier, data.type, data.unit, data.value, {}};
      OPENQNN_ASSIGN(event.children, read({children, count}));
      events.push_back(std::move(event));
    }
    return events;
  }

  const BackendLibrary& library_;
  Qnn_ProfileHandle_t handle_ = nullptr;
  Status status_;
};

// The inputs and outputs that all versions of the graph info begin with.
BinarySummary::Graph describe_graph(const QnnSystemContext_GraphInfo_t& info) {
  const QnnSystemContext_GraphInfoV1_t& graph = info.graphInfoV1;  // a common initial sequence
  BinarySummary::Graph made;
  made.name = graph.graphName;
  for (uint32_t i = 0; i < graph.numGraphInputs; ++i) made.input_ids.push_back(graph.graphInputs[i].v1.id);
  for (uint32_t i = 0; i < graph.numGraphOutputs; ++i) made.output_ids.push_back(graph.graphOutputs[i].v1.id);
  return made;
}

}  // namespace

DeviceChoice part_to_play(const BinaryInfo& binary) {
  if (std::getenv("OPENQNN_TARGET") != nullptr ||
      binary.info().version != QNN_SYSTEM_CONTEXT_BINARY_INFO_VERSION_3)
    return {};
  const QnnSystemContext_BinaryInfoV3_t& info = binary.info().contextBinaryInfoV3;
  DeviceChoice choice{.soc_model = info.socModel};
  QnnHtpSystemContext_ContextBlobInfo_t context;
  if (choice.soc_model != 0 || info.contextMetadataSize < sizeof context) return choice;
  std::memcpy(&context, info.contextMetadata, sizeof context);  // made for an architecture, whatever the SoC
  choice.arch = context.contextBinaryContextBlobInfoV1.dspArch;
  return choice;
}

void print_log_line(const char* format, QnnLog_Level_t level, uint64_t /*timestamp*/, va_list arguments) {
  std::fprintf(stderr, "  log %d: ", static_cast<int>(level));
  std::vfprintf(stderr, format, arguments);
  std::fputc('\n', stderr);
}

// An error is the answer of a call, too, and told as that.
void tell_warning(const char* format, QnnLog_Level_t level, uint64_t /*timestamp*/, va_list arguments) {
  if (level != QNN_LOG_LEVEL_WARN) return;
  std::array<char, 4096> text = {};
  std::vsnprintf(text.data(), text.size(), format, arguments);
  warn(text.data());
}

void SessionOptions::tell_all() {
  log_level = QNN_LOG_LEVEL_VERBOSE;
  log = print_log_line;
}

Result<std::unique_ptr<Session>> Session::open(std::shared_ptr<const BackendLibrary> library,
                                               const SessionOptions& options) {
  std::unique_ptr<Session> session(new Session(std::move(library)));
  const BackendLibrary& backend = *session->library_;
  if (options.log_level != 0)
    OPENQNN_TRY(backend.check(
        backend.api().logCreate(options.log, static_cast<QnnLog_Level_t>(options.log_level), &session->log_),
        "QnnLog_create"));
  OPENQNN_TRY(
      backend.check(backend.api().backendCreate(session->log_, options.backend_configs, &session->backend_),
                    "QnnBackend_create"));
  OPENQNN_TRY(session->create_device(options));
  return session;
}

Status Session::create_device(const SessionOptions& options) {
  HtpDeviceOptions chosen;
  add_choice(options.device, chosen);
  const bool given = options.device_configs != nullptr && *options.device_configs != nullptr;
  return library_->check(api().deviceCreate(log_, given ? options.device_configs : chosen.list(), &device_),
                         "QnnDevice_create");
}

Session::~Session() {
  free_context();
  if (device_ != nullptr) api().deviceFree(device_);
  if (backend_ != nullptr) api().backendFree(backend_);
  if (log_ != nullptr) api().logFree(log_);
}

void Session::free_context() {
  if (context_ != nullptr) api().contextFree(context_, nullptr);
  context_ = nullptr;
}

Status Session::create_context(const QnnContext_Config_t** configs) {
  free_context();
  return library_->check(api().contextCreate(backend_, device_, configs, &context_), "QnnContext_create");
}

Status Session::load_context(std::span<const std::byte> binary, const QnnContext_Config_t** more) {
  free_context();
  QnnContext_Config_t persistent = QNN_CONTEXT_CONFIG_INIT;
  persistent.option = QNN_CONTEXT_CONFIG_PERSISTENT_BINARY;
  persistent.isPersistentBinary = 1;
  std::vector<const QnnContext_Config_t*> configs = {&persistent};
  for (; more != nullptr && *more != nullptr; ++more) configs.push_back(*more);
  configs.push_back(nullptr);
  return library_->check(api().contextCreateFromBinary(backend_, device_, configs.data(), binary.data(),
                                                       binary.size(), &context_, nullptr),
                         "QnnContext_createFromBinary");
}

Result<Qnn_GraphHandle_t> Session::create_graph(const std::string& name) {
  Qnn_GraphHandle_t graph = nullptr;
  OPENQNN_TRY(library_->check(api().graphCreate(context_, name.c_str(), nullptr, &graph), "QnnGraph_create"));
  return graph;
}

Result<Qnn_GraphHandle_t> Session::retrieve(const std::string& name) {
  Qnn_GraphHandle_t graph = nullptr;
  OPENQNN_TRY(library_->check(api().graphRetrieve(context_, name.c_str(), &graph), "QnnGraph_retrieve"));
  return graph;
}

Status Session::add_node(Qnn_GraphHandle_t graph, const Qnn_OpConfig_t& config) {
  const char* name = config.v1.name;
  OPENQNN_TRY(library_->check(api().backendValidateOpConfig(backend_, config),
                              concat("QnnBackend_validateOpConfig for '", name, "'")));
  return library_->check(api().graphAddNode(graph, config), concat("QnnGraph_addNode for '", name, "'"));
}

Result<std::vector<Event>> Session::finalize(Qnn_GraphHandle_t graph) {
  const ScopedProfile profile(*library_, backend_);
  OPENQNN_TRY(profile.status());
  let_signals_stop(api(), graph);
  OPENQNN_TRY(or_interrupted(
      library_->check(api().graphFinalize(graph, profile.handle(), nullptr), "QnnGraph_finalize")));
  return profile.events();
}

Status Session::execute(Qnn_GraphHandle_t graph, std::span<const Qnn_Tensor_t> inputs,
                        std::span<Qnn_Tensor_t> outputs, std::vector<Event>* events) {
  const auto run = [&](Qnn_ProfileHandle_t profile) {
    return library_->check(
        api().graphExecute(graph, inputs.data(), static_cast<uint32_t>(inputs.size()), outputs.data(),
                           static_cast<uint32_t>(outputs.size()), profile, nullptr),
        "QnnGraph_execute");
  };
  if (events == nullptr) return run(nullptr);
  const ScopedProfile profile(*library_, backend_);
  OPENQNN_TRY(profile.status());
  OPENQNN_TRY(run(profile.handle()));
  OPENQNN_ASSIGN(*events, profile.events());
  return {};
}

Result<BinarySummary> Session::summarize(std::span<const std::byte> binary) const {
  OPENQNN_ASSIGN(const BinaryInfo info, BinaryInfo::read(*library_, binary));
  BinarySummary summary;
  const char* const build = info.info().contextBinaryInfoV1.buildId;  // what all versions begin with
  summary.build_id = build == nullptr ? "" : build;
  if (info.info().version == QNN_SYSTEM_CONTEXT_BINARY_INFO_VERSION_3)
    summary.soc_model = info.info().contextBinaryInfoV3.socModel;
  for (const QnnSystemContext_GraphInfo_t& graph : info.graphs())
    summary.graphs.push_back(describe_graph(graph));
  return summary;
}

}  // namespace openqnn::tools
