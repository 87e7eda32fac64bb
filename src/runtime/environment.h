// SPDX-License-Identifier: BSD-3-Clause
// What the process's environment asks of the runtime.
#pragma once

#include "base/units.h"
#include "profile/events.h"

namespace openqnn::runtime {

// What becomes of host times in profiles.
profile::HostTimes host_times();

// The host's steady clock; 0 when host times are dropped.
Nanos host_now();

}  // namespace openqnn::runtime
