// SPDX-License-Identifier: BSD-3-Clause
//
// Profile handles and the events they collect.

#ifndef OPENQNN_QNN_QNN_PROFILE_H_
#define OPENQNN_QNN_QNN_PROFILE_H_

#include <stddef.h>
#include <stdint.h>

#include "QnnCommon.h"
#include "QnnTypes.h"

// Event types.
#define QNN_PROFILE_EVENTTYPE_INIT 100
#define QNN_PROFILE_EVENTTYPE_FINALIZE 300
#define QNN_PROFILE_EVENTTYPE_EXECUTE 400
#define QNN_PROFILE_EVENTTYPE_NODE 404
#define QNN_PROFILE_EVENTTYPE_EXECUTE_QUEUE_WAIT 405
#define QNN_PROFILE_EVENTTYPE_EXECUTE_PREPROCESS 406
#define QNN_PROFILE_EVENTTYPE_EXECUTE_DEVICE 407
#define QNN_PROFILE_EVENTTYPE_EXECUTE_POSTPROCESS 408
#define QNN_PROFILE_EVENTTYPE_DEINIT 500
#define QNN_PROFILE_EVENTTYPE_TRACE 600
#define QNN_PROFILE_EVENTTYPE_BACKEND 1000

// Levels.
#define QNN_PROFILE_LEVEL_BASIC 1
#define QNN_PROFILE_LEVEL_DETAILED 2
#define QNN_PROFILE_LEVEL_BACKEND 1000

// Units.
#define QNN_PROFILE_EVENTUNIT_MICROSEC 1
#define QNN_PROFILE_EVENTUNIT_BYTES 2
#define QNN_PROFILE_EVENTUNIT_CYCLES 3
#define QNN_PROFILE_EVENTUNIT_COUNT 4
#define QNN_PROFILE_EVENTUNIT_OBJECT 5
#define QNN_PROFILE_EVENTUNIT_NONE 6
#define QNN_PROFILE_EVENTUNIT_BACKEND 1000

#ifdef __cplusplus
extern "C" {
#endif

// Errors of the QnnProfile functions.
typedef enum {
  QNN_PROFILE_MIN_ERROR = QNN_MIN_ERROR_PROFILE,
  QNN_PROFILE_NO_ERROR = 0,
  QNN_PROFILE_ERROR_UNSUPPORTED = 1000,          // not supported
  QNN_PROFILE_ERROR_INVALID_ARGUMENT = 1004,     // bad argument
  QNN_PROFILE_ERROR_MEM_ALLOC = 1002,            // allocation failed
  QNN_PROFILE_ERROR_INVALID_HANDLE = 12000,      // null, stale or foreign handle
  QNN_PROFILE_ERROR_HANDLE_IN_USE = 12001,       // still used by a graph
  QNN_PROFILE_ERROR_INCOMPATIBLE_EVENT = 12002,  // event is of the other kind
  QNN_PROFILE_MAX_ERROR = QNN_MAX_ERROR_PROFILE,
  QNN_PROFILE_ERROR_UNDEFINED = 0x7FFFFFFF,
} QnnProfile_Error_t;

typedef uint32_t QnnProfile_Level_t;       // QNN_PROFILE_LEVEL_* or a value of the backend.
typedef uint64_t QnnProfile_EventId_t;     // Names an event.
typedef uint32_t QnnProfile_EventType_t;   // QNN_PROFILE_EVENTTYPE_* or a value of the backend.
typedef uint32_t QnnProfile_EventUnit_t;   // QNN_PROFILE_EVENTUNIT_* or a value of the backend.
typedef uint64_t QnnProfile_EventValue_t;  // Value of a numeric event.

// A numeric event.
typedef struct {
  QnnProfile_EventType_t type;
  QnnProfile_EventUnit_t unit;
  QnnProfile_EventValue_t value;
  const char* identifier;
} QnnProfile_EventData_t;

// Backend data and the file it should be stored in.
typedef struct {
  Qnn_OpaqueObject_t opaqueObject;
  const char* fileName;
} QnnProfile_BackendOpaqueObject_t;

// An event of any kind with its time stamp.
typedef struct {
  QnnProfile_EventType_t type;
  QnnProfile_EventUnit_t unit;
  union {
    Qnn_Scalar_t value;
    QnnProfile_BackendOpaqueObject_t backendOpaqueObject;
  };
  uint64_t timestamp;
  const char* identifier;
} QnnProfile_ExtendedEventDataV1_t;

// Which version of QnnProfile_ExtendedEventData_t is in use.
typedef enum {
  QNN_PROFILE_DATA_VERSION_1 = 1,
  QNN_PROFILE_DATA_VERSION_UNDEFINED = 0x7FFFFFFF,
} QnnProfile_ExtendedEventDataVersion_t;

// An event of any kind, versioned.
typedef struct {
  QnnProfile_ExtendedEventDataVersion_t version;
  union {
    QnnProfile_ExtendedEventDataV1_t v1;
  };
} QnnProfile_ExtendedEventData_t;

// Which member of QnnProfile_Config_t is set.
typedef enum {
  QNN_PROFILE_CONFIG_OPTION_CUSTOM = 0,          // customConfig
  QNN_PROFILE_CONFIG_OPTION_MAX_EVENTS = 1,      // numMaxEvents
  QNN_PROFILE_CONFIG_OPTION_ENABLE_OPTRACE = 2,  // enableOptrace: trace every op
  QNN_PROFILE_CONFIG_OPTION_UNDEFINED = 0x7FFFFFFF,
} QnnProfile_ConfigOption_t;

typedef void* QnnProfile_CustomConfig_t;  // Points at a struct that the backend defines.

// A profile option and its value.
typedef struct {
  QnnProfile_ConfigOption_t option;
  union {
    QnnProfile_CustomConfig_t customConfig;
    uint64_t numMaxEvents;
    uint8_t enableOptrace;
  };
} QnnProfile_Config_t;

// Initial values.
// clang-format off
#define QNN_PROFILE_EVENT_DATA_INIT {0, 0, 0, NULL}
#define QNN_PROFILE_BACKEND_OPAQUE_OBJECT_INIT {QNN_OPAQUE_OBJECT_INIT, NULL}
#define QNN_PROFILE_EXTENDED_EVENT_DATA_V1_INIT {0, 0, {QNN_SCALAR_INIT}, 0, NULL}
#define QNN_PROFILE_EXTENDED_EVENT_DATA_INIT \
  {QNN_PROFILE_DATA_VERSION_1, {QNN_PROFILE_EXTENDED_EVENT_DATA_V1_INIT}}
#define QNN_PROFILE_CONFIG_INIT {QNN_PROFILE_CONFIG_OPTION_UNDEFINED, {NULL}}
// clang-format on

// Creates a profile; pass it to the calls that are to be measured.
// Errors: QNN_PROFILE_ERROR_INVALID_ARGUMENT, QNN_PROFILE_ERROR_UNSUPPORTED, QNN_PROFILE_ERROR_MEM_ALLOC.
QNN_API Qnn_ErrorHandle_t QnnProfile_create(Qnn_BackendHandle_t backend, QnnProfile_Level_t level,
                                            Qnn_ProfileHandle_t* profile);

// Changes options of a profile.
// Errors: QNN_PROFILE_ERROR_INVALID_HANDLE, QNN_PROFILE_ERROR_INVALID_ARGUMENT,
// QNN_PROFILE_ERROR_UNSUPPORTED, QNN_PROFILE_ERROR_HANDLE_IN_USE.
QNN_API Qnn_ErrorHandle_t QnnProfile_setConfig(Qnn_ProfileHandle_t profileHandle,
                                               const QnnProfile_Config_t** config);

// Lists the top-level events; the list lives until the profile is used again or freed.
// Errors: QNN_PROFILE_ERROR_INVALID_HANDLE, QNN_PROFILE_ERROR_INVALID_ARGUMENT.
QNN_API Qnn_ErrorHandle_t QnnProfile_getEvents(Qnn_ProfileHandle_t profile,
                                               const QnnProfile_EventId_t** profileEventIds,
                                               uint32_t* numEvents);

// Lists the events below an event.
// Errors: QNN_PROFILE_ERROR_INVALID_HANDLE, QNN_PROFILE_ERROR_INVALID_ARGUMENT.
QNN_API Qnn_ErrorHandle_t QnnProfile_getSubEvents(QnnProfile_EventId_t eventId,
                                                  const QnnProfile_EventId_t** subEventIds,
                                                  uint32_t* numSubEvents);

// Reads a numeric event.
// Errors: QNN_PROFILE_ERROR_INVALID_HANDLE, QNN_PROFILE_ERROR_INCOMPATIBLE_EVENT.
QNN_API Qnn_ErrorHandle_t QnnProfile_getEventData(QnnProfile_EventId_t eventId,
                                                  QnnProfile_EventData_t* eventData);

// Reads an event with its time stamp and a value of any kind.
// Errors: QNN_PROFILE_ERROR_INVALID_HANDLE, QNN_PROFILE_ERROR_INCOMPATIBLE_EVENT,
// QNN_PROFILE_ERROR_UNSUPPORTED.
QNN_API Qnn_ErrorHandle_t QnnProfile_getExtendedEventData(QnnProfile_EventId_t eventId,
                                                          QnnProfile_ExtendedEventData_t* eventData);

// Frees a profile that no graph uses any more.
// Errors: QNN_PROFILE_ERROR_INVALID_HANDLE, QNN_PROFILE_ERROR_HANDLE_IN_USE.
QNN_API Qnn_ErrorHandle_t QnnProfile_free(Qnn_ProfileHandle_t profile);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // OPENQNN_QNN_QNN_PROFILE_H_
