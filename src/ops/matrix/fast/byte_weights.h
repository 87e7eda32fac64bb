// SPDX-License-Identifier: BSD-3-Clause
// Weight matrices of bytes as tiles take them: packed ones where they lie, 4-bit ones unpacked, and those
// that come at run time packed on the spot.
#pragma once

#include "ops/matrix/fast/operands.h"
#include "ops/matrix/fast/scratch.h"
#include "ops/matrix/fast/tile.h"
#include "ops/matrix/packed_weights.h"

namespace openqnn::ops::fast {

// What makes an integer of a plain weight tensor a signed one, as packed weights are.
inline int32_t weight_move(const OpCall& call) {
  return at_run_time(call) && !is_signed_fixed(call.in(kWeight).type) ? 1 << 7 : 0;
}
inline int64_t weight_offset(const OpCall& call) {
  return call.in(kWeight).quantization.encodings[0].offset + weight_move(call);
}

// Memory for weights that a tile cannot take as they are.
struct WeightRoom {
  WeightRoom(const OpCall& call, const WeightMatrices& matrices, Scratch& scratch);

  int8_t* block = nullptr;      // one block of columns, of 4-bit weights
  std::byte* matrix = nullptr;  // a whole matrix that comes at run time, packed,
  int64_t* starts = nullptr;    // and what each of its columns adds to sums
  int32_t* starts32 = nullptr;
};

// One weight matrix, a block of 32 columns at a time. Packs it first when it comes at run time.
class ByteWeights {
 public:
  ByteWeights(const OpCall& call, const std::byte* weights, const WeightMatrices& matrices, uint64_t group,
              const WeightRoom& room);

  // How many blocks of columns lie one after another once the first is placed.
  uint64_t blocks_at_once() const { return nibbles_ ? 1 : UINT64_MAX; }
  // Of the columns from 32 * `index` on.
  void place(uint64_t index, ByteTile& tile) const;

 private:
  void pack(const OpCall& call, const std::byte* weights, const WeightMatrices& matrices,
            uint64_t group) const;
  void unpack(const uint8_t* nibbles) const;

  bool nibbles_;
  WeightRoom room_;
  uint64_t count_;   // of blocks above each other
  uint64_t block_;   // bytes
  uint64_t stride_;  // from one block to the next below
  const std::byte* matrix_;
};

// The sum of the weights of every column of a packed matrix.
std::vector<int64_t> column_sums(const KernelArgs& args, const WeightMatrices& matrices, uint64_t group);

}  // namespace openqnn::ops::fast
