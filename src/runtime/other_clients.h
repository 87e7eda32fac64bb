// SPDX-License-Identifier: BSD-3-Clause
// Other clients of the modelled device, as a program declares them: what they do to its profiled executes.
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "base/units.h"
#include "program/program.h"
#include "sim/sim.h"

namespace openqnn::runtime {

struct OtherClient {
  uint32_t priority = 0;  // Qnn_Priority_t
  Nanos after;            // asks for the device so long after an execute does; 0: it has it already
  Nanos holds;
  Bytes vtcm;  // in use meanwhile
};

// Those of one device.
class OtherClients {
 public:
  void declare(const OtherClient& client);
  void forget_all();
  std::vector<OtherClient> all() const;

 private:
  mutable std::mutex mutex_;
  std::vector<OtherClient> clients_;
};

// An execute of this priority among them.
sim::Timeline execute_among(const std::vector<OtherClient>& others, uint32_t priority,
                            const program::Schedule& schedule, const sim::Timeline& alone,
                            const soc::Target& target);

}  // namespace openqnn::runtime
