// SPDX-License-Identifier: BSD-3-Clause
// An op package with one op, ScaledTanh: out = factor * tanh(in), on float32 and on 8-bit tensors. It shows
// all that a package for this host needs: an interface, a description, a check, and a function that computes.
//
// A client registers it with
//   QnnBackend_registerOpPackage(backend, "libScaledTanhOpPackage.so", "ScaledTanh_interfaceProvider",
//   "CPU");
// and adds nodes with packageName "example.scaled_tanh" and typeName "ScaledTanh".
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "CPU/QnnCpuOpPackage.h"
#include "QnnOpPackage.h"

static QnnCpuOpPackage_GlobalInfra_t* g_services = NULL;  // set while the package is started

// ---- The op ----

static double read_value(const QnnCpuOpPackage_Tensor_t* tensor, size_t index) {
  if (tensor->dataType == QNN_CPU_DATATYPE_FLOAT_32) return ((const float*)tensor->data)[index];
  const Qnn_ScaleOffset_t encoding = tensor->quantizeParams.scaleOffsetEncoding;
  return (double)encoding.scale * (((const uint8_t*)tensor->data)[index] + encoding.offset);
}

static void write_value(QnnCpuOpPackage_Tensor_t* tensor, size_t index, double value) {
  if (tensor->dataType == QNN_CPU_DATATYPE_FLOAT_32) {
    ((float*)tensor->data)[index] = (float)value;
    return;
  }
  const Qnn_ScaleOffset_t encoding = tensor->quantizeParams.scaleOffsetEncoding;
  const double code = nearbyint(value / encoding.scale) - encoding.offset;
  ((uint8_t*)tensor->data)[index] = (uint8_t)fmin(fmax(code, 0), 255);
}

// What the backend passes back for every execution: the node. The backend sets the tensors' data before.
static Qnn_ErrorHandle_t compute(void* op_data) {
  const QnnCpuOpPackage_Node_t* node = op_data;
  const double factor = node->params[0]->scalarParam;
  size_t count = 1;
  for (uint32_t i = 0; i < node->inputs[0]->rank; ++i) count *= node->inputs[0]->currentDimensions[i];
  for (size_t i = 0; i < count; ++i)
    write_value(node->outputs[0], i, factor * tanh(read_value(node->inputs[0], i)));
  return QNN_SUCCESS;
}

// ---- The interface ----

static Qnn_ErrorHandle_t init(QnnOpPackage_GlobalInfrastructure_t services) {
  if (g_services) return QNN_OP_PACKAGE_ERROR_LIBRARY_ALREADY_INITIALIZED;
  g_services = services;
  return QNN_SUCCESS;
}

static Qnn_ErrorHandle_t terminate(void) {
  if (!g_services) return QNN_OP_PACKAGE_ERROR_LIBRARY_NOT_INITIALIZED;
  g_services = NULL;
  return QNN_SUCCESS;
}

static Qnn_ErrorHandle_t get_info(const QnnOpPackage_Info_t** info) {
  static const char* operations[] = {"ScaledTanh"};
  static const Qnn_ApiVersion_t api_version = QNN_API_VERSION_INIT;
  static QnnOpPackage_Info_t description = QNN_OP_PACKAGE_INFO_INIT;
  description.packageName = "example.scaled_tanh";
  description.operationNames = operations;
  description.numOperations = 1;
  description.sdkApiVersion = &api_version;
  *info = &description;
  return QNN_SUCCESS;
}

static bool is_computable(const Qnn_TensorV1_t* tensor) {
  return tensor->dataType == QNN_DATATYPE_FLOAT_32 || tensor->dataType == QNN_DATATYPE_UFIXED_POINT_8;
}

static Qnn_ErrorHandle_t validate(Qnn_OpConfig_t config) {
  const Qnn_OpConfigV1_t* op = &config.v1;
  const bool fits = strcmp(op->typeName, "ScaledTanh") == 0 && op->numOfInputs == 1 &&
                    op->numOfOutputs == 1 && op->numOfParams == 1 &&
                    op->params[0].paramType == QNN_PARAMTYPE_SCALAR &&
                    strcmp(op->params[0].name, "factor") == 0 && is_computable(&op->inputTensors[0].v1) &&
                    is_computable(&op->outputTensors[0].v1);
  if (!fits && g_services)
    g_services->reportMessage(QNN_CPU_MSG_ERROR, "ScaledTanh '%s' is not like this", op->name);
  return fits ? QNN_SUCCESS : QNN_OP_PACKAGE_ERROR_VALIDATION_FAILURE;
}

static Qnn_ErrorHandle_t create_op(QnnOpPackage_GraphInfrastructure_t graph, QnnOpPackage_Node_t node,
                                   QnnOpPackage_OpImpl_t* implementation) {
  (void)graph;
  QnnCpuOpPackage_OpImpl_t* made = malloc(sizeof *made);
  if (!made) return QNN_OP_PACKAGE_ERROR_GENERAL;
  made->opImplFn = compute;
  made->userData = node;  // it lives as long as the implementation
  *implementation = made;
  return QNN_SUCCESS;
}

static Qnn_ErrorHandle_t free_op(QnnOpPackage_OpImpl_t implementation) {
  free(implementation);
  return QNN_SUCCESS;
}

QNN_API Qnn_ErrorHandle_t ScaledTanh_interfaceProvider(QnnOpPackage_Interface_t* interface) {
  const QnnOpPackage_Interface_t filled = {
      .interfaceVersion = QNN_OP_PACKAGE_API_VERSION_1_4_0,
      .v1_4 = {.init = init,
               .terminate = terminate,
               .getInfo = get_info,
               .validateOpConfig = validate,
               .createOpImpl = create_op,
               .freeOpImpl = free_op},
  };
  *interface = filled;
  return QNN_SUCCESS;
}
