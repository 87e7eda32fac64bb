// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/environment.h"

#include <chrono>

#include "base/deterministic.h"

namespace openqnn::runtime {

profile::HostTimes host_times() {
  return is_deterministic() ? profile::HostTimes::kDrop : profile::HostTimes::kKeep;
}

Nanos host_now() {
  if (host_times() == profile::HostTimes::kDrop) return {};
  const std::chrono::nanoseconds now = std::chrono::steady_clock::now().time_since_epoch();
  return {static_cast<uint64_t>(now.count())};
}

}  // namespace openqnn::runtime
