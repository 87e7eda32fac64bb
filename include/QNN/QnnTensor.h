// SPDX-License-Identifier: BSD-3-Clause
//
// Creation and update of context and graph tensors.

#ifndef OPENQNN_QNN_QNN_TENSOR_H_
#define OPENQNN_QNN_QNN_TENSOR_H_

#include <stdint.h>

#include "QnnCommon.h"
#include "QnnTypes.h"

#ifdef __cplusplus
extern "C" {
#endif

// Errors of the QnnTensor functions.
typedef enum {
  QNN_TENSOR_MIN_ERROR = QNN_MIN_ERROR_TENSOR,
  QNN_TENSOR_NO_ERROR = 0,
  QNN_TENSOR_ERROR_INVALID_HANDLE = 7001,              // null, stale or foreign handle
  QNN_TENSOR_ERROR_DOES_NOT_EXIST = 7002,              // no such tensor
  QNN_TENSOR_ERROR_ALREADY_EXISTS = 7003,              // name taken (deprecated)
  QNN_TENSOR_ERROR_INVALID_TENSOR_PARAM = 7004,        // bad field
  QNN_TENSOR_ERROR_UNSUPPORTED_TENSOR_PARAM = 7005,    // field value not supported
  QNN_TENSOR_ERROR_NAME_HASH_COLLISION = 7006,         // deprecated
  QNN_TENSOR_ERROR_INCOMPATIBLE_TENSOR_UPDATE = 7007,  // more than data or encoding differs
  QNN_TENSOR_ERROR_UNSUPPORTED_FEATURE = 1000,         // not supported
  QNN_TENSOR_MAX_ERROR = QNN_MAX_ERROR_TENSOR,
  QNN_TENSOR_ERROR_UNDEFINED = 0x7FFFFFFF,
} QnnTensor_Error_t;

// Creates a tensor that all graphs of a context may use; the backend fills in its id.
// Errors: QNN_TENSOR_ERROR_INVALID_HANDLE, QNN_TENSOR_ERROR_INVALID_TENSOR_PARAM,
// QNN_TENSOR_ERROR_UNSUPPORTED_TENSOR_PARAM.
QNN_API Qnn_ErrorHandle_t QnnTensor_createContextTensor(Qnn_ContextHandle_t context, Qnn_Tensor_t* tensor);

// Creates a tensor of one graph; the backend fills in its id and copies static data.
// Errors: QNN_TENSOR_ERROR_INVALID_HANDLE, QNN_TENSOR_ERROR_INVALID_TENSOR_PARAM,
// QNN_TENSOR_ERROR_UNSUPPORTED_TENSOR_PARAM.
QNN_API Qnn_ErrorHandle_t QnnTensor_createGraphTensor(Qnn_GraphHandle_t graph, Qnn_Tensor_t* tensor);

// Gives updatable tensors of a graph new data or encodings.
// Errors: QNN_TENSOR_ERROR_DOES_NOT_EXIST, QNN_TENSOR_ERROR_INCOMPATIBLE_TENSOR_UPDATE,
// QNN_TENSOR_ERROR_INVALID_HANDLE.
QNN_API Qnn_ErrorHandle_t QnnTensor_updateGraphTensors(Qnn_GraphHandle_t graph, const Qnn_Tensor_t** tensor,
                                                       uint64_t numTensors);

// Gives updatable tensors of a context new data or encodings.
// Errors: QNN_TENSOR_ERROR_DOES_NOT_EXIST, QNN_TENSOR_ERROR_INCOMPATIBLE_TENSOR_UPDATE,
// QNN_TENSOR_ERROR_INVALID_HANDLE.
QNN_API Qnn_ErrorHandle_t QnnTensor_updateContextTensors(Qnn_ContextHandle_t context,
                                                         const Qnn_Tensor_t** tensor, uint64_t numTensors);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // OPENQNN_QNN_QNN_TENSOR_H_
