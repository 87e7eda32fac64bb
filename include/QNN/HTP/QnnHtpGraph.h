// SPDX-License-Identifier: BSD-3-Clause
//
// HTP backend: custom graph options (optimization, precision, VTCM, HVX threads, ...).

#ifndef OPENQNN_QNN_HTP_QNN_HTP_GRAPH_H_
#define OPENQNN_QNN_HTP_QNN_HTP_GRAPH_H_

#include <stdbool.h>
#include <stdint.h>

#include "QnnGraph.h"
#include "QnnTypes.h"

#define QNN_HTP_GRAPH_CONFIG_OPTION_MAX 0  // as VTCM size: all that the SoC has

#ifdef __cplusplus
extern "C" {
#endif

// Tuning knobs of graph finalization; the value is a float.
typedef enum {
  QNN_HTP_GRAPH_OPTIMIZATION_TYPE_SCHEDULE_THRESHOLD = 1,
  QNN_HTP_GRAPH_OPTIMIZATION_TYPE_FINALIZE_RETRIES = 2,
  QNN_HTP_GRAPH_OPTIMIZATION_TYPE_FINALIZE_OPTIMIZATION_FLAG = 3,         // optimization level 1 to 3
  QNN_HTP_GRAPH_OPTIMIZATION_TYPE_ENABLE_DLBC = 4,                        // compress activations in DDR
  QNN_HTP_GRAPH_OPTIMIZATION_TYPE_ENABLE_DLBC_WEIGHTS = 5,                // compress weights in DDR
  QNN_HTP_GRAPH_OPTIMIZATION_TYPE_ENABLE_SPARSE_WEIGHTS_COMPRESSION = 6,  // compress sparse weights
  QNN_HTP_GRAPH_OPTIMIZATION_TYPE_ENABLE_SLC_ALLOCATOR = 7,               // use the system-level cache
  QNN_HTP_GRAPH_OPTIMIZATION_TYPE_ENABLE_VTCM_RETENTION = 8,              // since SDK 2.48
  QNN_HTP_GRAPH_OPTIMIZATION_TYPE_ENABLE_CACHED_WEIGHTS = 9,              // since SDK 2.48
  QNN_HTP_GRAPH_OPTIMIZATION_TYPE_UNKNOWN = 0x7FFFFFFF,
} QnnHtpGraph_OptimizationType_t;

// A knob and its value.
typedef struct {
  QnnHtpGraph_OptimizationType_t type;
  float floatValue;
} QnnHtpGraph_OptimizationOption_t;

// Part of VTCM that a graph uses.
typedef struct {
  uint32_t sizeInBytes;
  uint32_t offsetInBytes;
  uint32_t sizeTotalInBytes;
  uint32_t reserved[3];
} QnnHtpGraph_VtcmConfig_t;

// What graphs that run in parallel share.
typedef enum {
  QNN_HTP_GRAPH_CONCURRENCY_OPTION_NONE = 0,
  QNN_HTP_GRAPH_CONCURRENCY_OPTION_DEFAULT = 0,
  QNN_HTP_GRAPH_CONCURRENCY_OPTION_ALL_SHARED = 1,
  QNN_HTP_GRAPH_CONCURRENCY_OPTION_UNKNOWN = 0x7FFFFFFF,
} QnnHtpGraph_ConcurrencyOption_t;

// How a graph runs beside others.
typedef struct {
  QnnHtpGraph_ConcurrencyOption_t concurrency;
  QnnHtpGraph_VtcmConfig_t vtcmConfig;
  uint32_t reserved[4];
} QnnHtpGraph_ParallelGraphExecutionConfig_t;

// Clocks to plan HMX use for.
typedef struct QnnHtp_HmxBoundingInfo {
  float targetHmxFreqHz;
  float targetDspCoreFreq;
} QnnHtp_HmxBoundingInfo_t;

// A named finalization setting, e.g. "P".
typedef struct {
  const char* key;
  Qnn_Scalar_t value;
} QnnHtpGraph_FinalizeConfig_t;

// Options of an HTP graph.
typedef enum {
  QNN_HTP_GRAPH_CONFIG_OPTION_OPTIMIZATION = 1,  // optimizationOption
  QNN_HTP_GRAPH_CONFIG_OPTION_PRECISION = 2,     // precision of float graphs; deprecated from SDK 2.35
  // vtcmSizeInMB; default 4, QNN_HTP_GRAPH_CONFIG_OPTION_MAX: all
  QNN_HTP_GRAPH_CONFIG_OPTION_VTCM_SIZE_IN_MB = 3,
  QNN_HTP_GRAPH_CONFIG_OPTION_VTCM_SIZE = 3,  // older name
  // keep Relu apart from the convolution
  QNN_HTP_GRAPH_CONFIG_OPTION_FOLD_RELU_ACTIVATION_INTO_CONV_OFF = 4,
  QNN_HTP_GRAPH_CONFIG_OPTION_SHORT_DEPTH_CONV_ON_HMX_OFF = 5,      // no HMX for convolutions of small depth
  QNN_HTP_GRAPH_CONFIG_OPTION_NUM_HVX_THREADS = 6,                  // numHvxThreads; default 4
  QNN_HTP_GRAPH_CONFIG_OPTION_FINALIZE_CONFIG = 7,                  // finalizeConfig
  QNN_HTP_GRAPH_CONFIG_OPTION_NUM_CORES = 8,                        // numCores; default 1
  QNN_HTP_GRAPH_CONFIG_OPTION_PARALLEL_GRAPH_EXECUTION_CONFIG = 9,  // parallelGraphExecutionConfig
  QNN_HTP_GRAPH_CONFIG_OPTION_VTCM_SIZE_IN_BYTES = 10,              // vtcmSizeInBytes
  QNN_HTP_GRAPH_CONFIG_OPTION_HMX_BOUNDING = 11,                    // hmxBoundingInfo
  QNN_HTP_GRAPH_CONFIG_OPTION_WEIGHTS_PACKING = 12,    // store 8-bit weights that fit in 4 bits as such
  QNN_HTP_GRAPH_CONFIG_OPTION_ASSUME_SAME_QUANT = 13,  // assumeSameQuant
  QNN_HTP_GRAPH_CONFIG_OPTION_SHARE_IO_BUFFER = 14,    // shareIOBuffer
  // fuse more activations into float convolutions; since SDK 2.40
  QNN_HTP_GRAPH_CONFIG_OPTION_ADVANCED_ACTIVATION_FUSION = 15,
  QNN_HTP_GRAPH_CONFIG_OPTION_HIGH_PRECISION_SIGMOID = 16,  // highPrecisionSigmoid; since SDK 2.40
  QNN_HTP_GRAPH_CONFIG_OPTION_MONOLITHIC_LSTM = 17,         // keep Lstm as one op; since SDK 2.43
  QNN_HTP_GRAPH_CONFIG_OPTION_PRECISION_COMPENSATION = 18,  // for 16-bit activations; since SDK 2.48
  QNN_HTP_GRAPH_CONFIG_OPTION_RESERVED = 0x7FFF0000,
  QNN_HTP_GRAPH_CONFIG_OPTION_UNKNOWN = 0x7FFFFFFF,
} QnnHtpGraph_ConfigOption_t;

// An HTP graph option and its value.
typedef struct {
  QnnHtpGraph_ConfigOption_t option;
  union {
    QnnHtpGraph_OptimizationOption_t optimizationOption;
    Qnn_Precision_t precision;
    uint32_t vtcmSizeInMB;
    bool foldReluActivationIntoConvOff;
    bool shortDepthConvOnHmxOff;
    uint64_t numHvxThreads;
    void* reserved;
    QnnHtpGraph_FinalizeConfig_t finalizeConfig;
    uint32_t numCores;
    QnnHtpGraph_ParallelGraphExecutionConfig_t parallelGraphExecutionConfig;
    uint32_t vtcmSizeInBytes;
    QnnHtp_HmxBoundingInfo_t hmxBoundingInfo;
    bool weightsPacking;
    bool assumeSameQuant;
    bool shareIOBuffer;
    bool advancedActivationFusion;
    bool highPrecisionSigmoid;
    bool monolithicLstm;
    bool precisionCompensation;
  };
} QnnHtpGraph_CustomConfig_t;

// Initial values.
// clang-format off
#define QNN_HTP_GRAPH_OPTIMIZATION_OPTION_INIT {QNN_HTP_GRAPH_OPTIMIZATION_TYPE_UNKNOWN, 0.0f}
#define QNN_HTP_GRAPH_CUSTOM_CONFIG_INIT \
  {QNN_HTP_GRAPH_CONFIG_OPTION_UNKNOWN, {QNN_HTP_GRAPH_OPTIMIZATION_OPTION_INIT}}
// clang-format on

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // OPENQNN_QNN_HTP_QNN_HTP_GRAPH_H_
