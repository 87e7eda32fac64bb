// SPDX-License-Identifier: BSD-3-Clause
//
// LPAI backend: which engine to prepare for or run on, and what it asks of its clients.

#ifndef OPENQNN_QNN_LPAI_QNN_LPAI_BACKEND_H_
#define OPENQNN_QNN_LPAI_QNN_LPAI_BACKEND_H_

#include <stddef.h>
#include <stdint.h>

#include "LPAI/QnnLpaiTypes.h"
#include "QnnBackend.h"

#ifdef __cplusplus
extern "C" {
#endif

// Options of an LPAI backend (since SDK 2.40).
typedef enum {
  QNN_LPAI_BACKEND_CUSTOM_CFG_HW_INFO = 0,  // config: QnnLpaiBackend_CustomConfigHwInfo_t
  QNN_LPAI_BACKEND_CUSTOM_CFG_UNDEFINED = 0x7FFFFFFF,
} QnnLpaiBackend_CustomConfigOption_t;

// Where the graph will run.
typedef enum {
  QNN_LPAI_BACKEND_TARGET_X86 = 0,
  QNN_LPAI_BACKEND_TARGET_ARM = 1,
  QNN_LPAI_BACKEND_TARGET_ADSP = 2,
  QNN_LPAI_BACKEND_TARGET_TENSILICA = 3,
  QNN_LPAI_BACKEND_TARGET_UNKNOWN = 0x7FFFFFFF,
} QnnLpaiBackend_Target_t;

// Versions of the engine. The default moved: 4 until SDK 2.25, 5 until 2.30, 6 from 2.40 on.
typedef enum {
  QNN_LPAI_BACKEND_HW_VERSION_NA = 0,
  QNN_LPAI_BACKEND_HW_VERSION_V1 = 1,
  QNN_LPAI_BACKEND_HW_VERSION_V2 = 2,
  QNN_LPAI_BACKEND_HW_VERSION_V3 = 3,
  QNN_LPAI_BACKEND_HW_VERSION_V4 = 4,
  QNN_LPAI_BACKEND_HW_VERSION_V5 = 5,
  QNN_LPAI_BACKEND_HW_VERSION_V5_1 = 0x10005,  // since SDK 2.40
  QNN_LPAI_BACKEND_HW_VERSION_V6 = 6,
  QNN_LPAI_BACKEND_HW_VERSION_V7 = 7,  // since SDK 2.40
  QNN_LPAI_BACKEND_HW_VERSION_DEFAULT = QNN_LPAI_BACKEND_HW_VERSION_V6,
  QNN_LPAI_BACKEND_HW_VERSION_UNKNOWN = 0x7FFFFFFF,
} QnnLpaiBackend_HwVersion_t;

// An option and what it points at.
typedef struct {
  uint32_t option;  // QnnLpaiBackend_CustomConfigOption_t
  void* config;
} QnnLpaiBackend_CustomConfig_t;

// The engine to prepare for.
typedef struct {
  QnnLpaiBackend_Target_t lpaiTarget;
  QnnLpaiBackend_HwVersion_t hwVersion;
} QnnLpaiBackend_CustomConfigHwInfo_t;

// Properties of an LPAI backend.
typedef enum {
  // property: QnnLpaiBackend_BufferAlignmentReq_t
  QNN_LPAI_BACKEND_GET_PROP_ALIGNMENT_REQ = QNN_LPAI_BACKEND_GET_PROP_ALIGNMENT_REQ_DEFAULT,
  // property: bool
  QNN_LPAI_BACKEND_GET_PROP_REQUIRE_PERSISTENT_BINARY =
      QNN_LPAI_BACKEND_GET_PROP_REQUIRE_PERSISTENT_BINARY_DEFAULT,
  // property: QnnLpaiBackend_eNPUCoreNum_t; since SDK 2.43
  QNN_LPAI_BACKEND_GET_PROP_ENPU_CORE_NUM = QNN_LPAI_BACKEND_GET_PROP_ENPU_CORE_NUM_DEFAULT,
  // property: QnnLpaiBackend_eNPUCoreInfo_t; since SDK 2.43
  QNN_LPAI_BACKEND_GET_PROP_ENPU_CORE_INFO = QNN_LPAI_BACKEND_GET_PROP_ENPU_CORE_INFO_DEFAULT,
  QNN_LPAI_BACKEND_GET_PROP_UNDEFINED = 0x7FFFFFFF,
} QnnLpaiBackend_GetPropertyOption_t;

// How the client's buffers must be aligned, in bytes.
typedef struct {
  uint32_t startAddrAlignment;
  uint32_t sizeAlignment;
} QnnLpaiBackend_BufferAlignmentReq_t;

typedef uint32_t QnnLpaiBackend_eNPUCoreNum_t;  // How many cores the engine has.

// A core: the client fills in which, the backend the rest (since SDK 2.43).
typedef struct {
  uint32_t coreIndex;
  uint32_t macCnt;
  uint32_t version;
} QnnLpaiBackend_eNPUCoreInfo_t;

// A property and the place for its value.
typedef struct {
  uint32_t option;  // QnnLpaiBackend_GetPropertyOption_t
  void* property;
} QnnLpaiBackend_CustomProperty_t;

// Initial values.
// clang-format off
#define QNN_LPAI_BACKEND_CUSTOM_CONFIG_INIT {QNN_LPAI_BACKEND_CUSTOM_CFG_UNDEFINED, NULL}
#define QNN_LPAI_BACKEND_CUSTOM_CONFIG_HW_INFO_INIT \
  {QNN_LPAI_BACKEND_TARGET_ADSP, QNN_LPAI_BACKEND_HW_VERSION_DEFAULT}
#define QNN_LPAI_BACKEND_ALIGNMENT_REQ_INIT {0, 0}
#define QNN_LPAI_BACKEND_ENPU_CORE_NUM_INIT 0
#define QNN_LPAI_BACKEND_ENPU_CORE_INFO_INIT {0, 0, 0}
#define QNN_LPAI_BACKEND_CUSTOM_PROPERTY_INIT {QNN_LPAI_BACKEND_GET_PROP_UNDEFINED, NULL}
// clang-format on

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // OPENQNN_QNN_LPAI_QNN_LPAI_BACKEND_H_
