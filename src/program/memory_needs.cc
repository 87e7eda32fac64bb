// SPDX-License-Identifier: BSD-3-Clause
#include "program/memory_needs.h"

#include <map>

#include "program/context_binary.h"

namespace openqnn::program {
namespace {

// The constants of a set, by offset: how many bytes, and how many graphs use them.
struct Use {
  uint64_t bytes = 0;
  size_t graphs = 0;
  const Program* last = nullptr;
};
using Uses = std::map<uint64_t, Use>;

Uses uses_of_constants(const ProgramSet& set) {
  Uses uses;
  for (const auto& program : set.programs)
    for (const Tensor& tensor : program->tensors) {
      if (tensor.storage != Storage::kConstant) continue;
      Use& use = uses[tensor.offset];
      use.bytes = std::max(use.bytes, tensor.bytes);
      if (use.last != program.get()) ++use.graphs;
      use.last = program.get();
    }
  return uses;
}

MemoryNeeds needs_of(const Program& program, const Uses& uses) {
  MemoryNeeds needs;
  Uses own;  // each once, however many tensors lie there
  for (const Tensor& tensor : program.tensors) {
    if (ir::is_io(tensor.role)) {
      needs.io_tensors += tensor.desc.shape.elements() * ir::byte_size(tensor.client_type);
      if (tensor.storage == Storage::kArena) needs.ddr_tensors += tensor.bytes;
    }
    if (tensor.storage != Storage::kConstant) continue;
    const auto use = uses.find(tensor.offset);
    if (use->second.graphs == 1) own.insert(*use);
  }
  for (const auto& [offset, use] : own) needs.constants += use.bytes;
  needs.op_data = program_bytes(program);
  needs.spill_fill = spill_fill_bytes(program);
  needs.vtcm = round_up(program.schedule.vtcm_bytes * program.schedule.cores, kMiB);
  return needs;
}

}  // namespace

std::vector<MemoryNeeds> memory_needs(const ProgramSet& set) {
  const Uses uses = uses_of_constants(set);
  uint64_t shared = 0;
  for (const auto& [offset, use] : uses)
    if (use.graphs > 1) shared += use.bytes;
  std::vector<MemoryNeeds> all;
  for (const auto& program : set.programs) {
    all.push_back(needs_of(*program, uses));
    all.back().shared_weights = shared;
  }
  return all;
}

uint64_t peak_memory_bytes(const MemoryNeeds& needs) { return needs.sum() + needs.shared_weights; }

}  // namespace openqnn::program
