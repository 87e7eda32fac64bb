// SPDX-License-Identifier: BSD-3-Clause
// How much memory a graph takes while it is loaded and runs, in the parts that qnn-context-binary-utility
// tells. The names of the parts and their sum are the vendor's; what of ours counts as which is ours.
#pragma once

#include <cstdint>
#include <vector>

#include "program/program.h"

namespace openqnn::program {

struct MemoryNeeds {
  uint64_t io_tensors = 0;      // the client's inputs and outputs
  uint64_t op_data = 0;         // the Program itself, as a context binary stores it
  uint64_t constants = 0;       // that no other graph of the set uses
  uint64_t ddr_tensors = 0;     // inputs and outputs once more where they are computed in another type
  uint64_t spill_fill = 0;      // what goes from VTCM to DDR and back
  uint64_t vtcm = 0;            // granted on all cores, in whole megabytes
  uint64_t shared_weights = 0;  // of all graphs that share some: the same on each, and counted once

  // Of a graph by itself.
  uint64_t sum() const { return io_tensors + op_data + constants + ddr_tensors + spill_fill + vtcm; }
};

// Beside the set's programs.
std::vector<MemoryNeeds> memory_needs(const ProgramSet& set);

// What a graph takes when it is loaded alone: the sum, and the weights that it shares with others.
uint64_t peak_memory_bytes(const MemoryNeeds& needs);

}  // namespace openqnn::program
