// SPDX-License-Identifier: BSD-3-Clause
// Histories of any bytes: read, played, written and read again.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "sim/power_history.h"

using namespace openqnn;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const soc::PowerModel model = *soc::power_model();
  const auto history = sim::read_power_history({reinterpret_cast<const char*>(data), size}, "fuzz", model);
  if (!history) return 0;
  const sim::PowerTimeline timeline = sim::power_timeline(model, *history);
  Nanos at;
  for (const sim::PowerInterval& interval : timeline.intervals) {
    if (interval.start != at) std::abort();
    at = interval.end;
  }
  const std::string text = sim::history_json(*history, model);
  const auto again = sim::read_power_history(text, "again", model);
  if (!again || sim::history_json(*again, model) != text) std::abort();
  return 0;
}
