// SPDX-License-Identifier: BSD-3-Clause
//
// Registration of memory that client and backend share.

#ifndef OPENQNN_QNN_QNN_MEM_H_
#define OPENQNN_QNN_QNN_MEM_H_

#include <stddef.h>
#include <stdint.h>

#include "QnnCommon.h"
#include "QnnTypes.h"

// No file descriptor.
#define QNN_MEM_INVALID_FD (-1)

// Values of Qnn_MemShape_t.shapeConfig for compressed images.
#define SHAPE_CONFIG_DATA_FORMAT_UBWC_RGBA8888 "DATA_FORMAT_UBWC_RGBA8888"
#define SHAPE_CONFIG_DATA_FORMAT_UBWC_NV12 "DATA_FORMAT_UBWC_NV12"
#define SHAPE_CONFIG_DATA_FORMAT_UBWC_NV12_Y "DATA_FORMAT_UBWC_NV12_Y"
#define SHAPE_CONFIG_DATA_FORMAT_UBWC_NV12_UV "DATA_FORMAT_UBWC_NV12_UV"
#define SHAPE_CONFIG_DATA_FORMAT_UBWC_NV124R "DATA_FORMAT_UBWC_NV124R"              // since SDK 2.40
#define SHAPE_CONFIG_DATA_FORMAT_UBWC_NV124R_Y "DATA_FORMAT_UBWC_NV124R_Y"          // since SDK 2.40
#define SHAPE_CONFIG_DATA_FORMAT_UBWC_NV124R_UV "DATA_FORMAT_UBWC_NV124R_UV"        // since SDK 2.40
#define SHAPE_CONFIG_DATA_FORMAT_UBWC_P010 "DATA_FORMAT_UBWC_P010"                  // since SDK 2.48
#define SHAPE_CONFIG_DATA_FORMAT_UBWC_P010_Y "DATA_FORMAT_UBWC_P010_Y"              // since SDK 2.48
#define SHAPE_CONFIG_DATA_FORMAT_UBWC_P010_UV "DATA_FORMAT_UBWC_P010_UV"            // since SDK 2.48
#define SHAPE_CONFIG_DATA_FORMAT_UBWC_P016 "DATA_FORMAT_UBWC_P016"                  // since SDK 2.48
#define SHAPE_CONFIG_DATA_FORMAT_UBWC_P016_Y "DATA_FORMAT_UBWC_P016_Y"              // since SDK 2.48
#define SHAPE_CONFIG_DATA_FORMAT_UBWC_P016_UV "DATA_FORMAT_UBWC_P016_UV"            // since SDK 2.48
#define SHAPE_CONFIG_DATA_FORMAT_UBWC_TP10 "DATA_FORMAT_UBWC_TP10"                  // since SDK 2.48
#define SHAPE_CONFIG_DATA_FORMAT_UBWC_TP10_Y "DATA_FORMAT_UBWC_TP10_Y"              // since SDK 2.48
#define SHAPE_CONFIG_DATA_FORMAT_UBWC_TP10_UV "DATA_FORMAT_UBWC_TP10_UV"            // since SDK 2.48
#define SHAPE_CONFIG_DATA_FORMAT_UBWC_TBAYER10_1X1 "DATA_FORMAT_UBWC_TBAYER10_1X1"  // since SDK 2.48
#define SHAPE_CONFIG_DATA_FORMAT_UBWC_TBAYER10_2X2 "DATA_FORMAT_UBWC_TBAYER10_2X2"  // since SDK 2.48
#define SHAPE_CONFIG_DATA_FORMAT_UBWC_TBAYER10_3X3 "DATA_FORMAT_UBWC_TBAYER10_3X3"  // since SDK 2.48
#define SHAPE_CONFIG_DATA_FORMAT_UBWC_TBAYER10_4X4 "DATA_FORMAT_UBWC_TBAYER10_4X4"  // since SDK 2.48
#define SHAPE_CONFIG_DATA_FORMAT_UBWC_BAYER16_10BPS_1X1 \
  "DATA_FORMAT_UBWC_BAYER16_10BPS_1X1"  // since SDK 2.48
#define SHAPE_CONFIG_DATA_FORMAT_UBWC_BAYER16_10BPS_2X2 \
  "DATA_FORMAT_UBWC_BAYER16_10BPS_2X2"  // since SDK 2.48
#define SHAPE_CONFIG_DATA_FORMAT_UBWC_BAYER16_10BPS_4X4 \
  "DATA_FORMAT_UBWC_BAYER16_10BPS_4X4"  // since SDK 2.48
#define SHAPE_CONFIG_DATA_FORMAT_UBWC_BAYER16_12BPS_1X1 \
  "DATA_FORMAT_UBWC_BAYER16_12BPS_1X1"  // since SDK 2.48
#define SHAPE_CONFIG_DATA_FORMAT_UBWC_BAYER16_12BPS_2X2 \
  "DATA_FORMAT_UBWC_BAYER16_12BPS_2X2"  // since SDK 2.48
#define SHAPE_CONFIG_DATA_FORMAT_UBWC_BAYER16_12BPS_4X4 \
  "DATA_FORMAT_UBWC_BAYER16_12BPS_4X4"  // since SDK 2.48
#define SHAPE_CONFIG_DATA_FORMAT_UBWC_BAYER16_14BPS_1X1 \
  "DATA_FORMAT_UBWC_BAYER16_14BPS_1X1"  // since SDK 2.48
#define SHAPE_CONFIG_DATA_FORMAT_UBWC_BAYER16_14BPS_2X2 \
  "DATA_FORMAT_UBWC_BAYER16_14BPS_2X2"  // since SDK 2.48
#define SHAPE_CONFIG_DATA_FORMAT_UBWC_BAYER16_14BPS_4X4 \
  "DATA_FORMAT_UBWC_BAYER16_14BPS_4X4"  // since SDK 2.48
#define SHAPE_CONFIG_DATA_FORMAT_UBWC_BAYER16_16BPS_1X1 \
  "DATA_FORMAT_UBWC_BAYER16_16BPS_1X1"  // since SDK 2.48
#define SHAPE_CONFIG_DATA_FORMAT_UBWC_BAYER16_16BPS_2X2 \
  "DATA_FORMAT_UBWC_BAYER16_16BPS_2X2"  // since SDK 2.48
#define SHAPE_CONFIG_DATA_FORMAT_UBWC_BAYER16_16BPS_4X4 \
  "DATA_FORMAT_UBWC_BAYER16_16BPS_4X4"  // since SDK 2.48

#ifdef __cplusplus
extern "C" {
#endif

// Errors of the QnnMem functions.
typedef enum {
  QNN_MEM_MIN_ERROR = QNN_MIN_ERROR_MEM,
  QNN_MEM_NO_ERROR = 0,
  QNN_MEM_ERROR_NOT_SUPPORTED = 1000,        // not supported
  QNN_MEM_ERROR_INVALID_ARGUMENT = 8000,     // bad argument
  QNN_MEM_ERROR_INVALID_HANDLE = 8001,       // null, stale or foreign handle
  QNN_MEM_ERROR_ALREADY_REGISTERED = 8002,   // registered before
  QNN_MEM_ERROR_MAPPING = 8003,              // could not be mapped
  QNN_MEM_ERROR_INVALID_SHAPE = 8004,        // shape not accepted
  QNN_MEM_ERROR_UNSUPPORTED_MEMTYPE = 8005,  // kind of memory not supported
  QNN_MEM_MAX_ERROR = QNN_MAX_ERROR_MEM,
  QNN_MEM_ERROR_UNDEFINED = 0x7FFFFFFF,
} QnnMem_Error_t;

// Shape of a registered tensor.
typedef struct {
  uint32_t numDim;
  uint32_t* dimSize;
  const char* shapeConfig;
} Qnn_MemShape_t;

// A buffer known by its file descriptor.
typedef struct {
  int32_t fd;
} Qnn_MemIonInfo_t;

// A dma-buf: file descriptor and mapping.
typedef struct {
  int32_t fd;
  void* data;
} Qnn_MemDmaBufInfo_t;

typedef void* Qnn_Dx12ResourceHandle_t;  // A Direct3D 12 resource handle.

// A Direct3D 12 resource (since SDK 2.48).
typedef struct {
  Qnn_Dx12ResourceHandle_t resourceHandle;
} Qnn_MemDx12BufInfo_t;

// Kind of memory.
typedef enum {
  QNN_MEM_TYPE_ION = 1,      // ionInfo: one file descriptor per tensor
  QNN_MEM_TYPE_CUSTOM = 2,   // customInfo
  QNN_MEM_TYPE_DMA_BUF = 3,  // dmaBufInfo
  QNN_MEM_TYPE_DX12 = 4,     // dx12BufInfo; since SDK 2.48
  QNN_MEM_TYPE_UNDEFINED = 0x7FFFFFFF,
} Qnn_MemType_t;

// Points at a struct that the backend defines, e.g. QnnMemHtp_Descriptor_t.
typedef void* Qnn_MemInfoCustom_t;

// Memory to register.
typedef struct {
  Qnn_MemShape_t memShape;
  Qnn_DataType_t dataType;
  Qnn_MemType_t memType;
  union {
    Qnn_MemIonInfo_t ionInfo;
    Qnn_MemInfoCustom_t customInfo;
    Qnn_MemDmaBufInfo_t dmaBufInfo;
    Qnn_MemDx12BufInfo_t dx12BufInfo;
  };
} Qnn_MemDescriptor_t;

// Initial values.
// clang-format off
#define QNN_MEM_SHAPE_INIT {0, NULL, NULL}
#define QNN_MEM_ION_INFO_INIT {QNN_MEM_INVALID_FD}
#define QNN_MEM_DMA_BUF_INFO_INIT {QNN_MEM_INVALID_FD, NULL}
#define QNN_MEM_DX12_BUF_INFO_INIT {NULL}
#define QNN_MEM_DESCRIPTOR_INIT \
  {QNN_MEM_SHAPE_INIT, QNN_DATATYPE_UNDEFINED, QNN_MEM_TYPE_UNDEFINED, {QNN_MEM_ION_INFO_INIT}}
// clang-format on

// Registers buffers for tensors of a context; handle i stands for descriptor i.
// Errors: QNN_MEM_ERROR_INVALID_ARGUMENT, QNN_MEM_ERROR_ALREADY_REGISTERED, QNN_MEM_ERROR_MAPPING,
// QNN_MEM_ERROR_INVALID_SHAPE, QNN_MEM_ERROR_UNSUPPORTED_MEMTYPE.
QNN_API Qnn_ErrorHandle_t QnnMem_register(Qnn_ContextHandle_t context,
                                          const Qnn_MemDescriptor_t* memDescriptors, uint32_t numDescriptors,
                                          Qnn_MemHandle_t* memHandles);

// Ends registrations; the memory itself stays with the client.
// Errors: QNN_MEM_ERROR_INVALID_HANDLE, QNN_MEM_ERROR_INVALID_ARGUMENT.
QNN_API Qnn_ErrorHandle_t QnnMem_deRegister(const Qnn_MemHandle_t* memHandles, uint32_t numHandles);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // OPENQNN_QNN_QNN_MEM_H_
