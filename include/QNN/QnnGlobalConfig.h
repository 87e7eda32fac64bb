// SPDX-License-Identifier: BSD-3-Clause
//
// Process-wide settings, to be made before any backend is created.

#ifndef OPENQNN_QNN_QNN_GLOBAL_CONFIG_H_
#define OPENQNN_QNN_QNN_GLOBAL_CONFIG_H_

#include "QnnCommon.h"
#include "QnnTypes.h"

#ifdef __cplusplus
extern "C" {
#endif

// Errors of the QnnGlobalConfig functions.
typedef enum {
  QNN_GLOBAL_CONFIG_MIN_ERROR = QNN_MIN_ERROR_GLOBAL_CONFIG,
  QNN_GLOBAL_CONFIG_NO_ERROR = 0,
  QNN_GLOBAL_CONFIG_ERROR_INVALID_CONFIG = 15000,  // bad option or value
  QNN_GLOBAL_CONFIG_MAX_ERROR = QNN_MAX_ERROR_GLOBAL_CONFIG,
  QNN_GLOBAL_CONFIG_ERROR_UNDEFINED = 0x7FFFFFFF,
} QnnGlobalConfig_Error_t;

// Which member of QnnGlobalConfig_t is set.
typedef enum {
  QNN_GLOBAL_CONFIG_OPTION_SOC_MODEL = 0,  // socModel to prepare for
  QNN_GLOBAL_CONFIG_OPTION_UNDEFINED = 0x7FFFFFFF,
} QnnGlobalConfig_ConfigOption_t;

// A process-wide option and its value.
typedef struct {
  QnnGlobalConfig_ConfigOption_t option;
  union {
    Qnn_SocModel_t socModel;
  };
} QnnGlobalConfig_t;

// Initial values.
// clang-format off
#define QNN_GLOBAL_CONFIG_INIT {QNN_GLOBAL_CONFIG_OPTION_UNDEFINED, {QNN_SOC_MODEL_UNKNOWN}}
// clang-format on

// Sets the options of a null-terminated list.
// Errors: QNN_GLOBAL_CONFIG_ERROR_INVALID_CONFIG.
QNN_API Qnn_ErrorHandle_t QnnGlobalConfig_Set(const QnnGlobalConfig_t** config);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // OPENQNN_QNN_QNN_GLOBAL_CONFIG_H_
