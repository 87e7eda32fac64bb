// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "QnnDevice.h"
#include "base/log.h"
#include "runtime/device_clock.h"
#include "runtime/handles.h"
#include "runtime/other_clients.h"
#include "runtime/outcome.h"
#include "runtime/persona.h"
#include "soc/target.h"

namespace openqnn::runtime {

// What a client asks a device to be; SoC wins over architecture.
struct DeviceRequest {
  std::optional<uint32_t> soc_model;
  std::optional<uint32_t> arch;
};

// The modelled part, shared by the device handle and the contexts on it.
struct DeviceState {
  explicit DeviceState(soc::Target part = {}, Logger logger = {}, bool with_handle = false)
      : target(std::move(part)), log(std::move(logger)), has_handle(with_handle) {}

  const soc::Target target;
  const Logger log;
  const bool has_handle;  // else it was made for a context
  DeviceClock clock;
  OtherClients others;
  std::atomic<uint32_t> contexts{0};
};

// From now on votes reach the part, and calls without a device handle may mean it. Called for each device and
// each context; a part that is known already stays where it is.
void enlist(const std::shared_ptr<DeviceState>& part);
// What calls without a device handle mean: of the parts alive, those of devices and of contexts that were
// made without one, the youngest that somebody named; else the youngest that was assumed; else null.
std::shared_ptr<DeviceState> current_device();
// The youngest but for those that were assumed for contexts.
std::shared_ptr<DeviceState> current_chosen_device();

// The power votes of this library, as the modelled parts get them: those that live now, and those to come.
void cast_on_devices(uint32_t client, const sim::PowerVote& vote);
void remove_on_devices(uint32_t client);
// What all of them together give.
sim::Clocks voted_clocks(const soc::PowerModel& model);

class Device : public Object {
 public:
  static constexpr Kind kKind = Kind::kDevice;
  static constexpr const char* kName = "device";
  static constexpr Qnn_ErrorHandle_t kInvalidHandle = QNN_DEVICE_ERROR_INVALID_HANDLE;

  Device(DeviceRequest request, soc::Target target, Logger log);

  const Logger& log() const { return log_; }
  std::shared_ptr<DeviceState> state() const;
  // What it was made from, as changed since.
  DeviceRequest request() const;
  // Turns it into another part; refused while contexts use it.
  Outcome<> become(DeviceRequest request, soc::Target target);

 private:
  const Logger log_;
  mutable std::mutex mutex_;  // guards what follows
  DeviceRequest request_;
  std::shared_ptr<DeviceState> state_;
};

// The part a request names; without one, the persona's, else the documented default. A persona that plays a
// device is that part: a request for another is refused.
Outcome<soc::Target> choose_target(const DeviceRequest& request, const Persona& persona, const Logger& log);

}  // namespace openqnn::runtime
