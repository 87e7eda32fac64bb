// SPDX-License-Identifier: BSD-3-Clause
// Any bytes: refused, or the same trace is written and read again.
#include <cstdint>
#include <vector>

#include "profile/op_trace.h"

namespace {

using namespace openqnn::profile;

void read(std::span<const std::byte> bytes) {
  const auto trace = read_op_trace(bytes);
  if (!trace) return;
  const auto again = read_op_trace(write_op_trace(*trace));
  if (!again || again->timeline.events.size() != trace->timeline.events.size()) __builtin_trap();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::span bytes(reinterpret_cast<const std::byte*>(data), size);
  read(bytes);
  read(seal(kOpTraceKind, bytes));  // behind a right outside
  return 0;
}
