// SPDX-License-Identifier: BSD-3-Clause
// QnnTensor.h
#include "QnnTensor.h"
#include "api/answer.h"
#include "api/convert.h"
#include "base/text.h"

using namespace openqnn;       // NOLINT: the C API has no namespace of its own
using namespace openqnn::api;  // NOLINT

Qnn_ErrorHandle_t QnnTensor_createGraphTensor(Qnn_GraphHandle_t graph, Qnn_Tensor_t* tensor) {
  return answer("QnnTensor_createGraphTensor", [&]() -> Outcome<> {
    OPENQNN_ASSIGN(const auto owner, find<runtime::Graph>(graph, QNN_TENSOR_ERROR_INVALID_HANDLE));
    if (!tensor) return null_argument(QNN_TENSOR_ERROR_INVALID_TENSOR_PARAM, "tensor");
    auto converted = to_tensor(*tensor);
    if (!converted) {
      Diagnostic diagnostic = std::move(converted).error();
      diagnostic.where.object = concat("graph '", owner->name(), "', tensor '", name_of(*tensor), "'");
      const bool unsupported = diagnostic.failure == Failure::kUnsupported;
      return ApiError(
          unsupported ? QNN_TENSOR_ERROR_UNSUPPORTED_TENSOR_PARAM : QNN_TENSOR_ERROR_INVALID_TENSOR_PARAM,
          std::move(diagnostic));
    }
    OPENQNN_ASSIGN(common_fields(*tensor).id, owner->add_tensor(*std::move(converted)));
    return {};
  });
}
