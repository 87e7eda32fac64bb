// SPDX-License-Identifier: BSD-3-Clause
//
// HTP backend: votes for clocks, voltage corners, sleep and RPC behaviour.

#ifndef OPENQNN_QNN_HTP_QNN_HTP_PERF_INFRASTRUCTURE_H_
#define OPENQNN_QNN_HTP_QNN_HTP_PERF_INFRASTRUCTURE_H_

#include <stdint.h>

#include "QnnCommon.h"

// Longest RPC polling time in microseconds.
#define QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIG_MAX_RPC_POLLING_TIME 9999

#ifdef __cplusplus
extern "C" {
#endif

// Errors of the QnnHtpPerfInfrastructure functions.
typedef enum {
  QNN_HTP_PERF_INFRASTRUCTURE_MIN_ERROR = QNN_MIN_ERROR_PERF_INFRASTRUCTURE,
  QNN_HTP_PERF_INFRASTRUCTURE_NO_ERROR = 0,
  QNN_HTP_PERF_INFRASTRUCTURE_ERROR_INVALID_HANDLE_PTR = 13000,  // bad id
  QNN_HTP_PERF_INFRASTRUCTURE_ERROR_INVALID_INPUT = 13001,       // bad or incomplete vote
  QNN_HTP_PERF_INFRASTRUCTURE_ERROR_UNSUPPORTED_CONFIG = 13002,  // option not known
  QNN_HTP_PERF_INFRASTRUCTURE_ERROR_TRANSPORT = 13003,           // DSP not reached
  QNN_HTP_PERF_INFRASTRUCTURE_ERROR_UNSUPPORTED = 13004,         // not on this device
  QNN_HTP_PERF_INFRASTRUCTURE_ERROR_MEM_ALLOC = 13005,           // allocation failed
  QNN_HTP_PERF_INFRASTRUCTURE_ERROR_FAILED = 13006,              // anything else
  QNN_HTP_PERF_INFRASTRUCTURE_MAX_ERROR = QNN_MAX_ERROR_PERF_INFRASTRUCTURE,
  QNN_HTP_PERF_INFRASTRUCTURE_ERROR_UNDEFINED = 0x7FFFFFFF,
} QnnHtpPerfInfrastructure_Error_t;

typedef uint32_t QnnHtpPerfInfrastructure_SetDcvsEnable_t;  // Non-zero: dcvsEnable counts.
typedef uint32_t QnnHtpPerfInfrastructure_DcvsEnable_t;     // Non-zero: DCVS on.

// How DCVS may move the clocks.
typedef enum {
  QNN_HTP_PERF_INFRASTRUCTURE_POWERMODE_ADJUST_UP_DOWN = 1,
  QNN_HTP_PERF_INFRASTRUCTURE_POWERMODE_ADJUST_ONLY_UP = 2,
  QNN_HTP_PERF_INFRASTRUCTURE_POWERMODE_POWER_SAVER_MODE = 4,
  QNN_HTP_PERF_INFRASTRUCTURE_POWERMODE_POWER_SAVER_AGGRESSIVE_MODE = 8,
  QNN_HTP_PERF_INFRASTRUCTURE_POWERMODE_PERFORMANCE_MODE = 16,
  QNN_HTP_PERF_INFRASTRUCTURE_POWERMODE_DUTY_CYCLE_MODE = 32,
  QNN_HTP_PERF_INFRASTRUCTURE_POWERMODE_UNKNOWN = 0x7FFFFFFF,
} QnnHtpPerfInfrastructure_PowerMode_t;

typedef uint32_t QnnHtpPerfInfrastructure_SetSleepLatency_t;  // Non-zero: sleepLatency counts.
typedef uint32_t QnnHtpPerfInfrastructure_SleepLatency_t;     // Tolerated sleep latency in microseconds.
typedef uint32_t QnnHtpPerfInfrastructure_SetSleepDisable_t;  // Non-zero: sleepDisable counts.
typedef uint32_t QnnHtpPerfInfrastructure_SleepDisable_t;     // Non-zero: no low-power modes.
typedef uint32_t QnnHtpPerfInfrastructure_SetBusParams_t;     // Non-zero: the bus corners count.

// Voltage corners.
typedef enum {
  DCVS_VOLTAGE_CORNER_DISABLE = 16,
  DCVS_VOLTAGE_VCORNER_MIN_VOLTAGE_CORNER = 32,
  DCVS_VOLTAGE_VCORNER_SVS2 = 48,
  DCVS_VOLTAGE_VCORNER_SVS = 64,
  DCVS_VOLTAGE_VCORNER_SVS_PLUS = 80,
  DCVS_VOLTAGE_VCORNER_NOM = 96,
  DCVS_VOLTAGE_VCORNER_NOM_PLUS = 112,
  DCVS_VOLTAGE_VCORNER_TURBO = 128,
  DCVS_VOLTAGE_VCORNER_TURBO_PLUS = 144,
  DCVS_VOLTAGE_VCORNER_TURBO_L2 = 146,
  DCVS_VOLTAGE_VCORNER_TURBO_L3 = 147,
  DCVS_VOLTAGE_VCORNER_TURBO_L4 = 148,  // since SDK 2.43
  DCVS_VOLTAGE_VCORNER_TURBO_L5 = 149,  // since SDK 2.43
  DCVS_VOLTAGE_VCORNER_MAX_VOLTAGE_CORNER = 160,
  DCVS_VOLTAGE_VCORNER_UNKNOWN = 0x7FFFFFFF,
} QnnHtpPerfInfrastructure_VoltageCorner_t;

typedef uint32_t QnnHtpPerfInfrastructure_SetCoreParams_t;  // Non-zero: the core corners count.

// Vote for core and bus.
typedef struct {
  uint32_t contextId;
  QnnHtpPerfInfrastructure_SetDcvsEnable_t setDcvsEnable;
  QnnHtpPerfInfrastructure_DcvsEnable_t dcvsEnable;
  QnnHtpPerfInfrastructure_PowerMode_t powerMode;
  QnnHtpPerfInfrastructure_SetSleepLatency_t setSleepLatency;
  QnnHtpPerfInfrastructure_SleepLatency_t sleepLatency;
  QnnHtpPerfInfrastructure_SetSleepDisable_t setSleepDisable;
  QnnHtpPerfInfrastructure_SleepDisable_t sleepDisable;
  QnnHtpPerfInfrastructure_SetBusParams_t setBusParams;
  QnnHtpPerfInfrastructure_VoltageCorner_t busVoltageCornerMin;
  QnnHtpPerfInfrastructure_VoltageCorner_t busVoltageCornerTarget;
  QnnHtpPerfInfrastructure_VoltageCorner_t busVoltageCornerMax;
  QnnHtpPerfInfrastructure_SetCoreParams_t setCoreParams;
  QnnHtpPerfInfrastructure_VoltageCorner_t coreVoltageCornerMin;
  QnnHtpPerfInfrastructure_VoltageCorner_t coreVoltageCornerTarget;
  QnnHtpPerfInfrastructure_VoltageCorner_t coreVoltageCornerMax;
} QnnHtpPerfInfrastructure_DcvsV3_t;

typedef uint32_t QnnHtpPerfInfrastructure_HmxDefault_Vote_t;  // Non-zero: HMX follows the core vote.

// Voltage corners on the finer scale (HMX and *_EXP votes).
typedef enum {
  DCVS_EXP_VCORNER_DISABLE = 0,
  DCVS_EXP_VCORNER_MIN = 0x100,
  DCVS_EXP_VCORNER_MIN_SVS = 0x130,       // since SDK 2.48
  DCVS_EXP_VCORNER_LOW_SVS_D3 = 0x132,    // since SDK 2.48
  DCVS_EXP_VCORNER_LOW_SVS_D2_1 = 0x133,  // since SDK 2.48
  DCVS_EXP_VCORNER_LOW_SVS_D2 = 0x134,
  DCVS_EXP_VCORNER_LOW_SVS_D1_1 = 0x136,  // since SDK 2.48
  DCVS_EXP_VCORNER_LOW_SVS_D1 = 0x138,
  DCVS_EXP_VCORNER_LOW_SVS_D0 = 0x13C,  // since SDK 2.48
  DCVS_EXP_VCORNER_LOW_SVS = 0x140,
  DCVS_EXP_VCORNER_LOW_SVS_P1 = 0x148,  // since SDK 2.48
  DCVS_EXP_VCORNER_LOW_SVS_L0 = 0x14C,  // since SDK 2.43
  DCVS_EXP_VCORNER_LOW_SVS_L1 = 0x150,  // since SDK 2.48
  DCVS_EXP_VCORNER_LOW_SVS_L2 = 0x160,  // since SDK 2.48
  DCVS_EXP_VCORNER_SVS = 0x180,
  DCVS_EXP_VCORNER_SVS_L0 = 0x190,  // since SDK 2.43
  DCVS_EXP_VCORNER_SVS_L1 = 0x1C0,
  DCVS_EXP_VCORNER_SVS_L2 = 0x1E0,  // since SDK 2.43
  DCVS_EXP_VCORNER_NOM = 0x200,
  DCVS_EXP_VCORNER_NOM_L0 = 0x220,  // since SDK 2.48
  DCVS_EXP_VCORNER_NOM_L1 = 0x240,
  DCVS_EXP_VCORNER_NOM_L2 = 0x250,  // since SDK 2.43
  DCVS_EXP_VCORNER_TUR = 0x280,
  DCVS_EXP_VCORNER_TUR_L0 = 0x290,  // since SDK 2.48
  DCVS_EXP_VCORNER_TUR_L1 = 0x2A0,
  DCVS_EXP_VCORNER_TUR_L2 = 0x2B0,
  DCVS_EXP_VCORNER_TUR_L3 = 0x2C0,
  DCVS_EXP_VCORNER_TUR_L4 = 0x2C4,              // since SDK 2.48
  DCVS_EXP_VCORNER_TUR_L5 = 0x2C8,              // since SDK 2.48
  DCVS_EXP_VCORNER_SUPER_TURBO = 0x2D0,         // since SDK 2.48
  DCVS_EXP_VCORNER_SUPER_TURBO_NO_CPR = 0x2E0,  // since SDK 2.48
  DCVS_EXP_VCORNER_MAX = 0xFFFF,
  DCVS_EXP_VCORNER_UNKNOWN = 0x7FFFFFFF,
} QnnHtpPerfInfrastructure_ExpVoltageCorner_t;

// Clock choice within a voltage corner.
typedef enum {
  QNN_HTP_PERF_INFRASTRUCTURE_CLK_PERF_HIGH = 0,
  QNN_HTP_PERF_INFRASTRUCTURE_CLK_PERF_LOW = 1,
  QNN_HTP_PERF_INFRASTRUCTURE_CLK_PERF_HIGH_D1 = 2,    // since SDK 2.48
  QNN_HTP_PERF_INFRASTRUCTURE_CLK_PERF_HIGH_D2 = 3,    // since SDK 2.48
  QNN_HTP_PERF_INFRASTRUCTURE_CLK_PERF_HIGH_D3 = 4,    // since SDK 2.48
  QNN_HTP_PERF_INFRASTRUCTURE_CLK_PERF_HIGH_D4 = 5,    // since SDK 2.48
  QNN_HTP_PERF_INFRASTRUCTURE_CLK_PERF_HIGH_D5 = 6,    // since SDK 2.48
  QNN_HTP_PERF_INFRASTRUCTURE_CLK_PERF_HIGH_D6 = 7,    // since SDK 2.48
  QNN_HTP_PERF_INFRASTRUCTURE_CLK_PERF_HIGH_D7 = 8,    // since SDK 2.48
  QNN_HTP_PERF_INFRASTRUCTURE_CLK_PERF_HIGH_D8 = 9,    // since SDK 2.48
  QNN_HTP_PERF_INFRASTRUCTURE_CLK_PERF_HIGH_D9 = 10,   // since SDK 2.48
  QNN_HTP_PERF_INFRASTRUCTURE_CLK_PERF_HIGH_D10 = 11,  // since SDK 2.48
  QNN_HTP_PERF_INFRASTRUCTURE_CLK_PERF_HIGH_D11 = 12,  // since SDK 2.48
  QNN_HTP_PERF_INFRASTRUCTURE_CLK_PERF_HIGH_D12 = 13,  // since SDK 2.48
  QNN_HTP_PERF_INFRASTRUCTURE_CLK_PERF_HIGH_D13 = 14,  // since SDK 2.48
  QNN_HTP_PERF_INFRASTRUCTURE_CLK_PERF_HIGH_D14 = 15,  // since SDK 2.48
  QNN_HTP_PERF_INFRASTRUCTURE_CLK_PERF_HIGH_D15 = 16,  // since SDK 2.48
  QNN_HTP_PERF_INFRASTRUCTURE_CLK_PERF_MAX = 255,      // since SDK 2.48
  QNN_HTP_PERF_INFRASTRUCTURE_CLK_PERF_UNKNOWN = 0x7FFFFFFF,
} QnnHtpPerfInfrastructure_ClkPerfMode_t;

// Vote for HMX; needs a core vote on the same id.
typedef struct {
  QnnHtpPerfInfrastructure_HmxDefault_Vote_t hmxPickDefault;
  QnnHtpPerfInfrastructure_ExpVoltageCorner_t hmxVoltageCornerMin;
  QnnHtpPerfInfrastructure_ExpVoltageCorner_t hmxVoltageCornerTarget;
  QnnHtpPerfInfrastructure_ExpVoltageCorner_t hmxVoltageCornerMax;
  QnnHtpPerfInfrastructure_ClkPerfMode_t hmxPerfMode;
} QnnHtpPerfInfrastructure_HmxV2_t;

// Vote for CENG; needs a core vote on the same id (since SDK 2.48).
typedef struct {
  QnnHtpPerfInfrastructure_VoltageCorner_t cengVoltageCornerMin;
  QnnHtpPerfInfrastructure_VoltageCorner_t cengVoltageCornerTarget;
  QnnHtpPerfInfrastructure_VoltageCorner_t cengVoltageCornerMax;
  QnnHtpPerfInfrastructure_ClkPerfMode_t cengPerfMode;
} QnnHtpPerfInfrastructure_Ceng_t;

// Vote for core and bus on the finer scale (since SDK 2.48).
typedef struct {
  uint32_t contextId;
  QnnHtpPerfInfrastructure_PowerMode_t powerMode;
  QnnHtpPerfInfrastructure_SetSleepLatency_t setSleepLatency;
  QnnHtpPerfInfrastructure_SleepLatency_t sleepLatency;
  QnnHtpPerfInfrastructure_SetSleepDisable_t setSleepDisable;
  QnnHtpPerfInfrastructure_SleepDisable_t sleepDisable;
  QnnHtpPerfInfrastructure_SetBusParams_t setBusParams;
  QnnHtpPerfInfrastructure_ExpVoltageCorner_t busVoltageCornerMin;
  QnnHtpPerfInfrastructure_ExpVoltageCorner_t busVoltageCornerTarget;
  QnnHtpPerfInfrastructure_ExpVoltageCorner_t busVoltageCornerMax;
  QnnHtpPerfInfrastructure_SetCoreParams_t setCoreParams;
  QnnHtpPerfInfrastructure_ExpVoltageCorner_t coreVoltageCornerMin;
  QnnHtpPerfInfrastructure_ExpVoltageCorner_t coreVoltageCornerTarget;
  QnnHtpPerfInfrastructure_ExpVoltageCorner_t coreVoltageCornerMax;
  QnnHtpPerfInfrastructure_ClkPerfMode_t corePerfMode;
  QnnHtpPerfInfrastructure_ClkPerfMode_t busPerfMode;
} QnnHtpPerfInfrastructure_DcvsV3Exp_t;

// Vote for CENG on the finer scale (since SDK 2.48).
typedef struct {
  QnnHtpPerfInfrastructure_ExpVoltageCorner_t cengVoltageCornerMin;
  QnnHtpPerfInfrastructure_ExpVoltageCorner_t cengVoltageCornerTarget;
  QnnHtpPerfInfrastructure_ExpVoltageCorner_t cengVoltageCornerMax;
  QnnHtpPerfInfrastructure_ClkPerfMode_t cengPerfMode;
} QnnHtpPerfInfrastructure_CengExp_t;

// Kinds of power votes.
typedef enum {
  QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_DCVS_V3 = 1,                  // dcvsV3Config
  QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_RPC_CONTROL_LATENCY = 2,      // rpcControlLatencyConfig
  QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_RPC_POLLING_TIME = 3,         // rpcPollingTimeConfig
  QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_HMX_TIMEOUT_INTERVAL_US = 4,  // hmxTimeoutIntervalUsConfig
  QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_HMX_V2 = 5,                   // hmxV2Config
  QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_ADAPTIVE_POLLING_TIME = 6,    // adaptivePollingTimeConfig
  QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_DDR_PERF_MODE = 7,  // ddrPerfModeConfig; since SDK 2.43
  QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_CENG = 8,           // cengConfig; since SDK 2.48
  QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_DCVS_V3_EXP = 9,    // dcvsV3ExpConfig; since SDK 2.48
  QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_CENG_EXP = 10,      // cengExpConfig; since SDK 2.48
  QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_UNKNOWN = 0x7FFFFFFF,
} QnnHtpPerfInfrastructure_PowerConfigOption_t;

typedef uint32_t QnnHtpPerfInfrastructure_RpcControlLatency_t;  // RPC latency in microseconds.
typedef uint32_t QnnHtpPerfInfrastructure_RpcPollingTime_t;     // RPC polling time in microseconds.

// Idle time before HMX is switched off, in microseconds.
typedef uint32_t QnnHtpPerfInfrastructure_HmxTimeoutIntervalUs_t;

typedef uint32_t QnnHtpPerfInfrastructure_AdaptivePollingTime_t;  // Adaptive polling time in microseconds.
typedef uint32_t QnnHtpPerfInfrastructure_DdrPerfMode_t;          // Non-zero: DDR at full performance.

// A power vote.
typedef struct {
  QnnHtpPerfInfrastructure_PowerConfigOption_t option;
  union {
    QnnHtpPerfInfrastructure_DcvsV3_t dcvsV3Config;
    QnnHtpPerfInfrastructure_RpcControlLatency_t rpcControlLatencyConfig;
    QnnHtpPerfInfrastructure_RpcPollingTime_t rpcPollingTimeConfig;
    QnnHtpPerfInfrastructure_HmxTimeoutIntervalUs_t hmxTimeoutIntervalUsConfig;
    QnnHtpPerfInfrastructure_HmxV2_t hmxV2Config;
    QnnHtpPerfInfrastructure_AdaptivePollingTime_t adaptivePollingTimeConfig;
    QnnHtpPerfInfrastructure_DdrPerfMode_t ddrPerfModeConfig;
    QnnHtpPerfInfrastructure_Ceng_t cengConfig;
    QnnHtpPerfInfrastructure_DcvsV3Exp_t dcvsV3ExpConfig;
    QnnHtpPerfInfrastructure_CengExp_t cengExpConfig;
  };
} QnnHtpPerfInfrastructure_PowerConfig_t;

// Kinds of memory votes.
typedef enum {
  QNN_HTP_PERF_INFRASTRUCTURE_MEMORY_CONFIGOPTION_GROW_SIZE = 1,  // memGrowSizeConfig
  QNN_HTP_PERF_INFRASTRUCTURE_MEMORY_CONFIGOPTION_UNKNOWN = 0x7FFFFFFF,
} QnnHtpPerfInfrastructure_MemoryConfigOption_t;

typedef uint32_t QnnHtpPerfInfrastructure_MemGrowSize_t;  // Step in which memory grows.

// A memory vote.
typedef struct {
  QnnHtpPerfInfrastructure_MemoryConfigOption_t option;
  union {
    QnnHtpPerfInfrastructure_MemGrowSize_t memGrowSizeConfig;
  };
} QnnHtpPerfInfrastructure_MemoryConfig_t;

// Makes an id to vote under.
typedef Qnn_ErrorHandle_t (*QnnHtpPerfInfrastructure_CreatePowerConfigIdFn_t)(uint32_t deviceId,
                                                                              uint32_t coreId,
                                                                              uint32_t* powerConfigId);

// Withdraws the votes of an id and frees it.
typedef Qnn_ErrorHandle_t (*QnnHtpPerfInfrastructure_DestroyPowerConfigIdFn_t)(uint32_t powerConfigId);

// Casts the votes of a null-terminated list. Errors: QNN_HTP_PERF_INFRASTRUCTURE_ERROR_INVALID_INPUT,
// QNN_HTP_PERF_INFRASTRUCTURE_ERROR_UNSUPPORTED_CONFIG, QNN_HTP_PERF_INFRASTRUCTURE_ERROR_UNSUPPORTED.
typedef Qnn_ErrorHandle_t (*QnnHtpPerfInfrastructure_SetPowerConfigFn_t)(
    uint32_t powerConfigId, const QnnHtpPerfInfrastructure_PowerConfig_t** config);

// Sets memory options of a null-terminated list.
typedef Qnn_ErrorHandle_t (*QnnHtpPerfInfrastructure_SetMemoryConfigFn_t)(
    uint32_t deviceId, uint32_t coreId, const QnnHtpPerfInfrastructure_MemoryConfig_t** config);

// Initial values.
// clang-format off
#define QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIG_INIT \
  {QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_UNKNOWN, {{0}}}
#define QNN_HTP_PERF_INFRASTRUCTURE_MEMORY_CONFIG_INIT \
  {QNN_HTP_PERF_INFRASTRUCTURE_MEMORY_CONFIGOPTION_UNKNOWN, {0}}
// clang-format on

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // OPENQNN_QNN_HTP_QNN_HTP_PERF_INFRASTRUCTURE_H_
