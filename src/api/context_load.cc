// SPDX-License-Identifier: BSD-3-Clause
#include "api/context_load.h"

#include "api/context_options.h"

namespace openqnn::api {

Outcome<std::shared_ptr<runtime::DeviceState>> device_for(Qnn_DeviceHandle_t handle,
                                                          const runtime::Backend& backend) {
  OPENQNN_ASSIGN(const auto device, find_optional<runtime::Device>(handle, QNN_CONTEXT_ERROR_INVALID_HANDLE));
  if (device) return device->state();
  OPENQNN_ASSIGN(soc::Target target, runtime::choose_target({}, backend.persona(), backend.log()));
  return std::make_shared<runtime::DeviceState>(std::move(target), backend.log());
}

Outcome<std::shared_ptr<runtime::DeviceState>> device_to_load_for(Qnn_DeviceHandle_t handle,
                                                                  const runtime::Backend& backend) {
  if (!handle && !backend.persona().target) return std::shared_ptr<runtime::DeviceState>();
  return device_for(handle, backend);
}

Outcome<std::span<const std::byte>> binary_bytes(const void* buffer, Qnn_ContextBinarySize_t size) {
  if (!buffer) return null_argument(QNN_CONTEXT_ERROR_INVALID_ARGUMENT, "binaryBuffer");
  return std::span(static_cast<const std::byte*>(buffer), size);
}

Outcome<ContextLoad> ContextLoad::read(const ClientBinary& binary, const runtime::Backend& backend,
                                       std::shared_ptr<runtime::DeviceState> device,
                                       const runtime::ContextOptions& defaults) {
  ContextLoad load(backend, std::move(device));
  OPENQNN_TRY(load.call_.start(binary.profile));
  OPENQNN_ASSIGN(load.options_, read_context_configs(binary.config, load.log_, defaults));
  OPENQNN_TRY(check_limits(load.options_, backend.persona(), load.device_ ? &load.device_->target : nullptr));
  OPENQNN_ASSIGN(load.bytes_, binary_bytes(binary.buffer, binary.size));
  return load;
}

Outcome<Qnn_ContextHandle_t> ContextLoad::run(const runtime::SignalledCall& signal) {
  constexpr const char* kDoing = "loading a context binary";
  call_.restart();
  const bool is_first = !runtime::DspHeap::instance().has_contexts();
  const uint64_t heap_before = runtime::DspHeap::instance().bytes();
  if (signal.should_stop()) return signal.stopped(kDoing);
  OPENQNN_ASSIGN(auto loaded, runtime::Context::from_binary(bytes_, options_, log_, device_, packages_));
  if (signal.should_stop()) {
    loaded->close();
    return signal.stopped(kDoing);
  }
  OPENQNN_ASSIGN(void* const handle, publish(std::move(loaded)));
  call_.finish(profile::host_call::kLoadBinary);
  if (is_first && options_.profiles_dsp_heap)
    call_.add(profile::memory_event("DSP:before_context_created", heap_before));
  return handle;
}

}  // namespace openqnn::api
