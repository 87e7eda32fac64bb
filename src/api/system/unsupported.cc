// SPDX-License-Identifier: BSD-3-Clause
// Functions of the System API that this version does not offer. Each says so; when one is implemented, its
// line goes.
#include "System/QnnSystemInterface.h"
#include "api/answer.h"

// A wrong parameter list is a compile error: the function would conflict with its declaration.
#define OPENQNN_UNSUPPORTED(function, ...) \
  Qnn_ErrorHandle_t function(__VA_ARGS__) { return openqnn::api::not_supported(#function); }

OPENQNN_UNSUPPORTED(QnnSystemDlc_createFromFile, Qnn_LogHandle_t, const char*, QnnSystemDlc_Handle_t*)
OPENQNN_UNSUPPORTED(QnnSystemDlc_createFromBinary, Qnn_LogHandle_t, const uint8_t*,
                    const Qnn_ContextBinarySize_t, QnnSystemDlc_Handle_t*)
OPENQNN_UNSUPPORTED(QnnSystemDlc_composeGraphs, QnnSystemDlc_Handle_t, const QnnSystemDlc_GraphConfigInfo_t**,
                    const uint32_t, Qnn_BackendHandle_t, Qnn_ContextHandle_t, QnnInterface_t,
                    QnnSystemContext_GraphInfoVersion_t, QnnSystemContext_GraphInfo_t**, uint32_t*)
OPENQNN_UNSUPPORTED(QnnSystemDlc_getOpMappings, QnnSystemDlc_Handle_t, const Qnn_OpMapping_t**, uint32_t*)
OPENQNN_UNSUPPORTED(QnnSystemDlc_free, QnnSystemDlc_Handle_t)
OPENQNN_UNSUPPORTED(QnnSystemDlc_getRecordByName, QnnSystemDlc_Handle_t, const char*,
                    QnnSystemDlc_RecordHandle_t*)
OPENQNN_UNSUPPORTED(QnnSystemDlc_getRecordsByType, QnnSystemDlc_Handle_t, QnnSystemDlc_RecordType_t, uint8_t,
                    QnnSystemDlc_RecordHandle_t**, uint32_t*)
OPENQNN_UNSUPPORTED(QnnSystemDlc_getRecordDataSize, QnnSystemDlc_RecordHandle_t, uint64_t*)
OPENQNN_UNSUPPORTED(QnnSystemDlc_readRecordDataMemoryMapped, QnnSystemDlc_RecordHandle_t, const uint8_t**,
                    uint64_t*)
OPENQNN_UNSUPPORTED(QnnSystemDlc_freeRecord, QnnSystemDlc_RecordHandle_t)
OPENQNN_UNSUPPORTED(QnnSystemDlc_save, QnnSystemDlc_Handle_t, const char*)
OPENQNN_UNSUPPORTED(QnnSystemDlc_createFromFileWithDestinationDir, Qnn_LogHandle_t, const char*, const char*,
                    QnnSystemDlc_Handle_t*)
OPENQNN_UNSUPPORTED(QnnSystemDlc_createFromBinaryWithDestinationDir, Qnn_LogHandle_t, const uint8_t*,
                    const Qnn_ContextBinarySize_t, const char*, QnnSystemDlc_Handle_t*)
OPENQNN_UNSUPPORTED(QnnSystemDlc_getBinarySize, QnnSystemDlc_Handle_t, Qnn_SystemDlcBinarySize_t*)
OPENQNN_UNSUPPORTED(QnnSystemDlc_getBinary, QnnSystemDlc_Handle_t, uint8_t*, Qnn_SystemDlcBinarySize_t,
                    Qnn_SystemDlcBinarySize_t*)
OPENQNN_UNSUPPORTED(QnnSystemDlc_createWithDestinationDir, Qnn_LogHandle_t, const char*,
                    QnnSystemDlc_Handle_t*)
