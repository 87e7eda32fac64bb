// SPDX-License-Identifier: BSD-3-Clause
//
// LPAI backend: device description and the performance infrastructure. Completes struct tags that
// QnnDevice.h leaves open, so a translation unit can include the device header of one backend only.

#ifndef OPENQNN_QNN_LPAI_QNN_LPAI_DEVICE_H_
#define OPENQNN_QNN_LPAI_QNN_LPAI_DEVICE_H_

#include <stddef.h>
#include <stdint.h>

#include "QnnDevice.h"

#ifdef __cplusplus
extern "C" {
#endif

// The LPAI part of QnnDevice_HardwareDeviceInfoV1_t.
typedef struct _QnnDevice_DeviceInfoExtension_t {
  uint32_t socModel;
  uint32_t arch;
  uint32_t domainId;
  const char* domainName;
} QnnLpaiDevice_DeviceInfoExtension_t;

// Kinds of infrastructure (since SDK 2.48).
typedef enum {
  QNN_LPAI_DEVICE_INFRASTRUCTURE_TYPE_PERF = 0,
  QNN_LPAI_DEVICE_INFRASTRUCTURE_TYPE_UNKNOWN = 0x7FFFFFFF,
} QnnLpaiDevice_InfrastructureType_t;

// Casts power votes. Its parameters are not public: the declaration has the right size and no more.
typedef Qnn_ErrorHandle_t (*QnnLpaiPerfInfrastructure_SetPowerConfigFn_t)(void);

// What QnnDevice_getInfrastructure returns for LPAI (since SDK 2.48).
typedef struct _QnnDevice_Infrastructure_t {
  QnnLpaiDevice_InfrastructureType_t infraType;
  union {
    QnnLpaiPerfInfrastructure_SetPowerConfigFn_t setPowerConfig;
  };
} QnnLpaiDevice_Infrastructure_t;

// Initial values.
// clang-format off
#define QNN_LPAI_DEVICE_INFO_EXTENSION_INIT {0, 0, 0, "adsp"}
#define QNN_LPAI_DEVICE_INFRASTRUCTURE_INIT {QNN_LPAI_DEVICE_INFRASTRUCTURE_TYPE_UNKNOWN, {NULL}}
// clang-format on

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // OPENQNN_QNN_LPAI_QNN_LPAI_DEVICE_H_
