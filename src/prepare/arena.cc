// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <limits>

#include "base/units.h"
#include "prepare/draft.h"
#include "prepare/free_list.h"

namespace openqnn::prepare {
namespace {

constexpr size_t kEnd = std::numeric_limits<size_t>::max();

// The op after which each tensor's bytes may be reused; kEnd for what the client reads afterwards.
std::vector<size_t> last_uses(const program::Program& program) {
  std::vector<size_t> last(program.tensors.size(), 0);
  for (size_t i = 0; i < program.ops.size(); ++i) {
    for (const ir::TensorIndex output : program.ops[i].outputs)
      if (output != ir::kNoTensor) last[output] = i;
    for (const ir::TensorIndex input : program.ops[i].inputs)
      if (input != ir::kNoTensor) last[input] = i;
  }
  for (size_t i = 0; i < last.size(); ++i)
    if (program.tensors[i].role == ir::TensorRole::kOutput) last[i] = kEnd;
  return last;
}

}  // namespace

void plan_arena(program::Program& program) {
  const std::vector<size_t> last = last_uses(program);
  FreeList memory;
  const auto place = [&](program::Tensor& tensor) {
    if (tensor.storage != program::Storage::kArena) return;
    const uint64_t bytes = round_up(tensor.bytes, program::kTensorAlignment);
    tensor.offset = *memory.allocate(bytes);
    program.arena_bytes = std::max(program.arena_bytes, tensor.offset + bytes);
  };
  for (program::Tensor& tensor : program.tensors)
    if (tensor.role == ir::TensorRole::kInput) place(tensor);

  for (size_t i = 0; i < program.ops.size(); ++i) {
    const program::Op& op = program.ops[i];
    for (const ir::TensorIndex output : op.outputs)
      if (output != ir::kNoTensor) place(program.tensors[output]);
    std::vector<ir::TensorIndex> done = op.inputs;  // an op may read one tensor twice
    std::sort(done.begin(), done.end());
    done.erase(std::unique(done.begin(), done.end()), done.end());
    done.insert(done.end(), op.outputs.begin(), op.outputs.end());  // an output nobody reads ends here too
    for (const ir::TensorIndex tensor : done) {
      if (tensor == ir::kNoTensor || last[tensor] != i) continue;
      const program::Tensor& finished = program.tensors[tensor];
      if (finished.storage == program::Storage::kArena)
        memory.release(finished.offset, round_up(finished.bytes, program::kTensorAlignment));
    }
  }
}

}  // namespace openqnn::prepare
