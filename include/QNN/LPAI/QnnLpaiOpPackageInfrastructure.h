// SPDX-License-Identifier: BSD-3-Clause
//
// LPAI backend: what custom ops may ask of the backend (since SDK 2.48). Completes a struct tag that
// QnnOpPackage.h leaves open.

#ifndef OPENQNN_QNN_LPAI_QNN_LPAI_OP_PACKAGE_INFRASTRUCTURE_H_
#define OPENQNN_QNN_LPAI_QNN_LPAI_OP_PACKAGE_INFRASTRUCTURE_H_

#include <stddef.h>
#include <stdint.h>

#include "QnnOpPackage.h"

#ifdef __cplusplus
extern "C" {
#endif

// What a custom op answers.
typedef enum {
  LPAI_CUSTOM_OP_SUCCESS = 0,
  LPAI_CUSTOM_OP_FAIL = 1,
  LPAI_CUSTOM_OP_INVALID_ARGUMENT = 2,
  LPAI_CUSTOM_OP_MEMORY = 3,
  LPAI_CUSTOM_OP_NOT_SUPPORTED = 4,
  LPAI_CUSTOM_OP_MAX = 0x7FFFFFFF,
} QnnLpaiCustomOp_Error_t;

// Element types of a custom op's tensors.
typedef enum {
  LPAI_CUSTOM_OP_DATATYPE_INT_4 = 1,
  LPAI_CUSTOM_OP_DATATYPE_UINT_4 = 2,
  LPAI_CUSTOM_OP_DATATYPE_INT_8 = 3,
  LPAI_CUSTOM_OP_DATATYPE_UINT_8 = 4,
  LPAI_CUSTOM_OP_DATATYPE_INT_16 = 5,
  LPAI_CUSTOM_OP_DATATYPE_UINT_16 = 6,
  LPAI_CUSTOM_OP_DATATYPE_INT_32 = 7,
  LPAI_CUSTOM_OP_DATATYPE_UINT_32 = 8,
  LPAI_CUSTOM_OP_DATATYPE_INT_64 = 9,
  LPAI_CUSTOM_OP_DATATYPE_UINT_64 = 10,
  LPAI_CUSTOM_OP_DATATYPE_FLOAT_16 = 11,
  LPAI_CUSTOM_OP_DATATYPE_FLOAT_32 = 12,
  LPAI_CUSTOM_OP_DATATYPE_UNDEFINED = 0x7FFFFFFF,
} QnnLpaiCustomOp_DataType_t;

// How elements lie in memory.
typedef enum {
  QNN_LPAI_CUSTOM_OP_LAYOUT_FORM_FLAT = 1,
  QNN_LPAI_CUSTOM_OP_LAYOUT_FORM_UNDEFINED = 0x7FFFFFFF,
} QnnLpaiCustomOp_LayoutForm_t;

// How a tensor is quantized.
typedef enum {
  QNN_LPAI_CUSTOM_OP_QUANT_TYPE_PER_TENSOR = 1,
  QNN_LPAI_CUSTOM_OP_QUANT_TYPE_UNDEFINED = 0x7FFFFFFF,
} QnnLpaiCustomOp_QuantType_t;

// How a scale is written.
typedef enum {
  QNN_LPAI_CUSTOM_OP_QUANT_SCALE_TYPE_INT = 1,    // iScale
  QNN_LPAI_CUSTOM_OP_QUANT_SCALE_TYPE_FLOAT = 2,  // fScale
  QNN_LPAI_CUSTOM_OP_QUANT_SCALE_TYPE_UNDEFINED = 0x7FFFFFFF,
} QnnLpaiCustomOp_ScaleType_t;

// A version number.
typedef struct QnnLpaiCustomOp_Version {
  uint32_t major;
  uint32_t minor;
  uint32_t patch;
} QnnLpaiCustomOp_Version_t;

#define QNN_LPAI_CUSTOM_OP_MAX_LAYOUT_RANK 5

// A tensor in memory: order, strides and sizes of its dimensions.
typedef struct QnnLpaiCustomOp_Layout {
  QnnLpaiCustomOp_LayoutForm_t layoutForm;
  uint8_t layoutOrder[QNN_LPAI_CUSTOM_OP_MAX_LAYOUT_RANK];
  uint32_t layoutStride[QNN_LPAI_CUSTOM_OP_MAX_LAYOUT_RANK];
  uint32_t layoutDim[QNN_LPAI_CUSTOM_OP_MAX_LAYOUT_RANK];
} QnnLpaiCustomOp_Layout_t;

// A scale as a fraction: scale and binary shift.
typedef struct QnnLpaiCustomOp_IntScale {
  int32_t scale;
  int32_t shift;
} QnnLpaiCustomOp_IntScale_t;

// A scale, as an integer with a shift or as a float.
typedef struct QnnLpaiCustomOp_QuantScale {
  QnnLpaiCustomOp_ScaleType_t type;
  union {
    QnnLpaiCustomOp_IntScale_t iScale;
    float fScale;
  };
} QnnLpaiCustomOp_QuantScale_t;

// One scale and offset for a whole tensor.
typedef struct QnnLpaiCustomOp_PerTensorQuantInfo {
  QnnLpaiCustomOp_QuantScale_t scale;
  int32_t offset;
} QnnLpaiCustomOp_PerTensorQuantInfo_t;

// Memory lent to a custom op.
typedef struct QnnLpaiCustomOp_BufferInfo {
  void* buffer;
  uint32_t bufferSize;
} QnnLpaiCustomOp_BufferInfo_t;

typedef void* QnnLpai_CustomOpNode_t;    // A node that runs a custom op.
typedef void* QnnLpai_CustomOpTensor_t;  // A tensor of such a node.

// What a custom op may ask of the backend about its node and tensors.
typedef uint32_t (*QnnLpaiCustomOp_GetNumInputTensors_t)(QnnLpai_CustomOpNode_t node);
typedef uint32_t (*QnnLpaiCustomOp_GetNumOutputTensors_t)(QnnLpai_CustomOpNode_t node);
typedef QnnLpai_CustomOpTensor_t (*QnnLpaiCustomOp_GetInputTensor_t)(QnnLpai_CustomOpNode_t node,
                                                                     uint32_t index);
typedef QnnLpai_CustomOpTensor_t (*QnnLpaiCustomOp_GetOutputTensor_t)(QnnLpai_CustomOpNode_t node,
                                                                      uint32_t index);
typedef QnnLpai_CustomOpTensor_t (*QnnLpaiCustomOp_GetParamTensor_t)(QnnLpai_CustomOpNode_t node,
                                                                     const char* name);
typedef QnnLpaiCustomOp_Error_t (*QnnLpaiCustomOp_GetTempBuffer_t)(
    QnnLpai_CustomOpNode_t node, QnnLpaiCustomOp_BufferInfo_t* bufferParams);
typedef QnnLpaiCustomOp_Error_t (*QnnLpaiCustomOp_GetTensorShapeRank_t)(QnnLpai_CustomOpTensor_t tensor,
                                                                        uint32_t* rank);
typedef QnnLpaiCustomOp_Error_t (*QnnLpaiCustomOp_GetTensorLayoutRank_t)(QnnLpai_CustomOpTensor_t tensor,
                                                                         uint32_t* rank);
typedef QnnLpaiCustomOp_Error_t (*QnnLpaiCustomOp_GetTensorShapeDimSize_t)(QnnLpai_CustomOpTensor_t tensor,
                                                                           uint32_t index, uint32_t* size);
typedef QnnLpaiCustomOp_Error_t (*QnnLpaiCustomOp_GetTensorLayout_t)(QnnLpai_CustomOpTensor_t tensor,
                                                                     QnnLpaiCustomOp_Layout_t* layout);
typedef QnnLpaiCustomOp_Error_t (*QnnLpaiCustomOp_GetTensorDataType_t)(QnnLpai_CustomOpTensor_t tensor,
                                                                       QnnLpaiCustomOp_DataType_t* dataType);
typedef QnnLpaiCustomOp_Error_t (*QnnLpaiCustomOp_GetTensorDataSize_t)(QnnLpai_CustomOpTensor_t tensor,
                                                                       uint32_t* size);
typedef QnnLpaiCustomOp_Error_t (*QnnLpaiCustomOp_GetTensorQuantType_t)(
    QnnLpai_CustomOpTensor_t tensor, QnnLpaiCustomOp_QuantType_t* quantType);
typedef QnnLpaiCustomOp_Error_t (*QnnLpaiCustomOp_GetPerTensorQuantParams_t)(
    QnnLpai_CustomOpTensor_t tensor, QnnLpaiCustomOp_PerTensorQuantInfo_t* quantParams);
typedef void* (*QnnLpaiCustomOp_GetTensorData_t)(QnnLpai_CustomOpTensor_t tensor);

// The functions above, as the backend hands them to an op package.
typedef struct _QnnOpPackage_GlobalInfrastructure_t {
  QnnLpaiCustomOp_Version_t version;
  QnnLpaiCustomOp_GetNumInputTensors_t getNumInputTensors;
  QnnLpaiCustomOp_GetNumOutputTensors_t getNumOutputTensors;
  QnnLpaiCustomOp_GetInputTensor_t getInputTensor;
  QnnLpaiCustomOp_GetOutputTensor_t getOutputTensor;
  QnnLpaiCustomOp_GetParamTensor_t getParamTensor;
  QnnLpaiCustomOp_GetTensorShapeRank_t getTensorShapeRank;
  QnnLpaiCustomOp_GetTensorLayoutRank_t getTensorLayoutRank;
  QnnLpaiCustomOp_GetTensorShapeDimSize_t getTensorShapeDimSize;
  QnnLpaiCustomOp_GetTensorLayout_t getTensorLayout;
  QnnLpaiCustomOp_GetTensorDataType_t getTensorDataType;
  QnnLpaiCustomOp_GetTensorDataSize_t getTensorDataSize;
  QnnLpaiCustomOp_GetTensorQuantType_t getTensorQuantType;
  QnnLpaiCustomOp_GetPerTensorQuantParams_t getPerTensorQuantParams;
  QnnLpaiCustomOp_GetTensorData_t getTensorData;
  QnnLpaiCustomOp_GetTempBuffer_t getTempBuffer;
} QnnLpaiOpPackage_GlobalInfrastructure_t;

// Initial values.
// clang-format off
#define QNN_LPAI_OP_PACKAGE_GLOBAL_INFRASTRUCTURE_INIT \
  {{0, 0, 0}, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL}
// clang-format on

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // OPENQNN_QNN_LPAI_QNN_LPAI_OP_PACKAGE_INFRASTRUCTURE_H_
