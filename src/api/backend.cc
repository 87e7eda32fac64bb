// SPDX-License-Identifier: BSD-3-Clause
// QnnBackend.h
#include "HTP/QnnHtpCommon.h"
#include "QnnOpPackage.h"
#include "QnnSdkBuildId.h"
#include "api/answer.h"
#include "api/op_config.h"
#include "base/text.h"
#include "ops/op.h"

namespace openqnn::api {
namespace {

Outcome<> refuse_config(const QnnBackend_Config_t& config) {
  return ApiError(
      QNN_BACKEND_ERROR_NOT_SUPPORTED,
      unsupported("backend-option", concat("backend option ", number_of(config.option), " is not supported"))
          .fix_by("leave the option out"));
}

const std::vector<QnnBackend_OperationName_t>& operation_names() {
  static const auto names = [] {
    std::vector<QnnBackend_OperationName_t> result;
    for (const ops::OpDef* op : ops::all_ops()) result.push_back({kBuiltInPackage, op->type.data(), nullptr});
    return result;
  }();
  return names;
}

}  // namespace
}  // namespace openqnn::api

using namespace openqnn;       // NOLINT: the C API has no namespace of its own
using namespace openqnn::api;  // NOLINT

Qnn_ErrorHandle_t QnnBackend_create(Qnn_LogHandle_t logger, const QnnBackend_Config_t** config,
                                    Qnn_BackendHandle_t* backend) {
  return answer("QnnBackend_create", [&]() -> Outcome<> {
    if (!backend) return null_argument(QNN_BACKEND_ERROR_INVALID_ARGUMENT, "backend");
    OPENQNN_ASSIGN(const auto log, find_optional<runtime::Log>(logger, QNN_BACKEND_ERROR_INVALID_ARGUMENT));
    OPENQNN_TRY(for_each_config(config, refuse_config));
    OPENQNN_ASSIGN_AS(runtime::Persona persona, QNN_BACKEND_ERROR_CANNOT_INITIALIZE,
                      runtime::persona_from_environment());
    Logger log_to = log ? log->log() : Logger();
    OPENQNN_ASSIGN(*backend,
                   publish(std::make_unique<runtime::Backend>(std::move(log_to), std::move(persona))));
    return {};
  });
}

Qnn_ErrorHandle_t QnnBackend_setConfig(Qnn_BackendHandle_t backend, const QnnBackend_Config_t** config) {
  return answer("QnnBackend_setConfig", [&]() -> Outcome<> {
    OPENQNN_TRY(find<runtime::Backend>(backend));
    return for_each_config(config, refuse_config);
  });
}

Qnn_ErrorHandle_t QnnBackend_getApiVersion(Qnn_ApiVersion_t* pVersion) {
  return answer("QnnBackend_getApiVersion", [&]() -> Outcome<> {
    if (!pVersion) return null_argument(QNN_BACKEND_ERROR_INVALID_ARGUMENT, "pVersion");
    *pVersion = QNN_HTP_API_VERSION_INIT;
    return {};
  });
}

Qnn_ErrorHandle_t QnnBackend_getBuildId(const char** id) {
  return answer("QnnBackend_getBuildId", [&]() -> Outcome<> {
    if (!id) return null_argument(QNN_BACKEND_ERROR_INVALID_ARGUMENT, "id");
    *id = QNN_SDK_BUILD_ID;
    return {};
  });
}

Qnn_ErrorHandle_t QnnBackend_getSupportedOperations(Qnn_BackendHandle_t backend, uint32_t* numOperations,
                                                    const QnnBackend_OperationName_t** operations) {
  return answer("QnnBackend_getSupportedOperations", [&]() -> Outcome<> {
    OPENQNN_TRY(find<runtime::Backend>(backend));
    if (!numOperations) return null_argument(QNN_BACKEND_ERROR_INVALID_ARGUMENT, "numOperations");
    if (!operations) return null_argument(QNN_BACKEND_ERROR_INVALID_ARGUMENT, "operations");
    *numOperations = static_cast<uint32_t>(operation_names().size());
    *operations = operation_names().data();
    return {};
  });
}

Qnn_ErrorHandle_t QnnBackend_validateOpConfig(Qnn_BackendHandle_t backend, Qnn_OpConfig_t opConfig) {
  return answer("QnnBackend_validateOpConfig", [&]() -> Outcome<> {
    OPENQNN_TRY(find<runtime::Backend>(backend));
    OPENQNN_TRY_AS(QNN_OP_PACKAGE_ERROR_VALIDATION_FAILURE, validate_op_config(opConfig));
    return {};
  });
}

Qnn_ErrorHandle_t QnnBackend_free(Qnn_BackendHandle_t backend) {
  return answer("QnnBackend_free", [&] { return free_handle<runtime::Backend>(backend); });
}
