// SPDX-License-Identifier: BSD-3-Clause
// The modelled device's own time and power state. Time advances by modelled durations and declared idle time
// alone, never by the host's.
#pragma once

#include <mutex>
#include <string>

#include "base/units.h"
#include "sim/power_history.h"

namespace openqnn::runtime {

class DeviceClock {
 public:
  // Without facts of the power model there are no votes either: casting one fails.
  DeviceClock();

  Nanos now() const;
  // Nothing happens for so long. Answers when it began.
  Nanos idle(Nanos duration);

  void cast(uint32_t client, const sim::PowerVote& vote);
  void remove(uint32_t client);
  void begin_stage(const char* name);  // "init", "deinit"; executes begin "inference" themselves

  // What an execute runs under now.
  sim::Clocks clocks() const;
  sim::ExecuteCost execute(const std::string& graph, const sim::ExecuteTimes& times);

  // All of it since the device was made; see sim::kMostPowerEvents.
  sim::PowerHistory history(const soc::Target& target) const;

 private:
  void record(sim::PowerEvent event);

  mutable std::mutex mutex_;
  sim::PowerDevice device_;
  std::vector<sim::PowerEvent> events_;
  uint64_t left_out_ = 0;
};

}  // namespace openqnn::runtime
