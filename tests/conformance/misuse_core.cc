// SPDX-License-Identifier: BSD-3-Clause
// The rows of the backend's table, header by header.
#include "misuse.h"

namespace conformance {
namespace {

#define CORE_SLOT(field) CONFORMANCE_SLOT(Api, field)

using enum HandleKind;

Owned create_signal(const Api& api, Qnn_BackendHandle_t backend) {
  QnnSignal_Config_t option = QNN_SIGNAL_CONFIG_INIT;
  option.option = QNN_SIGNAL_CONFIG_OPTION_ABORT;
  const QnnSignal_Config_t* list[] = {&option, nullptr};
  Qnn_SignalHandle_t signal = nullptr;
  check(api, api.signalCreate(backend, list, &signal), "signalCreate");
  return {signal, api.signalFree};
}

Owned create_platform_info(const Api& api) {
  const QnnDevice_PlatformInfo_t* info = nullptr;
  check(api, api.deviceGetPlatformInfo(nullptr, &info), "deviceGetPlatformInfo");
  return {const_cast<QnnDevice_PlatformInfo_t*>(info), [free = api.deviceFreePlatformInfo](void* given) {
            return free(nullptr, static_cast<QnnDevice_PlatformInfo_t*>(given));
          }};
}

Owned create_message(const Api& api) {
  const char* message = nullptr;
  check(api, api.errorGetVerboseMessage(QNN_GRAPH_ERROR_INVALID_TENSOR, &message), "errorGetVerboseMessage");
  return {const_cast<char*>(message),
          [free = api.errorFreeVerboseMessage](void* given) { return free(static_cast<char*>(given)); }};
}

using All = CoreObjects&;
using With = const Arguments&;

// Writes the rows.
class CoreRows {
 public:
  explicit CoreRows(CoreObjects& all) : all_(all), live_(all.live()) {}

  std::vector<Row<CoreObjects>> write() {
    of_log();
    of_backend();
    of_device();
    of_context();
    of_binaries();
    of_sections();
    of_graph();
    of_execute();
    of_tensor();
    of_profile();
    of_memory();
    of_signal();
    of_error();
    return std::move(rows_);
  }

 private:
  void row(Slot<Api> slot, std::vector<Argument> arguments, Qnn_ErrorHandle_t (*call)(All, With)) {
    rows_.push_back({slot, std::move(arguments), call});
  }
  Argument handle(HandleKind kind, Qnn_ErrorHandle_t code) const { return required(kind, code, live_); }
  Argument optional(HandleKind kind, Qnn_ErrorHandle_t code) const {
    return conformance::optional(kind, code, live_);
  }
  Argument out(const char* name, Qnn_ErrorHandle_t code) const {
    return pointer(name, code, all_.answers.bytes.data());
  }

  void of_log() {
    row(CORE_SLOT(logCreate), {out("logger", QNN_LOG_ERROR_INVALID_ARGUMENT)},
        [](All all, With a) { return all.api.logCreate(nullptr, QNN_LOG_LEVEL_ERROR, a[0]); });
    row(CORE_SLOT(logSetLogLevel), {handle(kLog, QNN_LOG_ERROR_INVALID_HANDLE)},
        [](All all, With a) { return all.api.logSetLogLevel(a[0], QNN_LOG_LEVEL_WARN); });
    row(CORE_SLOT(logFree), {handle(kLog, QNN_LOG_ERROR_INVALID_HANDLE)},
        [](All all, With a) { return all.api.logFree(a[0]); });
  }

  void of_backend() {
    constexpr Qnn_ErrorHandle_t kHandle = QNN_BACKEND_ERROR_INVALID_HANDLE;
    constexpr Qnn_ErrorHandle_t kArgument = QNN_BACKEND_ERROR_INVALID_ARGUMENT;
    row(CORE_SLOT(backendCreate), {optional(kLog, kArgument), out("backend", kArgument)},
        [](All all, With a) { return all.api.backendCreate(a[0], nullptr, a[1]); });
    row(CORE_SLOT(backendSetConfig), {handle(kBackend, kHandle)},
        [](All all, With a) { return all.api.backendSetConfig(a[0], nullptr); });
    row(CORE_SLOT(backendGetApiVersion), {out("pVersion", kArgument)},
        [](All all, With a) { return all.api.backendGetApiVersion(a[0]); });
    row(CORE_SLOT(backendGetBuildId), {out("id", kArgument)},
        [](All all, With a) { return all.api.backendGetBuildId(a[0]); });
    row(CORE_SLOT(backendRegisterOpPackage),
        {handle(kBackend, kHandle), pointer("packagePath", kArgument, "no.so"),
         pointer("interfaceProvider", kArgument, "none")},
        [](All all, With a) { return all.api.backendRegisterOpPackage(a[0], a[1], a[2], nullptr); });
    row(CORE_SLOT(backendGetSupportedOperations),
        {handle(kBackend, kHandle), out("numOperations", kArgument), out("operations", kArgument)},
        [](All all, With a) { return all.api.backendGetSupportedOperations(a[0], a[1], a[2]); });
    row(CORE_SLOT(backendValidateOpConfig), {handle(kBackend, kHandle)}, [](All all, With a) {
      Scratch scratch;
      return all.api.backendValidateOpConfig(
          a[0], describe(all.sample.model, all.sample.model.nodes.front(), scratch));
    });
    row(CORE_SLOT(backendFree), {handle(kBackend, kHandle)},
        [](All all, With a) { return all.api.backendFree(a[0]); });
    row(CORE_SLOT(propertyHasCapability), {}, nullptr);  // takes neither
  }

  void of_device() {
    constexpr Qnn_ErrorHandle_t kHandle = QNN_DEVICE_ERROR_INVALID_HANDLE;
    constexpr Qnn_ErrorHandle_t kArgument = QNN_DEVICE_ERROR_INVALID_ARGUMENT;
    row(CORE_SLOT(deviceGetPlatformInfo), {optional(kLog, kArgument), out("platformInfo", kArgument)},
        [](All all, With a) { return all.api.deviceGetPlatformInfo(a[0], a[1]); });
    row(CORE_SLOT(deviceFreePlatformInfo), {optional(kLog, kArgument), handle(kPlatformInfo, kArgument)},
        [](All all, With a) { return all.api.deviceFreePlatformInfo(a[0], a[1]); });
    row(CORE_SLOT(deviceGetInfrastructure), {out("deviceInfra", kArgument)},
        [](All all, With a) { return all.api.deviceGetInfrastructure(a[0]); });
    row(CORE_SLOT(deviceCreate), {optional(kLog, kArgument), out("device", kArgument)},
        [](All all, With a) { return all.api.deviceCreate(a[0], nullptr, a[1]); });
    row(CORE_SLOT(deviceSetConfig), {handle(kDevice, kHandle)},
        [](All all, With a) { return all.api.deviceSetConfig(a[0], nullptr); });
    row(CORE_SLOT(deviceGetInfo), {handle(kDevice, kHandle), out("platformInfo", kArgument)},
        [](All all, With a) { return all.api.deviceGetInfo(a[0], a[1]); });
    row(CORE_SLOT(deviceFree), {handle(kDevice, kHandle)},
        [](All all, With a) { return all.api.deviceFree(a[0]); });
  }

  void of_context() {
    constexpr Qnn_ErrorHandle_t kHandle = QNN_CONTEXT_ERROR_INVALID_HANDLE;
    constexpr Qnn_ErrorHandle_t kArgument = QNN_CONTEXT_ERROR_INVALID_ARGUMENT;
    row(CORE_SLOT(contextCreate),
        {handle(kBackend, kHandle), optional(kDevice, kHandle), out("context", kArgument)},
        [](All all, With a) { return all.api.contextCreate(a[0], a[1], nullptr, a[2]); });
    row(CORE_SLOT(contextSetConfig), {handle(kContext, kHandle)},
        [](All all, With a) { return all.api.contextSetConfig(a[0], nullptr); });
    row(CORE_SLOT(contextGetBinarySize), {handle(kContext, kHandle), out("binaryBufferSize", kArgument)},
        [](All all, With a) { return all.api.contextGetBinarySize(a[0], a[1]); });
    row(CORE_SLOT(contextGetBinary),
        {handle(kContext, kHandle), pointer("binaryBuffer", kArgument, all_.binary.data()),
         out("writtenBufferSize", kArgument)},
        [](All all, With a) { return all.api.contextGetBinary(a[0], a[1], all.binary.size(), a[2]); });
    row(CORE_SLOT(contextGetProperty),
        {handle(kContext, kHandle), pointer("properties", kArgument, no_properties_)},
        [](All all, With a) { return all.api.contextGetProperty(a[0], a[1]); });
    row(CORE_SLOT(contextFree), {handle(kContext, kHandle), absent(kProfile, QNN_CONTEXT_ERROR_SET_PROFILE)},
        [](All all, With a) { return all.api.contextFree(a[0], a[1]); });
  }

  void of_binaries() {
    constexpr Qnn_ErrorHandle_t kHandle = QNN_CONTEXT_ERROR_INVALID_HANDLE;
    constexpr Qnn_ErrorHandle_t kArgument = QNN_CONTEXT_ERROR_INVALID_ARGUMENT;
    const Argument buffer = pointer("binaryBuffer", kArgument, all_.binary.data());
    row(CORE_SLOT(contextValidateBinary), {handle(kBackend, kHandle), optional(kDevice, kHandle), buffer},
        [](All all, With a) {
          return all.api.contextValidateBinary(a[0], a[1], nullptr, a[2], all.binary.size());
        });
    const std::vector<Argument> load = {handle(kBackend, kHandle), optional(kDevice, kHandle), buffer,
                                        out("context", kArgument),
                                        absent(kProfile, QNN_CONTEXT_ERROR_SET_PROFILE)};
    row(CORE_SLOT(contextCreateFromBinary), load, [](All all, With a) {
      return all.api.contextCreateFromBinary(a[0], a[1], nullptr, a[2], all.binary.size(), a[3], a[4]);
    });
    std::vector<Argument> load_with_signal = load;
    load_with_signal.push_back(absent(kSignal, kArgument));
    row(CORE_SLOT(contextCreateFromBinaryWithSignal), load_with_signal, [](All all, With a) {
      return all.api.contextCreateFromBinaryWithSignal(a[0], a[1], nullptr, a[2], all.binary.size(), a[3],
                                                       a[4], a[5]);
    });
    row(CORE_SLOT(contextCreateFromBinaryListAsync),
        {handle(kBackend, kHandle), optional(kDevice, kHandle), out("contextParams", kArgument),
         absent(kSignal, kArgument)},
        [](All all, With a) {
          const QnnContext_Params_t params = {
              QNN_CONTEXT_PARAMS_VERSION_1,
              {{nullptr, all.binary.data(), all.binary.size(), nullptr, ignore_context, nullptr}}};
          const QnnContext_Params_t* list[] = {&params, nullptr};
          return all.api.contextCreateFromBinaryListAsync(a[0], a[1], a[2].value ? list : nullptr, nullptr,
                                                          a[3]);
        });
  }
  static void ignore_context(Qnn_ContextHandle_t, Qnn_GraphHandle_t, const char*,
                             QnnContext_createFromBinaryAsyncNotifyType_t, void*, Qnn_ErrorHandle_t) {}

  void of_sections() {
    constexpr Qnn_ErrorHandle_t kHandle = QNN_CONTEXT_ERROR_INVALID_HANDLE;
    constexpr Qnn_ErrorHandle_t kArgument = QNN_CONTEXT_ERROR_INVALID_ARGUMENT;
    const Argument context = handle(kContext, kHandle);
    const Argument graph = optional(kGraph, kHandle);
    const Argument profile = absent(kProfile, QNN_CONTEXT_ERROR_SET_PROFILE);
    const Argument signal = absent(kSignal, kArgument);
    const Argument buffer = out("binaryBuffer", kArgument);
    row(CORE_SLOT(contextGetBinarySectionSize), {context, graph, out("binaryBufferSize", kArgument)},
        [](All all, With a) {
          return all.api.contextGetBinarySectionSize(a[0], a[1], QNN_CONTEXT_SECTION_UPDATABLE, a[2]);
        });
    row(CORE_SLOT(contextGetBinarySection),
        {context, graph, buffer, out("writtenBufferSize", kArgument), profile, signal}, [](All all, With a) {
          const QnnContext_Buffer_t bytes = buffer_of(all);
          return all.api.contextGetBinarySection(a[0], a[1], QNN_CONTEXT_SECTION_UPDATABLE,
                                                 a[2].value ? &bytes : nullptr, a[3], a[4], a[5]);
        });
    row(CORE_SLOT(contextApplyBinarySection), {context, graph, buffer, profile, signal}, [](All all, With a) {
      const QnnContext_Buffer_t bytes = buffer_of(all);
      return all.api.contextApplyBinarySection(a[0], a[1], QNN_CONTEXT_SECTION_UPDATABLE,
                                               a[2].value ? &bytes : nullptr, a[3], a[4]);
    });
  }
  static QnnContext_Buffer_t buffer_of(CoreObjects& all) {
    QnnContext_Buffer_t buffer = {QNN_CONTEXT_BUFFER_VERSION_1, {}};
    buffer.v1.memType = QNN_CONTEXTMEMTYPE_RAW;
    buffer.v1.binaryBuf = {all.binary.data(), all.binary.size()};
    return buffer;
  }

  void of_graph() {
    constexpr Qnn_ErrorHandle_t kHandle = QNN_GRAPH_ERROR_INVALID_HANDLE;
    constexpr Qnn_ErrorHandle_t kContextCode = QNN_GRAPH_ERROR_INVALID_CONTEXT;
    constexpr Qnn_ErrorHandle_t kArgument = QNN_GRAPH_ERROR_INVALID_ARGUMENT;
    row(CORE_SLOT(graphCreate),
        {handle(kContext, kContextCode), pointer("graphName", QNN_GRAPH_ERROR_INVALID_NAME, "new"),
         out("graphHandle", kArgument)},
        [](All all, With a) { return all.api.graphCreate(a[0], a[1], nullptr, a[2]); });
    row(CORE_SLOT(graphRetrieve),
        {handle(kContext, kContextCode),
         pointer("graphName", QNN_GRAPH_ERROR_INVALID_NAME, all_.sample.model.name.c_str()),
         out("graphHandle", kArgument)},
        [](All all, With a) { return all.api.graphRetrieve(a[0], a[1], a[2]); });
    row(CORE_SLOT(graphSetConfig), {handle(kGraph, kHandle)},
        [](All all, With a) { return all.api.graphSetConfig(a[0], nullptr); });
    row(CORE_SLOT(graphAddNode), {handle(kGraph, kHandle)}, [](All all, With a) {
      Scratch scratch;
      return all.api.graphAddNode(a[0], describe(all.graph.model, all.graph.model.nodes.front(), scratch));
    });
    row(CORE_SLOT(graphFinalize),
        {handle(kGraph, kHandle), absent(kProfile, QNN_GRAPH_ERROR_SET_PROFILE),
         absent(kSignal, QNN_GRAPH_ERROR_UNSUPPORTED_FEATURE)},  // HTP takes none, good or bad
        [](All all, With a) { return all.api.graphFinalize(a[0], a[1], a[2]); });
  }

  void of_execute() {
    constexpr Qnn_ErrorHandle_t kArgument = QNN_GRAPH_ERROR_INVALID_ARGUMENT;
    const std::vector<Argument> arguments = {handle(kGraph, QNN_GRAPH_ERROR_INVALID_HANDLE),
                                             pointer("inputs", kArgument, all_.io.inputs.data()),
                                             pointer("outputs", kArgument, all_.io.outputs.data()),
                                             absent(kProfile, QNN_GRAPH_ERROR_SET_PROFILE),
                                             absent(kSignal, kArgument),
                                             handle(kMemory, QNN_GRAPH_ERROR_INVALID_TENSOR)};
    row(CORE_SLOT(graphExecute), arguments, [](All all, With a) {
      use_memory(all.io.inputs[0], a[5]);
      return all.api.graphExecute(a[0], a[1], count(all.io.inputs), a[2], count(all.io.outputs), a[3], a[4]);
    });
    row(CORE_SLOT(graphExecuteAsync), arguments, [](All all, With a) {
      use_memory(all.io.inputs[0], a[5]);
      return all.api.graphExecuteAsync(a[0], a[1], count(all.io.inputs), a[2], count(all.io.outputs), a[3],
                                       a[4], nullptr, nullptr);
    });
  }
  static uint32_t count(const std::vector<Qnn_Tensor_t>& tensors) {
    return static_cast<uint32_t>(tensors.size());
  }

  void of_tensor() {
    constexpr Qnn_ErrorHandle_t kHandle = QNN_TENSOR_ERROR_INVALID_HANDLE;
    constexpr Qnn_ErrorHandle_t kTensor = QNN_TENSOR_ERROR_INVALID_TENSOR_PARAM;
    row(CORE_SLOT(tensorCreateGraphTensor),
        {handle(kGraph, kHandle), pointer("tensor", kTensor, all_.io.inputs.data())},
        [](All all, With a) { return all.api.tensorCreateGraphTensor(a[0], a[1]); });
    row(CORE_SLOT(tensorUpdateGraphTensors), {handle(kGraph, kHandle), pointer("tensor", kTensor, updates_)},
        [](All all, With a) { return all.api.tensorUpdateGraphTensors(a[0], a[1], 1); });
  }

  void of_profile() {
    constexpr Qnn_ErrorHandle_t kHandle = QNN_PROFILE_ERROR_INVALID_HANDLE;
    constexpr Qnn_ErrorHandle_t kArgument = QNN_PROFILE_ERROR_INVALID_ARGUMENT;
    row(CORE_SLOT(profileCreate), {handle(kBackend, kArgument), out("profile", kArgument)},
        [](All all, With a) { return all.api.profileCreate(a[0], QNN_PROFILE_LEVEL_BASIC, a[1]); });
    row(CORE_SLOT(profileSetConfig), {handle(kProfile, kHandle)},
        [](All all, With a) { return all.api.profileSetConfig(a[0], nullptr); });
    row(CORE_SLOT(profileGetEvents),
        {handle(kProfile, kHandle), out("profileEventIds", kArgument), out("numEvents", kArgument)},
        [](All all, With a) { return all.api.profileGetEvents(a[0], a[1], a[2]); });
    row(CORE_SLOT(profileGetSubEvents),
        {handle(kProfileEvent, kHandle), out("subEventIds", kArgument), out("numSubEvents", kArgument)},
        [](All all, With a) { return all.api.profileGetSubEvents(id(a[0]), a[1], a[2]); });
    row(CORE_SLOT(profileGetEventData), {handle(kProfileEvent, kHandle), out("eventData", kArgument)},
        [](All all, With a) { return all.api.profileGetEventData(id(a[0]), a[1]); });
    row(CORE_SLOT(profileGetExtendedEventData), {handle(kProfileEvent, kHandle), out("eventData", kArgument)},
        [](All all, With a) { return all.api.profileGetExtendedEventData(id(a[0]), a[1]); });
    row(CORE_SLOT(profileFree), {handle(kProfile, kHandle)},
        [](All all, With a) { return all.api.profileFree(a[0]); });
  }
  static QnnProfile_EventId_t id(Arguments::Any any) { return reinterpret_cast<uintptr_t>(any.value); }

  void of_memory() {
    constexpr Qnn_ErrorHandle_t kArgument = QNN_MEM_ERROR_INVALID_ARGUMENT;
    row(CORE_SLOT(memRegister),
        {handle(kContext, QNN_MEM_ERROR_INVALID_HANDLE),
         pointer("memDescriptors", kArgument, &all_.descriptor.value), out("memHandles", kArgument)},
        [](All all, With a) { return all.api.memRegister(a[0], a[1], 1, a[2]); });
    // The list of handles itself may be null, too.
    row(CORE_SLOT(memDeRegister),
        {handle(kMemory, QNN_MEM_ERROR_INVALID_HANDLE), out("memHandles", kArgument)}, [](All all, With a) {
          const Qnn_MemHandle_t list[] = {a[0]};
          return all.api.memDeRegister(a[1].value ? list : nullptr, 1);
        });
  }

  void of_signal() {
    constexpr Qnn_ErrorHandle_t kHandle = QNN_SIGNAL_ERROR_INVALID_HANDLE;
    constexpr Qnn_ErrorHandle_t kArgument = QNN_SIGNAL_ERROR_INVALID_ARGUMENT;
    row(CORE_SLOT(signalCreate), {handle(kBackend, kArgument), out("signal", kArgument)},
        [](All all, With a) { return all.api.signalCreate(a[0], nullptr, a[1]); });
    row(CORE_SLOT(signalSetConfig), {handle(kSignal, kHandle)}, [](All all, With a) {
      QnnSignal_Config_t option = QNN_SIGNAL_CONFIG_INIT;
      option.option = QNN_SIGNAL_CONFIG_OPTION_ABORT;
      const QnnSignal_Config_t* list[] = {&option, nullptr};
      return all.api.signalSetConfig(a[0], list);
    });
    row(CORE_SLOT(signalTrigger), {handle(kSignal, kHandle)},
        [](All all, With a) { return all.api.signalTrigger(a[0]); });
    row(CORE_SLOT(signalFree), {handle(kSignal, kHandle)},
        [](All all, With a) { return all.api.signalFree(a[0]); });
  }

  void of_error() {
    constexpr Qnn_ErrorHandle_t kArgument = QNN_ERROR_INVALID_ARGUMENT;
    row(CORE_SLOT(errorGetMessage), {out("errorMessage", kArgument)},
        [](All all, With a) { return all.api.errorGetMessage(QNN_GRAPH_ERROR_INVALID_TENSOR, a[0]); });
    row(CORE_SLOT(errorGetVerboseMessage), {out("errorMessage", kArgument)},
        [](All all, With a) { return all.api.errorGetVerboseMessage(QNN_GRAPH_ERROR_INVALID_TENSOR, a[0]); });
    row(CORE_SLOT(errorFreeVerboseMessage), {handle(kVerboseMessage, kArgument)},
        [](All all, With a) { return all.api.errorFreeVerboseMessage(a[0]); });
  }

  CoreObjects& all_;
  const Handles live_;
  std::vector<Row<CoreObjects>> rows_;

  // Lists that calls with good arguments would read.
  static inline const Qnn_Tensor_t* const updates_[] = {nullptr};
  static inline QnnContext_Property_t* const no_properties_[] = {nullptr};
};

}  // namespace

CoreObjects::CoreObjects(const Api& table)
    : api(table),
      log(create_log(api)),
      backend(create_backend(api, log)),
      device(create_device(api, log)),
      context(create_context(api, backend, device)),
      profile(create_profile(api, backend)),
      signal(create_signal(api, backend)),
      sample(add(Kind::kQuantized)),
      graph(Graph::built(api, context, sample.model)),
      io(graph.model, sample.inputs),
      file(graph.model.with_role(QNN_TENSOR_TYPE_APP_WRITE).front()->bytes()),
      descriptor(*graph.model.with_role(QNN_TENSOR_TYPE_APP_WRITE).front()),
      memory(registered(api, context, descriptor.ion(file.fd()))),
      platform_info(create_platform_info(api)),
      message(create_message(api)),
      binary(binary_of(api, context)) {
  graph.run(sample.inputs, profile);
  const QnnProfile_EventId_t* ids = nullptr;
  uint32_t count = 0;
  check(api, api.profileGetEvents(profile, &ids, &count), "profileGetEvents");
  event = ids[0];
}

Handles CoreObjects::live() const {
  return {{kLog, log},
          {kBackend, backend},
          {kDevice, device},
          {kContext, context},
          {kGraph, graph.handle},
          {kProfile, profile},
          {kProfileEvent, reinterpret_cast<void*>(uintptr_t{event})},
          {kMemory, memory},
          {kSignal, signal},
          {kPlatformInfo, platform_info},
          {kVerboseMessage, message}};
}

std::vector<Row<CoreObjects>> rows_of(CoreObjects& all) { return CoreRows(all).write(); }

std::vector<Slot<Api>> core_slots_not_offered() {
  return {CORE_SLOT(graphCreateSubgraph),
          CORE_SLOT(tensorCreateContextTensor),
          CORE_SLOT(graphPrepareExecutionEnvironment),
          CORE_SLOT(graphReleaseExecutionEnvironment),
          CORE_SLOT(graphGetProperty),
          CORE_SLOT(tensorUpdateContextTensors),
          CORE_SLOT(backendGetProperty),
          CORE_SLOT(contextGetIncrementalBinary),
          CORE_SLOT(contextReleaseIncrementalBinary),
          CORE_SLOT(contextFinalize),
          CORE_SLOT(globalConfigSet),
          CORE_SLOT(contextCreateFromBinaryWithCallback),
          CORE_SLOT(contextGetBinarySectionUpdate),
          CORE_SLOT(contextFreeBinarySectionUpdate),
          CORE_SLOT(contextAddToDlc),
          CORE_SLOT(graphValidate),
          CORE_SLOT(graphFreeValidationResult),
          CORE_SLOT(backendRegisterOpPackageFromBinary)};
}

}  // namespace conformance
