// SPDX-License-Identifier: BSD-3-Clause
#include "prepare/operands.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

#include "base/units.h"
#include "ops/common.h"

namespace openqnn::prepare {
namespace {

constexpr uint64_t kVector = 128;  // blocks start on a vector boundary
static_assert(kLeastWindow % kVector == 0 && kStreamWindow % kVector == 0);

// An op may name a tensor several times; a second operand that reads the same box needs no room of its own.
// Few ops have many inputs, but those have thousands: their operands are found by tensor.
class InputList {
 public:
  explicit InputList(size_t inputs) : many_(inputs > kFew) { operands_.reserve(inputs); }

  void add(const Operand& input) {
    if (Operand* same = find(input)) {
      same->bytes = std::max(same->bytes, input.bytes);
      return;
    }
    if (many_) by_tensor_.emplace(input.tensor, operands_.size());
    operands_.push_back(input);
  }
  std::vector<Operand> take() { return std::move(operands_); }

 private:
  static constexpr size_t kFew = 16;

  Operand* find(const Operand& input) {
    const auto is_same = [&](const Operand& other) {
      return other.tensor == input.tensor && other.box == input.box;
    };
    if (!many_) {
      const auto same = std::ranges::find_if(operands_, is_same);
      return same == operands_.end() ? nullptr : &*same;
    }
    const auto [first, last] = by_tensor_.equal_range(input.tensor);
    for (auto each = first; each != last; ++each)
      if (is_same(operands_[each->second])) return &operands_[each->second];
    return nullptr;
  }

  bool many_;
  std::vector<Operand> operands_;
  std::unordered_multimap<ir::TensorIndex, size_t> by_tensor_;  // places in operands_
};

}  // namespace

uint64_t vtcm_bytes(const ir::TensorDesc& desc, const ir::Box& box) {
  if (desc.is_sparse()) return round_up(ir::plain_bytes(desc), kVector);
  return round_up(ops::padded_bytes(desc, box), kVector);
}

uint64_t input_vtcm_bytes(const ops::OpDef& op, const ops::OpCall& call, size_t index, const ir::Box& box) {
  if (call.in(index).layout != ir::Layout::kPlain) return op.packed_bytes(call, box);
  return vtcm_bytes(call.in(index), box);
}

std::vector<Operand> operands_of(const program::Op& op, const ops::OpDef& def, const ops::OpCall& call,
                                 const ir::Box& tile, const std::vector<ops::NeededPart>& parts) {
  InputList inputs(parts.size());
  for (const auto& [i, box] : parts) {
    const uint64_t bytes = input_vtcm_bytes(def, call, i, box);
    const bool is_plain = call.in(i).layout == ir::Layout::kPlain;
    inputs.add({op.inputs[i], box, bytes, is_plain ? ir::plain_bytes(call.in(i), box) : bytes});
  }
  std::vector<Operand> operands = inputs.take();
  for (size_t i = 0; i < op.outputs.size(); ++i) {
    if (op.outputs[i] == ir::kNoTensor) continue;
    const ir::TensorDesc& desc = call.out(i);
    const ir::Box box = i == 0 ? tile : ir::Box::whole(desc.shape);
    operands.push_back({op.outputs[i], box, vtcm_bytes(desc, box), ir::plain_bytes(desc, box), true});
  }
  return operands;
}

uint64_t total_bytes(const std::vector<Operand>& operands) {
  uint64_t bytes = 0;
  for (const Operand& operand : operands) bytes += operand.bytes;
  return bytes;
}

bool fit_by_streaming(std::vector<Operand>& operands, uint64_t budget) {
  uint64_t total = total_bytes(operands);
  if (total <= budget) return true;

  std::vector<Operand*> by_size;
  for (Operand& operand : operands) by_size.push_back(&operand);
  std::ranges::stable_sort(by_size, std::greater<>(), &Operand::bytes);
  size_t streamed = 0;
  while (total > budget && streamed < by_size.size() && by_size[streamed]->bytes > kLeastWindow) {
    total -= by_size[streamed]->bytes - kLeastWindow;
    ++streamed;
  }
  if (total > budget) return false;

  const uint64_t share = (budget - total) / streamed / kVector * kVector;
  for (size_t i = 0; i < streamed; ++i) {
    by_size[i]->streamed = true;
    by_size[i]->bytes = std::min({by_size[i]->bytes, kStreamWindow, kLeastWindow + share});
  }
  return true;
}

}  // namespace openqnn::prepare
