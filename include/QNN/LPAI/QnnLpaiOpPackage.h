// SPDX-License-Identifier: BSD-3-Clause
//
// LPAI backend: how an op package describes its ops (since SDK 2.48). Completes a struct tag that
// QnnOpPackage.h leaves open.

#ifndef OPENQNN_QNN_LPAI_QNN_LPAI_OP_PACKAGE_H_
#define OPENQNN_QNN_LPAI_QNN_LPAI_OP_PACKAGE_H_

#include <stddef.h>
#include <stdint.h>

#include "LPAI/QnnLpaiOpPackageInfrastructure.h"
#include "QnnOpPackage.h"
#include "QnnTypes.h"

#ifdef __cplusplus
extern "C" {
#endif

// No wish about the layout.
#define QNN_LPAI_OP_LAYOUT_DEFAULT 0

typedef int32_t (*LpaiCustomOp_Execute_Fn)(QnnLpai_CustomOpNode_t);         // Runs a node.
typedef Qnn_ErrorHandle_t (*QnnLpaiOpPackage_Validate_Fn)(Qnn_OpConfig_t);  // Accepts an op config.
typedef Qnn_ErrorHandle_t (*QnnLpaiOpPackage_GetTempBufferSize_Fn)(Qnn_OpConfig_t, size_t*);  // In bytes.
typedef Qnn_ErrorHandle_t (*QnnLpaiOpPackage_GetLayoutSupportFlag_Fn)(uint32_t* layoutFlag);

// The types that a tensor of an op may have.
typedef struct {
  uint32_t numOfTypes;
  Qnn_DataType_t* DataTypes;
} QnnLpaiOpPackage_DataTypeInfo_t;

// An op of a package.
typedef struct _QnnOpPackage_OperationInfo_t {
  char* opType;
  LpaiCustomOp_Execute_Fn executeOp;
  uint32_t numOfInputs;
  uint32_t numOfOutputs;
  uint32_t numOfParams;
  QnnLpaiOpPackage_DataTypeInfo_t* inputDatatypes;
  QnnLpaiOpPackage_DataTypeInfo_t* outputDatatypes;
  QnnLpaiOpPackage_Validate_Fn validateOp;
  QnnLpaiOpPackage_GetTempBufferSize_Fn getTempBufferSize;
  QnnLpaiOpPackage_GetLayoutSupportFlag_Fn getLayoutSupportFlag;
} QnnLpaiOpPackage_OperationInfo_t;

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // OPENQNN_QNN_LPAI_QNN_LPAI_OP_PACKAGE_H_
