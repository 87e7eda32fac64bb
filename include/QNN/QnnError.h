// SPDX-License-Identifier: BSD-3-Clause
//
// Readable messages for error handles.

#ifndef OPENQNN_QNN_QNN_ERROR_H_
#define OPENQNN_QNN_QNN_ERROR_H_

#include "QnnCommon.h"

#ifdef __cplusplus
extern "C" {
#endif

// Errors of the QnnError functions.
typedef enum {
  QNN_ERROR_MIN_ERROR = QNN_MIN_ERROR_ERROR,
  QNN_ERROR_NO_ERROR = 0,
  QNN_ERROR_INVALID_ARGUMENT = 10000,      // bad argument
  QNN_ERROR_INVALID_ERROR_HANDLE = 10001,  // not an error of this library
  QNN_ERROR_MAX_ERROR = QNN_MAX_ERROR_ERROR,
  QNN_ERROR_UNDEFINED = 0x7FFFFFFF,
} QnnError_Error_t;

// Returns a short static text for an error.
// Errors: QNN_ERROR_INVALID_ARGUMENT, QNN_ERROR_INVALID_ERROR_HANDLE.
QNN_API Qnn_ErrorHandle_t QnnError_getMessage(Qnn_ErrorHandle_t errorHandle, const char** errorMessage);

// Returns a text with details of this occurrence; free it with QnnError_freeVerboseMessage.
// Errors: QNN_ERROR_INVALID_ARGUMENT, QNN_ERROR_INVALID_ERROR_HANDLE.
QNN_API Qnn_ErrorHandle_t QnnError_getVerboseMessage(Qnn_ErrorHandle_t errorHandle,
                                                     const char** errorMessage);

// Frees a verbose message.
// Errors: QNN_ERROR_INVALID_ARGUMENT.
QNN_API Qnn_ErrorHandle_t QnnError_freeVerboseMessage(const char* errorMessage);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // OPENQNN_QNN_QNN_ERROR_H_
