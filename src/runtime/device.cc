// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/device.h"

#include <ranges>
#include <vector>

#include "base/text.h"

namespace openqnn::runtime {
namespace {

Result<soc::Target> named_target(const DeviceRequest& request) {
  if (request.soc_model) return soc::target_by_model(*request.soc_model);
  return soc::target_by_arch(*request.arch);
}

// Devices in the order they were made. Not held: one dies when its handle and its contexts go.
struct LiveDevices {
  std::mutex mutex;
  std::vector<std::weak_ptr<DeviceState>> states;
};

LiveDevices& live_devices() {
  static LiveDevices instance;
  return instance;
}

std::shared_ptr<DeviceState> make_state(soc::Target target, const Logger& log) {
  auto state = std::make_shared<DeviceState>();
  state->target = std::move(target);
  state->log = log;
  LiveDevices& live = live_devices();
  const std::lock_guard lock(live.mutex);
  std::erase_if(live.states, [](const auto& known) { return known.expired(); });
  live.states.push_back(state);
  return state;
}

}  // namespace

Device::Device(DeviceRequest request, soc::Target target, Logger log)
    : log_(std::move(log)), request_(request), state_(make_state(std::move(target), log_)) {}

std::shared_ptr<DeviceState> Device::state() const {
  const std::lock_guard lock(mutex_);
  return state_;
}

DeviceRequest Device::request() const {
  const std::lock_guard lock(mutex_);
  return request_;
}

Outcome<> Device::become(DeviceRequest request, soc::Target target) {
  const std::lock_guard lock(mutex_);
  if (const uint32_t contexts = state_->contexts; contexts > 0)
    return ApiError(
        QNN_DEVICE_ERROR_ASSOCIATED_TO_CONTEXT,
        invalid("device-in-use", concat(contexts, contexts == 1 ? " context still uses the device"
                                                                : " contexts still use the device"))
            .fix_by("change its options before contexts are made on it"));
  request_ = request;
  state_ = make_state(std::move(target), log_);
  return {};
}

std::shared_ptr<DeviceState> current_device() {
  LiveDevices& live = live_devices();
  const std::lock_guard lock(live.mutex);
  // NOLINTNEXTLINE(modernize-loop-convert): clang 14 cannot read libstdc++'s reversed views
  for (auto known = live.states.rbegin(); known != live.states.rend(); ++known)
    if (auto state = known->lock()) return state;
  return nullptr;
}

Outcome<soc::Target> choose_target(const DeviceRequest& request, const Persona& persona, const Logger& log) {
  if (!request.soc_model && !request.arch) {
    if (persona.target) return *persona.target;
    OPENQNN_ASSIGN_AS(soc::Target target, QNN_DEVICE_ERROR_INVALID_CONFIG, soc::default_target());
    log.info(concat("no SoC was named: preparing for ", target.soc, ", the documented default"));
    return target;
  }
  OPENQNN_ASSIGN_AS(soc::Target target, QNN_DEVICE_ERROR_INVALID_CONFIG, named_target(request));
  const bool another = request.soc_model ? target.soc_model != persona.target.value_or(target).soc_model
                                         : target.arch != persona.target.value_or(target).arch;
  if (!persona.offline() && another)
    return ApiError(
        QNN_DEVICE_ERROR_INVALID_CONFIG,
        invalid("device-soc", concat("the device is a ", persona.target->soc, ", not a ", target.soc))
            .at("device configuration")
            .fix_by("leave the SoC out, or change OPENQNN_TARGET"));
  if (request.soc_model && request.arch && *request.arch != target.arch)
    log.warn(concat("architecture v", *request.arch, " does not fit ", target.soc, " (v", target.arch,
                    "): the SoC applies"));
  if (!persona.offline()) return *persona.target;
  return target;
}

}  // namespace openqnn::runtime
