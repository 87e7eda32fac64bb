// SPDX-License-Identifier: BSD-3-Clause
// Functions of the System API that this version does not offer. Each says so; when one is implemented, its
// line goes.
#include "System/QnnSystemInterface.h"
#include "api/answer.h"

// A wrong parameter list is a compile error: the function would conflict with its declaration.
#define OPENQNN_UNSUPPORTED(function, ...) \
  Qnn_ErrorHandle_t function(__VA_ARGS__) { return openqnn::api::not_supported(#function); }

OPENQNN_UNSUPPORTED(QnnSystemDlc_getRecordByName, QnnSystemDlc_Handle_t, const char*,
                    QnnSystemDlc_RecordHandle_t*)
OPENQNN_UNSUPPORTED(QnnSystemDlc_getRecordsByType, QnnSystemDlc_Handle_t, QnnSystemDlc_RecordType_t, uint8_t,
                    QnnSystemDlc_RecordHandle_t**, uint32_t*)
OPENQNN_UNSUPPORTED(QnnSystemDlc_getRecordDataSize, QnnSystemDlc_RecordHandle_t, uint64_t*)
OPENQNN_UNSUPPORTED(QnnSystemDlc_readRecordDataMemoryMapped, QnnSystemDlc_RecordHandle_t, const uint8_t**,
                    uint64_t*)
OPENQNN_UNSUPPORTED(QnnSystemDlc_freeRecord, QnnSystemDlc_RecordHandle_t)
OPENQNN_UNSUPPORTED(QnnSystemDlc_createWithDestinationDir, Qnn_LogHandle_t, const char*,
                    QnnSystemDlc_Handle_t*)
