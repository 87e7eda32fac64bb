// SPDX-License-Identifier: BSD-3-Clause
//
// HTP backend: custom device options (SoC, architecture, process domain).

#ifndef OPENQNN_QNN_HTP_QNN_HTP_DEVICE_CONFIG_SHARED_H_
#define OPENQNN_QNN_HTP_QNN_HTP_DEVICE_CONFIG_SHARED_H_

#include <stdbool.h>
#include <stdint.h>

#include "QnnCommon.h"

#ifdef __cplusplus
extern "C" {
#endif

// Hexagon architecture versions.
typedef enum {
  QNN_HTP_DEVICE_ARCH_NONE = 0,
  QNN_HTP_DEVICE_ARCH_V68 = 68,
  QNN_HTP_DEVICE_ARCH_V69 = 69,
  QNN_HTP_DEVICE_ARCH_V73 = 73,
  QNN_HTP_DEVICE_ARCH_V75 = 75,
  QNN_HTP_DEVICE_ARCH_V79 = 79,
  QNN_HTP_DEVICE_ARCH_V81 = 81,
  QNN_HTP_DEVICE_ARCH_V85 = 85,  // since SDK 2.43
  QNN_HTP_DEVICE_ARCH_V89 = 89,  // since SDK 2.48
  QNN_HTP_DEVICE_ARCH_UNKNOWN = 0x7FFFFFFF,
} QnnHtpDevice_Arch_t;

// Architecture to use ops for.
typedef struct {
  uint32_t deviceId;
  QnnHtpDevice_Arch_t arch;
} QnnHtpDevice_Minimum_Arch_t;

// Signed (true) or unsigned process domain.
typedef struct {
  uint32_t deviceId;
  bool useSignedProcessDomain;
} QnnHtpDevice_UseSignedProcessDomain_t;

// Secure process domain.
typedef struct {
  uint32_t deviceId;
  bool useSecureProcessDomain;
} QnnHtpDevice_UseSecureProcessDomain_t;

// Asynchronous execution (since SDK 2.48).
typedef struct {
  uint32_t deviceId;
  bool enableAsyncExecute;
} QnnHtpDevice_AsyncExecute_t;

// Dynamic partitioning (since SDK 2.48).
typedef struct {
  uint32_t deviceId;
  bool useDynamicPartitioning;
} QnnHtpDevice_UseDynamicPartitioning_t;

// Options of an HTP device.
typedef enum {
  QNN_HTP_DEVICE_CONFIG_OPTION_SOC = 0,                     // socModel; wins over ARCH
  QNN_HTP_DEVICE_CONFIG_OPTION_ARCH = 1,                    // arch
  QNN_HTP_DEVICE_CONFIG_OPTION_SIGNEDPD = 2,                // useSignedProcessDomain
  QNN_HTP_DEVICE_CONFIG_OPTION_SECUREPD = 3,                // useSecureProcessDomain
  QNN_HTP_DEVICE_CONFIG_OPTION_ASYNC_EXECUTE = 4,           // asyncExecute; since SDK 2.48
  QNN_HTP_DEVICE_CONFIG_OPTION_DYNAMIC_PARTITIONING = 5,    // useDynamicPartitioning; since SDK 2.48
  QNN_HTP_DEVICE_CONFIG_OPTION_APP_UID = 6,                 // appUid; since SDK 2.48
  QNN_HTP_DEVICE_CONFIG_OPTION_HTP_EXTENSION = 0x7FFF0000,  // htpExtension; since SDK 2.48
  QNN_HTP_DEVICE_CONFIG_OPTION_UNKNOWN = 0x7FFFFFFF,
} QnnHtpDevice_ConfigOption_t;

// An HTP device option and its value.
typedef struct {
  QnnHtpDevice_ConfigOption_t option;
  union {
    uint32_t socModel;
    QnnHtpDevice_Minimum_Arch_t arch;
    QnnHtpDevice_UseSignedProcessDomain_t useSignedProcessDomain;
    QnnHtpDevice_UseSecureProcessDomain_t useSecureProcessDomain;
    QnnHtpDevice_AsyncExecute_t asyncExecute;
    QnnHtpDevice_UseDynamicPartitioning_t useDynamicPartitioning;
    void* htpExtension;
    uint32_t appUid;
  };
} QnnHtpDevice_CustomConfig_t;

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // OPENQNN_QNN_HTP_QNN_HTP_DEVICE_CONFIG_SHARED_H_
