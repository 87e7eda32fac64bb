// SPDX-License-Identifier: BSD-3-Clause
#include "prepare/vtcm.h"

#include <algorithm>

namespace openqnn::prepare {

std::optional<BlockId> Vtcm::allocate(const Operand& operand, std::vector<uint32_t>& after) {
  const std::optional<uint64_t> offset = free_.allocate_onward(operand.bytes);
  if (!offset) return std::nullopt;
  take_past_users(*offset, *offset + operand.bytes, after);
  const auto block = static_cast<BlockId>(blocks_.size());
  blocks_.push_back({operand.tensor, operand.box, *offset, operand.bytes, {}, operand.streamed, core_});
  stamps_.resize(blocks_.size());
  stamps_[block] = next_stamp_++;
  if (operand.streamed) return block;
  by_tensor_[operand.tensor].insert(program_.tensors[operand.tensor].desc.shape, operand.box, block);
  resident_.emplace(stamps_[block], block);
  return block;
}

void Vtcm::cancel(BlockId id, std::vector<uint32_t> after) {
  blocks_[id].users = std::move(after);  // who used the bytes before counts again
  retire(id);
  blocks_.pop_back();
  stamps_.resize(blocks_.size());
}

void Vtcm::retire(BlockId id) {
  const program::VtcmBlock& block = blocks_[id];
  free_.release(block.offset, block.bytes);
  past_[block.offset] = {block.offset + block.bytes, block.users};
  if (block.streamed) return;
  by_tensor_[block.tensor].erase(block.box, id);
  resident_.erase(stamps_[id]);
}

void Vtcm::touch(BlockId id) {
  resident_.erase(stamps_[id]);
  stamps_[id] = next_stamp_++;
  resident_.emplace(stamps_[id], id);
}

std::optional<BlockId> Vtcm::unused_for_longest(Stamp from) const {
  const auto found = resident_.lower_bound(from);
  return found == resident_.end() ? std::nullopt : std::optional(found->second);
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
  // Parts of one block have the same users: named once, or their lists would grow with every cut.
  std::ranges::sort(after);
  after.erase(std::unique(after.begin(), after.end()), after.end());
}

}  // namespace openqnn::prepare
