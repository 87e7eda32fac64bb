// SPDX-License-Identifier: BSD-3-Clause
// QnnContext.h
#include "api/answer.h"
#include "api/context_load.h"
#include "api/context_options.h"
#include "api/timed_call.h"
#include "api/twins.h"
#include "base/text.h"

namespace openqnn::api {
namespace {

// With a null signal, nothing stops it.
Outcome<> create_from_binary(Qnn_BackendHandle_t backend, Qnn_DeviceHandle_t device,
                             const ClientBinary& binary, Qnn_ContextHandle_t* context,
                             Qnn_SignalHandle_t signal) {
  if (!context) return null_argument(QNN_CONTEXT_ERROR_INVALID_ARGUMENT, "context");
  OPENQNN_TRY(refuse_twins());
  OPENQNN_ASSIGN(const auto owner, find<runtime::Backend>(backend, QNN_CONTEXT_ERROR_INVALID_HANDLE));
  OPENQNN_ASSIGN(auto state, device_to_load_for(device, *owner));
  OPENQNN_ASSIGN(ContextLoad load, ContextLoad::read(binary, *owner, std::move(state)));
  OPENQNN_ASSIGN(const auto stop, runtime::SignalledCall::begin(signal, runtime::kContextSignalCodes));
  OPENQNN_ASSIGN(*context, load.run(stop));
  return {};
}

// A context that is created has no binary.
void warn_of_options_of_loading(const runtime::ContextOptions& options, const Logger& log) {
  const auto warn = [&](bool given, const char* option) {
    if (given)
      log.warn(concat("context option '", option, "' has no effect here: it counts when a binary is loaded"));
  };
  warn(options.enabled_graphs.has_value(), "enable graphs");
  warn(options.persistent_binary, "persistent binary");
  warn(options.strict, "binary compatibility");
}

}  // namespace
}  // namespace openqnn::api

using namespace openqnn;       // NOLINT: the C API has no namespace of its own
using namespace openqnn::api;  // NOLINT

Qnn_ErrorHandle_t QnnContext_create(Qnn_BackendHandle_t backend, Qnn_DeviceHandle_t device,
                                    const QnnContext_Config_t** config, Qnn_ContextHandle_t* context) {
  return answer("QnnContext_create", [&]() -> Outcome<> {
    OPENQNN_TRY(refuse_twins());
    if (!context) return null_argument(QNN_CONTEXT_ERROR_INVALID_ARGUMENT, "context");
    OPENQNN_ASSIGN(const auto owner, find<runtime::Backend>(backend, QNN_CONTEXT_ERROR_INVALID_HANDLE));
    OPENQNN_ASSIGN(const runtime::ContextOptions options, read_context_configs(config, owner->log()));
    warn_of_options_of_loading(options, owner->log());
    OPENQNN_ASSIGN(auto state, device_for(device, *owner));
    OPENQNN_TRY(check_limits(options, owner->persona(), &state->target));
    OPENQNN_ASSIGN(*context, publish(std::make_unique<runtime::Context>(owner->log(), std::move(state),
                                                                        owner->packages(), options)));
    return {};
  });
}

Qnn_ErrorHandle_t QnnContext_setConfig(Qnn_ContextHandle_t context, const QnnContext_Config_t** config) {
  return answer("QnnContext_setConfig", [&]() -> Outcome<> {
    OPENQNN_ASSIGN(const auto found, find<runtime::Context>(context));
    return change_context(config, *found);
  });
}

Qnn_ErrorHandle_t QnnContext_getBinarySize(Qnn_ContextHandle_t context,
                                           Qnn_ContextBinarySize_t* binaryBufferSize) {
  return answer("QnnContext_getBinarySize", [&]() -> Outcome<> {
    OPENQNN_ASSIGN(const auto found, find<runtime::Context>(context));
    if (!binaryBufferSize) return null_argument(QNN_CONTEXT_ERROR_INVALID_ARGUMENT, "binaryBufferSize");
    OPENQNN_ASSIGN(*binaryBufferSize, found->binary_size());
    return {};
  });
}

Qnn_ErrorHandle_t QnnContext_getBinary(Qnn_ContextHandle_t context, void* binaryBuffer,
                                       Qnn_ContextBinarySize_t binaryBufferSize,
                                       Qnn_ContextBinarySize_t* writtenBufferSize) {
  return answer("QnnContext_getBinary", [&]() -> Outcome<> {
    OPENQNN_ASSIGN(const auto found, find<runtime::Context>(context));
    if (!binaryBuffer) return null_argument(QNN_CONTEXT_ERROR_INVALID_ARGUMENT, "binaryBuffer");
    if (!writtenBufferSize) return null_argument(QNN_CONTEXT_ERROR_INVALID_ARGUMENT, "writtenBufferSize");
    OPENQNN_ASSIGN(*writtenBufferSize,
                   found->binary({static_cast<std::byte*>(binaryBuffer), binaryBufferSize}));
    return {};
  });
}

Qnn_ErrorHandle_t QnnContext_validateBinary(Qnn_BackendHandle_t backend, Qnn_DeviceHandle_t device,
                                            const QnnContext_Config_t** config, const void* binaryBuffer,
                                            Qnn_ContextBinarySize_t binaryBufferSize) {
  return answer("QnnContext_validateBinary", [&]() -> Outcome<> {
    OPENQNN_ASSIGN(const auto owner, find<runtime::Backend>(backend, QNN_CONTEXT_ERROR_INVALID_HANDLE));
    OPENQNN_ASSIGN(const runtime::ContextOptions options, read_context_configs(config, owner->log()));
    OPENQNN_ASSIGN(const auto bytes, binary_bytes(binaryBuffer, binaryBufferSize));
    OPENQNN_ASSIGN(auto state, device_to_load_for(device, *owner));
    OPENQNN_TRY(check_limits(options, owner->persona(), state ? &state->target : nullptr));
    return runtime::Context::validate_binary(bytes, std::move(state), options);
  });
}

Qnn_ErrorHandle_t QnnContext_createFromBinary(Qnn_BackendHandle_t backend, Qnn_DeviceHandle_t device,
                                              const QnnContext_Config_t** config, const void* binaryBuffer,
                                              Qnn_ContextBinarySize_t binaryBufferSize,
                                              Qnn_ContextHandle_t* context, Qnn_ProfileHandle_t profile) {
  return answer("QnnContext_createFromBinary", [&] {
    return create_from_binary(backend, device, {config, binaryBuffer, binaryBufferSize, profile}, context,
                              nullptr);
  });
}

Qnn_ErrorHandle_t QnnContext_createFromBinaryWithSignal(
    Qnn_BackendHandle_t backend, Qnn_DeviceHandle_t device, const QnnContext_Config_t** config,
    const void* binaryBuffer, Qnn_ContextBinarySize_t binaryBufferSize, Qnn_ContextHandle_t* context,
    Qnn_ProfileHandle_t profile, Qnn_SignalHandle_t signal) {
  return answer("QnnContext_createFromBinaryWithSignal", [&] {
    return create_from_binary(backend, device, {config, binaryBuffer, binaryBufferSize, profile}, context,
                              signal);
  });
}

Qnn_ErrorHandle_t QnnContext_free(Qnn_ContextHandle_t context, Qnn_ProfileHandle_t profile) {
  return answer("QnnContext_free", [&]() -> Outcome<> {
    TimedCall call;
    OPENQNN_TRY(call.start(profile));
    OPENQNN_ASSIGN(auto found, find<runtime::Context>(context));
    OPENQNN_TRY(free_handle<runtime::Context>(context));
    const bool tells_heap = found->profiles_dsp_heap();
    found->close();
    found = {};  // the context goes before its time is taken
    call.finish(profile::host_call::kDeinit);
    const runtime::DspHeap& heap = runtime::DspHeap::instance();
    if (tells_heap && !heap.has_contexts())
      call.add(profile::memory_event("DSP:after_context_freed", heap.bytes()));
    return {};
  });
}
