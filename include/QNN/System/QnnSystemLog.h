// SPDX-License-Identifier: BSD-3-Clause
//
// System library: loggers for calls that have no backend.

#ifndef OPENQNN_QNN_SYSTEM_QNN_SYSTEM_LOG_H_
#define OPENQNN_QNN_SYSTEM_QNN_SYSTEM_LOG_H_

#include "QnnCommon.h"
#include "QnnLog.h"
#include "System/QnnSystemCommon.h"

#ifdef __cplusplus
extern "C" {
#endif

// Creates a logger for System calls; see QnnLog_create.
QNN_API Qnn_ErrorHandle_t QnnSystemLog_create(QnnLog_Callback_t callback, QnnLog_Level_t maxLogLevel,
                                              Qnn_LogHandle_t* logger);

// Changes the most verbose level that is still reported.
QNN_API Qnn_ErrorHandle_t QnnSystemLog_setLogLevel(Qnn_LogHandle_t logger, QnnLog_Level_t maxLogLevel);

// Frees a logger.
QNN_API Qnn_ErrorHandle_t QnnSystemLog_free(Qnn_LogHandle_t logger);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // OPENQNN_QNN_SYSTEM_QNN_SYSTEM_LOG_H_
