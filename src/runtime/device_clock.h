// SPDX-License-Identifier: BSD-3-Clause
// The modelled device's own time: it advances by modelled durations alone, never by the host's.
#pragma once

#include <atomic>

#include "base/units.h"

namespace openqnn::runtime {

class DeviceClock {
 public:
  Nanos now() const { return {nanos_.load(std::memory_order_relaxed)}; }
  // Returns the time at which the duration began.
  Nanos advance(Nanos duration) { return {nanos_.fetch_add(duration.value, std::memory_order_relaxed)}; }

 private:
  std::atomic<uint64_t> nanos_{0};
};

}  // namespace openqnn::runtime
