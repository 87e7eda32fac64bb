// SPDX-License-Identifier: BSD-3-Clause
// The VTCM of a core while tasks are being sequenced: which blocks are resident, and who must be finished
// before bytes are reused.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "prepare/box_index.h"
#include "prepare/free_list.h"
#include "prepare/operands.h"
#include "program/program.h"

namespace openqnn::prepare {

using BlockId = uint32_t;  // into Schedule::blocks

class Vtcm {
 public:
  explicit Vtcm(program::Program& program, uint32_t core = 0)
      : program_(program),
        core_(core),
        blocks_(program.schedule.blocks),
        free_(program.schedule.vtcm_bytes),
        by_tensor_(program.tensors.size()) {}

  // A new block when there is room. `after` receives the tasks that used its bytes before. A streamed block
  // has room but is never found as resident: nobody else can use what has passed through it.
  std::optional<BlockId> allocate(const Operand& operand, std::vector<uint32_t>& after);
  // Takes back the newest block, which no task used; `after` is what its allocation gave.
  void cancel(BlockId block, std::vector<uint32_t> after);
  // Ends a block: its bytes may be reused once its users are done.
  void retire(BlockId block);

  // Resident blocks of a tensor that overlap a box, oldest first.
  std::vector<BlockId> resident(ir::TensorIndex tensor, const ir::Box& box) const {
    return by_tensor_[tensor].overlapping(box);
  }
  // All those of a tensor, oldest first.
  std::vector<BlockId> resident(ir::TensorIndex tensor) const { return by_tensor_[tensor].all(); }
  // Uses of blocks, counted through.
  using Stamp = uint64_t;
  void touch(BlockId block);
  Stamp last_use(BlockId block) const { return stamps_[block]; }
  // The resident block whose last use is the first from `from` on.
  std::optional<BlockId> unused_for_longest(Stamp from = 0) const;

 private:
  struct PastUse {
    uint64_t end;
    std::vector<uint32_t> users;
  };
  void take_past_users(uint64_t begin, uint64_t end, std::vector<uint32_t>& after);

  const program::Program& program_;
  const uint32_t core_;
  std::vector<program::VtcmBlock>& blocks_;  // of all cores
  FreeList free_;
  std::map<uint64_t, PastUse> past_;  // by first byte, never overlapping
  std::vector<BoxIndex> by_tensor_;
  std::map<Stamp, BlockId> resident_;  // by last use
  std::vector<Stamp> stamps_;          // beside the blocks
  Stamp next_stamp_ = 0;
};

}  // namespace openqnn::prepare
