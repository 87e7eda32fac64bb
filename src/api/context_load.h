// SPDX-License-Identifier: BSD-3-Clause
// Loading a context binary in two steps: what the client's structs say is read at once, because they may go
// when the call returns; the load itself may run later, on another thread.
#pragma once

#include <memory>
#include <span>

#include "api/answer.h"
#include "api/timed_call.h"
#include "runtime/signal.h"

namespace openqnn::api {

// The device a client names, or one made from the backend's persona.
Outcome<std::shared_ptr<runtime::DeviceState>> device_for(Qnn_DeviceHandle_t handle,
                                                          const runtime::Backend& backend);
// The device to load a binary for; nothing when neither the client nor the persona names one.
Outcome<std::shared_ptr<runtime::DeviceState>> device_to_load_for(Qnn_DeviceHandle_t handle,
                                                                  const runtime::Backend& backend);

Outcome<std::span<const std::byte>> binary_bytes(const void* buffer, Qnn_ContextBinarySize_t size);

// A binary as the client passes it.
struct ClientBinary {
  const QnnContext_Config_t** config;
  const void* buffer;
  Qnn_ContextBinarySize_t size;
  Qnn_ProfileHandle_t profile;
};

class ContextLoad {
 public:
  // `defaults` are what the binary's own configuration starts from. The bytes stay the client's.
  static Outcome<ContextLoad> read(const ClientBinary& binary, const runtime::Backend& backend,
                                   std::shared_ptr<runtime::DeviceState> device,
                                   const runtime::ContextOptions& defaults = {});

  // Answers the handle of the context. The signal is asked before and after the load, which is one step here.
  Outcome<Qnn_ContextHandle_t> run(const runtime::SignalledCall& signal);

 private:
  ContextLoad(const runtime::Backend& backend, std::shared_ptr<runtime::DeviceState> device)
      : log_(backend.log()), packages_(backend.packages()), device_(std::move(device)) {}

  Logger log_;
  std::shared_ptr<runtime::OpPackages> packages_;
  std::shared_ptr<runtime::DeviceState> device_;
  runtime::ContextOptions options_;
  std::span<const std::byte> bytes_;
  TimedCall call_;
};

}  // namespace openqnn::api
