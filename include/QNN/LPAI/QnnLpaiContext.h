// SPDX-License-Identifier: BSD-3-Clause
//
// LPAI backend: options of a context.

#ifndef OPENQNN_QNN_LPAI_QNN_LPAI_CONTEXT_H_
#define OPENQNN_QNN_LPAI_QNN_LPAI_CONTEXT_H_

#include <stddef.h>
#include <stdint.h>

#include "LPAI/QnnLpaiMem.h"
#include "LPAI/QnnLpaiTypes.h"
#include "QnnContext.h"

#ifdef __cplusplus
extern "C" {
#endif

// Options of an LPAI context.
typedef enum {
  // config: QnnLpaiMem_MemType_t, where the model lies
  QNN_LPAI_CONTEXT_SET_CFG_MODEL_BUFFER_MEM_TYPE = QNN_LPAI_CONTEXT_SET_CFG_MODEL_BUFFER_MEM_TYPE_DEFAULT,
  // config: a graph's name, null for the whole context; since SDK 2.40
  QNN_LPAI_CONTEXT_SET_CFG_ENABLE_ISLAND = QNN_LPAI_CONTEXT_SET_CFG_ENABLE_ISLAND_DEFAULT,
  QNN_LPAI_CONTEXT_SET_CFG_UNDEFINED = 0x7FFFFFFF,
} QnnLpaiContext_SetConfigOption_t;

// An option and what it points at.
typedef struct {
  uint32_t option;  // QnnLpaiContext_SetConfigOption_t
  void* config;
} QnnLpaiContext_CustomConfig_t;

// Initial values.
// clang-format off
#define QNN_LPAI_CONTEXT_CUSTOM_CONFIG_INIT {QNN_LPAI_CONTEXT_SET_CFG_UNDEFINED, NULL}
// clang-format on

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // OPENQNN_QNN_LPAI_QNN_LPAI_CONTEXT_H_
