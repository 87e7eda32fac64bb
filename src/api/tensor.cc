// SPDX-License-Identifier: BSD-3-Clause
// QnnTensor.h
#include "QnnTensor.h"
#include "api/answer.h"
#include "api/convert.h"
#include "base/text.h"

namespace openqnn::api {
namespace {

// A tensor of a graph, or the documented code with the tensor's name.
Outcome<ir::Tensor> tensor_for(const runtime::Graph& graph, const Qnn_Tensor_t& tensor) {
  auto converted = to_tensor(tensor);
  if (converted) return *std::move(converted);
  Diagnostic diagnostic = std::move(converted).error();
  diagnostic.where.object = concat("graph '", graph.name(), "', tensor '", name_of(tensor), "'");
  const bool unsupported = diagnostic.failure == Failure::kUnsupported;
  return ApiError(
      unsupported ? QNN_TENSOR_ERROR_UNSUPPORTED_TENSOR_PARAM : QNN_TENSOR_ERROR_INVALID_TENSOR_PARAM,
      std::move(diagnostic));
}

}  // namespace
}  // namespace openqnn::api

using namespace openqnn;       // NOLINT: the C API has no namespace of its own
using namespace openqnn::api;  // NOLINT

Qnn_ErrorHandle_t QnnTensor_createGraphTensor(Qnn_GraphHandle_t graph, Qnn_Tensor_t* tensor) {
  return answer("QnnTensor_createGraphTensor", [&]() -> Outcome<> {
    OPENQNN_ASSIGN(const auto owner, find<runtime::Graph>(graph, QNN_TENSOR_ERROR_INVALID_HANDLE));
    if (!tensor) return null_argument(QNN_TENSOR_ERROR_INVALID_TENSOR_PARAM, "tensor");
    if (is_absent(*tensor)) {  // stands for an operand that is left out: there is nothing to make
      common_fields(*tensor).id = 0;
      return {};
    }
    OPENQNN_ASSIGN(ir::Tensor converted, tensor_for(*owner, *tensor));
    OPENQNN_ASSIGN(common_fields(*tensor).id, owner->add_tensor(std::move(converted)));
    return {};
  });
}

Qnn_ErrorHandle_t QnnTensor_updateGraphTensors(Qnn_GraphHandle_t graph, const Qnn_Tensor_t** tensor,
                                               uint64_t numTensors) {
  return answer("QnnTensor_updateGraphTensors", [&]() -> Outcome<> {
    OPENQNN_ASSIGN(const auto owner, find<runtime::Graph>(graph, QNN_TENSOR_ERROR_INVALID_HANDLE));
    if (numTensors > 0 && !tensor) return null_argument(QNN_TENSOR_ERROR_INVALID_TENSOR_PARAM, "tensor");
    std::vector<runtime::TensorUpdate> updates;
    for (uint64_t i = 0; i < numTensors; ++i) {
      if (!tensor[i]) return null_argument(QNN_TENSOR_ERROR_INVALID_TENSOR_PARAM, "tensor");
      OPENQNN_ASSIGN(ir::Tensor converted, tensor_for(*owner, *tensor[i]));
      updates.push_back({common_fields(*tensor[i]).id, std::move(converted)});
    }
    return owner->update_tensors(updates);
  });
}
