// SPDX-License-Identifier: BSD-3-Clause
//
// Basics shared by every QNN header: API version, handle types, error ranges and common error codes. A
// remark "since SDK x" in these headers names the first SDK release in which the name was seen.

#ifndef OPENQNN_QNN_QNN_COMMON_H_
#define OPENQNN_QNN_QNN_COMMON_H_

#include <stddef.h>
#include <stdint.h>

// Marks the functions that a library exports.
#ifndef QNN_API
#if defined(__GNUC__)
#define QNN_API __attribute__((visibility("default")))
#else
#define QNN_API
#endif
#endif

// Marks a declaration that uses a common extension of strict C.
#if defined(__GNUC__)
#define QNN_EXTENSION __extension__
#else
#define QNN_EXTENSION
#endif

// Version of the core API.
#define QNN_API_VERSION_MAJOR 2
#define QNN_API_VERSION_MINOR 39
#define QNN_API_VERSION_PATCH 0

// Backend id that no backend has.
#define QNN_BACKEND_ID_NULL 0

// Result of a call that went well.
#define QNN_SUCCESS 0

// First and last error code of each component.
#define QNN_MIN_ERROR_COMMON 1000
#define QNN_MAX_ERROR_COMMON 1999
#define QNN_MIN_ERROR_PROPERTY 2000
#define QNN_MAX_ERROR_PROPERTY 2999
#define QNN_MIN_ERROR_OP_PACKAGE 3000
#define QNN_MAX_ERROR_OP_PACKAGE 3999
#define QNN_MIN_ERROR_BACKEND 4000
#define QNN_MIN_ERROR_BACKEND_SAVER 4950
#define QNN_MAX_ERROR_BACKEND_SAVER 4998
#define QNN_MAX_ERROR_BACKEND 4999
#define QNN_MIN_ERROR_CONTEXT 5000
#define QNN_MAX_ERROR_CONTEXT 5999
#define QNN_MIN_ERROR_GRAPH 6000
#define QNN_MAX_ERROR_GRAPH 6999
#define QNN_MIN_ERROR_TENSOR 7000
#define QNN_MAX_ERROR_TENSOR 7999
#define QNN_MIN_ERROR_MEM 8000
#define QNN_MAX_ERROR_MEM 8999
#define QNN_MIN_ERROR_SIGNAL 9000
#define QNN_MAX_ERROR_SIGNAL 9999
#define QNN_MIN_ERROR_ERROR 10000
#define QNN_MAX_ERROR_ERROR 10999
#define QNN_MIN_ERROR_LOG 11000
#define QNN_MAX_ERROR_LOG 11999
#define QNN_MIN_ERROR_PROFILE 12000
#define QNN_MAX_ERROR_PROFILE 12999
#define QNN_MIN_ERROR_PERF_INFRASTRUCTURE 13000
#define QNN_MAX_ERROR_PERF_INFRASTRUCTURE 13999
#define QNN_MIN_ERROR_DEVICE 14000
#define QNN_MAX_ERROR_DEVICE 14999
#define QNN_MIN_ERROR_GLOBAL_CONFIG 15000
#define QNN_MAX_ERROR_GLOBAL_CONFIG 15999
#define QNN_MIN_ERROR_SYSTEM 30000
#define QNN_MAX_ERROR_SYSTEM 49999
#define QNN_MIN_ERROR_INTERFACE 60000
#define QNN_MAX_ERROR_INTERFACE 60999

// Joins three tokens.
#define QNN_PASTE_THREE(a, b, c) a##b##c

#ifdef __cplusplus
extern "C" {
#endif

// Errors that any component may return.
typedef enum {
  QNN_COMMON_MIN_ERROR = QNN_MIN_ERROR_COMMON,
  QNN_COMMON_ERROR_NOT_SUPPORTED = 1000,               // call or feature not implemented
  QNN_COMMON_ERROR_MEM_ALLOC = 1002,                   // allocation failed
  QNN_COMMON_ERROR_SYSTEM = 1003,                      // the operating system failed
  QNN_COMMON_ERROR_INVALID_ARGUMENT = 1004,            // bad argument
  QNN_COMMON_ERROR_OPERATION_NOT_PERMITTED = 1005,     // not allowed, or not in this order
  QNN_COMMON_ERROR_PLATFORM_NOT_SUPPORTED = 1006,      // wrong platform
  QNN_COMMON_ERROR_SYSTEM_COMMUNICATION = 1007,        // link to the DSP lost, recoverable
  QNN_COMMON_ERROR_INCOMPATIBLE_BINARIES = 1008,       // library versions do not fit
  QNN_COMMON_ERROR_LOADING_BINARIES = 1009,            // library loaded twice, or not at all
  QNN_COMMON_ERROR_RESOURCE_UNAVAILABLE = 1010,        // resource could not be had
  QNN_COMMON_ERROR_SYSTEM_COMMUNICATION_FATAL = 1011,  // link to the DSP lost for good
  QNN_COMMON_ERROR_GENERAL = 1100,                     // anything else
  QNN_COMMON_MAX_ERROR = QNN_MAX_ERROR_COMMON,
  QNN_COMMON_ERROR_UNDEFINED = 0x7FFFFFFF,
} QnnCommon_Error_t;

// Result of a call: QNN_SUCCESS or an error; its low 16 bits are the code.
typedef uint64_t Qnn_ErrorHandle_t;

typedef void* Qnn_Handle_t;                  // Opaque handle, the base of all others.
typedef Qnn_Handle_t Qnn_BackendHandle_t;    // A backend.
typedef Qnn_Handle_t Qnn_ContextHandle_t;    // A context.
typedef Qnn_Handle_t Qnn_DeviceHandle_t;     // A device.
typedef Qnn_Handle_t Qnn_GraphHandle_t;      // A graph.
typedef Qnn_Handle_t Qnn_LogHandle_t;        // A logger.
typedef Qnn_Handle_t Qnn_MemHandle_t;        // A memory registration.
typedef Qnn_Handle_t Qnn_ProfileHandle_t;    // A profile.
typedef Qnn_Handle_t Qnn_SignalHandle_t;     // A signal.
typedef Qnn_Handle_t QnnSystemDlc_Handle_t;  // An open DLC.

// Error code within an error handle.
#define QNN_GET_ERROR_CODE(errorHandle) ((errorHandle)&0xFFFF)

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // OPENQNN_QNN_QNN_COMMON_H_
