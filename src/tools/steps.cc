// SPDX-License-Identifier: BSD-3-Clause
#include "tools/steps.h"

#include <algorithm>
#include <cstdio>

#include "QnnProfile.h"
#include "base/deterministic.h"
#include "base/text.h"
#include "tools/console.h"

namespace openqnn::tools {
namespace {

std::string line(const std::string& mark, std::string_view name, std::string_view text) {
  return concat("  ", mark, " ", padded(std::string(name), 10), text, "\n");
}

std::string event_value(const Event& event, Clock clock) {
  if (clock == Clock::kHost && is_deterministic()) return "-";
  switch (event.unit) {
    case QNN_PROFILE_EVENTUNIT_MICROSEC:
      return concat(event.value, " us");
    case QNN_PROFILE_EVENTUNIT_CYCLES:
      return concat(event.value, " cycles");
    case QNN_PROFILE_EVENTUNIT_BYTES:
      return concat(event.value, " bytes");
    default:
      return concat(event.value);
  }
}

}  // namespace

// Each reaches a pipe at once: the next may take minutes.
void step(std::string_view name, std::string_view text) {
  print(line(done_mark(), name, text));
  std::fflush(stdout);
}

void failed_step(std::string_view name, std::string_view text) {
  print(line(failed_mark(), name, text));
  std::fflush(stdout);
}

std::string Stopwatch::text() const {
  if (is_deterministic()) return "";
  const std::chrono::duration<double, std::milli> passed = std::chrono::steady_clock::now() - start_;
  return concat(", ", fixed(passed.count(), 1), " ms on this machine");
}

void print_events(const std::vector<Event>& events, Clock clock, size_t depth) {
  for (const Event& event : events) {
    const std::string name = padded(std::string(2 * depth, ' ') + shown(event.name), 46);
    std::string value = event_value(event, clock);
    value.insert(0, std::string(std::max<size_t>(14, value.size()) - value.size(), ' '));
    print(concat("      ", name, value, "  ", dim(clock == Clock::kSimulated ? "simulated" : "host"), "\n"));
    print_events(event.children, clock, depth + 1);
  }
}

}  // namespace openqnn::tools
