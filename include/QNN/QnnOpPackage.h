// SPDX-License-Identifier: BSD-3-Clause
//
// What a library of custom operations (an op package) offers to a backend.

#ifndef OPENQNN_QNN_QNN_OP_PACKAGE_H_
#define OPENQNN_QNN_QNN_OP_PACKAGE_H_

#include <stddef.h>
#include <stdint.h>

#include "QnnCommon.h"
#include "QnnLog.h"
#include "QnnTypes.h"

// Size of QnnOpPackage_Info_t.reserved.
#define QNN_OP_PACKAGE_RESERVED_INFO_SIZE 12

#ifdef __cplusplus
extern "C" {
#endif

// Errors of the QnnOpPackage functions.
typedef enum {
  QNN_OP_PACKAGE_MIN_ERROR = QNN_MIN_ERROR_OP_PACKAGE,
  QNN_OP_PACKAGE_NO_ERROR = 0,
  QNN_OP_PACKAGE_ERROR_UNSUPPORTED_FEATURE = 1000,          // not supported
  QNN_OP_PACKAGE_ERROR_LIBRARY_ALREADY_INITIALIZED = 3000,  // started twice
  QNN_OP_PACKAGE_ERROR_LIBRARY_NOT_INITIALIZED = 3001,      // not started
  QNN_OP_PACKAGE_ERROR_INVALID_HANDLE = 3002,               // null, stale or foreign handle
  QNN_OP_PACKAGE_ERROR_INVALID_INFRASTRUCTURE = 3100,       // bad infrastructure
  QNN_OP_PACKAGE_ERROR_INVALID_INFO = 3101,                 // bad package description
  QNN_OP_PACKAGE_ERROR_VALIDATION_FAILURE = 3110,           // op not supported like this
  QNN_OP_PACKAGE_ERROR_INVALID_ARGUMENT = 3200,             // bad argument
  QNN_OP_PACKAGE_ERROR_GENERAL = 1100,                      // anything else
  QNN_OP_PACKAGE_MAX_ERROR = QNN_MAX_ERROR_OP_PACKAGE,
  QNN_OP_PACKAGE_ERROR_UNDEFINED = 0x7FFFFFFF,
} QnnOpPackage_Error_t;

typedef struct _QnnOpPackage_OperationInfo_t* QnnOpPackage_OperationInfo_t;  // Details of an operation.
typedef struct _QnnOpPackage_Optimization_t* QnnOpPackage_Optimization_t;    // A graph rewrite rule.

// Backend-specific details of a package.
typedef struct _QnnOpPackage_PackageInfo_t QnnOpPackage_PackageInfo_t;

// What a package contains.
typedef struct {
  const char* packageName;
  const char** operationNames;
  const QnnOpPackage_OperationInfo_t* operationInfo;
  uint32_t numOperations;
  const QnnOpPackage_Optimization_t* optimizations;
  uint32_t numOptimizations;
  const char* sdkBuildId;
  const Qnn_ApiVersion_t* sdkApiVersion;
  const QnnOpPackage_PackageInfo_t* packageInfo;
  const Qnn_Version_t* opsetVersion;
  size_t reserved[QNN_OP_PACKAGE_RESERVED_INFO_SIZE];
} QnnOpPackage_Info_t;

// Services that the backend gives to a package.
typedef struct _QnnOpPackage_GlobalInfrastructure_t* QnnOpPackage_GlobalInfrastructure_t;

// Starts the package; called once after loading.
typedef Qnn_ErrorHandle_t (*QnnOpPackage_InitFn_t)(QnnOpPackage_GlobalInfrastructure_t infrastructure);

// Ends the package; called before unloading.
typedef Qnn_ErrorHandle_t (*QnnOpPackage_TerminateFn_t)(void);

// Describes the package; the result belongs to it.
typedef Qnn_ErrorHandle_t (*QnnOpPackage_GetInfoFn_t)(const QnnOpPackage_Info_t** info);

// Tells whether the package can implement an op.
typedef Qnn_ErrorHandle_t (*QnnOpPackage_ValidateOpConfigFn_t)(Qnn_OpConfig_t opConfig);

// Services that the backend gives while a graph is built.
typedef struct _QnnOpPackage_GraphInfrastructure_t* QnnOpPackage_GraphInfrastructure_t;

typedef struct _QnnOpPackage_Node_t* QnnOpPackage_Node_t;      // A node to be implemented.
typedef struct _QnnOpPackage_OpImpl_t* QnnOpPackage_OpImpl_t;  // An op implementation.

// Implements a node.
typedef Qnn_ErrorHandle_t (*QnnOpPackage_CreateOpImplFn_t)(
    QnnOpPackage_GraphInfrastructure_t graphInfrastructure, QnnOpPackage_Node_t node,
    QnnOpPackage_OpImpl_t* opImpl);

// Frees an implementation.
typedef Qnn_ErrorHandle_t (*QnnOpPackage_FreeOpImplFn_t)(QnnOpPackage_OpImpl_t opImpl);

// Hands over the log callback.
typedef Qnn_ErrorHandle_t (*QnnOpPackage_LogInitializeFn_t)(QnnLog_Callback_t callback,
                                                            QnnLog_Level_t maxLogLevel);

// Changes the log level.
typedef Qnn_ErrorHandle_t (*QnnOpPackage_LogSetLevelFn_t)(QnnLog_Level_t maxLogLevel);

// Ends logging.
typedef Qnn_ErrorHandle_t (*QnnOpPackage_LogTerminateFn_t)(void);

// Functions of interface 1.4 (one instance per process).
typedef struct {
  QnnOpPackage_InitFn_t init;
  QnnOpPackage_TerminateFn_t terminate;
  QnnOpPackage_GetInfoFn_t getInfo;
  QnnOpPackage_ValidateOpConfigFn_t validateOpConfig;
  QnnOpPackage_CreateOpImplFn_t createOpImpl;
  QnnOpPackage_FreeOpImplFn_t freeOpImpl;
  QnnOpPackage_LogInitializeFn_t logInitialize;
  QnnOpPackage_LogSetLevelFn_t logSetLevel;
  QnnOpPackage_LogTerminateFn_t logTerminate;
} QnnOpPackage_ImplementationV1_4_t;

typedef Qnn_Handle_t Qnn_OpPackageHandle_t;  // An instance of an op package (interface 2.0).

// Creates an instance of the package.
typedef Qnn_ErrorHandle_t (*QnnOpPackage_CreateFn_t)(QnnOpPackage_GlobalInfrastructure_t infrastructure,
                                                     QnnLog_Callback_t callback, QnnLog_Level_t maxLogLevel,
                                                     Qnn_OpPackageHandle_t* opPackage);

// Tells whether the package can implement an op.
typedef Qnn_ErrorHandle_t (*QnnOpPackage_ValidateOpConfigHandleFn_t)(Qnn_OpPackageHandle_t opPackage,
                                                                     Qnn_OpConfig_t opConfig);

// Implements a node.
typedef Qnn_ErrorHandle_t (*QnnOpPackage_CreateOpImplHandleFn_t)(
    Qnn_OpPackageHandle_t opPackage, QnnOpPackage_GraphInfrastructure_t graphInfrastructure,
    QnnOpPackage_Node_t node, QnnOpPackage_OpImpl_t* opImpl);

// Frees an implementation.
typedef Qnn_ErrorHandle_t (*QnnOpPackage_FreeOpImplHandleFn_t)(Qnn_OpPackageHandle_t opPackage,
                                                               QnnOpPackage_OpImpl_t opImpl);

// Changes the log level.
typedef Qnn_ErrorHandle_t (*QnnOpPackage_LogSetLevelHandleFn_t)(Qnn_OpPackageHandle_t opPackage,
                                                                QnnLog_Level_t maxLogLevel);

// Frees an instance.
typedef Qnn_ErrorHandle_t (*QnnOpPackage_FreeFn_t)(Qnn_OpPackageHandle_t opPackage);

// Functions of interface 2.0 (instances behind handles).
typedef struct {
  QnnOpPackage_CreateFn_t create;
  QnnOpPackage_GetInfoFn_t getInfo;
  QnnOpPackage_ValidateOpConfigHandleFn_t validateOpConfig;
  QnnOpPackage_CreateOpImplHandleFn_t createOpImpl;
  QnnOpPackage_FreeOpImplHandleFn_t freeOpImpl;
  QnnOpPackage_LogSetLevelHandleFn_t logSetLevel;
  QnnOpPackage_FreeFn_t free;
} QnnOpPackage_ImplementationV2_0_t;

// Interface of a package, versioned.
typedef struct {
  Qnn_Version_t interfaceVersion;
  union {
    QnnOpPackage_ImplementationV1_4_t v1_4;
    QnnOpPackage_ImplementationV2_0_t v2_0;
  };
} QnnOpPackage_Interface_t;

// The symbol of the library that the backend calls to get the interface.
typedef Qnn_ErrorHandle_t (*QnnOpPackage_InterfaceProvider_t)(QnnOpPackage_Interface_t* intface_);

// Initial values.
// clang-format off
#define QNN_OP_PACKAGE_INFO_INIT {NULL, NULL, NULL, 0, NULL, 0, NULL, NULL, NULL, NULL, {0}}
#define QNN_OP_PACKAGE_IMPLEMENTATION_V1_4_INIT {NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL}
#define QNN_OP_PACKAGE_IMPLEMENTATION_V2_0_INIT {NULL, NULL, NULL, NULL, NULL, NULL, NULL}
#define QNN_OP_PACKAGE_INTERFACE_INIT \
  {QNN_OP_PACKAGE_API_VERSION_1_4_0, {QNN_OP_PACKAGE_IMPLEMENTATION_V1_4_INIT}}
#define QNN_OP_PACKAGE_API_VERSION_1_4_0 {1, 4, 0}
#define QNN_OP_PACKAGE_API_VERSION_2_0_0 {2, 0, 0}
// clang-format on

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // OPENQNN_QNN_QNN_OP_PACKAGE_H_
