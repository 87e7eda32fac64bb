// SPDX-License-Identifier: BSD-3-Clause
//
// LPAI backend: options of preparing a graph.

#ifndef OPENQNN_QNN_LPAI_QNN_LPAI_GRAPH_PREPARE_H_
#define OPENQNN_QNN_LPAI_QNN_LPAI_GRAPH_PREPARE_H_

#include <stddef.h>
#include <stdint.h>

#include "LPAI/QnnLpaiTypes.h"

#ifdef __cplusplus
extern "C" {
#endif

// Further values of QnnLpaiGraph_CustomConfig_t.option.
typedef enum {
  // config: QnnLpaiGraph_CustomConfigPrepare_t
  QNN_LPAI_GRAPH_SET_CFG_PREPARE = QNN_LPAI_GRAPH_SET_CFG_PREPARE_DEFAULT,
} QnnLpaiGraph_ConfigPrepareOption_t;

// Times per layer, and the cores to prepare for, e.g. "0,1".
typedef struct {
  uint32_t enablePerLayer;
  char* enableCoreSelection;
} QnnLpaiGraph_CustomConfigPrepare_t;

// Initial values.
// clang-format off
#define QNN_LPAI_GRAPH_CUSTOM_CONFIG_PREPARE_INIT {0, NULL}
// clang-format on

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // OPENQNN_QNN_LPAI_QNN_LPAI_GRAPH_PREPARE_H_
