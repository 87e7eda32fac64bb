// SPDX-License-Identifier: BSD-3-Clause
//
// System library: tensor helpers.

#ifndef OPENQNN_QNN_SYSTEM_QNN_SYSTEM_TENSOR_H_
#define OPENQNN_QNN_SYSTEM_QNN_SYSTEM_TENSOR_H_

#include <stdint.h>

#include "QnnCommon.h"
#include "QnnTypes.h"
#include "System/QnnSystemCommon.h"

#ifdef __cplusplus
extern "C" {
#endif

// Errors of the QnnSystemTensor functions.
typedef enum {
  QNN_SYSTEM_TENSOR_MIN_ERROR = QNN_MIN_ERROR_SYSTEM,
  QNN_SYSTEM_TENSOR_NO_ERROR = 0,
  QNN_SYSTEM_TENSOR_ERROR_UNSUPPORTED_FEATURE = 1000,  // not supported
  QNN_SYSTEM_TENSOR_ERROR_INVALID_ARGUMENT = 30001,    // bad argument
  QNN_SYSTEM_TENSOR_ERROR_INVALID_TENSOR = 30002,      // bad tensor
  QNN_SYSTEM_TENSOR_MAX_ERROR = QNN_MAX_ERROR_SYSTEM,
} QnnSystemTensor_Error_t;

// Reports how many bytes the data of a tensor takes.
// Errors: QNN_SYSTEM_TENSOR_ERROR_INVALID_TENSOR, QNN_SYSTEM_TENSOR_ERROR_INVALID_ARGUMENT,
// QNN_SYSTEM_TENSOR_ERROR_UNSUPPORTED_FEATURE.
QNN_API Qnn_ErrorHandle_t QnnSystemTensor_getMemoryFootprint(Qnn_Tensor_t tensor, uint64_t* footprint);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // OPENQNN_QNN_SYSTEM_QNN_SYSTEM_TENSOR_H_
