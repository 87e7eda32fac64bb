// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/other_clients.h"

#include "sim/concurrency.h"

namespace openqnn::runtime {

void OtherClients::declare(const OtherClient& client) {
  const std::lock_guard lock(mutex_);
  clients_.push_back(client);
}

void OtherClients::forget_all() {
  const std::lock_guard lock(mutex_);
  clients_.clear();
}

std::vector<OtherClient> OtherClients::all() const {
  const std::lock_guard lock(mutex_);
  return clients_;
}

sim::Timeline execute_among(const std::vector<OtherClient>& others, uint32_t priority,
                            const program::Schedule& schedule, const sim::Timeline& alone,
                            const soc::Target& target) {
  // One cycle later than those who have the device already.
  constexpr Cycles kArrival{1};
  std::vector<sim::Workload> workloads;
  workloads.reserve(others.size() + 1);
  std::vector<sim::Client> clients;
  for (const OtherClient& other : others) {
    workloads.push_back(sim::Workload::holding(alone.power.cycles(other.holds), other.vtcm));
    const Cycles asks = other.after.value == 0 ? Cycles{} : kArrival + alone.power.cycles(other.after);
    clients.push_back({.workload = &workloads.back(), .priority = other.priority, .first_call = asks});
  }
  workloads.push_back(sim::Workload::executing(schedule, alone));
  clients.push_back({.workload = &workloads.back(), .priority = priority, .first_call = kArrival});
  for (const sim::Execution& execution : sim::share_device(clients, target, alone.power))
    if (execution.client == others.size()) return sim::timeline_of(execution, alone);
  return alone;
}

}  // namespace openqnn::runtime
