// SPDX-License-Identifier: BSD-3-Clause
// Any bytes: the reader refuses them, or what it read can be shown.
#include <cstdint>
#include <vector>

#include "profile/log.h"
#include "profile/log_format.h"

namespace {

using namespace openqnn::profile;

void read(std::span<const std::byte> bytes) {
  const auto log = read_profile_log(bytes);
  if (!log) return;
  for (const LogSession& session : log->sessions)
    for (const LogRecord& record : session.records)
      for (const LogEvent& event : record.events)
        if (event.depth >= kMaxEventLevels) __builtin_trap();
  if (log_text(*log, "fuzz").empty() || log_json(*log, "fuzz").empty()) __builtin_trap();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto* begin = reinterpret_cast<const std::byte*>(data);
  read({begin, size});
  // The same bytes behind a right head and with right checksums, so that the contents are reached.
  std::vector<std::byte> sealed = log_head();
  sealed.insert(sealed.end(), begin, begin + size);
  seal_log(sealed);
  read(sealed);
  return 0;
}
