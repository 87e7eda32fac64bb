// SPDX-License-Identifier: BSD-3-Clause
//
// Contexts: containers of graphs and tensors, and their binary form (save, load, validate, patch).

#ifndef OPENQNN_QNN_QNN_CONTEXT_H_
#define OPENQNN_QNN_QNN_CONTEXT_H_

#include <stddef.h>
#include <stdint.h>

#include "QnnCommon.h"
#include "QnnMem.h"
#include "QnnTypes.h"

#ifdef __cplusplus
extern "C" {
#endif

// Errors of the QnnContext functions.
typedef enum {
  QNN_CONTEXT_MIN_ERROR = QNN_MIN_ERROR_CONTEXT,
  QNN_CONTEXT_NO_ERROR = 0,
  QNN_CONTEXT_ERROR_UNSUPPORTED_FEATURE = 1000,       // not supported
  QNN_CONTEXT_ERROR_MEM_ALLOC = 1002,                 // allocation failed
  QNN_CONTEXT_ERROR_INVALID_ARGUMENT = 5000,          // bad argument
  QNN_CONTEXT_ERROR_CTX_DOES_NOT_EXIST = 5001,        // no such context
  QNN_CONTEXT_ERROR_INVALID_HANDLE = 5002,            // null, stale or foreign handle
  QNN_CONTEXT_ERROR_NOT_FINALIZED = 5003,             // a graph is not finalized
  QNN_CONTEXT_ERROR_BINARY_VERSION = 5004,            // format version not accepted
  QNN_CONTEXT_ERROR_CREATE_FROM_BINARY = 5005,        // loading failed
  QNN_CONTEXT_ERROR_GET_BINARY_SIZE_FAILED = 5006,    // size could not be found
  QNN_CONTEXT_ERROR_GET_BINARY_FAILED = 5007,         // writing failed
  QNN_CONTEXT_ERROR_BINARY_CONFIGURATION = 5008,      // not for this device
  QNN_CONTEXT_ERROR_SET_PROFILE = 5009,               // profile could not be used
  QNN_CONTEXT_ERROR_INVALID_CONFIG = 5010,            // bad option or value
  QNN_CONTEXT_ERROR_BINARY_SUBOPTIMAL = 5011,         // strict: runs, but not at its best here
  QNN_CONTEXT_ERROR_ABORTED = 5012,                   // ended by a signal
  QNN_CONTEXT_ERROR_TIMED_OUT = 5013,                 // time limit of a signal
  QNN_CONTEXT_ERROR_INCREMENT_INVALID_BUFFER = 5014,  // not a piece that was handed out
  QNN_CONTEXT_MAX_ERROR = QNN_MAX_ERROR_CONTEXT,
  QNN_CONTEXT_ERROR_UNDEFINED = 0x7FFFFFFF,
} QnnContext_Error_t;

// How a queue depth is given.
typedef enum {
  QNN_CONTEXT_ASYNC_EXECUTION_QUEUE_DEPTH_TYPE_NUMERIC = 0,
  QNN_CONTEXT_ASYNC_EXECUTION_QUEUE_DEPTH_TYPE_UNDEFINED = 0x7FFFFFF,
} QnnContext_AsyncExecutionQueueDepthType_t;

// How many asynchronous executions a context may queue.
typedef struct {
  QnnContext_AsyncExecutionQueueDepthType_t type;
  union {
    uint32_t depth;
  };
} QnnContext_AsyncExecutionQueueDepth_t;

// Which member of QnnContext_Config_t is set.
typedef enum {
  QNN_CONTEXT_CONFIG_OPTION_CUSTOM = 0,                // customConfig
  QNN_CONTEXT_CONFIG_OPTION_PRIORITY = 1,              // priority of all graphs
  QNN_CONTEXT_CONFIG_OPTION_ERROR_REPORTING = 2,       // errorConfig
  QNN_CONTEXT_CONFIG_OPTION_OEM_STRING = 3,            // oemString: text for the vendor of the device
  QNN_CONTEXT_CONFIG_ASYNC_EXECUTION_QUEUE_DEPTH = 4,  // asyncExeQueueDepth
  QNN_CONTEXT_CONFIG_ENABLE_GRAPHS = 5,                // enableGraphs: null-terminated names, load only these
  QNN_CONTEXT_CONFIG_MEMORY_LIMIT_HINT = 6,            // memoryLimitHint in MB
  QNN_CONTEXT_CONFIG_PERSISTENT_BINARY = 7,            // the binary buffer outlives the context
  QNN_CONTEXT_CONFIG_BINARY_COMPATIBILITY = 8,         // binaryCompatibilityType
  QNN_CONTEXT_CONFIG_OPTION_DEFER_GRAPH_INIT = 9,      // load graphs at first use
  // graphRetentionOrder: null-terminated names to keep loaded
  QNN_CONTEXT_CONFIG_GRAPH_RETENTION_ORDER = 10,
  QNN_CONTEXT_CONFIG_UNDEFINED = 0x7FFFFFFF,
} QnnContext_ConfigOption_t;

// Points at a struct that the backend defines, e.g. QnnHtpContext_CustomConfig_t.
typedef void* QnnContext_CustomConfig_t;

// How well a binary must fit the device that loads it.
typedef enum {
  QNN_CONTEXT_BINARY_COMPATIBILITY_PERMISSIVE = 0,  // anything that runs
  QNN_CONTEXT_BINARY_COMPATIBILITY_STRICT = 1,      // only what makes full use of the device
  QNN_CONTEXT_BINARY_COMPATIBILITY_TYPE_UNDEFINED = 0x7FFFFFF,
} QnnContext_BinaryCompatibilityType_t;

// A context option and its value.
typedef struct {
  QnnContext_ConfigOption_t option;
  union {
    QnnContext_CustomConfig_t customConfig;
    Qnn_Priority_t priority;
    Qnn_ErrorReportingConfig_t errorConfig;
    const char* oemString;
    QnnContext_AsyncExecutionQueueDepth_t asyncExeQueueDepth;
    const char* const* enableGraphs;
    uint64_t memoryLimitHint;
    uint8_t isPersistentBinary;
    QnnContext_BinaryCompatibilityType_t binaryCompatibilityType;
    uint8_t isGraphInitDeferred;
    const char* const* graphRetentionOrder;
  };
} QnnContext_Config_t;

// What has become ready.
typedef enum {
  QNN_CONTEXT_NOTIFY_TYPE_GRAPH_INIT = 0,    // a graph
  QNN_CONTEXT_NOTIFY_TYPE_CONTEXT_INIT = 1,  // a context; comes last
  QNN_CONTEXT_NOTIFY_TYPE_UNDEFINED = 0x7FFFFFF,
} QnnContext_createFromBinaryAsyncNotifyType_t;

// Called for every graph and context that QnnContext_createFromBinaryListAsync has made.
typedef void (*QnnContext_createFromBinaryNotifyFn_t)(Qnn_ContextHandle_t context, Qnn_GraphHandle_t graph,
                                                      const char* graphName,
                                                      QnnContext_createFromBinaryAsyncNotifyType_t notifyType,
                                                      void* notifyParam, Qnn_ErrorHandle_t status);

// One binary of a list, and whom to notify.
typedef struct {
  const QnnContext_Config_t** config;
  const void* binaryBuffer;
  const Qnn_ContextBinarySize_t binaryBufferSize;
  Qnn_ProfileHandle_t profile;
  QnnContext_createFromBinaryNotifyFn_t notifyFunc;
  void* notifyParam;
} QnnContext_ParamsV1_t;

// A range of the binary that the backend wants.
typedef struct {
  Qnn_ContextBinarySize_t offset;
  Qnn_ContextBinarySize_t size;
  uint8_t isBackendMappingNeeded;
} Qnn_ContextBinaryDataRequest_t;

// The range as plain memory.
typedef struct {
  void* memPtr;
  Qnn_ContextBinarySize_t dataStartOffset;
  Qnn_ContextBinarySize_t alignedSize;
} Qnn_ContextBinaryRawDataResponse_t;

// The range as a DMA buffer.
typedef struct {
  Qnn_MemDmaBufInfo_t dmaBuffer;
  Qnn_ContextBinarySize_t dataStartOffset;
  Qnn_ContextBinarySize_t alignedSize;
} Qnn_ContextBinaryDmaDataResponse_t;

// Plain memory that the backend gives back.
typedef struct {
  void* memPtr;
  Qnn_ContextBinarySize_t memSize;
} Qnn_ContextBinaryRawDataMem_t;

// A DMA buffer that the backend gives back.
typedef struct {
  Qnn_MemDmaBufInfo_t dmaBuffer;
  Qnn_ContextBinarySize_t memSize;
} Qnn_ContextBinaryDmaDataMem_t;

// Provides a range as plain memory.
typedef Qnn_ErrorHandle_t (*Qnn_ContextBinaryRawDataProviderFn_t)(
    Qnn_ContextBinaryDataRequest_t req, Qnn_ContextBinaryRawDataResponse_t* rawDataResponse,
    void* notifyParam);

// Takes plain memory back.
typedef Qnn_ErrorHandle_t (*Qnn_ContextBinaryRawDataReleaseFn_t)(Qnn_ContextBinaryRawDataMem_t rawDataMem,
                                                                 void* notifyParam);

// Callbacks that deal in plain memory.
typedef struct {
  Qnn_ContextBinaryRawDataProviderFn_t dataProvide;
  Qnn_ContextBinaryRawDataReleaseFn_t dataRelease;
  void* notifyParam;
} Qnn_ContextBinaryRawBufferCallbackV1_t;

// Provides a range as a DMA buffer.
typedef Qnn_ErrorHandle_t (*Qnn_ContextBinaryDmaDataProviderFn_t)(
    Qnn_ContextBinaryDataRequest_t req, Qnn_ContextBinaryDmaDataResponse_t* dmaDataResponse,
    void* notifyParam);

// Takes a DMA buffer back.
typedef Qnn_ErrorHandle_t (*Qnn_ContextBinaryDmaDataReleaseFn_t)(Qnn_ContextBinaryDmaDataMem_t dmaDataMem,
                                                                 void* notifyParam);

// Callbacks that deal in DMA buffers.
typedef struct {
  Qnn_ContextBinaryDmaDataProviderFn_t dataProvide;
  Qnn_ContextBinaryDmaDataReleaseFn_t dataRelease;
  void* notifyParam;
} Qnn_ContextBinaryDmaBufferCallbackV1_t;

// Which version of Qnn_ContextBinaryRawBufferCallback_t is in use.
typedef enum {
  QNN_CONTEXT_CALLBACK_RAW_BUFFER_VERSION_1 = 1,
  QNN_CONTEXT_CALLBACK_RAW_BUFFER_VERSION_UNDEFINED = 0x7FFFFFFF,
} Qnn_ContextBinaryRawBufferCallbackVersion_t;

// Callbacks that deal in plain memory, versioned.
typedef struct {
  Qnn_ContextBinaryRawBufferCallbackVersion_t version;
  union {
    Qnn_ContextBinaryRawBufferCallbackV1_t v1;
  };
} Qnn_ContextBinaryRawBufferCallback_t;

// Which version of Qnn_ContextBinaryDmaBufferCallback_t is in use.
typedef enum {
  QNN_CONTEXT_CALLBACK_DMA_BUFFER_VERSION_1 = 1,
  QNN_CONTEXT_CALLBACK_DMA_BUFFER_VERSION_UNDEFINED = 0x7FFFFFFF,
} Qnn_ContextBinaryDmaBufferCallbackVersion_t;

// Callbacks that deal in DMA buffers, versioned.
typedef struct {
  Qnn_ContextBinaryDmaBufferCallbackVersion_t version;
  union {
    Qnn_ContextBinaryDmaBufferCallbackV1_t v1;
  };
} Qnn_ContextBinaryDmaBufferCallback_t;

// Kind of callbacks.
typedef enum {
  QNN_CONTEXT_CALLBACK_RAW_BUFFER = 1,
  QNN_CONTEXT_CALLBACK_DMA_BUFFER = 2,
  QNN_CONTEXT_CALLBACK_UNDEFINED = 0x7FFFFFFF,
} Qnn_ContextBinaryCallbackType_t;

// Callbacks of either kind.
typedef struct {
  Qnn_ContextBinaryCallbackType_t type;
  union {
    Qnn_ContextBinaryRawBufferCallback_t rawBufferCallback;
    Qnn_ContextBinaryDmaBufferCallback_t dmaBufferCallback;
  };
} Qnn_ContextBinaryCallback_t;

// One binary of a list that is read through callbacks (since SDK 2.43).
typedef struct {
  const QnnContext_Config_t** config;
  const void* binaryBuffer;
  const Qnn_ContextBinarySize_t binaryBufferSize;
  Qnn_ProfileHandle_t profile;
  QnnContext_createFromBinaryNotifyFn_t notifyFunc;
  void* notifyParam;
  const Qnn_ContextBinaryCallback_t* callback;
} QnnContext_ParamsV2_t;

// Which version of QnnContext_Params_t is in use.
typedef enum {
  QNN_CONTEXT_PARAMS_VERSION_1 = 1,
  QNN_CONTEXT_PARAMS_VERSION_2 = 2,  // since SDK 2.43
  QNN_CONTEXT_PARAMS_VERSION_UNDEFINED = 0x7FFFFFFF,
} QnnContext_ParamsVersion_t;

// One binary of a list, versioned.
typedef struct {
  QnnContext_ParamsVersion_t version;
  union {
    QnnContext_ParamsV1_t v1;
    QnnContext_ParamsV2_t* v2;
  };
} QnnContext_Params_t;

// A block of memory.
typedef struct {
  void* data;
  Qnn_ContextBinarySize_t dataSize;
} Qnn_BinaryBuffer_t;

// Where the bytes of a buffer are.
typedef enum {
  QNN_CONTEXTMEMTYPE_RAW = 0,        // binaryBuf
  QNN_CONTEXTMEMTYPE_MEMHANDLE = 1,  // memHandle
  QNN_CONTEXTMEMTYPE_UNDEFINED = 0x7FFFFFFF,
} QnnContext_MemType_t;

// Memory or a memory handle.
typedef struct {
  QnnContext_MemType_t memType;
  union {
    Qnn_BinaryBuffer_t binaryBuf;
    Qnn_MemHandle_t memHandle;
  };
} QnnContext_BufferV1_t;

// Which version of QnnContext_Buffer_t is in use.
typedef enum {
  QNN_CONTEXT_BUFFER_VERSION_1 = 1,
  QNN_CONTEXT_BUFFER_VERSION_UNDEFINED = 0x7FFFFFFF,
} QnnContext_BufferVersion_t;

// A buffer for binary sections, versioned.
typedef struct {
  QnnContext_BufferVersion_t version;
  union {
    QnnContext_BufferV1_t v1;
  };
} QnnContext_Buffer_t;

// Which member of QnnContext_Property_t is asked for.
typedef enum {
  QNN_CONTEXT_PROPERTY_OPTION_CUSTOM = 0,
  QNN_CONTEXT_PROPERTY_OPTION_UNDEFINED = 0x7FFFFFFF,
} QnnContext_PropertyOption_t;

// Points at a struct that the backend defines, e.g. QnnHtpContext_CustomProperty_t.
typedef void* QnnContext_CustomProperty_t;

// A context property and the place for its value.
typedef struct {
  QnnContext_PropertyOption_t option;
  union {
    QnnContext_CustomProperty_t customProperty;
  };
} QnnContext_Property_t;

// A part of a context binary.
typedef enum {
  QNN_CONTEXT_SECTION_UPDATABLE = 1,               // weights and encodings
  QNN_CONTEXT_SECTION_UPDATABLE_WEIGHTS = 2,       // weights only
  QNN_CONTEXT_SECTION_UPDATABLE_QUANT_PARAMS = 3,  // encodings only
  QNN_CONTEXT_SECTION_UNDEFINED = 0x7FFFFFFF,
} QnnContext_SectionType_t;

// Initial values.
// clang-format off
#define QNN_CONTEXT_ASYNC_EXECUTION_QUEUE_DEPTH_INIT \
  {QNN_CONTEXT_ASYNC_EXECUTION_QUEUE_DEPTH_TYPE_UNDEFINED, {0}}
#define QNN_CONTEXT_CONFIG_INIT {QNN_CONTEXT_CONFIG_UNDEFINED, {NULL}}
#define QNN_CONTEXT_PROPERTY_INIT {QNN_CONTEXT_PROPERTY_OPTION_UNDEFINED, {NULL}}
// clang-format on

// Creates an empty context. `device` may be null for the default device.
// Errors: QNN_CONTEXT_ERROR_INVALID_CONFIG, QNN_CONTEXT_ERROR_INVALID_ARGUMENT,
// QNN_CONTEXT_ERROR_INVALID_HANDLE, QNN_CONTEXT_ERROR_MEM_ALLOC, QNN_CONTEXT_ERROR_UNSUPPORTED_FEATURE.
QNN_API Qnn_ErrorHandle_t QnnContext_create(Qnn_BackendHandle_t backend, Qnn_DeviceHandle_t device,
                                            const QnnContext_Config_t** config, Qnn_ContextHandle_t* context);

// Changes options of a context; a priority applies to all of its graphs.
// Errors: QNN_CONTEXT_ERROR_INVALID_HANDLE, QNN_CONTEXT_ERROR_INVALID_CONFIG,
// QNN_CONTEXT_ERROR_UNSUPPORTED_FEATURE.
QNN_API Qnn_ErrorHandle_t QnnContext_setConfig(Qnn_ContextHandle_t context,
                                               const QnnContext_Config_t** config);

// Reports how large the binary form is. All graphs must be finalized.
// Errors: QNN_CONTEXT_ERROR_NOT_FINALIZED, QNN_CONTEXT_ERROR_GET_BINARY_SIZE_FAILED,
// QNN_CONTEXT_ERROR_INVALID_HANDLE.
QNN_API Qnn_ErrorHandle_t QnnContext_getBinarySize(Qnn_ContextHandle_t context,
                                                   Qnn_ContextBinarySize_t* binaryBufferSize);

// Writes the binary form into the buffer of the client.
// Errors: QNN_CONTEXT_ERROR_NOT_FINALIZED, QNN_CONTEXT_ERROR_GET_BINARY_FAILED,
// QNN_CONTEXT_ERROR_INVALID_ARGUMENT, QNN_CONTEXT_ERROR_INVALID_HANDLE.
QNN_API Qnn_ErrorHandle_t QnnContext_getBinary(Qnn_ContextHandle_t context, void* binaryBuffer,
                                               Qnn_ContextBinarySize_t binaryBufferSize,
                                               Qnn_ContextBinarySize_t* writtenBufferSize);

// Adds the binary form as a record to an open DLC. Since SDK 2.48.
// Errors: QNN_CONTEXT_ERROR_INVALID_HANDLE, QNN_CONTEXT_ERROR_NOT_FINALIZED,
// QNN_CONTEXT_ERROR_UNSUPPORTED_FEATURE.
QNN_API Qnn_ErrorHandle_t QnnContext_addToDlc(Qnn_ContextHandle_t context, QnnSystemDlc_Handle_t dlcHandle);

// Checks, without loading, whether a binary would load on this device.
// Errors: QNN_CONTEXT_ERROR_BINARY_VERSION, QNN_CONTEXT_ERROR_BINARY_CONFIGURATION,
// QNN_CONTEXT_ERROR_BINARY_SUBOPTIMAL, QNN_CONTEXT_ERROR_CREATE_FROM_BINARY,
// QNN_CONTEXT_ERROR_INVALID_ARGUMENT.
QNN_API Qnn_ErrorHandle_t QnnContext_validateBinary(Qnn_BackendHandle_t backend, Qnn_DeviceHandle_t device,
                                                    const QnnContext_Config_t** config,
                                                    const void* binaryBuffer,
                                                    Qnn_ContextBinarySize_t binaryBufferSize);

// Creates a context with all graphs of a binary; the graphs are ready to execute. `profile` may be null.
// Errors: QNN_CONTEXT_ERROR_CREATE_FROM_BINARY, QNN_CONTEXT_ERROR_BINARY_VERSION,
// QNN_CONTEXT_ERROR_BINARY_CONFIGURATION, QNN_CONTEXT_ERROR_BINARY_SUBOPTIMAL,
// QNN_CONTEXT_ERROR_SET_PROFILE, QNN_CONTEXT_ERROR_INVALID_CONFIG.
QNN_API Qnn_ErrorHandle_t QnnContext_createFromBinary(Qnn_BackendHandle_t backend, Qnn_DeviceHandle_t device,
                                                      const QnnContext_Config_t** config,
                                                      const void* binaryBuffer,
                                                      Qnn_ContextBinarySize_t binaryBufferSize,
                                                      Qnn_ContextHandle_t* context,
                                                      Qnn_ProfileHandle_t profile);

// Same as QnnContext_createFromBinary, and can be aborted or timed out through `signal`.
// Errors: QNN_CONTEXT_ERROR_ABORTED, QNN_CONTEXT_ERROR_TIMED_OUT, QNN_CONTEXT_ERROR_CREATE_FROM_BINARY,
// QNN_CONTEXT_ERROR_BINARY_VERSION.
QNN_API Qnn_ErrorHandle_t QnnContext_createFromBinaryWithSignal(
    Qnn_BackendHandle_t backend, Qnn_DeviceHandle_t device, const QnnContext_Config_t** config,
    const void* binaryBuffer, Qnn_ContextBinarySize_t binaryBufferSize, Qnn_ContextHandle_t* context,
    Qnn_ProfileHandle_t profile, Qnn_SignalHandle_t signal);

// Starts loading several binaries; the notify functions of the parameters report each graph and context.
// `listConfig` holds for the list as a whole. Both lists end with null. What is wrong with one binary is
// notified, with the errors of QnnContext_createFromBinaryWithSignal.
// Errors: QNN_CONTEXT_ERROR_INVALID_ARGUMENT, QNN_CONTEXT_ERROR_INVALID_HANDLE,
// QNN_CONTEXT_ERROR_INVALID_CONFIG, QNN_CONTEXT_ERROR_UNSUPPORTED_FEATURE, QNN_CONTEXT_ERROR_MEM_ALLOC.
QNN_API Qnn_ErrorHandle_t QnnContext_createFromBinaryListAsync(Qnn_BackendHandle_t backend,
                                                               Qnn_DeviceHandle_t device,
                                                               const QnnContext_Params_t** contextParams,
                                                               const QnnContext_Config_t** listConfig,
                                                               Qnn_SignalHandle_t signal);

// Completes a context after its graphs are built, where the backend asks for that.
// Errors: QNN_CONTEXT_ERROR_INVALID_HANDLE, QNN_CONTEXT_ERROR_UNSUPPORTED_FEATURE,
// QNN_CONTEXT_ERROR_SET_PROFILE.
QNN_API Qnn_ErrorHandle_t QnnContext_finalize(Qnn_ContextHandle_t context, Qnn_ProfileHandle_t profile);

// Same as QnnContext_createFromBinary, but reads the bulk of the binary through callbacks of the client.
// Errors: QNN_CONTEXT_ERROR_CREATE_FROM_BINARY, QNN_CONTEXT_ERROR_INVALID_CONFIG,
// QNN_CONTEXT_ERROR_UNSUPPORTED_FEATURE, QNN_CONTEXT_ERROR_ABORTED, QNN_CONTEXT_ERROR_TIMED_OUT.
QNN_API Qnn_ErrorHandle_t QnnContext_createFromBinaryWithCallback(
    Qnn_BackendHandle_t backend, Qnn_DeviceHandle_t device, const QnnContext_Config_t** config,
    const Qnn_ContextBinaryCallback_t* callback, const void* binaryBuffer,
    Qnn_ContextBinarySize_t binaryBufferSize, Qnn_ContextHandle_t* context, Qnn_ProfileHandle_t profile,
    Qnn_SignalHandle_t signal);

// Reports the size of one section, of one graph or (null graph) of the whole context.
// Errors: QNN_CONTEXT_ERROR_INVALID_HANDLE, QNN_CONTEXT_ERROR_INVALID_ARGUMENT,
// QNN_CONTEXT_ERROR_NOT_FINALIZED, QNN_CONTEXT_ERROR_UNSUPPORTED_FEATURE.
QNN_API Qnn_ErrorHandle_t QnnContext_getBinarySectionSize(Qnn_ContextHandle_t context,
                                                          Qnn_GraphHandle_t graph,
                                                          QnnContext_SectionType_t section,
                                                          Qnn_ContextBinarySize_t* binaryBufferSize);

// Writes one section into the buffer of the client.
// Errors: QNN_CONTEXT_ERROR_INVALID_HANDLE, QNN_CONTEXT_ERROR_INVALID_ARGUMENT,
// QNN_CONTEXT_ERROR_NOT_FINALIZED, QNN_CONTEXT_ERROR_UNSUPPORTED_FEATURE, QNN_CONTEXT_ERROR_SET_PROFILE,
// QNN_CONTEXT_ERROR_GET_BINARY_FAILED, QNN_CONTEXT_ERROR_ABORTED, QNN_CONTEXT_ERROR_TIMED_OUT.
QNN_API Qnn_ErrorHandle_t QnnContext_getBinarySection(Qnn_ContextHandle_t context, Qnn_GraphHandle_t graph,
                                                      QnnContext_SectionType_t section,
                                                      const QnnContext_Buffer_t* binaryBuffer,
                                                      Qnn_ContextBinarySize_t* writtenBufferSize,
                                                      Qnn_ProfileHandle_t profile, Qnn_SignalHandle_t signal);

// Replaces the updatable tensors of a loaded context by those of a section, e.g. a LoRA adapter.
// Errors: QNN_CONTEXT_ERROR_INVALID_HANDLE, QNN_CONTEXT_ERROR_INVALID_ARGUMENT,
// QNN_CONTEXT_ERROR_BINARY_VERSION, QNN_CONTEXT_ERROR_BINARY_CONFIGURATION, QNN_CONTEXT_ERROR_MEM_ALLOC,
// QNN_CONTEXT_ERROR_UNSUPPORTED_FEATURE, QNN_CONTEXT_ERROR_SET_PROFILE, QNN_CONTEXT_ERROR_ABORTED,
// QNN_CONTEXT_ERROR_TIMED_OUT.
QNN_API Qnn_ErrorHandle_t QnnContext_applyBinarySection(Qnn_ContextHandle_t context, Qnn_GraphHandle_t graph,
                                                        QnnContext_SectionType_t section,
                                                        const QnnContext_Buffer_t* binaryBuffer,
                                                        Qnn_ProfileHandle_t profile,
                                                        Qnn_SignalHandle_t signal);

// Makes a section from a binary and new values for its updatable tensors, without a context. Since SDK
// 2.43.
// Errors: QNN_CONTEXT_ERROR_INVALID_ARGUMENT, QNN_CONTEXT_ERROR_MEM_ALLOC,
// QNN_CONTEXT_ERROR_UNSUPPORTED_FEATURE, QNN_CONTEXT_ERROR_ABORTED.
QNN_API Qnn_ErrorHandle_t QnnContext_getBinarySectionUpdate(
    const QnnContext_Buffer_t* binaryBuffer, const QnnContext_Buffer_t* auxiliaryBuffer,
    const Qnn_Tensor_t** tensors, uint64_t numTensors, uint8_t keepUpdatable, Qnn_LogHandle_t logger,
    Qnn_ProfileHandle_t profile, Qnn_SignalHandle_t signal, QnnContext_Buffer_t* binarySectionUpdate);

// Frees a buffer returned by QnnContext_getBinarySectionUpdate. Since SDK 2.43.
// Errors: QNN_CONTEXT_ERROR_INVALID_ARGUMENT.
QNN_API Qnn_ErrorHandle_t QnnContext_freeBinarySectionUpdate(QnnContext_Buffer_t binarySectionUpdate,
                                                             Qnn_LogHandle_t logger);

// Fills in the properties of a null-terminated list.
// Errors: QNN_CONTEXT_ERROR_INVALID_HANDLE, QNN_CONTEXT_ERROR_INVALID_ARGUMENT,
// QNN_CONTEXT_ERROR_UNSUPPORTED_FEATURE.
QNN_API Qnn_ErrorHandle_t QnnContext_getProperty(Qnn_ContextHandle_t contextHandle,
                                                 QnnContext_Property_t** properties);

// Returns the next piece of the binary form and its place in it; size 0 means the end.
// Errors: QNN_CONTEXT_ERROR_INVALID_HANDLE, QNN_CONTEXT_ERROR_NOT_FINALIZED,
// QNN_CONTEXT_ERROR_INCREMENT_INVALID_BUFFER, QNN_CONTEXT_ERROR_MEM_ALLOC.
QNN_API Qnn_ErrorHandle_t QnnContext_getIncrementalBinary(Qnn_ContextHandle_t context,
                                                          const void** binaryBuffer,
                                                          Qnn_ContextBinarySize_t* startOffset,
                                                          Qnn_ContextBinarySize_t* writtenBufferSize);

// Gives back a piece obtained from QnnContext_getIncrementalBinary.
// Errors: QNN_CONTEXT_ERROR_INVALID_HANDLE, QNN_CONTEXT_ERROR_INCREMENT_INVALID_BUFFER.
QNN_API Qnn_ErrorHandle_t QnnContext_releaseIncrementalBinary(Qnn_ContextHandle_t context,
                                                              const void* binaryBuffer,
                                                              Qnn_ContextBinarySize_t startOffset);

// Frees the context with its graphs and tensors.
// Errors: QNN_CONTEXT_ERROR_INVALID_HANDLE, QNN_CONTEXT_ERROR_CTX_DOES_NOT_EXIST,
// QNN_CONTEXT_ERROR_SET_PROFILE.
QNN_API Qnn_ErrorHandle_t QnnContext_free(Qnn_ContextHandle_t context, Qnn_ProfileHandle_t profile);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // OPENQNN_QNN_QNN_CONTEXT_H_
