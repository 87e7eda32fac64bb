// SPDX-License-Identifier: BSD-3-Clause
// Functions of the core API that this version does not offer. Each says so; when one is implemented, its line
// goes.
#include "QnnInterface.h"
#include "api/answer.h"

// A wrong parameter list is a compile error: the function would conflict with its declaration.
#define OPENQNN_UNSUPPORTED(function, ...) \
  Qnn_ErrorHandle_t function(__VA_ARGS__) { return openqnn::api::not_supported(#function); }

OPENQNN_UNSUPPORTED(QnnGraph_createSubgraph, Qnn_GraphHandle_t, const char*, Qnn_GraphHandle_t*)
OPENQNN_UNSUPPORTED(QnnTensor_createContextTensor, Qnn_ContextHandle_t, Qnn_Tensor_t*)
OPENQNN_UNSUPPORTED(QnnGraph_prepareExecutionEnvironment, Qnn_GraphHandle_t, QnnGraph_ExecuteEnvironment_t**,
                    uint32_t)
OPENQNN_UNSUPPORTED(QnnGraph_releaseExecutionEnvironment, Qnn_GraphHandle_t,
                    const QnnGraph_ExecuteEnvironment_t**, uint32_t)
OPENQNN_UNSUPPORTED(QnnGraph_getProperty, Qnn_GraphHandle_t, QnnGraph_Property_t**)
OPENQNN_UNSUPPORTED(QnnTensor_updateContextTensors, Qnn_ContextHandle_t, const Qnn_Tensor_t**, uint64_t)
OPENQNN_UNSUPPORTED(QnnBackend_getProperty, Qnn_BackendHandle_t, QnnBackend_Property_t**)
OPENQNN_UNSUPPORTED(QnnContext_getIncrementalBinary, Qnn_ContextHandle_t, const void**,
                    Qnn_ContextBinarySize_t*, Qnn_ContextBinarySize_t*)
OPENQNN_UNSUPPORTED(QnnContext_releaseIncrementalBinary, Qnn_ContextHandle_t, const void*,
                    Qnn_ContextBinarySize_t)
OPENQNN_UNSUPPORTED(QnnContext_finalize, Qnn_ContextHandle_t, Qnn_ProfileHandle_t)
OPENQNN_UNSUPPORTED(QnnGlobalConfig_Set, const QnnGlobalConfig_t**)
OPENQNN_UNSUPPORTED(QnnContext_createFromBinaryWithCallback, Qnn_BackendHandle_t, Qnn_DeviceHandle_t,
                    const QnnContext_Config_t**, const Qnn_ContextBinaryCallback_t*, const void*,
                    Qnn_ContextBinarySize_t, Qnn_ContextHandle_t*, Qnn_ProfileHandle_t, Qnn_SignalHandle_t)
OPENQNN_UNSUPPORTED(QnnContext_getBinarySectionUpdate, const QnnContext_Buffer_t*, const QnnContext_Buffer_t*,
                    const Qnn_Tensor_t**, uint64_t, uint8_t, Qnn_LogHandle_t, Qnn_ProfileHandle_t,
                    Qnn_SignalHandle_t, QnnContext_Buffer_t*)
OPENQNN_UNSUPPORTED(QnnContext_freeBinarySectionUpdate, QnnContext_Buffer_t, Qnn_LogHandle_t)
OPENQNN_UNSUPPORTED(QnnContext_addToDlc, Qnn_ContextHandle_t, QnnSystemDlc_Handle_t)
