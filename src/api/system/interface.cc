// SPDX-License-Identifier: BSD-3-Clause
// System/QnnSystemInterface.h
#include <array>
#include <cstring>

#include "System/QnnSystemInterface.h"
#include "api/answer.h"

namespace {

// Slots of newer tables whose signatures are not public.
Qnn_ErrorHandle_t reserved() {
  return openqnn::api::not_supported("a reserved function of the System table");
}

QnnSystemInterface_t make_provider() {
  QnnSystemInterface_t provider = {
      QNN_BACKEND_ID_NULL,
      QNN_SYSTEM_INTERFACE_PROVIDER_NAME,
      {QNN_SYSTEM_API_VERSION_MAJOR, QNN_SYSTEM_API_VERSION_MINOR, QNN_SYSTEM_API_VERSION_PATCH},
      {}};
  auto& table = provider.v1_14;
  // A table is nothing but function pointers: no slot stays null.
  std::array<QnnSystemInterface_ReservedFn_t, sizeof table / sizeof(QnnSystemInterface_ReservedFn_t)> slots;
  slots.fill(reserved);
  std::memcpy(&table, slots.data(), sizeof table);
  table.systemContextCreate = QnnSystemContext_create;
  table.systemContextGetBinaryInfo = QnnSystemContext_getBinaryInfo;
  table.systemContextGetMetaData = QnnSystemContext_getMetadata;
  table.systemContextFree = QnnSystemContext_free;
  table.systemTensorGetMemoryFootprint = QnnSystemTensor_getMemoryFootprint;
  table.systemLogCreate = QnnSystemLog_create;
  table.systemLogSetLogLevel = QnnSystemLog_setLogLevel;
  table.systemLogFree = QnnSystemLog_free;
  table.systemDlcCreateFromFile = QnnSystemDlc_createFromFile;
  table.systemDlcCreateFromBinary = QnnSystemDlc_createFromBinary;
  table.systemDlcComposeGraphs = QnnSystemDlc_composeGraphs;
  table.systemDlcGetOpMappings = QnnSystemDlc_getOpMappings;
  table.systemDlcFree = QnnSystemDlc_free;
  table.systemProfileCreateSerializationTarget = QnnSystemProfile_createSerializationTarget;
  table.systemProfileSerializeEventData = QnnSystemProfile_serializeEventData;
  table.systemProfileFreeSerializationTarget = QnnSystemProfile_freeSerializationTarget;
  table.systemDlcGetRecordByName = QnnSystemDlc_getRecordByName;
  table.systemDlcGetRecordsByType = QnnSystemDlc_getRecordsByType;
  table.systemDlcGetRecordDataSize = QnnSystemDlc_getRecordDataSize;
  table.systemDlcReadRecordDataMemoryMapped = QnnSystemDlc_readRecordDataMemoryMapped;
  table.systemDlcFreeRecord = QnnSystemDlc_freeRecord;
  table.systemDlcSave = QnnSystemDlc_save;
  table.systemDlcCreateFromFileWithDestinationDir = QnnSystemDlc_createFromFileWithDestinationDir;
  table.systemDlcCreateFromBinaryWithDestinationDir = QnnSystemDlc_createFromBinaryWithDestinationDir;
  table.systemDlcGetBinarySize = QnnSystemDlc_getBinarySize;
  table.systemDlcGetBinary = QnnSystemDlc_getBinary;
  table.systemDlcCreateWithDestinationDir = QnnSystemDlc_createWithDestinationDir;
  return provider;
}

}  // namespace

Qnn_ErrorHandle_t QnnSystemInterface_getProviders(const QnnSystemInterface_t*** providerList,
                                                  uint32_t* numProviders) {
  using namespace openqnn::api;  // NOLINT
  return answer("QnnSystemInterface_getProviders", [&]() -> Outcome<> {
    if (!providerList) return null_argument(QNN_SYSTEM_INTERFACE_ERROR_INVALID_PARAMETER, "providerList");
    if (!numProviders) return null_argument(QNN_SYSTEM_INTERFACE_ERROR_INVALID_PARAMETER, "numProviders");
    static const QnnSystemInterface_t kProvider = make_provider();
    static const QnnSystemInterface_t* providers[] = {&kProvider};
    *providerList = providers;
    *numProviders = 1;
    return {};
  });
}
