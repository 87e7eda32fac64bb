// SPDX-License-Identifier: BSD-3-Clause
// QnnBackend.h
#include "HTP/QnnHtpCommon.h"
#include "QnnOpPackage.h"
#include "QnnSdkBuildId.h"
#include "api/answer.h"
#include "api/client_sdk.h"
#include "api/convert.h"
#include "api/doubtful_memory.h"
#include "api/op_config.h"
#include "api/twins.h"
#include "base/text.h"

namespace openqnn::api {
namespace {

// Both options of the API are taken; neither has anything to change here.
Outcome<> read_config(const QnnBackend_Config_t& config, const Logger& log) {
  switch (const uint32_t option = number_of(config.option)) {
    case QNN_BACKEND_CONFIG_OPTION_ERROR_REPORTING:
      if (const uint32_t level = number_of(config.errorConfig.reportingLevel);
          level != QNN_ERROR_REPORTING_LEVEL_BRIEF && level != QNN_ERROR_REPORTING_LEVEL_DETAILED)
        return ApiError(
            QNN_BACKEND_ERROR_INVALID_CONFIG,
            invalid("backend-error-reporting", concat("no reporting level has the number ", level,
                                                      ": use one of ", "QNN_ERROR_REPORTING_LEVEL_*")));
      log.warn("backend option 'error reporting' has no effect here: every failure has its sentence");
      return {};
    case QNN_BACKEND_CONFIG_OPTION_PLATFORM: {
      if (!config.platformOption) return null_argument(QNN_BACKEND_ERROR_INVALID_ARGUMENT, "platformOption");
      const std::optional<std::string> text = doubtful_text(config.platformOption);
      if (!text)
        return ApiError(QNN_BACKEND_ERROR_INVALID_CONFIG,
                        invalid("backend-platform", "platformOption points to no memory"));
      log.warn(concat("backend option 'platform' (", *text, ") has no effect here: no platform reads it"));
      return {};
    }
    default:
      return ApiError(QNN_BACKEND_ERROR_NOT_SUPPORTED,
                      unsupported("backend-option", concat("backend option ", option, " is not supported"))
                          .fix_by("leave it out"));
  }
}

// Which processor a package is for. All of them run on this one: the names are only checked.
Status check_target(const char* target) {
  if (!target || std::string_view(target) == "CPU" || std::string_view(target) == "HTP") return {};
  return invalid("op-package-target", concat("target '", target, "' is neither 'CPU' nor 'HTP'"))
      .fix_by("leave it null for the processor that this library runs on");
}

// The API names no device here. Ours: the youngest part alive, but for those assumed for a context; without
// one, the part that the process plays, where it plays one.
Status validate_for_part(const Qnn_OpConfigV1_t& op, const runtime::Backend& backend) {
  if (const auto device = runtime::current_chosen_device()) return validate_built_in(op, &device->target);
  const auto& played = backend.persona().target;
  return validate_built_in(op, played ? &*played : nullptr);
}

bool is_sparse(const Qnn_Tensor_t& tensor) {
  return common_fields(tensor).dataFormat == QNN_TENSOR_DATA_FORMAT_SPARSE;
}

Status validate_by(const runtime::OpPackage& package, const Qnn_OpConfig_t& config) {
  const Qnn_OpConfigV1_t& op = config.v1;
  for (uint32_t i = 0; i < op.numOfInputs; ++i)
    if (is_sparse(op.inputTensors[i])) return ops::refuse_sparse(concat("input ", i));
  for (uint32_t i = 0; i < op.numOfOutputs; ++i)
    if (is_sparse(op.outputTensors[i])) return ops::refuse_sparse(concat("output ", i));
  return package.validate(config);
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
    Logger log_to = log ? log->log() : Logger();
    OPENQNN_TRY(for_each_config(config, [&](const auto& each) { return read_config(each, log_to); }));
    if (const auto sdk = unreadable_client_sdk())
      log_to.warn(concat("OPENQNN_CLIENT_SDK='", *sdk, "' is no version such as 2.43: it has no effect"));
    OPENQNN_ASSIGN_AS(runtime::Persona persona, QNN_BACKEND_ERROR_CANNOT_INITIALIZE,
                      runtime::persona_from_environment());
    OPENQNN_ASSIGN(*backend,
                   publish(std::make_unique<runtime::Backend>(std::move(log_to), std::move(persona))));
    return {};
  });
}

Qnn_ErrorHandle_t QnnBackend_setConfig(Qnn_BackendHandle_t backend, const QnnBackend_Config_t** config) {
  return answer("QnnBackend_setConfig", [&]() -> Outcome<> {
    OPENQNN_ASSIGN(const auto found, find<runtime::Backend>(backend));
    return for_each_config(config, [&](const auto& each) { return read_config(each, found->log()); });
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
    OPENQNN_ASSIGN(const auto found, find<runtime::Backend>(backend));
    if (!numOperations) return null_argument(QNN_BACKEND_ERROR_INVALID_ARGUMENT, "numOperations");
    if (!operations) return null_argument(QNN_BACKEND_ERROR_INVALID_ARGUMENT, "operations");
    const auto& names = found->operations(kBuiltInPackage);
    *numOperations = static_cast<uint32_t>(names.size());
    *operations = names.data();
    return {};
  });
}

Qnn_ErrorHandle_t QnnBackend_validateOpConfig(Qnn_BackendHandle_t backend, Qnn_OpConfig_t opConfig) {
  return answer("QnnBackend_validateOpConfig", [&]() -> Outcome<> {
    OPENQNN_TRY(refuse_twins());
    OPENQNN_ASSIGN(const auto found, find<runtime::Backend>(backend));
    OPENQNN_ASSIGN_AS(const Qnn_OpConfigV1_t* const op, QNN_OP_PACKAGE_ERROR_VALIDATION_FAILURE,
                      check_op_config(opConfig));
    OPENQNN_ASSIGN(const auto package,
                   package_of(*op, *found->packages(), QNN_BACKEND_ERROR_OP_PACKAGE_NOT_FOUND));
    OPENQNN_TRY_AS(QNN_OP_PACKAGE_ERROR_VALIDATION_FAILURE,
                   package ? validate_by(*package, opConfig) : validate_for_part(*op, *found));
    return {};
  });
}

Qnn_ErrorHandle_t QnnBackend_registerOpPackage(Qnn_BackendHandle_t backend, const char* packagePath,
                                               const char* interfaceProvider, const char* target) {
  return answer("QnnBackend_registerOpPackage", [&]() -> Outcome<> {
    OPENQNN_TRY(refuse_twins());
    OPENQNN_ASSIGN(const auto found, find<runtime::Backend>(backend));
    if (!packagePath) return null_argument(QNN_BACKEND_ERROR_INVALID_ARGUMENT, "packagePath");
    if (!interfaceProvider) return null_argument(QNN_BACKEND_ERROR_INVALID_ARGUMENT, "interfaceProvider");
    OPENQNN_TRY_AS(QNN_BACKEND_ERROR_INVALID_ARGUMENT, check_target(target));
    return found->packages()->add(packagePath, interfaceProvider, kBuiltInPackage);
  });
}

Qnn_ErrorHandle_t QnnBackend_free(Qnn_BackendHandle_t backend) {
  return answer("QnnBackend_free", [&] { return free_handle<runtime::Backend>(backend); });
}
