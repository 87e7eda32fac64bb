// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/working_memory.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <utility>

namespace openqnn::runtime {

WorkingMemory::WorkingMemory(Context& context) {
  for (const auto& [name, handle] : context.graphs()) {
    const Ref<Graph> graph = HandleTable::instance().acquire<Graph>(handle);
    if (auto plan = graph ? graph->plan() : nullptr)
      plans_.push_back(std::move(plan));
    else if (!unfinished_)
      unfinished_ = name;
  }
  std::set<std::pair<const std::byte*, size_t>> known;
  for (const auto& plan : plans_)
    for (const program::ProgramSet* set : plan->programs())
      for (const program::Tensor& tensor : set->programs[0]->tensors) {
        if (tensor.storage != program::Storage::kConstant) continue;
        const auto bytes = set->bytes_of(tensor);
        if (known.emplace(bytes.data(), bytes.size()).second) weights_.push_back(bytes);
      }
}

uint64_t WorkingMemory::needed(MemoryUse use) const {
  uint64_t bytes = 0;
  switch (use) {
    case MemoryUse::kTensor:
      break;
    case MemoryUse::kWeights:
      for (const auto& constant : weights_) bytes += round_up(constant.size(), program::kTensorAlignment);
      break;
    case MemoryUse::kSpillFill:
      for (const auto& plan : plans_) bytes = std::max(bytes, plan->spill_fill_bytes());
      break;
    case MemoryUse::kVtcmBackup:
      for (const auto& plan : plans_)
        for (const program::ProgramSet* set : plan->programs())
          bytes = std::max(bytes, set->programs[0]->schedule.vtcm_bytes);
      break;
  }
  return bytes;
}

void WorkingMemory::copy_weights(std::span<std::byte> to) const {
  for (const auto& constant : weights_) {
    std::memcpy(to.data(), constant.data(), constant.size());
    to = to.subspan(round_up(constant.size(), program::kTensorAlignment));
  }
}

}  // namespace openqnn::runtime
