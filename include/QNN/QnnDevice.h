// SPDX-License-Identifier: BSD-3-Clause
//
// Devices: what hardware is there, and handles to use it.

#ifndef OPENQNN_QNN_QNN_DEVICE_H_
#define OPENQNN_QNN_QNN_DEVICE_H_

#include <stddef.h>
#include <stdint.h>

#include "QnnCommon.h"

// Ids that mean "the default one".
#define QNN_DEVICE_DEFAULT_DEVICE_ID 0xFFFFFFFFu
#define QNN_DEVICE_DEFAULT_CORE_ID 0xFFFFFFFFu

#ifdef __cplusplus
extern "C" {
#endif

// Errors of the QnnDevice functions.
typedef enum {
  QNN_DEVICE_MIN_ERROR = QNN_MIN_ERROR_DEVICE,
  QNN_DEVICE_ERROR_UNSUPPORTED_FEATURE = 1000,     // not supported
  QNN_DEVICE_ERROR_MEM_ALLOC = 1002,               // allocation failed
  QNN_DEVICE_ERROR_INVALID_ARGUMENT = 1004,        // bad argument
  QNN_DEVICE_ERROR_INVALID_HANDLE = 14000,         // null, stale or foreign handle
  QNN_DEVICE_ERROR_INVALID_CONFIG = 14001,         // bad option or value
  QNN_DEVICE_ERROR_HARDWARE_UNAVAILABLE = 14002,   // no such device
  QNN_DEVICE_ERROR_ASSOCIATED_TO_CONTEXT = 14003,  // still used by a context
  QNN_DEVICE_ERROR_ACCESS_DENIED = 14004,          // no permission; since SDK 2.48
  QNN_DEVICE_NO_ERROR = 0,
  QNN_DEVICE_MAX_ERROR = QNN_MAX_ERROR_DEVICE,
  QNN_DEVICE_ERROR_UNDEFINED = 0x7FFFFFFF,
} QnnDevice_Error_t;

// Backend-specific infrastructure; each backend completes the struct.
typedef struct _QnnDevice_Infrastructure_t* QnnDevice_Infrastructure_t;

// Backend-specific core description.
typedef struct _QnnDevice_CoreInfoExtension_t* QnnDevice_CoreInfoExtension_t;

// A core of a device.
typedef struct {
  uint32_t coreId;
  uint32_t coreType;
  QnnDevice_CoreInfoExtension_t coreInfoExtension;
} QnnDevice_CoreInfoV1_t;

// Which version of QnnDevice_CoreInfo_t is in use.
typedef enum {
  QNN_DEVICE_CORE_INFO_VERSION_1 = 1,
  QNN_DEVICE_CORE_INFO_VERSION_UNDEFINED = 0x7FFFFFFF,
} QnnDevice_CoreInfoVersion_t;

// A core of a device, versioned.
typedef struct {
  QnnDevice_CoreInfoVersion_t version;
  union {
    QnnDevice_CoreInfoV1_t v1;
  };
} QnnDevice_CoreInfo_t;

// Backend-specific device description.
typedef struct _QnnDevice_DeviceInfoExtension_t* QnnDevice_DeviceInfoExtension_t;

// A hardware device and its cores.
typedef struct {
  uint32_t deviceId;
  uint32_t deviceType;
  uint32_t numCores;
  QnnDevice_CoreInfo_t* cores;
  QnnDevice_DeviceInfoExtension_t deviceInfoExtension;
} QnnDevice_HardwareDeviceInfoV1_t;

// Which version of QnnDevice_HardwareDeviceInfo_t is in use.
typedef enum {
  QNN_DEVICE_HARDWARE_DEVICE_INFO_VERSION_1 = 1,
  QNN_DEVICE_HARDWARE_DEVICE_INFO_VERSION_UNDEFINED = 0x7FFFFFFF,
} QnnDevice_HardwareDeviceInfoVersion_t;

// A hardware device, versioned.
typedef struct {
  QnnDevice_HardwareDeviceInfoVersion_t version;
  union {
    QnnDevice_HardwareDeviceInfoV1_t v1;
  };
} QnnDevice_HardwareDeviceInfo_t;

// All hardware devices of a platform.
typedef struct {
  uint32_t numHwDevices;
  QnnDevice_HardwareDeviceInfo_t* hwDevices;
} QnnDevice_PlatformInfoV1_t;

// Which version of QnnDevice_PlatformInfo_t is in use.
typedef enum {
  QNN_DEVICE_PLATFORM_INFO_VERSION_1 = 1,
  QNN_DEVICE_PLATFORM_INFO_VERSION_UNDEFINED = 0x7FFFFFFF,
} QnnDevice_PlatformInfoVersion_t;

// A platform, versioned.
typedef struct {
  QnnDevice_PlatformInfoVersion_t version;
  union {
    QnnDevice_PlatformInfoV1_t v1;
  };
} QnnDevice_PlatformInfo_t;

// Which member of QnnDevice_Config_t is set.
typedef enum {
  QNN_DEVICE_CONFIG_OPTION_CUSTOM = 0,         // customConfig
  QNN_DEVICE_CONFIG_OPTION_PLATFORM_INFO = 1,  // hardwareInfo: the devices to use
  QNN_DEVICE_CONFIG_OPTION_UNDEFINED = 0x7FFFFFFF,
} QnnDevice_ConfigOption_t;

// Points at a struct that the backend defines, e.g. QnnHtpDevice_CustomConfig_t.
typedef void* QnnDevice_CustomConfig_t;

// A device option and its value.
typedef struct {
  QnnDevice_ConfigOption_t option;
  union {
    QnnDevice_CustomConfig_t customConfig;
    QnnDevice_PlatformInfo_t* hardwareInfo;
  };
} QnnDevice_Config_t;

// Initial values.
// clang-format off
#define QNN_DEVICE_CORE_INFO_V1_INIT {QNN_DEVICE_DEFAULT_CORE_ID, 0, NULL}
#define QNN_DEVICE_CORE_INFO_INIT {QNN_DEVICE_CORE_INFO_VERSION_1, {QNN_DEVICE_CORE_INFO_V1_INIT}}
#define QNN_DEVICE_HARDWARE_DEVICE_INFO_V1_INIT {QNN_DEVICE_DEFAULT_DEVICE_ID, 0, 0, NULL, NULL}
#define QNN_DEVICE_HARDWARE_DEVICE_INFO_INIT \
  {QNN_DEVICE_HARDWARE_DEVICE_INFO_VERSION_1, {QNN_DEVICE_HARDWARE_DEVICE_INFO_V1_INIT}}
#define QNN_DEVICE_PLATFORM_INFO_V1_INIT {0, NULL}
#define QNN_DEVICE_PLATFORM_INFO_INIT {QNN_DEVICE_PLATFORM_INFO_VERSION_1, {QNN_DEVICE_PLATFORM_INFO_V1_INIT}}
#define QNN_DEVICE_CONFIG_INIT {QNN_DEVICE_CONFIG_OPTION_UNDEFINED, {NULL}}
// clang-format on

// Describes the hardware devices and cores of this machine.
// Errors: QNN_DEVICE_ERROR_UNSUPPORTED_FEATURE, QNN_DEVICE_ERROR_INVALID_ARGUMENT,
// QNN_DEVICE_ERROR_MEM_ALLOC.
QNN_API Qnn_ErrorHandle_t QnnDevice_getPlatformInfo(Qnn_LogHandle_t logger,
                                                    const QnnDevice_PlatformInfo_t** platformInfo);

// Frees what QnnDevice_getPlatformInfo returned.
// Errors: QNN_DEVICE_ERROR_INVALID_ARGUMENT, QNN_DEVICE_ERROR_UNSUPPORTED_FEATURE.
QNN_API Qnn_ErrorHandle_t QnnDevice_freePlatformInfo(Qnn_LogHandle_t logger,
                                                     const QnnDevice_PlatformInfo_t* platformInfo);

// Returns the backend-specific infrastructure, e.g. power votes; it belongs to the library.
// Errors: QNN_DEVICE_ERROR_UNSUPPORTED_FEATURE, QNN_DEVICE_ERROR_INVALID_ARGUMENT.
QNN_API Qnn_ErrorHandle_t QnnDevice_getInfrastructure(const QnnDevice_Infrastructure_t* deviceInfra);

// Creates a device handle; without a config it stands for the default device.
// Errors: QNN_DEVICE_ERROR_INVALID_CONFIG, QNN_DEVICE_ERROR_HARDWARE_UNAVAILABLE,
// QNN_DEVICE_ERROR_ACCESS_DENIED, QNN_DEVICE_ERROR_INVALID_ARGUMENT, QNN_DEVICE_ERROR_MEM_ALLOC.
QNN_API Qnn_ErrorHandle_t QnnDevice_create(Qnn_LogHandle_t logger, const QnnDevice_Config_t** config,
                                           Qnn_DeviceHandle_t* device);

// Changes options of a device.
// Errors: QNN_DEVICE_ERROR_INVALID_HANDLE, QNN_DEVICE_ERROR_INVALID_CONFIG,
// QNN_DEVICE_ERROR_UNSUPPORTED_FEATURE, QNN_DEVICE_ERROR_ASSOCIATED_TO_CONTEXT.
QNN_API Qnn_ErrorHandle_t QnnDevice_setConfig(Qnn_DeviceHandle_t device, const QnnDevice_Config_t** config);

// Describes the hardware behind a device handle.
// Errors: QNN_DEVICE_ERROR_INVALID_HANDLE, QNN_DEVICE_ERROR_INVALID_ARGUMENT,
// QNN_DEVICE_ERROR_UNSUPPORTED_FEATURE.
QNN_API Qnn_ErrorHandle_t QnnDevice_getInfo(Qnn_DeviceHandle_t device,
                                            const QnnDevice_PlatformInfo_t** platformInfo);

// Frees a device; contexts made on it must be gone.
// Errors: QNN_DEVICE_ERROR_INVALID_HANDLE, QNN_DEVICE_ERROR_ASSOCIATED_TO_CONTEXT.
QNN_API Qnn_ErrorHandle_t QnnDevice_free(Qnn_DeviceHandle_t device);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // OPENQNN_QNN_QNN_DEVICE_H_
