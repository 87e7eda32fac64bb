// SPDX-License-Identifier: BSD-3-Clause
// What this version does not offer yet answers "not supported": with live handles, too, and never by
// crashing.
#include <cstring>
#include <functional>

#include "client.h"
#include "samples.h"

namespace conformance {
namespace {

struct Call {
  const char* name;
  std::function<Qnn_ErrorHandle_t()> make;
};

// feature: B1 (C API)
TEST(Unsupported, BackendSlotsSaySo) {
  const Session session;
  const Api& api = session.api;
  const Owned context = session.context();
  Sample sample = add(Kind::kFloat);
  const Graph graph = Graph::built(api, context, sample.model);

  void* out = nullptr;
  Qnn_Tensor_t tensor = QNN_TENSOR_INIT;
  const Qnn_Tensor_t* tensors[] = {&tensor};
  Qnn_ContextBinarySize_t size = 0;
  const void* piece = nullptr;
  QnnContext_Buffer_t buffer = {QNN_CONTEXT_BUFFER_VERSION_1, {}};
  Qnn_ContextBinaryCallback_t callback = {QNN_CONTEXT_CALLBACK_UNDEFINED, {}};
  QnnGraph_ExecuteEnvironment_t* no_environments[] = {nullptr};
  QnnBackend_Property_t* no_backend_properties[] = {nullptr};
  QnnGraph_Property_t* no_graph_properties[] = {nullptr};
  const QnnGlobalConfig_t* no_global_options[] = {nullptr};

  const std::vector<Call> calls = {
      {"graphCreateSubgraph", [&] { return api.graphCreateSubgraph(graph.handle, "sub", &out); }},
      {"graphGetProperty", [&] { return api.graphGetProperty(graph.handle, no_graph_properties); }},
      {"graphPrepareExecutionEnvironment",
       [&] { return api.graphPrepareExecutionEnvironment(graph.handle, no_environments, 0); }},
      {"graphReleaseExecutionEnvironment",
       [&] {
         return api.graphReleaseExecutionEnvironment(
             graph.handle, const_cast<const QnnGraph_ExecuteEnvironment_t**>(no_environments), 0);
       }},
      {"tensorCreateContextTensor", [&] { return api.tensorCreateContextTensor(context, &tensor); }},
      {"tensorUpdateContextTensors", [&] { return api.tensorUpdateContextTensors(context, tensors, 1); }},
      {"contextFinalize", [&] { return api.contextFinalize(context, nullptr); }},
      {"contextGetBinarySectionUpdate",
       [&] {
         return api.contextGetBinarySectionUpdate(&buffer, &buffer, tensors, 1, 0, nullptr, nullptr, nullptr,
                                                  &buffer);
       }},
      {"contextFreeBinarySectionUpdate", [&] { return api.contextFreeBinarySectionUpdate(buffer, nullptr); }},
      {"contextGetIncrementalBinary",
       [&] { return api.contextGetIncrementalBinary(context, &piece, &size, &size); }},
      {"contextReleaseIncrementalBinary",
       [&] { return api.contextReleaseIncrementalBinary(context, piece, size); }},
      {"contextAddToDlc", [&] { return api.contextAddToDlc(context, nullptr); }},
      {"contextCreateFromBinaryWithCallback",
       [&] {
         return api.contextCreateFromBinaryWithCallback(session.backend, session.device, nullptr, &callback,
                                                        "x", 1, &out, nullptr, nullptr);
       }},
      {"globalConfigSet", [&] { return api.globalConfigSet(no_global_options); }},
      {"graphValidate", [&] { return api.graphValidate(); }},
      {"graphFreeValidationResult", [&] { return api.graphFreeValidationResult(); }},
      {"backendRegisterOpPackageFromBinary", [&] { return api.backendRegisterOpPackageFromBinary(); }},
  };
  for (const Call& call : calls)
    EXPECT_TRUE(refused(api, call.make(), QNN_COMMON_ERROR_NOT_SUPPORTED)) << call.name;

  // The backend component has a number of its own for it.
  const Qnn_ErrorHandle_t answer = api.backendGetProperty(session.backend, no_backend_properties);
  EXPECT_TRUE(answer == QNN_COMMON_ERROR_NOT_SUPPORTED || answer == QNN_BACKEND_ERROR_NOT_SUPPORTED)
      << answer;
}

// feature: B1 (C API)
TEST(Unsupported, SystemSlotsSaySo) {
  const SystemLibrary library;
  const SystemApi& api = library.api();
  uint64_t number = 0;
  void* out = nullptr;
  void** outs = nullptr;
  uint32_t count = 0;
  const uint8_t* data = nullptr;

  const std::vector<Call> calls = {
      {"systemDlcGetRecordByName", [&] { return api.systemDlcGetRecordByName(out, "record", &out); }},
      {"systemDlcGetRecordsByType",
       [&] {
         return api.systemDlcGetRecordsByType(out, QNN_SYSTEM_DLC_RECORD_NAME_UNKNOWN, 0, &outs, &count);
       }},
      {"systemDlcGetRecordDataSize", [&] { return api.systemDlcGetRecordDataSize(out, &number); }},
      {"systemDlcReadRecordDataMemoryMapped",
       [&] { return api.systemDlcReadRecordDataMemoryMapped(out, &data, &number); }},
      {"systemDlcFreeRecord", [&] { return api.systemDlcFreeRecord(out); }},
      {"systemDlcCreateWithDestinationDir",
       [&] { return api.systemDlcCreateWithDestinationDir(nullptr, ".", &out); }},
  };
  for (const Call& call : calls)
    EXPECT_EQ(call.make(), Qnn_ErrorHandle_t{QNN_COMMON_ERROR_NOT_SUPPORTED}) << call.name;
}

// The 62 System slots whose signatures nobody knows: a stray call gets an answer.
// feature: B1 (C API)
TEST(Unsupported, ReservedSystemSlotsSaySo) {
  const SystemLibrary library;
  const SystemApi& api = library.api();
  constexpr size_t kFirst = offsetof(SystemApi, systemDlcGetComposableGraphInfoHandles);
  constexpr size_t kCount = (sizeof(SystemApi) - kFirst) / sizeof(void*);
  static_assert(kCount == 62);
  std::vector<QnnSystemInterface_ReservedFn_t> reserved(kCount);
  std::memcpy(reserved.data(), reinterpret_cast<const std::byte*>(&api) + kFirst, kCount * sizeof(void*));
  for (size_t i = 0; i < kCount; ++i)
    EXPECT_EQ(reserved[i](), Qnn_ErrorHandle_t{QNN_COMMON_ERROR_NOT_SUPPORTED}) << "slot " << 27 + i;
}

}  // namespace
}  // namespace conformance
