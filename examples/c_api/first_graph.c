// SPDX-License-Identifier: BSD-3-Clause
// The C API from end to end in plain C: one Relu, built, prepared and executed. Nothing but include/QNN and
// dlopen.
//
//   cc -Iinclude/QNN examples/c_api/first_graph.c -ldl -o first_graph
//   ./first_graph build/release/lib/libQnnHtp.so
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "QnnInterface.h"

typedef QNN_INTERFACE_VER_TYPE Api;

static const Api* load(const char* path) {
  void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    fprintf(stderr, "%s\n", dlerror());
    exit(1);
  }
  Qnn_ErrorHandle_t (*get_providers)(const QnnInterface_t***, uint32_t*);
  *(void**)&get_providers = dlsym(library, "QnnInterface_getProviders");
  const QnnInterface_t** providers = NULL;
  uint32_t count = 0;
  if (!get_providers || get_providers(&providers, &count) != QNN_SUCCESS || count == 0) {
    fprintf(stderr, "%s offers no QNN backend\n", path);
    exit(1);
  }
  return &providers[0]->QNN_INTERFACE_VER_NAME;
}

// A failed call has a code, and a sentence that says why. The sentence is ours until we give it back.
static void check(const Api* api, Qnn_ErrorHandle_t code, const char* call) {
  if (code == QNN_SUCCESS) return;
  const char* sentence = NULL;
  const int has_sentence = api->errorGetVerboseMessage(code, &sentence) == QNN_SUCCESS;
  fprintf(stderr, "%s failed with %llu: %s\n", call, (unsigned long long)code,
          has_sentence ? sentence : "(no message)");
  if (has_sentence) api->errorFreeVerboseMessage(sentence);
  exit(1);
}

static Qnn_Tensor_t float_tensor(const char* name, Qnn_TensorType_t type, uint32_t* dims, uint32_t rank) {
  Qnn_Tensor_t tensor = QNN_TENSOR_INIT;
  tensor.v1.name = name;
  tensor.v1.type = type;
  tensor.v1.dataType = QNN_DATATYPE_FLOAT_32;
  tensor.v1.rank = rank;
  tensor.v1.dimensions = dims;
  tensor.v1.memType = QNN_TENSORMEMTYPE_RAW;
  return tensor;
}

int main(int argc, char** argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: first_graph PATH/libQnnHtp.so\n");
    return 2;
  }
  const Api* api = load(argv[1]);
  Qnn_BackendHandle_t backend = NULL;
  Qnn_ContextHandle_t context = NULL;
  Qnn_GraphHandle_t graph = NULL;
  check(api, api->backendCreate(NULL, NULL, &backend), "backendCreate");
  check(api, api->contextCreate(backend, NULL, NULL, &context), "contextCreate");
  check(api, api->graphCreate(context, "first", NULL, &graph), "graphCreate");

  uint32_t dims[] = {1, 4};
  Qnn_Tensor_t x = float_tensor("x", QNN_TENSOR_TYPE_APP_WRITE, dims, 2);
  Qnn_Tensor_t y = float_tensor("y", QNN_TENSOR_TYPE_APP_READ, dims, 2);
  check(api, api->tensorCreateGraphTensor(graph, &x), "tensorCreateGraphTensor");
  check(api, api->tensorCreateGraphTensor(graph, &y), "tensorCreateGraphTensor");

  Qnn_OpConfig_t relu = QNN_OPCONFIG_INIT;
  relu.v1.name = "relu";
  relu.v1.packageName = "qti.aisw";
  relu.v1.typeName = "Relu";
  relu.v1.numOfInputs = 1;
  relu.v1.inputTensors = &x;
  relu.v1.numOfOutputs = 1;
  relu.v1.outputTensors = &y;
  check(api, api->graphAddNode(graph, relu), "graphAddNode");
  check(api, api->graphFinalize(graph, NULL, NULL), "graphFinalize");

  float in[] = {-2.0f, -0.5f, 0.25f, 3.0f};
  float out[4] = {0};
  x.v1.clientBuf.data = in;
  x.v1.clientBuf.dataSize = sizeof in;
  y.v1.clientBuf.data = out;
  y.v1.clientBuf.dataSize = sizeof out;
  check(api, api->graphExecute(graph, &x, 1, &y, 1, NULL, NULL), "graphExecute");
  printf("relu(-2, -0.5, 0.25, 3) = %g, %g, %g, %g\n", out[0], out[1], out[2], out[3]);

  check(api, api->contextFree(context, NULL), "contextFree");
  check(api, api->backendFree(backend), "backendFree");
  return 0;
}
