// SPDX-License-Identifier: BSD-3-Clause
//
// Graphs: build from nodes, finalize, execute.

#ifndef OPENQNN_QNN_QNN_GRAPH_H_
#define OPENQNN_QNN_QNN_GRAPH_H_

#include <stddef.h>
#include <stdint.h>

#include "QnnCommon.h"
#include "QnnTypes.h"

#ifdef __cplusplus
extern "C" {
#endif

// Errors of the QnnGraph functions.
typedef enum {
  QNN_GRAPH_MIN_ERROR = QNN_MIN_ERROR_GRAPH,
  QNN_GRAPH_NO_ERROR = 0,
  QNN_GRAPH_ERROR_UNSUPPORTED_FEATURE = 1000,        // not supported
  QNN_GRAPH_ERROR_MEM_ALLOC = 1002,                  // allocation failed
  QNN_GRAPH_ERROR_GENERAL = 1100,                    // anything else
  QNN_GRAPH_ERROR_INVALID_ARGUMENT = 6000,           // bad argument
  QNN_GRAPH_ERROR_INVALID_HANDLE = 6001,             // null, stale or foreign handle
  QNN_GRAPH_ERROR_GRAPH_DOES_NOT_EXIST = 6002,       // no such graph
  QNN_GRAPH_ERROR_INVALID_NAME = 6003,               // missing or duplicate name
  QNN_GRAPH_ERROR_INVALID_TENSOR = 6004,             // unknown or unfit tensor
  QNN_GRAPH_ERROR_INVALID_OP_CONFIG = 6005,          // op not supported like this
  QNN_GRAPH_ERROR_SET_PROFILE = 6006,                // profile could not be used
  QNN_GRAPH_ERROR_UNCONNECTED_NODE = 6007,           // input has no producer yet
  QNN_GRAPH_ERROR_CREATE_FAILED = 6020,              // not created
  QNN_GRAPH_ERROR_OPTIMIZATION_FAILED = 6021,        // optimization failed
  QNN_GRAPH_ERROR_FINALIZE_FAILED = 6022,            // finalization failed
  QNN_GRAPH_ERROR_GRAPH_NOT_FINALIZED = 6023,        // finalize first
  QNN_GRAPH_ERROR_GRAPH_FINALIZED = 6024,            // cannot be changed any more
  QNN_GRAPH_ERROR_EXECUTION_ASYNC_FIFO_FULL = 6025,  // queue is full
  QNN_GRAPH_ERROR_SIGNAL_IN_USE = 6030,              // signal serves another call
  QNN_GRAPH_ERROR_ABORTED = 6031,                    // ended by a signal
  QNN_GRAPH_ERROR_PROFILE_IN_USE = 6032,             // profile belongs to another graph
  QNN_GRAPH_ERROR_TIMED_OUT = 6033,                  // time limit of a signal
  QNN_GRAPH_ERROR_SUBGRAPH = 6034,                   // not with a subgraph
  QNN_GRAPH_ERROR_DISABLED = 6035,                   // graph was not enabled
  QNN_GRAPH_ERROR_DYNAMIC_TENSOR_SHAPE = 6036,       // bad dynamic shape
  QNN_GRAPH_ERROR_TENSOR_SPARSITY = 6037,            // bad sparse tensor
  QNN_GRAPH_ERROR_EARLY_TERMINATION = 6038,          // ended early by an op
  QNN_GRAPH_ERROR_INVALID_CONTEXT = 6039,            // bad context handle
  QNN_GRAPH_MAX_ERROR = QNN_MAX_ERROR_GRAPH,
  QNN_GRAPH_ERROR_UNDEFINED = 0x7FFFFFFF,
} QnnGraph_Error_t;

// Which member of QnnGraph_Config_t is set.
typedef enum {
  QNN_GRAPH_CONFIG_OPTION_CUSTOM = 0,                        // customConfig
  QNN_GRAPH_CONFIG_OPTION_PRIORITY = 3,                      // priority
  QNN_GRAPH_CONFIG_OPTION_PROFILE_HANDLE = 4,                // profileHandle for continuous profiling
  QNN_GRAPH_CONFIG_OPTION_SET_PROFILING_STATE = 5,           // profilingState
  QNN_GRAPH_CONFIG_OPTION_SET_PROFILING_NUM_EXECUTIONS = 6,  // profile this many executions
  // prepare for weight-only sections; since SDK 2.43
  QNN_GRAPH_CONFIG_OPTION_ENABLE_BINARY_SECTION_WEIGHTS_UPDATES = 7,
  QNN_GRAPH_CONFIG_OPTION_UNDEFINED = 0x7FFFFFFF,
} QnnGraph_ConfigOption_t;

// Points at a struct that the backend defines, e.g. QnnHtpGraph_CustomConfig_t.
typedef void* QnnGraph_CustomConfig_t;

// Continuous profiling on or off.
typedef enum {
  QNN_GRAPH_PROFILING_STATE_ENABLED = 1,
  QNN_GRAPH_PROFILING_STATE_DISABLED = 2,
  QNN_GRAPH_PROFILING_STATE_UNDEFINED = 0x7FFFFFFF,
} QnnGraph_ProfilingState_t;

// A graph option and its value.
typedef struct {
  QnnGraph_ConfigOption_t option;
  union {
    QnnGraph_CustomConfig_t customConfig;
    Qnn_Priority_t priority;
    Qnn_ProfileHandle_t profileHandle;
    QnnGraph_ProfilingState_t profilingState;
    uint32_t numProfilingExecutions;
    uint8_t enableBinarySectionWeightsUpdates;
  };
} QnnGraph_Config_t;

// Which member of QnnGraph_Property_t is asked for.
typedef enum {
  QNN_GRAPH_PROPERTY_OPTION_CUSTOM = 0,
  QNN_GRAPH_PROPERTY_OPTION_UNDEFINED = 0x7FFFFFFF,
} QnnGraph_PropertyOption_t;

typedef void* QnnGraph_CustomProperty_t;  // Points at a struct that the backend defines.

// A graph property and the place for its value.
typedef struct {
  QnnGraph_PropertyOption_t option;
  union {
    QnnGraph_CustomProperty_t customProperty;
  };
} QnnGraph_Property_t;

// What to prepare for execution.
typedef enum {
  QNN_GRAPH_EXECUTE_ENVIRONMENT_OPTION_BIND_MEM_HANDLES = 0,      // use the registered memory given
  QNN_GRAPH_EXECUTE_ENVIRONMENT_OPTION_POPULATE_CLIENT_BUFS = 1,  // let the backend give buffers
  QNN_GRAPH_EXECUTE_ENVIRONMENT_OPTION_UNDEFINED = 0x7FFFFFFF,
} QnnGraph_ExecuteEnvironmentOption_t;

// Tensors to prepare, and how.
typedef struct {
  QnnGraph_ExecuteEnvironmentOption_t option;
  union {
    Qnn_TensorSet_t tensorSet;
  };
} QnnGraph_ExecuteEnvironment_t;

// Outcome of an asynchronous execution.
typedef struct {
  Qnn_ErrorHandle_t error;
} Qnn_NotifyStatus_t;

// Called when an asynchronous execution ends; keep it short.
typedef void (*Qnn_NotifyFn_t)(void* notifyParam, Qnn_NotifyStatus_t notifyStatus);

// Initial values.
// clang-format off
#define QNN_GRAPH_CONFIG_INIT {QNN_GRAPH_CONFIG_OPTION_UNDEFINED, {NULL}}
#define QNN_GRAPH_PROPERTY_INIT {QNN_GRAPH_PROPERTY_OPTION_UNDEFINED, {NULL}}
#define QNN_NOTIFY_STATUS_INIT {0}
// clang-format on

// Creates an empty graph; its name is unique in the context.
// Errors: QNN_GRAPH_ERROR_INVALID_NAME, QNN_GRAPH_ERROR_INVALID_CONTEXT, QNN_GRAPH_ERROR_CREATE_FAILED,
// QNN_GRAPH_ERROR_INVALID_ARGUMENT.
QNN_API Qnn_ErrorHandle_t QnnGraph_create(Qnn_ContextHandle_t contextHandle, const char* graphName,
                                          const QnnGraph_Config_t** config, Qnn_GraphHandle_t* graphHandle);

// Creates a graph inside another one, for ops that take graphs as parameters.
// Errors: QNN_GRAPH_ERROR_INVALID_HANDLE, QNN_GRAPH_ERROR_INVALID_NAME, QNN_GRAPH_ERROR_SUBGRAPH,
// QNN_GRAPH_ERROR_UNSUPPORTED_FEATURE.
QNN_API Qnn_ErrorHandle_t QnnGraph_createSubgraph(Qnn_GraphHandle_t graphHandle, const char* graphName,
                                                  Qnn_GraphHandle_t* subgraphHandle);

// Changes options of a graph.
// Errors: QNN_GRAPH_ERROR_INVALID_HANDLE, QNN_GRAPH_ERROR_INVALID_ARGUMENT,
// QNN_GRAPH_ERROR_GRAPH_FINALIZED, QNN_GRAPH_ERROR_PROFILE_IN_USE.
QNN_API Qnn_ErrorHandle_t QnnGraph_setConfig(Qnn_GraphHandle_t graphHandle, const QnnGraph_Config_t** config);

// Fills in the properties of a null-terminated list.
// Errors: QNN_GRAPH_ERROR_INVALID_HANDLE, QNN_GRAPH_ERROR_INVALID_ARGUMENT,
// QNN_GRAPH_ERROR_UNSUPPORTED_FEATURE.
QNN_API Qnn_ErrorHandle_t QnnGraph_getProperty(Qnn_GraphHandle_t graphHandle,
                                               QnnGraph_Property_t** properties);

// Adds an op. Its tensors must exist and its inputs must be produced by earlier nodes. The op config is
// copied.
// Errors: QNN_GRAPH_ERROR_INVALID_OP_CONFIG, QNN_GRAPH_ERROR_INVALID_TENSOR,
// QNN_GRAPH_ERROR_UNCONNECTED_NODE, QNN_GRAPH_ERROR_INVALID_NAME, QNN_GRAPH_ERROR_GRAPH_FINALIZED.
QNN_API Qnn_ErrorHandle_t QnnGraph_addNode(Qnn_GraphHandle_t graphHandle, Qnn_OpConfig_t opConfig);

// Compiles the graph; afterwards it can be executed and no longer changed.
// Errors: QNN_GRAPH_ERROR_OPTIMIZATION_FAILED, QNN_GRAPH_ERROR_FINALIZE_FAILED, QNN_GRAPH_ERROR_MEM_ALLOC,
// QNN_GRAPH_ERROR_SET_PROFILE, QNN_GRAPH_ERROR_INVALID_HANDLE.
QNN_API Qnn_ErrorHandle_t QnnGraph_finalize(Qnn_GraphHandle_t graphHandle, Qnn_ProfileHandle_t profileHandle,
                                            Qnn_SignalHandle_t signalHandle);

// Finds a graph of a context by its name, e.g. after loading a binary.
// Errors: QNN_GRAPH_ERROR_GRAPH_DOES_NOT_EXIST, QNN_GRAPH_ERROR_INVALID_NAME,
// QNN_GRAPH_ERROR_INVALID_CONTEXT, QNN_GRAPH_ERROR_DISABLED.
QNN_API Qnn_ErrorHandle_t QnnGraph_retrieve(Qnn_ContextHandle_t contextHandle, const char* graphName,
                                            Qnn_GraphHandle_t* graphHandle);

// Binds memory to I/O tensors ahead of execution.
// Errors: QNN_GRAPH_ERROR_INVALID_HANDLE, QNN_GRAPH_ERROR_INVALID_ARGUMENT,
// QNN_GRAPH_ERROR_UNSUPPORTED_FEATURE.
QNN_API Qnn_ErrorHandle_t QnnGraph_prepareExecutionEnvironment(Qnn_GraphHandle_t graphHandle,
                                                               QnnGraph_ExecuteEnvironment_t** envs,
                                                               uint32_t envSize);

// Runs the graph and waits. Tensors are matched by id, in any order.
// Errors: QNN_GRAPH_ERROR_GRAPH_NOT_FINALIZED, QNN_GRAPH_ERROR_INVALID_TENSOR,
// QNN_GRAPH_ERROR_INVALID_HANDLE, QNN_GRAPH_ERROR_ABORTED, QNN_GRAPH_ERROR_TIMED_OUT,
// QNN_GRAPH_ERROR_SIGNAL_IN_USE.
QNN_API Qnn_ErrorHandle_t QnnGraph_execute(Qnn_GraphHandle_t graphHandle, const Qnn_Tensor_t* inputs,
                                           uint32_t numInputs, Qnn_Tensor_t* outputs, uint32_t numOutputs,
                                           Qnn_ProfileHandle_t profileHandle,
                                           Qnn_SignalHandle_t signalHandle);

// Queues a run; `notifyFn` (may be null) is called when it ends. Buffers stay with the backend until then.
// Errors: QNN_GRAPH_ERROR_EXECUTION_ASYNC_FIFO_FULL, QNN_GRAPH_ERROR_GRAPH_NOT_FINALIZED,
// QNN_GRAPH_ERROR_INVALID_TENSOR, QNN_GRAPH_ERROR_SIGNAL_IN_USE.
QNN_API Qnn_ErrorHandle_t QnnGraph_executeAsync(Qnn_GraphHandle_t graphHandle, const Qnn_Tensor_t* inputs,
                                                uint32_t numInputs, Qnn_Tensor_t* outputs,
                                                uint32_t numOutputs, Qnn_ProfileHandle_t profileHandle,
                                                Qnn_SignalHandle_t signalHandle, Qnn_NotifyFn_t notifyFn,
                                                void* notifyParam);

// Undoes QnnGraph_prepareExecutionEnvironment.
// Errors: QNN_GRAPH_ERROR_INVALID_HANDLE, QNN_GRAPH_ERROR_INVALID_ARGUMENT,
// QNN_GRAPH_ERROR_UNSUPPORTED_FEATURE.
QNN_API Qnn_ErrorHandle_t QnnGraph_releaseExecutionEnvironment(Qnn_GraphHandle_t graphHandle,
                                                               const QnnGraph_ExecuteEnvironment_t** envs,
                                                               uint32_t envSize);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // OPENQNN_QNN_QNN_GRAPH_H_
