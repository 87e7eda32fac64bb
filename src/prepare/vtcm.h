// SPDX-License-Identifier: BSD-3-Clause
// VTCM while tasks are being sequenced: which blocks are resident, and who must be finished before bytes are
// reused.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "prepare/free_list.h"
#include "program/program.h"

namespace openqnn::prepare {

using BlockId = uint32_t;  // into Schedule::blocks

class Vtcm {
 public:
  Vtcm(program::Schedule& schedule) : schedule_(schedule), free_(schedule.vtcm_bytes) {}  // NOLINT

  // A new block when there is room. `after` receives the tasks that used its bytes before.
  std::optional<BlockId> allocate(ir::TensorIndex tensor, const ir::Box& box, uint64_t bytes,
                                  std::vector<uint32_t>& after);
  // Takes back the newest block, which no task used; `after` is what its allocation gave.
  void cancel(BlockId block, std::vector<uint32_t> after);
  // Ends a block: its bytes may be reused once its users are done.
  void retire(BlockId block);

  // Resident blocks of a tensor, oldest first.
  const std::vector<BlockId>& resident(ir::TensorIndex tensor) { return by_tensor_[tensor]; }
  // All resident blocks, oldest first.
  std::vector<BlockId> resident() const { return {resident_.begin(), resident_.end()}; }

 private:
  struct PastUse {
    uint64_t end;
    std::vector<uint32_t> users;
  };
  void take_past_users(uint64_t begin, uint64_t end, std::vector<uint32_t>& after);

  program::Schedule& schedule_;
  FreeList free_;
  std::map<uint64_t, PastUse> past_;  // by first byte, never overlapping
  std::map<ir::TensorIndex, std::vector<BlockId>> by_tensor_;
  std::set<BlockId> resident_;
};

}  // namespace openqnn::prepare
