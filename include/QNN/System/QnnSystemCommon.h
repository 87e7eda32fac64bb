// SPDX-License-Identifier: BSD-3-Clause
//
// System library: version, error ranges, common error codes.

#ifndef OPENQNN_QNN_SYSTEM_QNN_SYSTEM_COMMON_H_
#define OPENQNN_QNN_SYSTEM_QNN_SYSTEM_COMMON_H_

#include <stdint.h>

#include "QnnCommon.h"

// Provider name in QnnSystemInterface_t.
#define QNN_SYSTEM_INTERFACE_PROVIDER_NAME "SYSTEM_QTI_AISW"

// Version of the System API.
#define QNN_SYSTEM_API_VERSION_MAJOR 1
#define QNN_SYSTEM_API_VERSION_MINOR 14
#define QNN_SYSTEM_API_VERSION_PATCH 0

// First and last error code of each component.
#define QNN_SYSTEM_COMMON_MIN_ERROR 30000   // since SDK 2.40
#define QNN_SYSTEM_COMMON_MAX_ERROR 30999   // since SDK 2.40
#define QNN_SYSTEM_PROFILE_MIN_ERROR 31000  // since SDK 2.40
#define QNN_SYSTEM_PROFILE_MAX_ERROR 31999  // since SDK 2.40
#define QNN_SYSTEM_CONTEXT_MIN_ERROR 30000
#define QNN_SYSTEM_CONTEXT_MAX_ERROR 30999

#ifdef __cplusplus
extern "C" {
#endif

// Errors common to the System functions (since SDK 2.40).
typedef enum {
  QNN_SYSTEM_COMMON_NO_ERROR = 0,
  QNN_SYSTEM_COMMON_ERROR_UNSUPPORTED_FEATURE = 1000,  // not supported
  QNN_SYSTEM_COMMON_ERROR_INVALID_HANDLE = 30000,      // null, stale or foreign handle
  QNN_SYSTEM_COMMON_ERROR_INVALID_ARGUMENT = 30001,    // bad argument
} QnnSystemCommon_Error_t;

typedef uint64_t Qnn_SystemDlcBinarySize_t;  // Size of a DLC.

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // OPENQNN_QNN_SYSTEM_QNN_SYSTEM_COMMON_H_
