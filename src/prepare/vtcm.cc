// SPDX-License-Identifier: BSD-3-Clause
#include "prepare/vtcm.h"

namespace openqnn::prepare {

std::optional<BlockId> Vtcm::allocate(ir::TensorIndex tensor, const ir::Box& box, uint64_t bytes,
                                      std::vector<uint32_t>& after) {
  const std::optional<uint64_t> offset = free_.allocate(bytes);
  if (!offset) return std::nullopt;
  take_past_users(*offset, *offset + bytes, after);
  const auto block = static_cast<BlockId>(schedule_.blocks.size());
  schedule_.blocks.push_back({tensor, box, *offset, bytes, {}});
  by_tensor_[tensor].push_back(block);
  resident_.insert(block);
  return block;
}

void Vtcm::cancel(BlockId id, std::vector<uint32_t> after) {
  schedule_.blocks[id].users = std::move(after);  // who used the bytes before counts again
  retire(id);
  schedule_.blocks.pop_back();
}

void Vtcm::retire(BlockId id) {
  const program::VtcmBlock& block = schedule_.blocks[id];
  free_.release(block.offset, block.bytes);
  past_[block.offset] = {block.offset + block.bytes, block.users};
  std::erase(by_tensor_[block.tensor], id);
  resident_.erase(id);
}

void Vtcm::take_past_users(uint64_t begin, uint64_t end, std::vector<uint32_t>& after) {
  auto use = past_.upper_bound(begin);
  if (use != past_.begin()) --use;
  while (use != past_.end() && use->first < end) {
    const uint64_t use_begin = use->first;
    PastUse past = use->second;
    if (past.end <= begin) {
      ++use;
      continue;
    }
    after.insert(after.end(), past.users.begin(), past.users.end());
    use = past_.erase(use);
    // What the new block does not cover keeps its history.
    if (use_begin < begin) past_[use_begin] = {begin, past.users};
    if (past.end > end) past_[end] = {past.end, std::move(past.users)};
  }
}

}  // namespace openqnn::prepare
