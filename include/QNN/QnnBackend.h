// SPDX-License-Identifier: BSD-3-Clause
//
// Backend handles: create and configure a backend, register op packages, ask what it supports.

#ifndef OPENQNN_QNN_QNN_BACKEND_H_
#define OPENQNN_QNN_QNN_BACKEND_H_

#include <stddef.h>
#include <stdint.h>

#include "QnnCommon.h"
#include "QnnTypes.h"

#ifdef __cplusplus
extern "C" {
#endif

// Errors of the QnnBackend functions.
typedef enum {
  QNN_BACKEND_MIN_ERROR = QNN_MIN_ERROR_BACKEND,
  QNN_BACKEND_NO_ERROR = 0,
  QNN_BACKEND_ERROR_MEM_ALLOC = 1002,                         // allocation failed
  QNN_BACKEND_ERROR_UNSUPPORTED_PLATFORM = 1006,              // wrong platform
  QNN_BACKEND_ERROR_CANNOT_INITIALIZE = 4000,                 // backend would not start
  QNN_BACKEND_ERROR_TERMINATE_FAILED = 4002,                  // resources not released
  QNN_BACKEND_ERROR_NOT_SUPPORTED = 4003,                     // not supported
  QNN_BACKEND_ERROR_INVALID_ARGUMENT = 4004,                  // bad argument
  QNN_BACKEND_ERROR_OP_PACKAGE_NOT_FOUND = 4005,              // no such library or package
  QNN_BACKEND_ERROR_OP_PACKAGE_IF_PROVIDER_NOT_FOUND = 4006,  // library lacks the symbol
  QNN_BACKEND_ERROR_OP_PACKAGE_REGISTRATION_FAILED = 4007,    // package refused
  QNN_BACKEND_ERROR_OP_PACKAGE_UNSUPPORTED_VERSION = 4008,    // interface version unknown
  QNN_BACKEND_ERROR_OP_PACKAGE_DUPLICATE = 4009,              // name taken
  QNN_BACKEND_ERROR_INCONSISTENT_CONFIG = 4010,               // conflicts with an earlier option
  QNN_BACKEND_ERROR_INVALID_HANDLE = 4011,                    // null, stale or foreign handle
  QNN_BACKEND_ERROR_INVALID_CONFIG = 4012,                    // bad option or value
  QNN_BACKEND_MAX_ERROR = QNN_MAX_ERROR_BACKEND,
  QNN_BACKEND_ERROR_UNDEFINED = 0x7FFFFFFF,
} QnnBackend_Error_t;

// Which member of QnnBackend_Config_t is set.
typedef enum {
  QNN_BACKEND_CONFIG_OPTION_CUSTOM = 0,           // customConfig
  QNN_BACKEND_CONFIG_OPTION_ERROR_REPORTING = 1,  // errorConfig
  QNN_BACKEND_CONFIG_OPTION_PLATFORM = 2,         // platformOption: "key:value;key:value" text
  QNN_BACKEND_CONFIG_OPTION_UNDEFINED = 0x7FFFFFFF,
} QnnBackend_ConfigOption_t;

typedef void* QnnBackend_CustomConfig_t;  // Points at a struct that the backend defines.

// A backend option and its value.
typedef struct {
  QnnBackend_ConfigOption_t option;
  union {
    QnnBackend_CustomConfig_t customConfig;
    Qnn_ErrorReportingConfig_t errorConfig;
    const char* platformOption;
  };
} QnnBackend_Config_t;

// An operation: its package, type name and target.
typedef struct {
  const char* packageName;
  const char* name;
  const char* target;
} QnnBackend_OperationName_t;

// Which member of QnnBackend_Property_t is asked for.
typedef enum {
  QNN_BACKEND_PROPERTY_OPTION_CUSTOM = 0,
  QNN_BACKEND_PROPERTY_OPTION_UNDEFINED = 0x7FFFFFFF,
} QnnBackend_PropertyOption_t;

typedef void* QnnBackend_CustomProperty_t;  // Points at a struct that the backend defines.

// A backend property and the place for its value.
typedef struct {
  QnnBackend_PropertyOption_t option;
  union {
    QnnBackend_CustomProperty_t customProperty;
  };
} QnnBackend_Property_t;

// Initial values.
// clang-format off
#define QNN_BACKEND_CONFIG_INIT {QNN_BACKEND_CONFIG_OPTION_UNDEFINED, {NULL}}
#define QNN_BACKEND_OPERATION_NAME_INIT {NULL, NULL, NULL}
#define QNN_BACKEND_PROPERTY_INIT {QNN_BACKEND_PROPERTY_OPTION_UNDEFINED, {NULL}}
// clang-format on

// Creates a backend. `logger` may be null, `config` may be null or a null-terminated list.
// Errors: QNN_BACKEND_ERROR_CANNOT_INITIALIZE, QNN_BACKEND_ERROR_INVALID_CONFIG,
// QNN_BACKEND_ERROR_INVALID_ARGUMENT, QNN_BACKEND_ERROR_MEM_ALLOC, QNN_BACKEND_ERROR_UNSUPPORTED_PLATFORM.
QNN_API Qnn_ErrorHandle_t QnnBackend_create(Qnn_LogHandle_t logger, const QnnBackend_Config_t** config,
                                            Qnn_BackendHandle_t* backend);

// Changes options of a live backend. Options that conflict with what was set at creation are refused.
// Errors: QNN_BACKEND_ERROR_INCONSISTENT_CONFIG, QNN_BACKEND_ERROR_INVALID_CONFIG,
// QNN_BACKEND_ERROR_INVALID_HANDLE.
QNN_API Qnn_ErrorHandle_t QnnBackend_setConfig(Qnn_BackendHandle_t backend,
                                               const QnnBackend_Config_t** config);

// Reports the core and backend API versions of the library.
// Errors: QNN_BACKEND_ERROR_INVALID_ARGUMENT.
QNN_API Qnn_ErrorHandle_t QnnBackend_getApiVersion(Qnn_ApiVersion_t* pVersion);

// Reports the build identifier; the string belongs to the library.
// Errors: QNN_BACKEND_ERROR_INVALID_ARGUMENT.
QNN_API Qnn_ErrorHandle_t QnnBackend_getBuildId(const char** id);

// Loads an op package library and registers the interface that `interfaceProvider` returns. `target` (may
// be null) names the platform the package runs on.
// Errors: QNN_BACKEND_ERROR_OP_PACKAGE_NOT_FOUND, QNN_BACKEND_ERROR_OP_PACKAGE_IF_PROVIDER_NOT_FOUND,
// QNN_BACKEND_ERROR_OP_PACKAGE_REGISTRATION_FAILED, QNN_BACKEND_ERROR_OP_PACKAGE_UNSUPPORTED_VERSION,
// QNN_BACKEND_ERROR_OP_PACKAGE_DUPLICATE.
QNN_API Qnn_ErrorHandle_t QnnBackend_registerOpPackage(Qnn_BackendHandle_t backend, const char* packagePath,
                                                       const char* interfaceProvider, const char* target);

// Lists all operations, built-in and registered. The list belongs to the backend.
// Errors: QNN_BACKEND_ERROR_INVALID_HANDLE, QNN_BACKEND_ERROR_INVALID_ARGUMENT,
// QNN_BACKEND_ERROR_NOT_SUPPORTED.
QNN_API Qnn_ErrorHandle_t QnnBackend_getSupportedOperations(Qnn_BackendHandle_t backend,
                                                            uint32_t* numOperations,
                                                            const QnnBackend_OperationName_t** operations);

// Tells whether the backend can run an op with these types, shapes, encodings and parameters. The tensors
// need not be registered. Returns QNN_OP_PACKAGE_ERROR_VALIDATION_FAILURE for an op that is not supported.
// Errors: QNN_BACKEND_ERROR_INVALID_HANDLE, QNN_BACKEND_ERROR_OP_PACKAGE_NOT_FOUND.
QNN_API Qnn_ErrorHandle_t QnnBackend_validateOpConfig(Qnn_BackendHandle_t backend, Qnn_OpConfig_t opConfig);

// Fills in the properties of a null-terminated list.
// Errors: QNN_BACKEND_ERROR_INVALID_HANDLE, QNN_BACKEND_ERROR_INVALID_ARGUMENT,
// QNN_BACKEND_ERROR_NOT_SUPPORTED.
QNN_API Qnn_ErrorHandle_t QnnBackend_getProperty(Qnn_BackendHandle_t backendHandle,
                                                 QnnBackend_Property_t** properties);

// Frees the backend. Objects made with it stay usable until they are freed themselves.
// Errors: QNN_BACKEND_ERROR_TERMINATE_FAILED, QNN_BACKEND_ERROR_INVALID_HANDLE,
// QNN_BACKEND_ERROR_MEM_ALLOC.
QNN_API Qnn_ErrorHandle_t QnnBackend_free(Qnn_BackendHandle_t backend);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // OPENQNN_QNN_QNN_BACKEND_H_
