// SPDX-License-Identifier: BSD-3-Clause
// What a priority of the C API is to the threads of the HTP.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "runtime/persona.h"

namespace openqnn::runtime {

// A larger number is a lower priority.
struct ThreadPriorities {
  uint8_t hmx = 0;
  uint8_t hvx = 0;
  bool operator==(const ThreadPriorities&) const = default;
};

// Of a QNN_PRIORITY_*; nothing for other numbers. On Windows the system schedules, and all levels are alike.
std::optional<ThreadPriorities> thread_priorities(uint32_t priority, Platform platform = Platform::kHost);

// "priority 200: HMX threads at 0xBB, HVX threads at 0xBC"
std::string priority_text(uint32_t priority);

}  // namespace openqnn::runtime
