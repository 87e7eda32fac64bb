// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "QnnBackend.h"
#include "QnnDevice.h"
#include "base/log.h"
#include "runtime/device_clock.h"
#include "runtime/handles.h"
#include "runtime/outcome.h"
#include "runtime/persona.h"
#include "soc/target.h"

namespace openqnn::runtime {

class Backend : public Object {
 public:
  static constexpr Kind kKind = Kind::kBackend;
  static constexpr const char* kName = "backend";
  static constexpr Qnn_ErrorHandle_t kInvalidHandle = QNN_BACKEND_ERROR_INVALID_HANDLE;

  Backend(Logger log, Persona persona) : log_(std::move(log)), persona_(std::move(persona)) {}

  const Logger& log() const { return log_; }
  const Persona& persona() const { return persona_; }

 private:
  Logger log_;
  Persona persona_;
};

// The modelled part, shared by the device handle and the contexts on it.
struct DeviceState {
  soc::Target target;
  DeviceClock clock;
  std::atomic<uint32_t> contexts{0};
};

class Device : public Object {
 public:
  static constexpr Kind kKind = Kind::kDevice;
  static constexpr const char* kName = "device";
  static constexpr Qnn_ErrorHandle_t kInvalidHandle = QNN_DEVICE_ERROR_INVALID_HANDLE;

  explicit Device(soc::Target target) : state_(std::make_shared<DeviceState>()) {
    state_->target = std::move(target);
  }

  const std::shared_ptr<DeviceState>& state() const { return state_; }

 private:
  std::shared_ptr<DeviceState> state_;
};

// What a client asks a device to be; SoC wins over architecture.
struct DeviceRequest {
  std::optional<uint32_t> soc_model;
  std::optional<uint32_t> arch;
};

// The part a request names; without one, the persona's, else the documented default. A persona that plays a
// device is that part: a request for another is refused.
Outcome<soc::Target> choose_target(const DeviceRequest& request, const Persona& persona, const Logger& log);

}  // namespace openqnn::runtime
