// SPDX-License-Identifier: BSD-3-Clause
// The rows of the System library's table.
#include "dlc_file.h"
#include "misuse.h"

namespace conformance {
namespace {

#define SYSTEM_SLOT(field) CONFORMANCE_SLOT(SystemApi, field)

using enum HandleKind;
using AllSystem = SystemObjects&;
using With = const Arguments&;

Owned create_context(const SystemApi& api) {
  QnnSystemContext_Handle_t context = nullptr;
  EXPECT_EQ(api.systemContextCreate(&context), QNN_SUCCESS);
  return {context, api.systemContextFree};
}

QnnSystemProfile_SerializationTarget_t log_in(const std::string& folder) {
  QnnSystemProfile_SerializationTarget_t target;
  target.type = QNN_SYSTEM_PROFILE_SERIALIZATION_TARGET_FILE;
  target.file = {"misuse_qnn.log", folder.c_str()};
  return target;
}

Owned create_target(const SystemApi& api, const std::string& folder) {
  QnnSystemProfile_SerializationTargetHandle_t target = nullptr;
  EXPECT_EQ(api.systemProfileCreateSerializationTarget(log_in(folder), nullptr, 0, &target), QNN_SUCCESS);
  return {target, api.systemProfileFreeSerializationTarget};
}

std::vector<Row<SystemObjects>> rows_of_contexts(SystemObjects& all, const Handles& live) {
  constexpr Qnn_ErrorHandle_t kHandle = QNN_SYSTEM_CONTEXT_ERROR_INVALID_HANDLE;
  constexpr Qnn_ErrorHandle_t kArgument = QNN_SYSTEM_CONTEXT_ERROR_INVALID_ARGUMENT;
  const auto out = [&](const char* name) { return pointer(name, kArgument, all.answers.bytes.data()); };
  const Argument context = required(kSystemContext, kHandle, live);
  const Argument buffer = pointer("binaryBuffer", kArgument, all.binary.data());
  return {
      {SYSTEM_SLOT(systemContextCreate),
       {out("sysCtxHandle")},
       [](AllSystem o, With a) { return o.api.systemContextCreate(a[0]); }},
      {SYSTEM_SLOT(systemContextGetBinaryInfo),
       {context, buffer, out("binaryInfo"), out("binaryInfoSize")},
       [](AllSystem o, With a) {
         return o.api.systemContextGetBinaryInfo(a[0], a[1], o.binary.size(), a[2], a[3]);
       }},
      {SYSTEM_SLOT(systemContextGetMetaData),
       {context, buffer, out("binaryInfo")},
       [](AllSystem o, With a) { return o.api.systemContextGetMetaData(a[0], a[1], o.binary.size(), a[2]); }},
      {SYSTEM_SLOT(systemContextFree), {context}, [](AllSystem o, With a) {
         return o.api.systemContextFree(a[0]);
       }}};
}

std::vector<Row<SystemObjects>> rows_of_logs(SystemObjects& all, const Handles& live) {
  const Argument log = required(kSystemLog, QNN_LOG_ERROR_INVALID_HANDLE, live);
  return {{SYSTEM_SLOT(systemLogCreate),
           {pointer("logger", QNN_LOG_ERROR_INVALID_ARGUMENT, all.answers.bytes.data())},
           [](AllSystem o, With a) { return o.api.systemLogCreate(nullptr, QNN_LOG_LEVEL_ERROR, a[0]); }},
          {SYSTEM_SLOT(systemLogSetLogLevel),
           {log},
           [](AllSystem o, With a) { return o.api.systemLogSetLogLevel(a[0], QNN_LOG_LEVEL_WARN); }},
          {SYSTEM_SLOT(systemLogFree), {log}, [](AllSystem o, With a) { return o.api.systemLogFree(a[0]); }}};
}

Owned create_dlc(const SystemApi& api, const Bytes& file) {
  QnnSystemDlc_Handle_t dlc = nullptr;
  EXPECT_EQ(api.systemDlcCreateFromBinary(nullptr, octets(file), file.size(), &dlc), QNN_SUCCESS);
  return {dlc, api.systemDlcFree};
}

std::vector<Row<SystemObjects>> rows_that_open_dlcs(SystemObjects& all) {
  constexpr Qnn_ErrorHandle_t kArgument = QNN_SYSTEM_DLC_ERROR_INVALID_ARGUMENT;
  const Argument log = absent(kSystemLog, kArgument);
  const Argument path = pointer("dlcPath", kArgument, "nowhere.dlc");
  const Argument buffer = pointer("buffer", kArgument, all.dlc_file.data());
  const Argument out = pointer("dlcHandle", kArgument, all.answers.bytes.data());
  return {
      {SYSTEM_SLOT(systemDlcCreateFromFile),
       {log, path, out},
       [](AllSystem o, With a) { return o.api.systemDlcCreateFromFile(a[0], a[1], a[2]); }},
      {SYSTEM_SLOT(systemDlcCreateFromFileWithDestinationDir),
       {log, path, out},
       [](AllSystem o, With a) {
         return o.api.systemDlcCreateFromFileWithDestinationDir(a[0], a[1], nullptr, a[2]);
       }},
      {SYSTEM_SLOT(systemDlcCreateFromBinary),
       {log, buffer, out},
       [](AllSystem o, With a) {
         return o.api.systemDlcCreateFromBinary(a[0], a[1], o.dlc_file.size(), a[2]);
       }},
      {SYSTEM_SLOT(systemDlcCreateFromBinaryWithDestinationDir), {log, buffer, out}, [](AllSystem o, With a) {
         return o.api.systemDlcCreateFromBinaryWithDestinationDir(a[0], a[1], o.dlc_file.size(), nullptr,
                                                                  a[2]);
       }}};
}

std::vector<Row<SystemObjects>> rows_of_dlcs(SystemObjects& all, const Handles& live) {
  constexpr Qnn_ErrorHandle_t kArgument = QNN_SYSTEM_DLC_ERROR_INVALID_ARGUMENT;
  const Argument dlc = required(kSystemDlc, QNN_SYSTEM_DLC_ERROR_INVALID_HANDLE, live);
  const auto out = [&](const char* name) { return pointer(name, kArgument, all.answers.bytes.data()); };
  static const QnnSystemDlc_GraphConfigInfo_t* const kNoConfig[] = {nullptr};
  return {{SYSTEM_SLOT(systemDlcComposeGraphs),
           {dlc, pointer("graphConfigs", kArgument, kNoConfig), out("graphs"), out("numGraphs")},
           [](AllSystem o, With a) {
             return o.api.systemDlcComposeGraphs(a[0], a[1], 1, nullptr, nullptr, QnnInterface_t{},
                                                 QNN_SYSTEM_CONTEXT_GRAPH_INFO_VERSION_1, a[2], a[3]);
           }},
          {SYSTEM_SLOT(systemDlcGetOpMappings),
           {dlc, out("opMappings"), out("numOpMappings")},
           [](AllSystem o, With a) { return o.api.systemDlcGetOpMappings(a[0], a[1], a[2]); }},
          {SYSTEM_SLOT(systemDlcSave),
           {dlc, pointer("path", kArgument, "/nowhere/at/all.dlc")},
           [](AllSystem o, With a) { return o.api.systemDlcSave(a[0], a[1]); }},
          {SYSTEM_SLOT(systemDlcGetBinarySize),
           {dlc, out("binaryBufferSize")},
           [](AllSystem o, With a) { return o.api.systemDlcGetBinarySize(a[0], a[1]); }},
          {SYSTEM_SLOT(systemDlcGetBinary),
           {dlc, out("binaryBuffer"), out("writtenBufferSize")},
           [](AllSystem o, With a) { return o.api.systemDlcGetBinary(a[0], a[1], o.dlc_file.size(), a[2]); }},
          {SYSTEM_SLOT(systemDlcFree), {dlc}, [](AllSystem o, With a) { return o.api.systemDlcFree(a[0]); }}};
}

std::vector<Row<SystemObjects>> rows_of_others(SystemObjects& all, const Handles& live) {
  constexpr Qnn_ErrorHandle_t kArgument = QNN_SYSTEM_PROFILE_ERROR_INVALID_ARGUMENT;
  static const QnnSystemProfile_ProfileData_t kData = QNN_SYSTEM_PROFILE_DATA_INIT;
  static const QnnSystemProfile_ProfileData_t* const kList[] = {&kData};
  static uint32_t dims[] = {2, 3};
  const Argument target = required(kSerializationTarget, QNN_SYSTEM_PROFILE_ERROR_INVALID_HANDLE, live);
  return {{SYSTEM_SLOT(systemTensorGetMemoryFootprint),
           {pointer("footprint", QNN_SYSTEM_TENSOR_ERROR_INVALID_ARGUMENT, all.answers.bytes.data()),
            pointer("dimensions", QNN_SYSTEM_TENSOR_ERROR_INVALID_TENSOR, dims)},
           [](AllSystem o, With a) {
             Qnn_Tensor_t tensor = QNN_TENSOR_INIT;
             tensor.version = QNN_TENSOR_VERSION_1;
             tensor.v1.dataType = QNN_DATATYPE_FLOAT_32;
             tensor.v1.rank = 2;
             tensor.v1.dimensions = a[1];
             return o.api.systemTensorGetMemoryFootprint(tensor, a[0]);
           }},
          {SYSTEM_SLOT(systemProfileCreateSerializationTarget),
           {pointer("configs", kArgument, all.binary.data()),
            pointer("serializationTarget", kArgument, all.answers.bytes.data())},
           [](AllSystem o, With a) {
             return o.api.systemProfileCreateSerializationTarget(log_in(o.folder), a[0], 1, a[1]);
           }},
          {SYSTEM_SLOT(systemProfileSerializeEventData),
           {target, pointer("eventData", kArgument, kList)},
           [](AllSystem o, With a) { return o.api.systemProfileSerializeEventData(a[0], a[1], 1); }},
          {SYSTEM_SLOT(systemProfileFreeSerializationTarget), {target}, [](AllSystem o, With a) {
             return o.api.systemProfileFreeSerializationTarget(a[0]);
           }}};
}

}  // namespace

SystemObjects::SystemObjects(const SystemApi& table, Bytes context_binary, std::string log_folder)
    : api(table),
      binary(std::move(context_binary)),
      dlc_file(sample_dlc()),
      folder(std::move(log_folder)),
      log(create_log(api)),
      context(create_context(api)),
      target(create_target(api, folder)),
      dlc(create_dlc(api, dlc_file)) {}

Handles SystemObjects::live() const {
  return {{kSystemLog, log}, {kSystemContext, context}, {kSerializationTarget, target}, {kSystemDlc, dlc}};
}

std::vector<Row<SystemObjects>> rows_of(SystemObjects& all) {
  const Handles live = all.live();
  std::vector<Row<SystemObjects>> rows;
  for (const auto& part : {rows_of_contexts(all, live), rows_of_logs(all, live), rows_that_open_dlcs(all),
                           rows_of_dlcs(all, live), rows_of_others(all, live)})
    rows.insert(rows.end(), part.begin(), part.end());
  return rows;
}

std::vector<Slot<SystemApi>> system_slots_not_offered() {
  return {SYSTEM_SLOT(systemDlcGetRecordByName),   SYSTEM_SLOT(systemDlcGetRecordsByType),
          SYSTEM_SLOT(systemDlcGetRecordDataSize), SYSTEM_SLOT(systemDlcReadRecordDataMemoryMapped),
          SYSTEM_SLOT(systemDlcFreeRecord),        SYSTEM_SLOT(systemDlcCreateWithDestinationDir)};
}

}  // namespace conformance
