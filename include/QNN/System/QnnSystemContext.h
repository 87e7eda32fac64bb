// SPDX-License-Identifier: BSD-3-Clause
//
// System library: look into a context binary without a backend.

#ifndef OPENQNN_QNN_SYSTEM_QNN_SYSTEM_CONTEXT_H_
#define OPENQNN_QNN_SYSTEM_QNN_SYSTEM_CONTEXT_H_

#include <stddef.h>
#include <stdint.h>

#include "QnnCommon.h"
#include "QnnDevice.h"
#include "QnnTypes.h"
#include "System/QnnSystemCommon.h"

#ifdef __cplusplus
extern "C" {
#endif

// Errors of the QnnSystemContext functions.
typedef enum {
  QNN_SYSTEM_CONTEXT_MINERROR = 30000,
  QNN_SYSTEM_CONTEXT_NO_ERROR = 0,
  QNN_SYSTEM_CONTEXT_ERROR_UNSUPPORTED_FEATURE = 1000,  // not supported
  QNN_SYSTEM_CONTEXT_ERROR_INVALID_HANDLE = 30000,      // null, stale or foreign handle
  QNN_SYSTEM_CONTEXT_ERROR_INVALID_ARGUMENT = 30001,    // bad argument
  QNN_SYSTEM_CONTEXT_ERROR_OPERATION_FAILED = 30002,    // anything else
  QNN_SYSTEM_CONTEXT_ERROR_MALFORMED_BINARY = 30010,    // not a context binary
  QNN_SYSTEM_CONTEXT_MAXERROR = 49999,
} QnnSystemContext_Error_t;

typedef void* QnnSystemContext_Handle_t;  // Owner of query results.

// A graph: name and I/O tensors.
typedef struct {
  const char* graphName;
  uint32_t numGraphInputs;
  Qnn_Tensor_t* graphInputs;
  uint32_t numGraphOutputs;
  Qnn_Tensor_t* graphOutputs;
} QnnSystemContext_GraphInfoV1_t;

// V1 and the updatable tensors.
typedef struct {
  const char* graphName;
  uint32_t numGraphInputs;
  Qnn_Tensor_t* graphInputs;
  uint32_t numGraphOutputs;
  Qnn_Tensor_t* graphOutputs;
  uint32_t numUpdateableTensors;
  Qnn_Tensor_t* updateableTensors;
} QnnSystemContext_GraphInfoV2_t;

// V2, a backend-specific blob, and the range of ops it covers.
typedef struct {
  const char* graphName;
  uint32_t numGraphInputs;
  Qnn_Tensor_t* graphInputs;
  uint32_t numGraphOutputs;
  Qnn_Tensor_t* graphOutputs;
  uint32_t numUpdateableTensors;
  Qnn_Tensor_t* updateableTensors;
  uint32_t graphBlobInfoSize;
  void* graphBlobInfo;
  uint32_t startOpIndex;
  uint32_t endOpIndex;
} QnnSystemContext_GraphInfoV3_t;

// Which version of QnnSystemContext_GraphInfo_t is in use.
typedef enum {
  QNN_SYSTEM_CONTEXT_GRAPH_INFO_VERSION_1 = 1,
  QNN_SYSTEM_CONTEXT_GRAPH_INFO_VERSION_2 = 2,
  QNN_SYSTEM_CONTEXT_GRAPH_INFO_VERSION_3 = 3,
  QNN_SYSTEM_CONTEXT_GRAPH_INFO_UNDEFINED = 0x7FFFFFFF,
} QnnSystemContext_GraphInfoVersion_t;

// A graph, versioned.
typedef struct {
  QnnSystemContext_GraphInfoVersion_t version;
  union {
    QnnSystemContext_GraphInfoV1_t graphInfoV1;
    QnnSystemContext_GraphInfoV2_t graphInfoV2;
    QnnSystemContext_GraphInfoV3_t graphInfoV3;
  };
} QnnSystemContext_GraphInfo_t;

// A context binary: who made it, for what, and what is inside.
typedef struct {
  uint32_t backendId;
  const char* buildId;
  Qnn_Version_t coreApiVersion;
  Qnn_Version_t backendApiVersion;
  const char* socVersion;
  Qnn_Version_t hwInfoBlobVersion;
  Qnn_Version_t contextBlobVersion;
  uint32_t hwInfoBlobSize;
  void* hwInfoBlob;
  uint64_t contextBlobSize;
  uint32_t numContextTensors;
  Qnn_Tensor_t* contextTensors;
  uint32_t numGraphs;
  QnnSystemContext_GraphInfo_t* graphs;
} QnnSystemContext_BinaryInfoV1_t;

// V1 and the platform it was made for.
typedef struct {
  uint32_t backendId;
  const char* buildId;
  Qnn_Version_t coreApiVersion;
  Qnn_Version_t backendApiVersion;
  const char* socVersion;
  Qnn_Version_t hwInfoBlobVersion;
  Qnn_Version_t contextBlobVersion;
  uint32_t hwInfoBlobSize;
  void* hwInfoBlob;
  uint64_t contextBlobSize;
  uint32_t numContextTensors;
  Qnn_Tensor_t* contextTensors;
  uint32_t numGraphs;
  QnnSystemContext_GraphInfo_t* graphs;
  QnnDevice_PlatformInfo_t* platformInfo;
} QnnSystemContext_BinaryInfoV2_t;

// Like V2, with context metadata and the SoC model instead of the hardware blob.
typedef struct {
  uint32_t backendId;
  const char* buildId;
  Qnn_Version_t coreApiVersion;
  Qnn_Version_t backendApiVersion;
  const char* socVersion;
  Qnn_Version_t contextBlobVersion;
  uint64_t contextBlobSize;
  uint32_t numContextTensors;
  Qnn_Tensor_t* contextTensors;
  uint32_t numGraphs;
  QnnSystemContext_GraphInfo_t* graphs;
  QnnDevice_PlatformInfo_t* platformInfo;
  uint32_t contextMetadataSize;
  void* contextMetadata;
  uint32_t socModel;
} QnnSystemContext_BinaryInfoV3_t;

// Which version of QnnSystemContext_BinaryInfo_t is in use.
typedef enum {
  QNN_SYSTEM_CONTEXT_BINARY_INFO_VERSION_1 = 1,
  QNN_SYSTEM_CONTEXT_BINARY_INFO_VERSION_2 = 2,
  QNN_SYSTEM_CONTEXT_BINARY_INFO_VERSION_3 = 3,
  QNN_SYSTEM_CONTEXT_BINARY_INFO_UNDEFINED = 0x7FFFFFFF,
} QnnSystemContext_BinaryInfoVersion_t;

// A context binary, versioned.
typedef struct {
  QnnSystemContext_BinaryInfoVersion_t version;
  union {
    QnnSystemContext_BinaryInfoV1_t contextBinaryInfoV1;
    QnnSystemContext_BinaryInfoV2_t contextBinaryInfoV2;
    QnnSystemContext_BinaryInfoV3_t contextBinaryInfoV3;
  };
} QnnSystemContext_BinaryInfo_t;

// Initial values.
// clang-format off
#define QNN_SYSTEM_CONTEXT_GRAPH_INFO_V1_INIT {NULL, 0, NULL, 0, NULL}
#define QNN_SYSTEM_CONTEXT_GRAPH_INFO_V2_INIT {NULL, 0, NULL, 0, NULL, 0, NULL}
#define QNN_SYSTEM_CONTEXT_GRAPH_INFO_V3_INIT {NULL, 0, NULL, 0, NULL, 0, NULL, 0, NULL, 0, 0}
#define QNN_SYSTEM_CONTEXT_GRAPH_INFO_INIT \
  {QNN_SYSTEM_CONTEXT_GRAPH_INFO_UNDEFINED, {QNN_SYSTEM_CONTEXT_GRAPH_INFO_V1_INIT}}
#define QNN_SYSTEM_CONTEXT_BINARY_INFO_V1_INIT \
  {0, NULL, QNN_VERSION_INIT, QNN_VERSION_INIT, NULL, QNN_VERSION_INIT, QNN_VERSION_INIT, 0, NULL, 0, 0, \
   NULL, 0, NULL}
#define QNN_SYSTEM_CONTEXT_BINARY_INFO_V2_INIT \
  {0, NULL, QNN_VERSION_INIT, QNN_VERSION_INIT, NULL, QNN_VERSION_INIT, QNN_VERSION_INIT, 0, NULL, 0, 0, \
   NULL, 0, NULL, NULL}
#define QNN_SYSTEM_CONTEXT_BINARY_INFO_V3_INIT \
  {0, NULL, QNN_VERSION_INIT, QNN_VERSION_INIT, NULL, QNN_VERSION_INIT, 0, 0, NULL, 0, NULL, NULL, 0, \
   NULL, 0}
#define QNN_SYSTEM_CONTEXT_BINARYINFO_INIT \
  {QNN_SYSTEM_CONTEXT_BINARY_INFO_UNDEFINED, {QNN_SYSTEM_CONTEXT_BINARY_INFO_V1_INIT}}
// clang-format on

// Creates a handle that owns what the queries below return.
// Errors: QNN_SYSTEM_CONTEXT_ERROR_INVALID_ARGUMENT.
QNN_API Qnn_ErrorHandle_t QnnSystemContext_create(QnnSystemContext_Handle_t* sysCtxHandle);

// Describes a context binary; the buffer may be changed by the call.
// Errors: QNN_SYSTEM_CONTEXT_ERROR_INVALID_HANDLE, QNN_SYSTEM_CONTEXT_ERROR_INVALID_ARGUMENT,
// QNN_SYSTEM_CONTEXT_ERROR_MALFORMED_BINARY, QNN_SYSTEM_CONTEXT_ERROR_OPERATION_FAILED.
QNN_API Qnn_ErrorHandle_t QnnSystemContext_getBinaryInfo(QnnSystemContext_Handle_t sysCtxHandle,
                                                         void* binaryBuffer, uint64_t binaryBufferSize,
                                                         const QnnSystemContext_BinaryInfo_t** binaryInfo,
                                                         Qnn_ContextBinarySize_t* binaryInfoSize);

// Describes a context binary and leaves the buffer as it is.
// Errors: QNN_SYSTEM_CONTEXT_ERROR_INVALID_HANDLE, QNN_SYSTEM_CONTEXT_ERROR_INVALID_ARGUMENT,
// QNN_SYSTEM_CONTEXT_ERROR_MALFORMED_BINARY, QNN_SYSTEM_CONTEXT_ERROR_OPERATION_FAILED.
QNN_API Qnn_ErrorHandle_t QnnSystemContext_getMetadata(QnnSystemContext_Handle_t sysCtxHandle,
                                                       const void* binaryBuffer,
                                                       Qnn_ContextBinarySize_t binaryBufferSize,
                                                       const QnnSystemContext_BinaryInfo_t** binaryInfo);

// Frees the handle and all information obtained through it.
// Errors: QNN_SYSTEM_CONTEXT_ERROR_INVALID_HANDLE.
QNN_API Qnn_ErrorHandle_t QnnSystemContext_free(QnnSystemContext_Handle_t sysCtxHandle);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // OPENQNN_QNN_SYSTEM_QNN_SYSTEM_CONTEXT_H_
