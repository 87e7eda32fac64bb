// SPDX-License-Identifier: BSD-3-Clause
//
// Signals: abort or time-limit a running call.

#ifndef OPENQNN_QNN_QNN_SIGNAL_H_
#define OPENQNN_QNN_QNN_SIGNAL_H_

#include <stddef.h>
#include <stdint.h>

#include "QnnCommon.h"

#ifdef __cplusplus
extern "C" {
#endif

// Errors of the QnnSignal functions.
typedef enum {
  QNN_SIGNAL_MIN_ERROR = QNN_MIN_ERROR_SIGNAL,
  QNN_SIGNAL_NO_ERROR = 0,
  QNN_SIGNAL_ERROR_UNSUPPORTED = 1000,               // not supported
  QNN_SIGNAL_ERROR_SIGNAL_IN_USE = 9000,             // a call is using it
  QNN_SIGNAL_ERROR_SIGNAL_IDLE = 9001,               // no call is using it
  QNN_SIGNAL_ERROR_INVALID_ARGUMENT = 9002,          // bad argument
  QNN_SIGNAL_ERROR_INVALID_HANDLE = 9003,            // null, stale or foreign handle
  QNN_SIGNAL_ERROR_TIMEOUT = 9004,                   // time is up
  QNN_SIGNAL_ERROR_INCOMPATIBLE_SIGNAL_TYPE = 9005,  // signal is of another kind
  QNN_SIGNAL_ERROR_MEM_ALLOC = 1002,                 // allocation failed
  QNN_SIGNAL_MAX_ERROR = QNN_MAX_ERROR_SIGNAL,
  QNN_SIGNAL_ERROR_UNDEFINED = 0x7FFFFFFF,
} QnnSignal_Error_t;

// Which member of QnnSignal_Config_t is set.
typedef enum {
  QNN_SIGNAL_CONFIG_OPTION_CUSTOM = 0,   // customConfig
  QNN_SIGNAL_CONFIG_OPTION_ABORT = 1,    // no value: can be triggered
  QNN_SIGNAL_CONFIG_OPTION_TIMEOUT = 2,  // timeoutDurationUs
  QNN_SIGNAL_CONFIG_UNDEFINED = 0x7FFFFFFF,
} QnnSignal_ConfigOption_t;

typedef void* QnnSignal_CustomConfig_t;  // Points at a struct that the backend defines.

// A signal option and its value.
typedef struct {
  QnnSignal_ConfigOption_t option;
  union {
    QnnSignal_CustomConfig_t customConfig;
    uint64_t timeoutDurationUs;
  };
} QnnSignal_Config_t;

// Initial values.
// clang-format off
#define QNN_SIGNAL_CONFIG_INIT {QNN_SIGNAL_CONFIG_UNDEFINED, {NULL}}
// clang-format on

// Creates a signal; its config says whether it aborts or limits the time of a call.
// Errors: QNN_SIGNAL_ERROR_INVALID_ARGUMENT, QNN_SIGNAL_ERROR_UNSUPPORTED, QNN_SIGNAL_ERROR_MEM_ALLOC.
QNN_API Qnn_ErrorHandle_t QnnSignal_create(Qnn_BackendHandle_t backend, const QnnSignal_Config_t** config,
                                           Qnn_SignalHandle_t* signal);

// Changes an idle signal.
// Errors: QNN_SIGNAL_ERROR_SIGNAL_IN_USE, QNN_SIGNAL_ERROR_INVALID_HANDLE,
// QNN_SIGNAL_ERROR_INVALID_ARGUMENT.
QNN_API Qnn_ErrorHandle_t QnnSignal_setConfig(Qnn_SignalHandle_t signal, const QnnSignal_Config_t** config);

// Aborts the call that uses the signal.
// Errors: QNN_SIGNAL_ERROR_SIGNAL_IDLE, QNN_SIGNAL_ERROR_INCOMPATIBLE_SIGNAL_TYPE,
// QNN_SIGNAL_ERROR_INVALID_HANDLE.
QNN_API Qnn_ErrorHandle_t QnnSignal_trigger(Qnn_SignalHandle_t signal);

// Frees a signal that is not in use.
// Errors: QNN_SIGNAL_ERROR_SIGNAL_IN_USE, QNN_SIGNAL_ERROR_INVALID_HANDLE.
QNN_API Qnn_ErrorHandle_t QnnSignal_free(Qnn_SignalHandle_t signal);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // OPENQNN_QNN_QNN_SIGNAL_H_
