// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/device.h"

#include <map>
#include <vector>

#include "base/text.h"
#include "soc/part_name.h"

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
  auto state = std::make_shared<DeviceState>(std::move(target));
  state->log = log;
  LiveDevices& live = live_devices();
  const std::lock_guard lock(live.mutex);
  std::erase_if(live.states, [](const auto& known) { return known.expired(); });
  live.states.push_back(state);
  return state;
}

}  // namespace

// Shared, so that it outlives every part: one that a client forgot dies with the library, when static objects
// may be gone already.
struct VotedDevices {
  std::mutex mutex;
  std::vector<DeviceState*> alive;  // in the order they were made
  std::map<uint32_t, sim::PowerVote> votes;

  static const std::shared_ptr<VotedDevices>& instance() {
    static const std::shared_ptr<VotedDevices> devices = std::make_shared<VotedDevices>();
    return devices;
  }
};

DeviceState::DeviceState(soc::Target part) : target(std::move(part)), voted_(VotedDevices::instance()) {
  const std::lock_guard lock(voted_->mutex);
  for (const auto& [client, vote] : voted_->votes) clock.cast(client, vote);
  voted_->alive.push_back(this);
}

DeviceState::~DeviceState() {
  const std::lock_guard lock(voted_->mutex);
  std::erase(voted_->alive, this);
}

void cast_on_devices(uint32_t client, const sim::PowerVote& vote) {
  VotedDevices& devices = *VotedDevices::instance();
  const std::lock_guard lock(devices.mutex);
  devices.votes[client] = vote;
  for (DeviceState* const device : devices.alive) device->clock.cast(client, vote);
}

void remove_on_devices(uint32_t client) {
  VotedDevices& devices = *VotedDevices::instance();
  const std::lock_guard lock(devices.mutex);
  if (devices.votes.erase(client) == 0) return;  // it never voted
  for (DeviceState* const device : devices.alive) device->clock.remove(client);
}

sim::Clocks voted_clocks(const soc::PowerModel& model) {
  VotedDevices& devices = *VotedDevices::instance();
  const std::lock_guard lock(devices.mutex);
  std::vector<sim::PowerVote> votes;
  for (const auto& [client, vote] : devices.votes) votes.push_back(vote);
  return sim::clocks_of(model, sim::aggregate(votes), sim::Load::kBusy);
}

bool declare_idle(Nanos duration) {
  VotedDevices& devices = *VotedDevices::instance();
  const std::lock_guard lock(devices.mutex);
  if (devices.alive.empty()) return false;
  devices.alive.back()->clock.idle(duration);
  return true;
}

std::optional<Nanos> device_time() {
  VotedDevices& devices = *VotedDevices::instance();
  const std::lock_guard lock(devices.mutex);
  if (devices.alive.empty()) return std::nullopt;
  return devices.alive.back()->clock.now();
}

std::optional<sim::PowerHistory> current_history() {
  VotedDevices& devices = *VotedDevices::instance();
  const std::lock_guard lock(devices.mutex);
  if (devices.alive.empty()) return std::nullopt;
  const DeviceState& device = *devices.alive.back();
  return device.clock.history(device.target);
}

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
    return ApiError(QNN_DEVICE_ERROR_INVALID_CONFIG,
                    invalid("device-soc", concat("the device is a ", part_name(*persona.target), ", not a ",
                                                 part_name(target)))
                        .at("device configuration")
                        .fix_by("leave the SoC out, or change OPENQNN_TARGET"));
  if (request.soc_model && request.arch && *request.arch != target.arch)
    log.warn(concat("architecture v", *request.arch, " does not fit ", target.soc, " (v", target.arch,
                    "): the SoC applies"));
  // Several parts may have one number: then the environment can tell which is meant.
  const bool is_told = persona.target && request.soc_model && !another;
  if (!persona.offline() || is_told) return *persona.target;
  return target;
}

}  // namespace openqnn::runtime
