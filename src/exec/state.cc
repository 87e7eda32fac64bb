// SPDX-License-Identifier: BSD-3-Clause
#include "exec/state.h"

#include <algorithm>
#include <new>

namespace openqnn::exec {

State::State(const program::Program& program) {
  std::vector<Kept> kept(program.ops.size());
  bool any = false;
  for (size_t i = 0; i < kept.size(); ++i) {
    const program::Op& op = program.ops[i];
    const ops::OpDef& def = *ops::find_op(op.type);
    if (def.state_bytes) kept[i].bytes = def.state_bytes(program::call_of(program, op));
    any |= kept[i].bytes > 0;
  }
  if (any) kept_ = std::move(kept);
}

std::unique_lock<std::mutex> State::take_turn() {
  return kept_.empty() ? std::unique_lock<std::mutex>() : std::unique_lock(turn_);
}

void State::empty(size_t index) {
  const std::span<std::byte> kept = of(index);
  std::fill(kept.begin(), kept.end(), std::byte{0});
}

std::span<std::byte> State::of(size_t index) {
  if (kept_.empty() || kept_[index].bytes == 0) return {};
  Kept& kept = kept_[index];
  if (!kept.memory) {
    // Pages cost memory when a frame comes to lie there.
    kept.memory.reset(static_cast<std::byte*>(std::calloc(kept.bytes, 1)));
    if (!kept.memory) throw std::bad_alloc();  // the C API turns it into its documented code
  }
  return {kept.memory.get(), kept.bytes};
}

void Withheld::clear() {
  if (any_) std::fill(tensors_.begin(), tensors_.end(), false);
  any_ = false;
}

bool Withheld::has_any_of(const std::vector<ir::TensorIndex>& operands) const {
  return any_ && std::ranges::any_of(operands, [&](ir::TensorIndex tensor) {
           return tensor != ir::kNoTensor && tensors_[tensor];
         });
}

void Withheld::add(ir::TensorIndex tensor) {
  tensors_[tensor] = true;
  any_ = true;
}

void Withheld::add_all(const std::vector<ir::TensorIndex>& operands) {
  for (const ir::TensorIndex tensor : operands)
    if (tensor != ir::kNoTensor) add(tensor);
}

}  // namespace openqnn::exec
