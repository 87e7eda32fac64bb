// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/io_memory.h"

namespace openqnn::runtime {

void IoMemory::add(uint64_t bytes, ir::ClientMemory declared) {
  const bool is_raw = declared == ir::ClientMemory::kRaw;
  tensors_.emplace_back(bytes, is_raw);
  if (is_raw)
    reserved_bytes_ += bytes;
  else
    ++by_handle_;
}

uint64_t IoMemory::reserve(const IoTraffic& traffic) {
  uint64_t added = 0;
  for (size_t i = 0; i < tensors_.size(); ++i)
    if (traffic.passed[i] == ir::ClientMemory::kRaw && !tensors_[i].reserved.exchange(true))
      added += tensors_[i].bytes;
  if (added != 0) reserved_bytes_ += added;
  return added;
}

std::vector<profile::ProfileEvent> io_events(const IoMemory& memory, const IoTraffic& traffic) {
  return {profile::memory_event("Input/output memory reserved", memory.reserved()),
          profile::memory_event("Input/output memory copied", traffic.copied)};
}

}  // namespace openqnn::runtime
