// SPDX-License-Identifier: BSD-3-Clause
//
// LPAI backend: memory, performance and core of a graph.

#ifndef OPENQNN_QNN_LPAI_QNN_LPAI_GRAPH_H_
#define OPENQNN_QNN_LPAI_QNN_LPAI_GRAPH_H_

#include <stddef.h>
#include <stdint.h>

#include "LPAI/QnnLpaiMem.h"
#include "LPAI/QnnLpaiTypes.h"
#include "QnnGraph.h"

#ifdef __cplusplus
extern "C" {
#endif

// Options of an LPAI graph.
typedef enum {
  // config: QnnLpaiGraph_Mem_t, reusable between graphs
  QNN_LPAI_GRAPH_SET_CFG_SCRATCH_MEM = QNN_LPAI_GRAPH_SET_CFG_SCRATCH_MEM_DEFAULT,
  // config: QnnLpaiGraph_Mem_t, keeps state between executes
  QNN_LPAI_GRAPH_SET_CFG_PERSISTENT_MEM = QNN_LPAI_GRAPH_SET_CFG_PERSISTENT_MEM_DEFAULT,
  // config: QnnLpaiGraph_PerfCfg_t
  QNN_LPAI_GRAPH_SET_CFG_PERF_CFG = QNN_LPAI_GRAPH_SET_CFG_PERF_CFG_DEFAULT,
  // config: QnnLpaiGraph_CoreAffinity_t
  QNN_LPAI_GRAPH_SET_CFG_CORE_AFFINITY = QNN_LPAI_GRAPH_SET_CFG_CORE_AFFINITY_DEFAULT,
  // no value; since SDK 2.48
  QNN_LPAI_GRAPH_SET_CFG_PAUSE_EXECUTION = QNN_LPAI_GRAPH_SET_CFG_PAUSE_EXECUTION_DEFAULT,
  // no value; since SDK 2.48
  QNN_LPAI_GRAPH_SET_CFG_RESUME_EXECUTION = QNN_LPAI_GRAPH_SET_CFG_RESUME_EXECUTION_DEFAULT,
  // no value; since SDK 2.48
  QNN_LPAI_GRAPH_SET_CFG_BATCH_MULTIPLE_SUPPORT = QNN_LPAI_GRAPH_SET_CFG_BATCH_MULTIPLE_SUPPORT_DEFAULT,
  QNN_LPAI_GRAPH_SET_CFG_UNDEFINED = 0x7FFFFFFF,
} QnnLpaiGraph_SetConfigOption_t;

// Properties of an LPAI graph.
typedef enum {
  QNN_LPAI_GRAPH_GET_PROP_SCRATCH_MEM_SIZE = QNN_LPAI_GRAPH_GET_PROP_SCRATCH_MEM_SIZE_DEFAULT,  // uint32_t
  // uint32_t
  QNN_LPAI_GRAPH_GET_PROP_PERSISTENT_MEM_SIZE = QNN_LPAI_GRAPH_GET_PROP_PERSISTENT_MEM_SIZE_DEFAULT,
  QNN_LPAI_GRAPH_GET_PROP_UNDEFINED = 0x7FFFFFFF,
} QnnLpaiGraph_GetPropertyOption_t;

// Whether missing the deadline is an error.
typedef enum {
  QNN_LPAI_GRAPH_CLIENT_PERF_TYPE_REAL_TIME = 1,
  QNN_LPAI_GRAPH_CLIENT_PERF_TYPE_NON_REAL_TIME = 2,
  QNN_LPAI_GRAPH_CLIENT_PERF_TYPE_UNDEFINED = 0x7FFFFFFF,
} QnnLpaiGraph_ClientPerfType_t;

// Whether another core will do.
typedef enum {
  QNN_LPAI_GRAPH_CORE_AFFINITY_SOFT = 1,
  QNN_LPAI_GRAPH_CORE_AFFINITY_HARD = 2,
  QNN_LPAI_GRAPH_CORE_AFFINITY_UNDEFINED = 0x7FFFFFFF,
} QnnLpaiGraph_CoreAffinityType_t;

#define QNN_LPAI_GRAPH_DEFAULT_FPS 1          // Frames per second.
#define QNN_LPAI_GRAPH_DEFAULT_FTRT_RATIO 10  // Faster than real time, in tenths.

// How fast the graph has to be.
typedef struct {
  uint32_t fps;
  uint32_t ftrtRatio;
  QnnLpaiGraph_ClientPerfType_t clientType;
} QnnLpaiGraph_PerfCfg_t;

// Which core runs the graph; bit n of coreSelection stands for core n.
typedef struct {
  QnnLpaiGraph_CoreAffinityType_t affinity;
  uint32_t coreSelection;
} QnnLpaiGraph_CoreAffinity_t;

// Memory that the client gives to a graph.
typedef struct {
  QnnLpaiMem_MemType_t memType;
  uint32_t size;
  void* addr;
} QnnLpaiGraph_Mem_t;

// An option and what it points at.
typedef struct {
  uint32_t option;  // QnnLpaiGraph_SetConfigOption_t or QnnLpaiGraph_ConfigPrepareOption_t
  void* config;
} QnnLpaiGraph_CustomConfig_t;

// A property and the place for its value.
typedef struct {
  uint32_t option;  // QnnLpaiGraph_GetPropertyOption_t
  void* property;
} QnnLpaiGraph_CustomProperty_t;

// Initial values.
// clang-format off
#define QNN_LPAI_CORE_AFFINITY(core_id, affinity) {(affinity), 1u << (core_id)}
#define QNN_LPAI_GRAPH_PERF_CFG_INIT \
  {QNN_LPAI_GRAPH_DEFAULT_FPS, QNN_LPAI_GRAPH_DEFAULT_FTRT_RATIO, QNN_LPAI_GRAPH_CLIENT_PERF_TYPE_REAL_TIME}
#define QNN_LPAI_GRAPH_CORE_AFFINITY_INIT {QNN_LPAI_GRAPH_CORE_AFFINITY_SOFT, 0}
#define QNN_LPAI_GRAPH_MEM_INIT {QNN_LPAI_MEM_TYPE_UNDEFINED, 0, NULL}
#define QNN_LPAI_GRAPH_CUSTOM_CONFIG_INIT {QNN_LPAI_GRAPH_SET_CFG_UNDEFINED, NULL}
#define QNN_LPAI_GRAPH_CUSTOM_PROPERTY_INIT {QNN_LPAI_GRAPH_GET_PROP_UNDEFINED, NULL}
// clang-format on

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // OPENQNN_QNN_LPAI_QNN_LPAI_GRAPH_H_
