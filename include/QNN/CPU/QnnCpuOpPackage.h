// SPDX-License-Identifier: BSD-3-Clause
//
// What an op package for the host's processor and a backend hand each other: nodes with tensors in plain
// memory, and the function that computes a node.

#ifndef OPENQNN_QNN_CPU_QNN_CPU_OP_PACKAGE_H_
#define OPENQNN_QNN_CPU_QNN_CPU_OP_PACKAGE_H_

#include <stddef.h>
#include <stdint.h>

#include "QnnOpPackage.h"
#include "QnnTypes.h"

#define QNN_CPUOPPACKAGE_TENSOR_DATA_FORMAT_FLAT_BUFFER 0

#ifdef __cplusplus
extern "C" {
#endif

// Which member of QnnCpuOpPackage_Param_t is set.
// One value does not fit an int, which strict C would reject without the extension mark.
QNN_EXTENSION typedef enum {
  QNN_CPU_PARAMTYPE_SCALAR = 0,
  QNN_CPU_PARAMTYPE_TENSOR = 1,
  QNN_CPU_PARAMTYPE_STRING = 2,
  QNN_CPU_PARAMTYPE_UNDEFINED = 0xFFFFFFFF,
} QnnCpuOpPackage_ParamType_t;

// Element types. Other tensors carry the number of their Qnn_DataType_t, which these agree with.
typedef enum {
  QNN_CPU_DATATYPE_BOOL_8 = 0x0508,
  QNN_CPU_DATATYPE_INT_8 = 0x0008,
  QNN_CPU_DATATYPE_INT_32 = 0x0032,
  QNN_CPU_DATATYPE_UINT_8 = 0x0108,
  QNN_CPU_DATATYPE_UINT_32 = 0x0132,
  QNN_CPU_DATATYPE_FLOAT_32 = 0x0232,
  QNN_CPU_DATATYPE_UNDEFINED = 0x7FFFFFFF,
} QnnCpuOpPackage_DataType_t;

// How important a message is.
typedef enum {
  QNN_CPU_MSG_ERROR = 1,
  QNN_CPU_MSG_DEBUG = 2,
  QNN_CPU_MSG_LOW = 3,
  QNN_CPU_MSG_MED = 4,
  QNN_CPU_MSG_HIGH = 5,
  QNN_CPU_MSG_UNDEFINED = 0x7FFFFFFF,
} QnnCpuOpPackage_MsgType_t;

// How detailed profile data are.
typedef enum {
  QNN_CPU_PROFILE_BASIC = 1,
  QNN_CPU_PROFILE_DETAILED = 2,
  QNN_CPU_PROFILE_UNDEFINED = 0x7FFFFFFF,
} QnnCpuOpPackage_ProfileType_t;

typedef uint32_t QnnCpuOpPackage_TensorDataFormat_t;  // QNN_CPUOPPACKAGE_TENSOR_DATA_FORMAT_*.
typedef double QnnCpuOpPackage_ProfileData_t;

// Services that a package may call at any time.
typedef struct _QnnOpPackage_GlobalInfrastructure_t {
  void (*reportMessage)(QnnCpuOpPackage_MsgType_t type, const char* fmt, ...);
  void (*profile)(QnnCpuOpPackage_ProfileType_t type, QnnCpuOpPackage_ProfileData_t data);
} QnnCpuOpPackage_GlobalInfra_t;

typedef struct _QnnOpPackage_GraphInfrastructure_t QnnCpuOpPackage_GraphInfrastructure_t;

// Computes a node; `opPkgNodeData` is the userData of its implementation.
typedef Qnn_ErrorHandle_t (*QnnCpuOpPackage_OpImplFn_t)(void* opPkgNodeData);

// What createOpImpl makes of a node.
typedef struct _QnnOpPackage_OpImpl_t {
  QnnCpuOpPackage_OpImplFn_t opImplFn;
  void* userData;
} QnnCpuOpPackage_OpImpl_t;

// A tensor of a node. Its address stays; `data` is set anew for every execution.
typedef struct {
  QnnCpuOpPackage_TensorDataFormat_t dataFormat;
  QnnCpuOpPackage_DataType_t dataType;
  uint32_t rank;
  uint32_t* maxDimensions;
  uint32_t* currentDimensions;
  void* data;
  Qnn_QuantizeParams_t quantizeParams;
} QnnCpuOpPackage_Tensor_t;

// A parameter of a node.
typedef struct {
  QnnCpuOpPackage_ParamType_t type;
  const char* name;
  union {
    double scalarParam;
    const char* string;
    QnnCpuOpPackage_Tensor_t* tensorParam;
  };
} QnnCpuOpPackage_Param_t;

// A node. It and all it points at live as long as its implementation.
typedef struct _QnnOpPackage_Node_t {
  const char* name;
  const char* packageName;
  const char* typeName;
  uint32_t numOfParams;
  QnnCpuOpPackage_Param_t** params;
  uint32_t numOfInputs;
  QnnCpuOpPackage_Tensor_t** inputs;
  uint32_t numOfOutputs;
  QnnCpuOpPackage_Tensor_t** outputs;
} QnnCpuOpPackage_Node_t;

// Initial values.
// clang-format off
#define QNN_CPU_OP_PACKAGE_GLOBAL_INFRA_INIT {NULL, NULL}
#define QNN_CPU_OP_PACKAGE_OPIMPL_INIT {NULL, NULL}
#define QNN_CPU_OP_PACKAGE_TENSOR_INIT \
  {QNN_TENSOR_DATA_FORMAT_FLAT_BUFFER, QNN_CPU_DATATYPE_UNDEFINED, 0, NULL, NULL, NULL, \
   QNN_QUANTIZE_PARAMS_INIT}
#define QNN_CPU_OP_PACKAGE_PARAM_INIT {QNN_CPU_PARAMTYPE_UNDEFINED, NULL, {0}}
#define QNN_CPU_OP_PACKAGE_NODE_INIT {NULL, NULL, NULL, 0, NULL, 0, NULL, 0, NULL}
// clang-format on

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // OPENQNN_QNN_CPU_QNN_CPU_OP_PACKAGE_H_
