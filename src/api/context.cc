// SPDX-License-Identifier: BSD-3-Clause
// QnnContext.h
#include <chrono>

#include "api/answer.h"
#include "api/context_options.h"
#include "api/twins.h"
#include "base/text.h"
#include "runtime/environment.h"

namespace openqnn::api {
namespace {

// The device a client names, or one made from the backend's persona.
Outcome<std::shared_ptr<runtime::DeviceState>> device_for(Qnn_DeviceHandle_t handle,
                                                          const runtime::Backend& backend) {
  OPENQNN_ASSIGN(const auto device, find_optional<runtime::Device>(handle, QNN_CONTEXT_ERROR_INVALID_HANDLE));
  if (device) return device->state();
  OPENQNN_ASSIGN(soc::Target target, runtime::choose_target({}, backend.persona(), backend.log()));
  auto state = std::make_shared<runtime::DeviceState>();
  state->target = std::move(target);
  return state;
}

// The device to load a binary for; nothing when neither the client nor the persona names one.
Outcome<std::shared_ptr<runtime::DeviceState>> device_to_load_for(Qnn_DeviceHandle_t handle,
                                                                  const runtime::Backend& backend) {
  if (!handle && !backend.persona().target) return std::shared_ptr<runtime::DeviceState>();
  return device_for(handle, backend);
}

Outcome<std::span<const std::byte>> binary_bytes(const void* buffer, Qnn_ContextBinarySize_t size) {
  if (!buffer) return null_argument(QNN_CONTEXT_ERROR_INVALID_ARGUMENT, "binaryBuffer");
  return std::span(static_cast<const std::byte*>(buffer), size);
}

// Finds the profile that a call reports to, and adds what the call took when it has one.
class TimedCall {
 public:
  Outcome<> start(Qnn_ProfileHandle_t handle) {
    OPENQNN_ASSIGN(profile_, find_optional<runtime::Profile>(handle, QNN_CONTEXT_ERROR_SET_PROFILE));
    return {};
  }
  template <class MakeEvents>
  void finish(MakeEvents&& make_events) {
    if (!profile_) return;
    const std::chrono::nanoseconds elapsed = std::chrono::steady_clock::now() - start_;
    profile_->add(make_events(Nanos{static_cast<uint64_t>(elapsed.count())}, runtime::host_times()),
                  runtime::host_now());
  }

 private:
  Ref<runtime::Profile> profile_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// With a null signal, nothing stops it. A signal is asked before and after the load, which is one step here.
Outcome<> create_from_binary(Qnn_BackendHandle_t backend, Qnn_DeviceHandle_t device,
                             const QnnContext_Config_t** config, const void* buffer,
                             Qnn_ContextBinarySize_t size, Qnn_ContextHandle_t* context,
                             Qnn_ProfileHandle_t profile, Qnn_SignalHandle_t signal) {
  if (!context) return null_argument(QNN_CONTEXT_ERROR_INVALID_ARGUMENT, "context");
  OPENQNN_TRY(refuse_twins());
  TimedCall call;
  OPENQNN_TRY(call.start(profile));
  OPENQNN_ASSIGN(const auto owner, find<runtime::Backend>(backend, QNN_CONTEXT_ERROR_INVALID_HANDLE));
  OPENQNN_ASSIGN(const runtime::ContextOptions options, read_context_configs(config, owner->log()));
  OPENQNN_ASSIGN(const auto bytes, binary_bytes(buffer, size));
  OPENQNN_ASSIGN(auto state, device_to_load_for(device, *owner));
  OPENQNN_ASSIGN(const auto stop, runtime::SignalledCall::begin(signal, runtime::kContextSignalCodes));
  if (stop.should_stop()) return stop.stopped("loading a context binary");
  OPENQNN_ASSIGN(auto loaded, runtime::Context::from_binary(bytes, options, owner->log(), std::move(state),
                                                            owner->packages()));
  if (stop.should_stop()) {
    loaded->close();
    return stop.stopped("loading a context binary");
  }
  OPENQNN_ASSIGN(*context, publish(std::move(loaded)));
  call.finish(profile::load_binary_events);
  return {};
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
    OPENQNN_ASSIGN(auto state, device_for(device, *owner));
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
    return runtime::Context::validate_binary(bytes, std::move(state), options.strict);
  });
}

Qnn_ErrorHandle_t QnnContext_createFromBinary(Qnn_BackendHandle_t backend, Qnn_DeviceHandle_t device,
                                              const QnnContext_Config_t** config, const void* binaryBuffer,
                                              Qnn_ContextBinarySize_t binaryBufferSize,
                                              Qnn_ContextHandle_t* context, Qnn_ProfileHandle_t profile) {
  return answer("QnnContext_createFromBinary", [&] {
    return create_from_binary(backend, device, config, binaryBuffer, binaryBufferSize, context, profile,
                              nullptr);
  });
}

Qnn_ErrorHandle_t QnnContext_createFromBinaryWithSignal(
    Qnn_BackendHandle_t backend, Qnn_DeviceHandle_t device, const QnnContext_Config_t** config,
    const void* binaryBuffer, Qnn_ContextBinarySize_t binaryBufferSize, Qnn_ContextHandle_t* context,
    Qnn_ProfileHandle_t profile, Qnn_SignalHandle_t signal) {
  return answer("QnnContext_createFromBinaryWithSignal", [&] {
    return create_from_binary(backend, device, config, binaryBuffer, binaryBufferSize, context, profile,
                              signal);
  });
}

Qnn_ErrorHandle_t QnnContext_free(Qnn_ContextHandle_t context, Qnn_ProfileHandle_t profile) {
  return answer("QnnContext_free", [&]() -> Outcome<> {
    TimedCall call;
    OPENQNN_TRY(call.start(profile));
    OPENQNN_ASSIGN(auto found, find<runtime::Context>(context));
    OPENQNN_TRY(free_handle<runtime::Context>(context));
    found->close();
    found = {};  // the context goes before its time is taken
    call.finish(profile::deinit_events);
    return {};
  });
}
