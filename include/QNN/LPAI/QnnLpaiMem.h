// SPDX-License-Identifier: BSD-3-Clause
//
// LPAI backend: kinds of memory, and a place in a shared buffer.

#ifndef OPENQNN_QNN_LPAI_QNN_LPAI_MEM_H_
#define OPENQNN_QNN_LPAI_QNN_LPAI_MEM_H_

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Where memory lies.
typedef enum {
  QNN_LPAI_MEM_TYPE_DDR = 1,
  QNN_LPAI_MEM_TYPE_LLC = 2,    // last-level cache
  QNN_LPAI_MEM_TYPE_TCM = 3,    // beside the engine
  QNN_LPAI_MEM_TYPE_PSRAM = 4,  // since SDK 2.40
  QNN_LPAI_MEM_TYPE_UNDEFINED = 0x7FFFFFFF,
} QnnLpaiMem_MemType_t;

// A place in a shared buffer, for QNN_MEM_TYPE_CUSTOM registrations (since SDK 2.40).
typedef struct {
  int32_t fd;
  uint32_t offset;
} QnnLpaiMem_MemInfoCustom_t;

// Initial values.
// clang-format off
#define QNN_LPAI_MEM_INFO_CUSTOM_INIT {0, 0}
// clang-format on

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // OPENQNN_QNN_LPAI_QNN_LPAI_MEM_H_
