// SPDX-License-Identifier: BSD-3-Clause
// QnnGraph.h
#include "api/answer.h"
#include "api/convert.h"
#include "api/graph_options.h"
#include "api/op_config.h"
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

Status check_memory(const Qnn_TensorV1_t& fields) {
  switch (number_of(fields.memType)) {
    case QNN_TENSORMEMTYPE_RAW:
      return {};
    case QNN_TENSORMEMTYPE_UNDEFINED:
      return invalid("execute-memory", "memType was left undefined")
          .fix_by("set it to QNN_TENSORMEMTYPE_RAW");
    default:
      return unsupported("execute-memory", concat("memory type ", number_of(fields.memType),
                                                  " is not supported; raw client buffers (0) are"));
  }
}

Result<runtime::Binding> to_binding(const Qnn_Tensor_t& tensor) {
  OPENQNN_TRY(check_version(tensor));
  const Qnn_TensorV1_t& fields = common_fields(tensor);
  OPENQNN_TRY(check_memory(fields));
  runtime::Binding binding{.id = fields.id,
                           .data = static_cast<std::byte*>(fields.clientBuf.data),
                           .bytes = fields.clientBuf.dataSize,
                           .type = static_cast<ir::DataType>(number_of(fields.dataType))};
  if (fields.dimensions && fields.rank <= ir::kMaxRank)
    binding.shape = ir::Shape(std::span<const uint32_t>(fields.dimensions, fields.rank));
  return binding;
}

Outcome<std::vector<runtime::Binding>> bindings(const Qnn_Tensor_t* tensors, uint32_t count,
                                                const char* list) {
  if (count > 0 && !tensors) return null_argument(QNN_GRAPH_ERROR_INVALID_ARGUMENT, list);
  std::vector<runtime::Binding> result;
  for (uint32_t i = 0; i < count; ++i) {
    auto binding = to_binding(tensors[i]);
    if (!binding) {
      Diagnostic diagnostic = std::move(binding).error();
      diagnostic.where.object = concat(list, " ", i, " ('", name_of(tensors[i]), "')");
      return ApiError(QNN_GRAPH_ERROR_INVALID_TENSOR, std::move(diagnostic));
    }
    result.push_back(*std::move(binding));
  }
  return result;
}

// Signals cannot be created yet, so none can be passed.
Outcome<> refuse_signal(Qnn_SignalHandle_t signal) {
  if (!signal) return {};
  return ApiError(QNN_GRAPH_ERROR_UNSUPPORTED_FEATURE,
                  unsupported("graph-signal", "signals are not supported").fix_by("pass no signal"));
}

}  // namespace
}  // namespace openqnn::api

using namespace openqnn;       // NOLINT: the C API has no namespace of its own
using namespace openqnn::api;  // NOLINT

Qnn_ErrorHandle_t QnnGraph_create(Qnn_ContextHandle_t contextHandle, const char* graphName,
                                  const QnnGraph_Config_t** config, Qnn_GraphHandle_t* graphHandle) {
  return answer("QnnGraph_create", [&]() -> Outcome<> {
    if (!graphHandle) return null_argument(QNN_GRAPH_ERROR_INVALID_ARGUMENT, "graphHandle");
    OPENQNN_ASSIGN(const auto context,
                   find<runtime::Context>(contextHandle, QNN_GRAPH_ERROR_INVALID_CONTEXT));
    if (!graphName || !*graphName)
      return ApiError(QNN_GRAPH_ERROR_INVALID_NAME, invalid("graph-name", "the graph has no name"));
    prepare::Options options;
    OPENQNN_TRY(apply_graph_configs(config, context->log(), options));
    OPENQNN_ASSIGN(*graphHandle, context->create_graph(graphName, options));
    return {};
  });
}

Qnn_ErrorHandle_t QnnGraph_setConfig(Qnn_GraphHandle_t graphHandle, const QnnGraph_Config_t** config) {
  return answer("QnnGraph_setConfig", [&]() -> Outcome<> {
    OPENQNN_ASSIGN(const auto graph, find<runtime::Graph>(graphHandle));
    prepare::Options options = graph->options();
    OPENQNN_TRY(apply_graph_configs(config, graph->log(), options));
    return graph->set_options(options);
  });
}

Qnn_ErrorHandle_t QnnGraph_addNode(Qnn_GraphHandle_t graphHandle, Qnn_OpConfig_t opConfig) {
  return answer("QnnGraph_addNode", [&]() -> Outcome<> {
    OPENQNN_ASSIGN(const auto graph, find<runtime::Graph>(graphHandle));
    OPENQNN_ASSIGN_AS(const Qnn_OpConfigV1_t* const op, QNN_GRAPH_ERROR_INVALID_OP_CONFIG,
                      check_op_config(opConfig));
    OPENQNN_ASSIGN(const auto inputs, tensor_refs({op->inputTensors, op->numOfInputs}));
    OPENQNN_ASSIGN(const auto outputs, tensor_refs({op->outputTensors, op->numOfOutputs}));
    ir::Node node{.name = op->name, .type = op->typeName};
    OPENQNN_ASSIGN_AS(node.params, QNN_GRAPH_ERROR_INVALID_OP_CONFIG,
                      to_params({op->params, op->numOfParams}));
    return graph->add_node(std::move(node), inputs, outputs);
  });
}

Qnn_ErrorHandle_t QnnGraph_finalize(Qnn_GraphHandle_t graphHandle, Qnn_ProfileHandle_t profileHandle,
                                    Qnn_SignalHandle_t signalHandle) {
  return answer("QnnGraph_finalize", [&]() -> Outcome<> {
    OPENQNN_ASSIGN(const auto graph, find<runtime::Graph>(graphHandle));
    OPENQNN_ASSIGN(const auto profile,
                   find_optional<runtime::Profile>(profileHandle, QNN_GRAPH_ERROR_SET_PROFILE));
    OPENQNN_TRY(refuse_signal(signalHandle));
    return graph->finalize(profile ? &*profile : nullptr);
  });
}

Qnn_ErrorHandle_t QnnGraph_retrieve(Qnn_ContextHandle_t contextHandle, const char* graphName,
                                    Qnn_GraphHandle_t* graphHandle) {
  return answer("QnnGraph_retrieve", [&]() -> Outcome<> {
    OPENQNN_ASSIGN(const auto context,
                   find<runtime::Context>(contextHandle, QNN_GRAPH_ERROR_INVALID_CONTEXT));
    if (!graphName) return null_argument(QNN_GRAPH_ERROR_INVALID_ARGUMENT, "graphName");
    if (!graphHandle) return null_argument(QNN_GRAPH_ERROR_INVALID_ARGUMENT, "graphHandle");
    OPENQNN_ASSIGN(*graphHandle, context->retrieve_graph(graphName));
    return {};
  });
}

// From here to the kernel: runtime::Graph::execute, exec::Executor::run, the op's kernel.
Qnn_ErrorHandle_t QnnGraph_execute(Qnn_GraphHandle_t graphHandle, const Qnn_Tensor_t* inputs,
                                   uint32_t numInputs, Qnn_Tensor_t* outputs, uint32_t numOutputs,
                                   Qnn_ProfileHandle_t profileHandle, Qnn_SignalHandle_t signalHandle) {
  return answer("QnnGraph_execute", [&]() -> Outcome<> {
    OPENQNN_ASSIGN(const auto graph, find<runtime::Graph>(graphHandle));
    OPENQNN_ASSIGN(const auto profile,
                   find_optional<runtime::Profile>(profileHandle, QNN_GRAPH_ERROR_SET_PROFILE));
    OPENQNN_TRY(refuse_signal(signalHandle));
    OPENQNN_ASSIGN(const auto input_buffers, bindings(inputs, numInputs, "inputs"));
    OPENQNN_ASSIGN(const auto output_buffers, bindings(outputs, numOutputs, "outputs"));
    return graph->execute(input_buffers, output_buffers, profile ? &*profile : nullptr);
  });
}
