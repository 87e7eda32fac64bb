// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/device.h"

#include <map>
#include <vector>

#include "base/text.h"
#include "base/until_exit.h"
#include "soc/part_name.h"

namespace openqnn::runtime {
namespace {

Result<soc::Target> named_target(const DeviceRequest& request) {
  if (request.soc_model) return soc::target_by_model(*request.soc_model);
  return soc::target_by_arch(*request.arch);
}

struct Devices {
  std::mutex mutex;
  std::vector<std::weak_ptr<DeviceState>> known;  // oldest first; not held: one dies when nobody has it
  std::map<uint32_t, sim::PowerVote> votes;
};

Devices* devices() { return UntilExit<Devices>::get(); }

template <class Choice>
std::shared_ptr<DeviceState> youngest(const Choice& is_meant) {
  Devices* all = devices();
  if (!all) return nullptr;
  const std::lock_guard lock(all->mutex);
  // NOLINTNEXTLINE(modernize-loop-convert): clang 14 cannot read libstdc++'s reversed views
  for (auto known = all->known.rbegin(); known != all->known.rend(); ++known)
    if (auto device = known->lock(); device && is_meant(*device)) return device;
  return nullptr;
}

}  // namespace

void enlist(const std::shared_ptr<DeviceState>& part) {
  Devices* all = devices();
  if (!all) return;
  const std::lock_guard lock(all->mutex);
  std::erase_if(all->known, [](const auto& known) { return known.expired(); });
  for (const auto& known : all->known)
    if (known.lock() == part) return;
  for (const auto& [client, vote] : all->votes) part->clock.cast(client, vote);
  all->known.push_back(part);
}

std::shared_ptr<DeviceState> current_device() {
  if (auto named = youngest([](const DeviceState& part) { return !part.target.assumed; })) return named;
  return youngest([](const DeviceState&) { return true; });
}

std::shared_ptr<DeviceState> current_chosen_device() {
  return youngest([](const DeviceState& part) { return part.has_handle || !part.target.assumed; });
}

void cast_on_devices(uint32_t client, const sim::PowerVote& vote) {
  Devices* all = devices();
  if (!all) return;
  const std::lock_guard lock(all->mutex);
  all->votes[client] = vote;
  for (const auto& known : all->known)
    if (const auto device = known.lock()) device->clock.cast(client, vote);
}

void remove_on_devices(uint32_t client) {
  Devices* all = devices();
  if (!all) return;
  const std::lock_guard lock(all->mutex);
  if (all->votes.erase(client) == 0) return;  // it never voted
  for (const auto& known : all->known)
    if (const auto device = known.lock()) device->clock.remove(client);
}

sim::Clocks voted_clocks(const soc::PowerModel& model) {
  std::vector<sim::PowerVote> votes;
  if (Devices* all = devices()) {
    const std::lock_guard lock(all->mutex);
    for (const auto& [client, vote] : all->votes) votes.push_back(vote);
  }
  return sim::clocks_of(model, sim::aggregate(votes), sim::Load::kBusy);
}

Device::Device(DeviceRequest request, soc::Target target, Logger log)
    : log_(std::move(log)),
      request_(request),
      state_(std::make_shared<DeviceState>(std::move(target), log_, /*with_handle=*/true)) {
  enlist(state_);
}

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
  state_ = std::make_shared<DeviceState>(std::move(target), log_, /*with_handle=*/true);
  enlist(state_);
  return {};
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
