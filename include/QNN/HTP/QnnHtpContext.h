// SPDX-License-Identifier: BSD-3-Clause
//
// HTP backend: custom context options and properties.

#ifndef OPENQNN_QNN_HTP_QNN_HTP_CONTEXT_H_
#define OPENQNN_QNN_HTP_QNN_HTP_CONTEXT_H_

#include <stdbool.h>
#include <stdint.h>

#include "QnnCommon.h"
#include "QnnContext.h"

#ifdef __cplusplus
extern "C" {
#endif

// Membership in a group: its first context (null to found one) and the largest spill-fill size.
typedef struct {
  Qnn_ContextHandle_t firstGroupHandle;
  uint64_t maxSpillFillBuffer;
} QnnHtpContext_GroupRegistration_t;

// Options of an HTP context; all are off unless set.
typedef enum {
  QNN_HTP_CONTEXT_CONFIG_OPTION_WEIGHT_SHARING_ENABLED = 1,  // store weights common to graphs once
  // one spill-fill buffer for a group of contexts
  QNN_HTP_CONTEXT_CONFIG_OPTION_REGISTER_MULTI_CONTEXTS = 2,
  // load in chunks of this many MB (mapped binaries)
  QNN_HTP_CONTEXT_CONFIG_OPTION_FILE_READ_MEMORY_BUDGET = 3,
  QNN_HTP_CONTEXT_CONFIG_OPTION_DSP_MEMORY_PROFILING_ENABLED = 4,  // profile DSP heap on load and free
  QNN_HTP_CONTEXT_CONFIG_OPTION_SHARE_RESOURCES = 5,  // share resources in createFromBinaryListAsync
  // reckon with I/O memory when choosing a process domain
  QNN_HTP_CONTEXT_CONFIG_OPTION_IO_MEM_ESTIMATION = 6,
  QNN_HTP_CONTEXT_CONFIG_OPTION_PREPARE_ONLY = 7,       // never executed here: skip run-time set-up
  QNN_HTP_CONTEXT_CONFIG_OPTION_INIT_ACCELERATION = 8,  // load with all the hardware gives
  QNN_HTP_CONTEXT_CONFIG_OPTION_SKIP_VALIDATION_ON_BINARY_SECTION = 9,   // no checksum in applyBinarySection
  QNN_HTP_CONTEXT_CONFIG_OPTION_SHARE_RESOURCES_OPTIMIZATION_TYPE = 10,  // how SHARE_RESOURCES works
  QNN_HTP_CONTEXT_CONFIG_OPTION_USE_EXTENDED_UDMA = 11,                  // useExtendedUdma
  // share spill-fill and VTCM backup in a group of equal priority
  QNN_HTP_CONTEXT_CONFIG_OPTION_REGISTER_CONCURRENT_RESOURCE_SHARING = 12,
  // one blob for the updatable weights of all graphs
  QNN_HTP_CONTEXT_CONFIG_OPTION_LORA_WEIGHT_SHARING_ENABLED = 13,
  QNN_HTP_CONTEXT_CONFIG_OPTION_RESERVED_14 = 14,                              // since SDK 2.40
  QNN_HTP_CONTEXT_CONFIG_OPTION_RESERVED_15 = 15,                              // since SDK 2.40
  QNN_HTP_CONTEXT_CONFIG_OPTION_LORA_WEIGHT_SHARING_RAM_PRELOAD_ENABLED = 16,  // since SDK 2.48
  QNN_HTP_CONTEXT_CONFIG_OPTION_REUSED_IO_LIMIT = 17,                          // in MB; since SDK 2.48
  // for DLCs with several SoCs; since SDK 2.48
  QNN_HTP_CONTEXT_CONFIG_OPTION_REFERENCE_WEIGHT_SHARING_ENABLED = 18,
  QNN_HTP_CONTEXT_CONFIG_OPTION_CONCURRENT_DESERIALIZATION_EXTRA_SIZE = 19,  // in KB; since SDK 2.48
  QNN_HTP_CONTEXT_CONFIG_OPTION_GRAPH_SPLITTING_ENABLED = 20,  // offline preparation only; since SDK 2.48
  // file descriptor, read and write; since SDK 2.48
  QNN_HTP_CONTEXT_CONFIG_OPTION_CONCURRENT_DESERIALIZATION_PATCH = 21,
  QNN_HTP_CONTEXT_CONFIG_OPTION_UNKNOWN = 0x7FFFFFFF,
} QnnHtpContext_ConfigOption_t;

// How contexts of a list share resources.
typedef enum {
  SEQUENTIAL_WITH_VA_OPTIMIZATION = 0,     // default: graphs run one by one; saves memory and addresses
  SEQUENTIAL_WITHOUT_VA_OPTIMIZATION = 1,  // graphs run one by one; saves memory
  CONCURRENT_OPTIMIZATION = 2,             // graphs may run together; buffers shared per priority
} QnnHtpContext_ShareResourcesOptimizationType_t;

// An HTP context option and its value.
typedef struct QnnHtpContext_CustomConfig {
  QnnHtpContext_ConfigOption_t option;
  union {
    bool weightSharingEnabled;
    QnnHtpContext_GroupRegistration_t groupRegistration;
    uint64_t fileReadMemoryBudgetInMb;
    bool dspMemoryProfilingEnabled;
    bool shareResources;
    bool ioMemEstimation;
    bool isPrepareOnly;
    bool initAcceleration;
    bool skipValidationOnBinarySection;
    QnnHtpContext_ShareResourcesOptimizationType_t shareResOptType;
    bool useExtendedUdma;
    QnnHtpContext_GroupRegistration_t concurrentGroupRegistration;
    bool loraWeightSharingEnabled;
    bool loraWeightSharingRamPreloadEnabled;
    uint64_t reusedIoLimitMb;
    bool referenceWeightSharingEnabled;
    uint32_t concurrentDeserializationExtraSizeKB;
    bool graphSplittingEnabled;
    int concurrentDeserializationPatchFd;
  };
} QnnHtpContext_CustomConfig_t;

// Properties of an HTP context.
typedef enum {
  QNN_HTP_CONTEXT_GET_PROP_BUFFER_START_ALIGNMENT = 1,     // bufferStartAlignment
  QNN_HTP_CONTEXT_GET_PROP_MAX_SPILLFILL_BUFFER_SIZE = 2,  // spillfillBufferSize: largest of the graphs
  QNN_HTP_CONTEXT_GET_PROP_WEIGHTS_BUFFER_SIZE = 3,        // weightsBufferSize
  QNN_HTP_CONTEXT_GET_PROP_RESERVED_4 = 4,                 // since SDK 2.40
  QNN_HTP_CONTEXT_GET_PROP_RESERVED_5 = 5,                 // since SDK 2.40
  // vtcmBackupBufferSize: largest of the graphs; since SDK 2.48
  QNN_HTP_CONTEXT_GET_PROP_MAX_VTCMBACKUP_BUFFER_SIZE = 6,
  QNN_HTP_CONTEXT_GET_PROP_RESERVED_7 = 7,  // since SDK 2.48
  QNN_HTP_CONTEXT_GET_PROP_UNDEFINED = 0x7FFFFFFF,
} QnnHtpContext_GetPropertyOption_t;

// An HTP context property and the place for its value.
typedef struct {
  QnnHtpContext_GetPropertyOption_t option;
  union {
    uint64_t bufferStartAlignment;
    uint64_t spillfillBufferSize;
    uint64_t weightsBufferSize;
    uint64_t vtcmBackupBufferSize;
  };
} QnnHtpContext_CustomProperty_t;

// Initial values.
// clang-format off
#define QNN_HTP_CONTEXT_CUSTOM_CONFIG_INIT {QNN_HTP_CONTEXT_CONFIG_OPTION_UNKNOWN, {false}}
#define QNN_HTP_CONTEXT_CUSTOM_PROPERTY_INIT {QNN_HTP_CONTEXT_GET_PROP_UNDEFINED, {0}}
// clang-format on

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // OPENQNN_QNN_HTP_QNN_HTP_CONTEXT_H_
