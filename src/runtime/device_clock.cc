// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/device_clock.h"

#include <utility>

namespace openqnn::runtime {
namespace {

using EventKind = sim::PowerEvent::Kind;

soc::PowerModel facts_or_none() {
  auto model = soc::power_model();
  return model ? *std::move(model) : soc::PowerModel();
}

}  // namespace

DeviceClock::DeviceClock() : device_(facts_or_none()) {}

void DeviceClock::record(sim::PowerEvent event) {
  if (events_.size() < sim::kMostPowerEvents)
    events_.push_back(std::move(event));
  else
    ++left_out_;
}

Nanos DeviceClock::now() const {
  const std::lock_guard lock(mutex_);
  return device_.now();
}

Nanos DeviceClock::idle(Nanos duration) {
  const std::lock_guard lock(mutex_);
  const Nanos begin = device_.now();
  device_.idle(duration);
  record({.kind = EventKind::kIdle, .duration = device_.now() - begin});
  return begin;
}

void DeviceClock::cast(uint32_t client, const sim::PowerVote& vote) {
  const std::lock_guard lock(mutex_);
  device_.cast(client, vote);
  record({.kind = EventKind::kVote, .client = client, .vote = vote});
}

void DeviceClock::remove(uint32_t client) {
  const std::lock_guard lock(mutex_);
  device_.remove(client);
  record({.kind = EventKind::kRemove, .client = client});
}

void DeviceClock::begin_stage(const char* name) {
  const std::lock_guard lock(mutex_);
  record({.kind = EventKind::kStage, .label = name});
}

sim::Clocks DeviceClock::clocks() const {
  const std::lock_guard lock(mutex_);
  return device_.clocks();
}

sim::ExecuteCost DeviceClock::execute(const std::string& graph, const sim::ExecuteTimes& times) {
  const std::lock_guard lock(mutex_);
  // Executes that follow one another at once are one stage.
  if (events_.empty() || events_.back().kind != EventKind::kExecute)
    record({.kind = EventKind::kStage, .label = "inference"});
  record({.kind = EventKind::kExecute, .label = graph, .times = times});
  return device_.execute(times);
}

sim::PowerHistory DeviceClock::history(const soc::Target& target) const {
  sim::PowerHistory history = sim::history_of(target);
  const std::lock_guard lock(mutex_);
  history.events = events_;
  history.left_out = left_out_;
  return history;
}

}  // namespace openqnn::runtime
