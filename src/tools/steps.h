// SPDX-License-Identifier: BSD-3-Clause
// How a job of several steps tells what it does.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tools/session.h"

namespace openqnn::tools {

// "  ✓ prepare   fused, tiled, scheduled"
void step(std::string_view name, std::string_view text);
void failed_step(std::string_view name, std::string_view text);

class Stopwatch {
 public:
  std::string text() const;  // ", 12.3 ms on this machine", or nothing

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// An execute's times are the modelled device's, all others are measured on this machine.
enum class Clock : uint8_t { kSimulated, kHost };
// A profile, each event with whose clock it is.
void print_events(const std::vector<Event>& events, Clock clock, size_t depth = 0);

}  // namespace openqnn::tools
