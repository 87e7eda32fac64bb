// SPDX-License-Identifier: BSD-3-Clause
// QnnGraph.h
#include "api/answer.h"
#include "api/convert.h"
#include "api/graph_options.h"
#include "api/op_config.h"
#include "api/twins.h"
#include "base/text.h"

namespace openqnn::api {
namespace {

// The tensors an op config names; absent optional ones have the id ir::kNoTensor.
Outcome<std::vector<runtime::TensorRef>> tensor_refs(std::span<const Qnn_Tensor_t> tensors) {
  std::vector<runtime::TensorRef> refs;
  for (const Qnn_Tensor_t& tensor : tensors) {
    OPENQNN_TRY_AS(QNN_GRAPH_ERROR_INVALID_TENSOR, check_version(tensor));
    refs.push_back({is_absent(tensor) ? ir::kNoTensor : common_fields(tensor).id, name_of(tensor)});
  }
  return refs;
}

// Where the bytes of a tensor are: in a client buffer or behind a memory handle.
Status find_bytes(const Qnn_TensorV1_t& fields, const runtime::Graph& graph, runtime::Binding& binding,
                  std::vector<Ref<runtime::Memory>>& memory) {
  switch (number_of(fields.memType)) {
    case QNN_TENSORMEMTYPE_RAW:
      binding.data = static_cast<std::byte*>(fields.clientBuf.data);
      binding.bytes = fields.clientBuf.dataSize;
      return {};
    case QNN_TENSORMEMTYPE_MEMHANDLE: {
      auto found = runtime::memory_for_execute(fields.memHandle, *graph.parts().memory,
                                               QNN_GRAPH_ERROR_INVALID_TENSOR);
      if (!found) return std::move(found).error().diagnostic;
      binding.data = (*found)->data();
      binding.bytes = (*found)->bytes();
      binding.memory = ir::ClientMemory::kMemHandle;
      memory.push_back(*std::move(found));
      return {};
    }
    case QNN_TENSORMEMTYPE_UNDEFINED:
      return invalid("execute-memory", "memType was left undefined")
          .fix_by("set it to QNN_TENSORMEMTYPE_RAW or QNN_TENSORMEMTYPE_MEMHANDLE");
    default:
      return unsupported("execute-memory",
                         concat("memory type ", number_of(fields.memType),
                                " is not supported; raw client buffers (0) and memory handles (1) are"));
  }
}

Result<runtime::Binding> to_binding(const Qnn_Tensor_t& tensor, const runtime::Graph& graph,
                                    std::vector<Ref<runtime::Memory>>& memory) {
  OPENQNN_TRY(check_version(tensor));
  const Qnn_TensorV1_t& fields = common_fields(tensor);
  runtime::Binding binding{.id = fields.id, .type = static_cast<ir::DataType>(number_of(fields.dataType))};
  OPENQNN_TRY(find_bytes(fields, graph, binding, memory));
  OPENQNN_TRY(check_dense(fields.dataFormat));
  if (fields.dimensions) binding.shape = ir::Shape(std::span<const uint32_t>(fields.dimensions, fields.rank));
  return binding;
}

// Clients may pass more tensors than the graph has: those are not looked at.
bool belongs_to(const runtime::ExecutionPlan* plan, const Qnn_Tensor_t& tensor) {
  return !plan || !check_version(tensor) || plan->has(common_fields(tensor).id);
}

Outcome<> add_bindings(const Qnn_Tensor_t* tensors, uint32_t count, const char* list,
                       const runtime::Graph& graph, runtime::Execution& execution,
                       std::vector<runtime::Binding>& bindings) {
  if (count > 0 && !tensors) return null_argument(QNN_GRAPH_ERROR_INVALID_ARGUMENT, list);
  for (uint32_t i = 0; i < count; ++i) {
    if (!belongs_to(execution.plan.get(), tensors[i])) continue;
    auto binding = to_binding(tensors[i], graph, execution.memory);
    if (!binding) {
      Diagnostic diagnostic = std::move(binding).error();
      diagnostic.where.object = concat(list, " ", i, " ('", name_of(tensors[i]), "')");
      return ApiError(QNN_GRAPH_ERROR_INVALID_TENSOR, std::move(diagnostic));
    }
    bindings.push_back(*std::move(binding));
  }
  return {};
}

// One execute with all it needs until it ends: a queued one outlives the call that made it.
struct Execute {
  Ref<runtime::Graph> graph;  // the first member and the last to go: the execution goes back to it
  Ref<runtime::Profile> profile;
  runtime::SignalledCall signal;
  runtime::Graph::ExecutionPtr execution;

  Outcome<> run() { return graph->run(*execution, profile ? &*profile : nullptr, signal); }
};

// Finds and checks everything that the arguments name.
Outcome<Execute> begin_execute(Qnn_GraphHandle_t graph_handle, const Qnn_Tensor_t* inputs,
                               uint32_t input_count, const Qnn_Tensor_t* outputs, uint32_t output_count,
                               Qnn_ProfileHandle_t profile_handle, Qnn_SignalHandle_t signal_handle) {
  OPENQNN_ASSIGN(auto graph, find<runtime::Graph>(graph_handle));
  if (graph->parts().prepare_only)
    return ApiError(QNN_COMMON_ERROR_OPERATION_NOT_PERMITTED,
                    invalid("graph-prepare-only", "the context is for preparing only")
                        .at(concat("graph '", graph->name(), "'"))
                        .fix_by("create the context without the option PREPARE_ONLY, or load its binary"));
  OPENQNN_ASSIGN(auto profile, find_optional<runtime::Profile>(profile_handle, QNN_GRAPH_ERROR_SET_PROFILE));
  runtime::Graph::ExecutionPtr execution = graph->begin_execution();
  OPENQNN_TRY(add_bindings(inputs, input_count, "inputs", *graph, *execution, execution->inputs));
  OPENQNN_TRY(add_bindings(outputs, output_count, "outputs", *graph, *execution, execution->outputs));
  OPENQNN_TRY(graph->bind(*execution));
  OPENQNN_ASSIGN(auto signal, runtime::SignalledCall::begin(signal_handle, runtime::kGraphSignalCodes));
  return Execute{std::move(graph), std::move(profile), std::move(signal), std::move(execution)};
}

// Version 2 outputs say whether they were written.
void mark_produced(std::span<Qnn_Tensor_t> outputs, const runtime::Execution& execution) {
  for (Qnn_Tensor_t& output : outputs)
    if (number_of(output.version) == QNN_TENSOR_VERSION_2 && execution.plan->has(output.v2.id))
      output.v2.isProduced = execution.withheld(output.v2.id) ? 0 : 1;
}

ApiError not_queued(runtime::AsyncQueue::Pushed why, const std::string& graph) {
  const std::string where = concat("graph '", graph, "'");
  if (why == runtime::AsyncQueue::Pushed::kFull)
    return {QNN_GRAPH_ERROR_EXECUTION_ASYNC_FIFO_FULL,
            exhausted("async-full", "the queue of the context is full")
                .at(where)
                .fix_by("wait for a notification, or create the context with a deeper queue (at most 300)")};
  if (why == runtime::AsyncQueue::Pushed::kClosed)
    return {QNN_GRAPH_ERROR_INVALID_HANDLE, invalid("async-closed", "the context is being freed").at(where)};
  return {QNN_GRAPH_ERROR_MEM_ALLOC, exhausted("async-thread", "the system starts no thread").at(where)};
}

}  // namespace
}  // namespace openqnn::api

using namespace openqnn;       // NOLINT: the C API has no namespace of its own
using namespace openqnn::api;  // NOLINT

Qnn_ErrorHandle_t QnnGraph_create(Qnn_ContextHandle_t contextHandle, const char* graphName,
                                  const QnnGraph_Config_t** config, Qnn_GraphHandle_t* graphHandle) {
  return answer("QnnGraph_create", [&]() -> Outcome<> {
    OPENQNN_TRY(refuse_twins());
    if (!graphHandle) return null_argument(QNN_GRAPH_ERROR_INVALID_ARGUMENT, "graphHandle");
    OPENQNN_ASSIGN(const auto context,
                   find<runtime::Context>(contextHandle, QNN_GRAPH_ERROR_INVALID_CONTEXT));
    if (!graphName || !*graphName)
      return ApiError(QNN_GRAPH_ERROR_INVALID_NAME, invalid("graph-name", "the graph has no name"));
    OPENQNN_ASSIGN(const runtime::GraphOptions defaults, default_graph_options(*context));
    OPENQNN_ASSIGN(const GraphChange change,
                   apply_graph_configs(config, context->log(), context->device()->target, defaults));
    if (context->parts().priority_is_frozen && change.options.priority != defaults.priority)
      return frozen_priority(QNN_GRAPH_ERROR_INVALID_ARGUMENT, concat("graph '", graphName, "'"));
    OPENQNN_TRY(check_offline(change.options.prepare));
    OPENQNN_ASSIGN(*graphHandle, context->create_graph(graphName, change.options));
    return {};
  });
}

Qnn_ErrorHandle_t QnnGraph_setConfig(Qnn_GraphHandle_t graphHandle, const QnnGraph_Config_t** config) {
  return answer("QnnGraph_setConfig", [&]() -> Outcome<> {
    OPENQNN_ASSIGN(const auto graph, find<runtime::Graph>(graphHandle));
    const runtime::GraphOptions before = graph->options();
    OPENQNN_ASSIGN(const GraphChange change,
                   apply_graph_configs(config, graph->log(), graph->parts().device->target, before));
    if (graph->parts().priority_is_frozen && change.options.priority != before.priority)
      return frozen_priority(QNN_GRAPH_ERROR_INVALID_ARGUMENT, concat("graph '", graph->name(), "'"));
    if (change.prepares || ((change.sets_hvx_threads || change.sets_slc) && !graph->finalized())) {
      OPENQNN_TRY(check_offline(change.options.prepare));
      return graph->set_options(change.options);
    }
    const prepare::Options& wanted = change.options.prepare;
    OPENQNN_TRY(graph->change_finalized(change.sets_slc ? std::optional(wanted.use_slc) : std::nullopt,
                                        change.sets_hvx_threads ? wanted.hvx_threads : std::nullopt));
    graph->set_priority(change.options.priority);
    return {};
  });
}

Qnn_ErrorHandle_t QnnGraph_addNode(Qnn_GraphHandle_t graphHandle, Qnn_OpConfig_t opConfig) {
  return answer("QnnGraph_addNode", [&]() -> Outcome<> {
    OPENQNN_ASSIGN(const auto graph, find<runtime::Graph>(graphHandle));
    OPENQNN_ASSIGN_AS(const Qnn_OpConfigV1_t* const op, QNN_GRAPH_ERROR_INVALID_OP_CONFIG,
                      check_op_config(opConfig));
    OPENQNN_ASSIGN(auto package,
                   package_of(*op, *graph->parts().packages, QNN_GRAPH_ERROR_INVALID_OP_CONFIG));
    if (package) OPENQNN_TRY_AS(QNN_GRAPH_ERROR_INVALID_OP_CONFIG, package->validate(opConfig));
    OPENQNN_ASSIGN(const auto inputs, tensor_refs({op->inputTensors, op->numOfInputs}));
    OPENQNN_ASSIGN(const auto outputs, tensor_refs({op->outputTensors, op->numOfOutputs}));
    ir::Node node{.name = op->name, .type = op->typeName};
    OPENQNN_ASSIGN_AS(node.params, QNN_GRAPH_ERROR_INVALID_OP_CONFIG,
                      to_params({op->params, op->numOfParams}));
    return graph->add_node(std::move(node), inputs, outputs, std::move(package));
  });
}

Qnn_ErrorHandle_t QnnGraph_finalize(Qnn_GraphHandle_t graphHandle, Qnn_ProfileHandle_t profileHandle,
                                    Qnn_SignalHandle_t signalHandle) {
  return answer("QnnGraph_finalize", [&]() -> Outcome<> {
    OPENQNN_ASSIGN(const auto graph, find<runtime::Graph>(graphHandle));
    OPENQNN_ASSIGN(const auto profile,
                   find_optional<runtime::Profile>(profileHandle, QNN_GRAPH_ERROR_SET_PROFILE));
    if (signalHandle)
      return ApiError(
          QNN_GRAPH_ERROR_UNSUPPORTED_FEATURE,
          unsupported("graph-signal", "HTP takes no signal in finalize").fix_by("pass no signal"));
    return graph->finalize(profile ? &*profile : nullptr);
  });
}

Qnn_ErrorHandle_t QnnGraph_retrieve(Qnn_ContextHandle_t contextHandle, const char* graphName,
                                    Qnn_GraphHandle_t* graphHandle) {
  return answer("QnnGraph_retrieve", [&]() -> Outcome<> {
    OPENQNN_ASSIGN(const auto context,
                   find<runtime::Context>(contextHandle, QNN_GRAPH_ERROR_INVALID_CONTEXT));
    if (!graphName) return null_argument(QNN_GRAPH_ERROR_INVALID_NAME, "graphName");
    if (!graphHandle) return null_argument(QNN_GRAPH_ERROR_INVALID_ARGUMENT, "graphHandle");
    OPENQNN_ASSIGN(*graphHandle, context->retrieve_graph(graphName));
    return {};
  });
}

// From here to the kernel: runtime::Graph::run, exec::Executor::run, the op's kernel.
Qnn_ErrorHandle_t QnnGraph_execute(Qnn_GraphHandle_t graphHandle, const Qnn_Tensor_t* inputs,
                                   uint32_t numInputs, Qnn_Tensor_t* outputs, uint32_t numOutputs,
                                   Qnn_ProfileHandle_t profileHandle, Qnn_SignalHandle_t signalHandle) {
  return answer("QnnGraph_execute", [&]() -> Outcome<> {
    OPENQNN_ASSIGN(Execute call, begin_execute(graphHandle, inputs, numInputs, outputs, numOutputs,
                                               profileHandle, signalHandle));
    OPENQNN_TRY(call.run());
    mark_produced({outputs, numOutputs}, *call.execution);
    return {};
  });
}

Qnn_ErrorHandle_t QnnGraph_executeAsync(Qnn_GraphHandle_t graphHandle, const Qnn_Tensor_t* inputs,
                                        uint32_t numInputs, Qnn_Tensor_t* outputs, uint32_t numOutputs,
                                        Qnn_ProfileHandle_t profileHandle, Qnn_SignalHandle_t signalHandle,
                                        Qnn_NotifyFn_t notifyFn, void* notifyParam) {
  return answer("QnnGraph_executeAsync", [&]() -> Outcome<> {
    OPENQNN_ASSIGN(Execute begun, begin_execute(graphHandle, inputs, numInputs, outputs, numOutputs,
                                                profileHandle, signalHandle));
    const auto queue = begun.graph->parts().queue;
    const std::string name = begun.graph->name();
    const auto finish = [notifyFn, notifyParam](Qnn_ErrorHandle_t status) {
      if (notifyFn) notifyFn(notifyParam, Qnn_NotifyStatus_t{status});
    };
    // No output is marked as produced: the client's array may be gone when the request ends.
    // The request alone holds what executes: the signal is free again before the client is notified.
    const auto pushed = queue->push({[call = std::make_shared<Execute>(std::move(begun))] {
                                       return answer("QnnGraph_executeAsync", [&]() -> Outcome<> {
                                         CallScope::current().belongs_to(call->graph->log());
                                         return call->run();
                                       });
                                     },
                                     finish});
    if (pushed != runtime::AsyncQueue::Pushed::kYes) return not_queued(pushed, name);
    return {};
  });
}
