// SPDX-License-Identifier: BSD-3-Clause
//
// HTP backend: device description and the performance infrastructure. Completes struct tags that
// QnnDevice.h leaves open, so a translation unit can include the device header of one backend only.

#ifndef OPENQNN_QNN_HTP_QNN_HTP_DEVICE_H_
#define OPENQNN_QNN_HTP_QNN_HTP_DEVICE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "HTP/QnnHtpDeviceConfigShared.h"
#include "HTP/QnnHtpPerfInfrastructure.h"
#include "QnnDevice.h"

#ifdef __cplusplus
extern "C" {
#endif

// An on-chip device: VTCM in MB, SoC, abilities, architecture.
typedef struct {
  size_t vtcmSize;
  uint32_t socModel;
  bool signedPdSupport;
  bool dlbcSupport;
  QnnHtpDevice_Arch_t arch;
} QnnHtpDevice_OnChipDeviceInfoExtension_t;

// Where the device sits.
typedef enum {
  QNN_HTP_DEVICE_TYPE_ON_CHIP = 0,
  QNN_HTP_DEVICE_TYPE_OFF_CHIP = 1,  // since SDK 2.48
  QNN_HTP_DEVICE_TYPE_UNKNOWN = 0x7FFFFFFF,
} QnnHtpDevice_DeviceType_t;

// The HTP part of QnnDevice_HardwareDeviceInfoV1_t.
typedef struct _QnnDevice_DeviceInfoExtension_t {
  QnnHtpDevice_DeviceType_t devType;
  union {
    QnnHtpDevice_OnChipDeviceInfoExtension_t onChipDevice;
  };
} QnnHtpDevice_DeviceInfoExtension_t;

// Functions for power and memory votes.
typedef struct {
  QnnHtpPerfInfrastructure_CreatePowerConfigIdFn_t createPowerConfigId;
  QnnHtpPerfInfrastructure_DestroyPowerConfigIdFn_t destroyPowerConfigId;
  QnnHtpPerfInfrastructure_SetPowerConfigFn_t setPowerConfig;
  QnnHtpPerfInfrastructure_SetMemoryConfigFn_t setMemoryConfig;
} QnnHtpDevice_PerfInfrastructure_t;

// Kinds of infrastructure.
typedef enum {
  QNN_HTP_DEVICE_INFRASTRUCTURE_TYPE_PERF = 0,
  QNN_HTP_DEVICE_INFRASTRUCTURE_TYPE_UNKNOWN = 0x7FFFFFFF,
} QnnHtpDevice_InfrastructureType_t;

// What QnnDevice_getInfrastructure returns for HTP.
typedef struct _QnnDevice_Infrastructure_t {
  QnnHtpDevice_InfrastructureType_t infraType;
  union {
    QnnHtpDevice_PerfInfrastructure_t perfInfra;
  };
} QnnHtpDevice_Infrastructure_t;

// Kinds of cores.
typedef enum {
  QNN_HTP_CORE_TYPE_NSP = 0,    // neural signal processor
  QNN_HTP_CORE_TYPE_HPASS = 1,  // smaller: fewer threads, less VTCM
  QNN_HTP_CORE_TYPE_MAX = 2,
  QNN_HTP_CORE_TYPE_UNKNOWN = 0x7FFFFFFF,
} QnnHtpDevice_CoreType_t;

// Initial values.
// clang-format off
#define QNN_HTP_DEVICE_PERF_INFRASTRUCTURE_INIT {NULL, NULL, NULL, NULL}
// clang-format on

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // OPENQNN_QNN_HTP_QNN_HTP_DEVICE_H_
