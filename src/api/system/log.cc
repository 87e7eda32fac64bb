// SPDX-License-Identifier: BSD-3-Clause
// System/QnnSystemLog.h: the same logs as QnnLog.h, under this library's own names.
#include "QnnLog.h"
#include "System/QnnSystemLog.h"

Qnn_ErrorHandle_t QnnSystemLog_create(QnnLog_Callback_t callback, QnnLog_Level_t maxLogLevel,
                                      Qnn_LogHandle_t* logger) {
  return QnnLog_create(callback, maxLogLevel, logger);
}

Qnn_ErrorHandle_t QnnSystemLog_setLogLevel(Qnn_LogHandle_t logger, QnnLog_Level_t maxLogLevel) {
  return QnnLog_setLogLevel(logger, maxLogLevel);
}

Qnn_ErrorHandle_t QnnSystemLog_free(Qnn_LogHandle_t logger) { return QnnLog_free(logger); }
