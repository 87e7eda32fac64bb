// SPDX-License-Identifier: BSD-3-Clause
//
// Loggers: a callback and a level that backends write their messages to.

#ifndef OPENQNN_QNN_QNN_LOG_H_
#define OPENQNN_QNN_QNN_LOG_H_

#include <stdarg.h>
#include <stdint.h>

#include "QnnCommon.h"

#ifdef __cplusplus
extern "C" {
#endif

// Errors of the QnnLog functions.
typedef enum {
  QNN_LOG_MIN_ERROR = QNN_MIN_ERROR_LOG,
  QNN_LOG_NO_ERROR = 0,
  QNN_LOG_ERROR_MEM_ALLOC = 1002,          // allocation failed
  QNN_LOG_ERROR_INITIALIZATION = 11002,    // logging would not start
  QNN_LOG_ERROR_INVALID_ARGUMENT = 11003,  // bad argument
  QNN_LOG_ERROR_INVALID_HANDLE = 11004,    // null, stale or foreign handle
  QNN_LOG_MAX_ERROR = QNN_MAX_ERROR_LOG,
  QNN_LOG_ERROR_UNDEFINED = 0x7FFFFFFF,
} QnnLog_Error_t;

// Levels, from the gravest to the most verbose.
typedef enum {
  QNN_LOG_LEVEL_ERROR = 1,
  QNN_LOG_LEVEL_WARN = 2,
  QNN_LOG_LEVEL_INFO = 3,
  QNN_LOG_LEVEL_VERBOSE = 4,
  QNN_LOG_LEVEL_DEBUG = 5,
  QNN_LOG_LEVEL_MAX = 0x7FFFFFFF,
} QnnLog_Level_t;

// Receives a printf-style message.
typedef void (*QnnLog_Callback_t)(const char* fmt, QnnLog_Level_t level, uint64_t timestamp, va_list args);

// Creates a logger; a null callback writes to the default stream.
// Errors: QNN_LOG_ERROR_INITIALIZATION, QNN_LOG_ERROR_INVALID_ARGUMENT, QNN_LOG_ERROR_MEM_ALLOC.
QNN_API Qnn_ErrorHandle_t QnnLog_create(QnnLog_Callback_t callback, QnnLog_Level_t maxLogLevel,
                                        Qnn_LogHandle_t* logger);

// Changes the most verbose level that is still reported.
// Errors: QNN_LOG_ERROR_INVALID_ARGUMENT, QNN_LOG_ERROR_INVALID_HANDLE.
QNN_API Qnn_ErrorHandle_t QnnLog_setLogLevel(Qnn_LogHandle_t logger, QnnLog_Level_t maxLogLevel);

// Frees a logger; handles created with it must be gone.
// Errors: QNN_LOG_ERROR_INVALID_HANDLE, QNN_LOG_ERROR_MEM_ALLOC.
QNN_API Qnn_ErrorHandle_t QnnLog_free(Qnn_LogHandle_t logger);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // OPENQNN_QNN_QNN_LOG_H_
