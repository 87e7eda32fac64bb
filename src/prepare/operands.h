// SPDX-License-Identifier: BSD-3-Clause
// What one tile of an op needs in VTCM at once, and which of it is streamed when there is not room for all.
#pragma once

#include <cstdint>
#include <vector>

#include "program/program.h"

namespace openqnn::prepare {

// DMA passes a streamed operand through a window of at most this size: two halves of 32 KiB, one filling
// while the other is read. Ours: no source says how the device does it.
inline constexpr uint64_t kStreamWindow = 64 * kKiB;
// What a window has at least, in the most crowded VTCM: one vector.
inline constexpr uint64_t kLeastWindow = 128;

struct Operand {
  ir::TensorIndex tensor = 0;
  ir::Box box;
  uint64_t bytes = 0;      // in VTCM: of the whole box, or of the window that it is streamed through
  uint64_t ddr_bytes = 0;  // what a transfer moves: DDR holds activations without the padding of VTCM
  bool is_output = false;
  bool streamed = false;
};

// The inputs that a tile of output 0 reads, `parts`, then all outputs; those after output 0 are whole, as
// only ops that are not divided have them. What an op reads twice in the same way stands there once.
std::vector<Operand> operands_of(const program::Op& op, const ops::OpDef& def, const ops::OpCall& call,
                                 const ir::Box& tile, const std::vector<ops::NeededPart>& parts);

uint64_t total_bytes(const std::vector<Operand>& operands);

// Streams the largest operands, as few as possible, until all of them fit `budget` bytes; the windows share
// what the others leave. False when not even the smallest windows fit.
bool fit_by_streaming(std::vector<Operand>& operands, uint64_t budget);

// Bytes that a part of a plain tensor takes in VTCM, where activations are padded to whole chunks.
uint64_t vtcm_bytes(const ir::TensorDesc& desc, const ir::Box& box);
// The same for an input of an op: packed weights come in whole blocks of the matrix unit.
uint64_t input_vtcm_bytes(const ops::OpDef& op, const ops::OpCall& call, size_t index, const ir::Box& box);

}  // namespace openqnn::prepare
