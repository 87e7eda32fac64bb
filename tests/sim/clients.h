// SPDX-License-Identifier: BSD-3-Clause
// Clients of the toy device.
#pragma once

#include "device.h"
#include "sim/concurrency.h"

namespace openqnn::sim {

inline std::vector<Execution> shared_by(const std::vector<Client>& clients) {
  const soc::Target target = toy_target();
  return share_device(clients, target, PowerState::of(target));
}

// The executions of one client, in order.
inline std::vector<Execution> of_client(const std::vector<Execution>& all, uint32_t client) {
  std::vector<Execution> own;
  for (const Execution& execution : all)
    if (execution.client == client) own.push_back(execution);
  return own;
}

}  // namespace openqnn::sim
