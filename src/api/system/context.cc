// SPDX-License-Identifier: BSD-3-Clause
// System/QnnSystemContext.h
#include <list>
#include <mutex>

#include "api/answer.h"
#include "api/system/binary_info.h"
#include "program/context_binary.h"

namespace openqnn::api {
namespace {

// Infos live as long as the handle they were asked through.
class SystemContext : public runtime::Object {
 public:
  static constexpr runtime::Kind kKind = runtime::Kind::kSystemContext;
  static constexpr const char* kName = "system context";
  static constexpr Qnn_ErrorHandle_t kInvalidHandle = QNN_SYSTEM_CONTEXT_ERROR_INVALID_HANDLE;

  Outcome<const QnnSystemContext_BinaryInfo_t*> info_of(std::span<const std::byte> bytes) {
    OPENQNN_ASSIGN_AS(const program::ProgramSet set, QNN_SYSTEM_CONTEXT_ERROR_MALFORMED_BINARY,
                      program::read_context_binary(bytes, nullptr, program::DataCheck::kUnused));
    const std::lock_guard lock(mutex_);
    return infos_.emplace_back(set, bytes.size(), InfoFormat::of(client_sdk())).get();
  }

 private:
  std::mutex mutex_;
  std::list<BinaryInfo> infos_;
};

Outcome<> get_info(QnnSystemContext_Handle_t handle, const void* buffer, uint64_t size,
                   const QnnSystemContext_BinaryInfo_t** info) {
  OPENQNN_ASSIGN(const auto context, find<SystemContext>(handle));
  if (!buffer) return null_argument(QNN_SYSTEM_CONTEXT_ERROR_INVALID_ARGUMENT, "binaryBuffer");
  if (!info) return null_argument(QNN_SYSTEM_CONTEXT_ERROR_INVALID_ARGUMENT, "binaryInfo");
  OPENQNN_ASSIGN(*info, context->info_of({static_cast<const std::byte*>(buffer), size}));
  return {};
}

}  // namespace
}  // namespace openqnn::api

using namespace openqnn;       // NOLINT: the C API has no namespace of its own
using namespace openqnn::api;  // NOLINT

Qnn_ErrorHandle_t QnnSystemContext_create(QnnSystemContext_Handle_t* sysCtxHandle) {
  return answer("QnnSystemContext_create", [&]() -> Outcome<> {
    if (!sysCtxHandle) return null_argument(QNN_SYSTEM_CONTEXT_ERROR_INVALID_ARGUMENT, "sysCtxHandle");
    OPENQNN_ASSIGN(*sysCtxHandle, publish(std::make_unique<SystemContext>()));
    return {};
  });
}

Qnn_ErrorHandle_t QnnSystemContext_getBinaryInfo(QnnSystemContext_Handle_t sysCtxHandle, void* binaryBuffer,
                                                 uint64_t binaryBufferSize,
                                                 const QnnSystemContext_BinaryInfo_t** binaryInfo,
                                                 Qnn_ContextBinarySize_t* binaryInfoSize) {
  return answer("QnnSystemContext_getBinaryInfo", [&]() -> Outcome<> {
    if (!binaryInfoSize) return null_argument(QNN_SYSTEM_CONTEXT_ERROR_INVALID_ARGUMENT, "binaryInfoSize");
    OPENQNN_TRY(get_info(sysCtxHandle, binaryBuffer, binaryBufferSize, binaryInfo));
    *binaryInfoSize = sizeof **binaryInfo;
    return {};
  });
}

Qnn_ErrorHandle_t QnnSystemContext_getMetadata(QnnSystemContext_Handle_t sysCtxHandle,
                                               const void* binaryBuffer,
                                               Qnn_ContextBinarySize_t binaryBufferSize,
                                               const QnnSystemContext_BinaryInfo_t** binaryInfo) {
  return answer("QnnSystemContext_getMetadata",
                [&] { return get_info(sysCtxHandle, binaryBuffer, binaryBufferSize, binaryInfo); });
}

Qnn_ErrorHandle_t QnnSystemContext_free(QnnSystemContext_Handle_t sysCtxHandle) {
  return answer("QnnSystemContext_free", [&] { return free_handle<SystemContext>(sysCtxHandle); });
}
