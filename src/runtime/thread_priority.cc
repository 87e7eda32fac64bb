// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/thread_priority.h"

#include <array>
#include <utility>

#include "QnnTypes.h"
#include "base/text.h"

namespace openqnn::runtime {
namespace {

// HTP backend page, graph priority; the levels that SDK 2.48 added are of its newer edition.
constexpr std::array<std::pair<uint32_t, uint8_t>, 8> kHmxThreads = {{{QNN_PRIORITY_LOW, 0xC5},
                                                                      {QNN_PRIORITY_NORMAL_LOW, 0xC3},
                                                                      {QNN_PRIORITY_NORMAL, 0xC0},
                                                                      {QNN_PRIORITY_NORMAL_HIGH, 0xBD},
                                                                      {QNN_PRIORITY_HIGH, 0xBB},
                                                                      {QNN_PRIORITY_HIGH_PLUS, 0xB6},
                                                                      {QNN_PRIORITY_CRITICAL, 0xB1},
                                                                      {QNN_PRIORITY_CRITICAL_PLUS, 0xAC}}};
constexpr uint8_t kEveryHmxThreadOnWindows = 0xC0;

}  // namespace

std::optional<ThreadPriorities> thread_priorities(uint32_t priority, Platform platform) {
  for (const auto& [level, listed] : kHmxThreads) {
    if (level != priority) continue;
    const uint8_t hmx = platform == Platform::kWindows ? kEveryHmxThreadOnWindows : listed;
    return ThreadPriorities{hmx, static_cast<uint8_t>(hmx + 1)};
  }
  return std::nullopt;
}

std::string priority_text(uint32_t priority) {
  const auto persona = persona_from_environment();
  const auto threads = thread_priorities(priority, persona ? persona->platform : Platform::kHost);
  if (!threads) return concat("priority ", priority);
  return concat("priority ", priority, std::hex, std::uppercase, ": HMX threads at 0x", +threads->hmx,
                ", HVX threads at 0x", +threads->hvx);
}

}  // namespace openqnn::runtime
