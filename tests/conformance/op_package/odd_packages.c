// SPDX-License-Identifier: BSD-3-Clause
// Op packages for tests: one library, one provider for each kind of package.
#include <stdlib.h>
#include <string.h>

#include "CPU/QnnCpuOpPackage.h"
#include "QnnOpPackage.h"

static int g_live_instances = 0;        // of interface 2.0
static int g_live_implementations = 0;  // of both

// How many objects the backend has not given back.
QNN_API int Odd_liveObjects(void);
int Odd_liveObjects(void) { return g_live_instances + g_live_implementations; }

// Called by every SumAndMany before it computes, on the thread of the execute; NULL: nothing is.
QNN_API void Odd_callWhenRun(void (*function)(void*), void* argument);
static void (*g_when_run)(void*) = NULL;
static void* g_when_run_argument = NULL;
void Odd_callWhenRun(void (*function)(void*), void* argument) {
  g_when_run = function;
  g_when_run_argument = argument;
}

// ---- What the packages share ----

static Qnn_ErrorHandle_t init(QnnOpPackage_GlobalInfrastructure_t services) {
  (void)services;
  return QNN_SUCCESS;
}
static Qnn_ErrorHandle_t failing_init(QnnOpPackage_GlobalInfrastructure_t services) {
  (void)services;
  return QNN_OP_PACKAGE_ERROR_LIBRARY_ALREADY_INITIALIZED;
}
static Qnn_ErrorHandle_t terminate(void) { return QNN_SUCCESS; }

static Qnn_ErrorHandle_t describe(const char* name, const char** operations, uint32_t count,
                                  QnnOpPackage_Info_t* info, const QnnOpPackage_Info_t** out) {
  info->packageName = name;
  info->operationNames = operations;
  info->numOperations = count;
  *out = info;
  return QNN_SUCCESS;
}

static const char* g_operations[] = {"SumAndMany", "Fails", "MakesNothing"};
static Qnn_ErrorHandle_t odd_info(const QnnOpPackage_Info_t** out) {
  static QnnOpPackage_Info_t info;
  return describe("odd", g_operations, 3, &info, out);
}
static Qnn_ErrorHandle_t built_in_info(const QnnOpPackage_Info_t** out) {
  static QnnOpPackage_Info_t info;
  return describe("qti.aisw", g_operations, 3, &info, out);
}
static Qnn_ErrorHandle_t nameless_info(const QnnOpPackage_Info_t** out) {
  static QnnOpPackage_Info_t info;
  return describe(NULL, g_operations, 3, &info, out);
}
static Qnn_ErrorHandle_t empty_info(const QnnOpPackage_Info_t** out) {
  static QnnOpPackage_Info_t info;
  return describe("empty", NULL, 0xFFFFFFFF, &info, out);
}
static Qnn_ErrorHandle_t instance_info(const QnnOpPackage_Info_t** out) {
  static QnnOpPackage_Info_t info;
  return describe("instances", g_operations, 3, &info, out);
}

static Qnn_ErrorHandle_t validate(Qnn_OpConfig_t config) {
  return config.v1.numOfParams == 0 ? QNN_SUCCESS : QNN_OP_PACKAGE_ERROR_VALIDATION_FAILURE;
}

// out0 = sum of all inputs that are there; out1, when it is there, the first input.
static Qnn_ErrorHandle_t sum_and_many(void* op_data) {
  if (g_when_run) g_when_run(g_when_run_argument);
  const QnnCpuOpPackage_Node_t* node = op_data;
  size_t count = 1;
  for (uint32_t i = 0; i < node->outputs[0]->rank; ++i) count *= node->outputs[0]->currentDimensions[i];
  for (size_t i = 0; i < count; ++i) {
    float sum = 0;
    for (uint32_t k = 0; k < node->numOfInputs; ++k)
      if (node->inputs[k]->data) sum += ((const float*)node->inputs[k]->data)[i];
    ((float*)node->outputs[0]->data)[i] = sum;
  }
  if (node->numOfOutputs > 1 && node->outputs[1]->data)
    memcpy(node->outputs[1]->data, node->inputs[0]->data, count * sizeof(float));
  return QNN_SUCCESS;
}
static Qnn_ErrorHandle_t fail(void* op_data) {
  (void)op_data;
  return 4711;
}

static Qnn_ErrorHandle_t create_op(QnnOpPackage_GraphInfrastructure_t graph, QnnOpPackage_Node_t node,
                                   QnnOpPackage_OpImpl_t* implementation) {
  (void)graph;
  if (strcmp(node->typeName, "MakesNothing") == 0) return 4242;
  QnnCpuOpPackage_OpImpl_t* made = malloc(sizeof *made);
  made->opImplFn = strcmp(node->typeName, "Fails") == 0 ? fail : sum_and_many;
  made->userData = node;
  *implementation = made;
  ++g_live_implementations;
  return QNN_SUCCESS;
}
static Qnn_ErrorHandle_t free_op(QnnOpPackage_OpImpl_t implementation) {
  --g_live_implementations;
  free(implementation);
  return QNN_SUCCESS;
}

static QnnOpPackage_Interface_t interface_1_4(void) {
  const QnnOpPackage_Interface_t made = {
      .interfaceVersion = QNN_OP_PACKAGE_API_VERSION_1_4_0,
      .v1_4 = {init, terminate, odd_info, validate, create_op, free_op, NULL, NULL, NULL},
  };
  return made;
}

// ---- Interface 2.0 ----

static Qnn_ErrorHandle_t create_instance(QnnOpPackage_GlobalInfrastructure_t services, QnnLog_Callback_t log,
                                         QnnLog_Level_t level, Qnn_OpPackageHandle_t* instance) {
  (void)services, (void)log, (void)level;
  *instance = &g_live_instances;
  ++g_live_instances;
  return QNN_SUCCESS;
}
static Qnn_ErrorHandle_t validate_for(Qnn_OpPackageHandle_t instance, Qnn_OpConfig_t config) {
  return instance == &g_live_instances ? validate(config) : QNN_OP_PACKAGE_ERROR_INVALID_HANDLE;
}
static Qnn_ErrorHandle_t create_op_for(Qnn_OpPackageHandle_t instance,
                                       QnnOpPackage_GraphInfrastructure_t graph, QnnOpPackage_Node_t node,
                                       QnnOpPackage_OpImpl_t* implementation) {
  (void)instance;
  return create_op(graph, node, implementation);
}
static Qnn_ErrorHandle_t free_op_for(Qnn_OpPackageHandle_t instance, QnnOpPackage_OpImpl_t implementation) {
  (void)instance;
  return free_op(implementation);
}
static Qnn_ErrorHandle_t free_instance(Qnn_OpPackageHandle_t instance) {
  (void)instance;
  --g_live_instances;
  return QNN_SUCCESS;
}

// ---- The providers ----

#define PROVIDER(name)                                           \
  QNN_API Qnn_ErrorHandle_t name(QnnOpPackage_Interface_t* out); \
  Qnn_ErrorHandle_t name(QnnOpPackage_Interface_t* out)

PROVIDER(Odd_provider) {
  *out = interface_1_4();
  return QNN_SUCCESS;
}
PROVIDER(Odd_instances) {
  const QnnOpPackage_Interface_t made = {
      .interfaceVersion = QNN_OP_PACKAGE_API_VERSION_2_0_0,
      .v2_0 = {create_instance, instance_info, validate_for, create_op_for, free_op_for, NULL, free_instance},
  };
  *out = made;
  return QNN_SUCCESS;
}
PROVIDER(Odd_unwilling) {
  (void)out;
  return 4711;
}
PROVIDER(Odd_fromTheFuture) {
  *out = interface_1_4();
  out->interfaceVersion.major = 9;
  return QNN_SUCCESS;
}
PROVIDER(Odd_failingInit) {
  *out = interface_1_4();
  out->v1_4.init = failing_init;
  return QNN_SUCCESS;
}
PROVIDER(Odd_dspOnly) {
  *out = interface_1_4();
  out->v1_4.createOpImpl = NULL;
  return QNN_SUCCESS;
}
PROVIDER(Odd_nameless) {
  *out = interface_1_4();
  out->v1_4.getInfo = nameless_info;
  return QNN_SUCCESS;
}
PROVIDER(Odd_empty) {
  *out = interface_1_4();
  out->v1_4.getInfo = empty_info;
  return QNN_SUCCESS;
}
PROVIDER(Odd_namedLikeTheBuiltIn) {
  *out = interface_1_4();
  out->v1_4.getInfo = built_in_info;
  return QNN_SUCCESS;
}
