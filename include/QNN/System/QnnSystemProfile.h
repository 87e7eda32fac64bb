// SPDX-License-Identifier: BSD-3-Clause
//
// System library: write profile events to a log file that the profile viewer reads.

#ifndef OPENQNN_QNN_SYSTEM_QNN_SYSTEM_PROFILE_H_
#define OPENQNN_QNN_SYSTEM_QNN_SYSTEM_PROFILE_H_

#include <stddef.h>
#include <stdint.h>

#include "QnnCommon.h"
#include "QnnProfile.h"
#include "System/QnnSystemCommon.h"

#ifdef __cplusplus
extern "C" {
#endif

// Declared ahead, since it refers to itself.
typedef struct QnnSystemProfile_ProfileEventV1_t QnnSystemProfile_ProfileEventV1_t;

// Errors of the QnnSystemProfile functions (since SDK 2.40).
typedef enum {
  QNN_SYSTEM_PROFILE_NO_ERROR = 0,
  QNN_SYSTEM_PROFILE_ERROR_UNSUPPORTED_FEATURE = 1000,  // not supported
  QNN_SYSTEM_PROFILE_ERROR_INVALID_HANDLE = 30000,      // null, stale or foreign handle
  QNN_SYSTEM_PROFILE_ERROR_INVALID_ARGUMENT = 30001,    // bad argument
  QNN_SYSTEM_PROFILE_ERROR_MEM_ALLOC = 31000,           // allocation failed
} QnnSystemProfile_Error_t;

typedef void* QnnSystemProfile_SerializationTargetHandle_t;  // An open target.

// A file to write (since SDK 2.40).
typedef struct {
  const char* fileName;
  const char* fileDirectory;
} QnnSystemProfile_SerializationTargetFile_t;

// Kinds of targets (since SDK 2.40).
typedef enum {
  QNN_SYSTEM_PROFILE_SERIALIZATION_TARGET_FILE = 1,
  QNN_SYSTEM_PROFILE_SERIALIZATION_TARGET_UNDEFINED = 0x7FFFFFFF,
} QnnSystemProfile_SerializationTargetType_t;

// A target (since SDK 2.40).
typedef struct {
  QnnSystemProfile_SerializationTargetType_t type;
  union {
    QnnSystemProfile_SerializationTargetFile_t file;
  };
} QnnSystemProfile_SerializationTarget_t;

// Texts for the head of the file (since SDK 2.40).
typedef struct {
  const char* appName;
  const char* appVersion;
  const char* backendVersion;
} QnnSystemProfile_SerializationFileHeader_t;

// Options of targets (since SDK 2.40).
typedef enum {
  QNN_SYSTEM_PROFILE_SERIALIZATION_TARGET_CONFIG_MAX_NUM_MESSAGES = 0,      // maxNumMessages
  QNN_SYSTEM_PROFILE_SERIALIZATION_TARGET_CONFIG_SERIALIZATION_HEADER = 1,  // serializationHeader
  QNN_SYSTEM_PROFILE_SERIALIZATION_TARGET_CONFIG_UNDEFINED = 0x7FFFFFFF,
} QnnSystemProfile_SerializationTargetConfigType_t;

// A target option and its value (since SDK 2.40).
typedef struct {
  QnnSystemProfile_SerializationTargetConfigType_t type;
  union {
    uint32_t maxNumMessages;
    QnnSystemProfile_SerializationFileHeader_t serializationHeader;
  };
} QnnSystemProfile_SerializationTargetConfig_t;

// The step that was measured.
typedef enum {
  QNN_SYSTEM_PROFILE_METHOD_TYPE_NONE = 0,                              // since SDK 2.40
  QNN_SYSTEM_PROFILE_METHOD_TYPE_BACKEND_EXECUTE = 1,                   // since SDK 2.40
  QNN_SYSTEM_PROFILE_METHOD_TYPE_BACKEND_FINALIZE = 2,                  // since SDK 2.40
  QNN_SYSTEM_PROFILE_METHOD_TYPE_BACKEND_EXECUTE_ASYNC = 3,             // since SDK 2.40
  QNN_SYSTEM_PROFILE_METHOD_TYPE_BACKEND_CREATE_FROM_BINARY = 4,        // since SDK 2.40
  QNN_SYSTEM_PROFILE_METHOD_TYPE_BACKEND_DEINIT = 5,                    // since SDK 2.40
  QNN_SYSTEM_PROFILE_METHOD_TYPE_APP_CONTEXT_CREATE = 6,                // since SDK 2.40
  QNN_SYSTEM_PROFILE_METHOD_TYPE_APP_COMPOSE_GRAPHS = 7,                // since SDK 2.40
  QNN_SYSTEM_PROFILE_METHOD_TYPE_APP_EXECUTE_IPS = 8,                   // since SDK 2.40
  QNN_SYSTEM_PROFILE_METHOD_TYPE_BACKEND_GRAPH_COMPONENT = 9,           // since SDK 2.40
  QNN_SYSTEM_PROFILE_METHOD_TYPE_APP_BACKEND_LIB_LOAD = 10,             // since SDK 2.40
  QNN_SYSTEM_PROFILE_METHOD_TYPE_BACKEND_APPLY_BINARY_SECTION = 11,     // since SDK 2.40
  QNN_SYSTEM_PROFILE_METHOD_TYPE_CONTEXT_FINALIZE = 12,                 // since SDK 2.40
  QNN_SYSTEM_PROFILE_METHOD_TYPE_CONTEXT_GET_BINARY_SIZE = 13,          // since SDK 2.40
  QNN_SYSTEM_PROFILE_METHOD_TYPE_CONTEXT_GET_BINARY = 14,               // since SDK 2.40
  QNN_SYSTEM_PROFILE_METHOD_TYPE_CONTEXT_GET_BINARY_SECTION_SIZE = 15,  // since SDK 2.40
  QNN_SYSTEM_PROFILE_METHOD_TYPE_BACKEND_FINALIZE_TENSOR_UPDATES = 16,  // since SDK 2.43
  QNN_SYSTEM_PROFILE_METHOD_TYPE_BACKEND_UPDATE_BINARY_SECTION = 17,    // since SDK 2.43
} QnnSystemProfile_MethodType_t;

// For whom the data are meant (since SDK 2.40).
typedef enum {
  QNN_SYSTEM_PROFILE_VISIBILITY_PUBLIC = 0,
  QNN_SYSTEM_PROFILE_VISIBILITY_PRIVATE = 1,
} QnnSystemProfile_Visibility_t;

// What was measured, and when (since SDK 2.40).
typedef struct {
  uint64_t startTime;
  uint64_t stopTime;
  uint64_t startMem;
  uint64_t stopMem;
  QnnSystemProfile_MethodType_t methodType;
  QnnSystemProfile_Visibility_t visibility;
  const char* graphName;
} QnnSystemProfile_HeaderV1_t;

// Plain or extended events (since SDK 2.40).
typedef enum {
  QNN_SYSTEM_PROFILE_EVENT_DATA = 0,
  QNN_SYSTEM_PROFILE_EXTENDED_EVENT_DATA = 1,
  QNN_SYSTEM_PROFILE_EVENT_DATA_UNDEFINED = 0x7FFFFFFF,
} QnnSystemProfile_EventDataType_t;

// An event with the events below it (since SDK 2.40).
typedef struct QnnSystemProfile_ProfileEventV1_t {
  QnnSystemProfile_EventDataType_t type;
  union {
    QnnProfile_EventData_t eventData;
    QnnProfile_ExtendedEventData_t extendedEventData;
  };
  QnnSystemProfile_ProfileEventV1_t* profileSubEventData;
  uint32_t numSubEvents;
} QnnSystemProfile_ProfileEventV1_t;

// A measured step and its events (since SDK 2.40).
typedef struct {
  QnnSystemProfile_HeaderV1_t header;
  QnnSystemProfile_ProfileEventV1_t* profilingEvents;
  uint32_t numProfilingEvents;
} QnnSystemProfile_ProfileDataV1_t;

// Which version of QnnSystemProfile_ProfileData_t is in use (since SDK 2.40).
typedef enum {
  QNN_SYSTEM_PROFILE_DATA_VERSION_1 = 1,
  QNN_SYSTEM_PROFILE_DATA_VERSION_UNDEFINED = 0x7FFFFFFF,
} QnnSystemProfile_ProfileDataVersion_t;

// A measured step, versioned (since SDK 2.40).
typedef struct {
  QnnSystemProfile_ProfileDataVersion_t version;
  union {
    QnnSystemProfile_ProfileDataV1_t v1;
  };
} QnnSystemProfile_ProfileData_t;

// Initial values.
// clang-format off
#define QNN_SYSTEM_PROFILE_HEADER_V1_INIT \
  {0, 0, 0, 0, QNN_SYSTEM_PROFILE_METHOD_TYPE_NONE, QNN_SYSTEM_PROFILE_VISIBILITY_PUBLIC, NULL}
#define QNN_SYSTEM_PROFILE_EVENT_V1_INIT \
  {QNN_SYSTEM_PROFILE_EVENT_DATA_UNDEFINED, {QNN_PROFILE_EVENT_DATA_INIT}, NULL, 0}
#define QNN_SYSTEM_PROFILE_DATA_V1_INIT {QNN_SYSTEM_PROFILE_HEADER_V1_INIT, NULL, 0}
#define QNN_SYSTEM_PROFILE_DATA_INIT \
  {QNN_SYSTEM_PROFILE_DATA_VERSION_UNDEFINED, {QNN_SYSTEM_PROFILE_DATA_V1_INIT}}
// clang-format on

// Opens a place to write profile data to, e.g. a log file. Since SDK 2.40.
// Errors: QNN_SYSTEM_PROFILE_ERROR_INVALID_ARGUMENT, QNN_SYSTEM_PROFILE_ERROR_MEM_ALLOC,
// QNN_SYSTEM_PROFILE_ERROR_UNSUPPORTED_FEATURE.
QNN_API Qnn_ErrorHandle_t QnnSystemProfile_createSerializationTarget(
    QnnSystemProfile_SerializationTarget_t serializationTargetInfo,
    QnnSystemProfile_SerializationTargetConfig_t* configs, uint32_t numConfigs,
    QnnSystemProfile_SerializationTargetHandle_t* serializationTarget);

// Appends profile data, each with its events, to the target. Since SDK 2.40.
// Errors: QNN_SYSTEM_PROFILE_ERROR_INVALID_HANDLE, QNN_SYSTEM_PROFILE_ERROR_INVALID_ARGUMENT.
QNN_API Qnn_ErrorHandle_t
QnnSystemProfile_serializeEventData(QnnSystemProfile_SerializationTargetHandle_t serializationTarget,
                                    const QnnSystemProfile_ProfileData_t** eventData, uint32_t numEvents);

// Completes and closes the target. Since SDK 2.40.
// Errors: QNN_SYSTEM_PROFILE_ERROR_INVALID_HANDLE.
QNN_API Qnn_ErrorHandle_t
QnnSystemProfile_freeSerializationTarget(QnnSystemProfile_SerializationTargetHandle_t serializationTarget);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // OPENQNN_QNN_SYSTEM_QNN_SYSTEM_PROFILE_H_
