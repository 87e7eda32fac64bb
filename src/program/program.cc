// SPDX-License-Identifier: BSD-3-Clause
#include "program/program.h"

#include <algorithm>

namespace openqnn::program {

uint64_t spill_fill_bytes(const Program& program) {
  uint64_t end = 0;
  for (const Task& task : program.schedule.tasks) {
    const Tensor& tensor = program.tensors[task.tensor];
    const bool spilled = task.kind == TaskKind::kStore && tensor.role == ir::TensorRole::kNative;
    if (spilled) end = std::max(end, tensor.offset + tensor.bytes);
  }
  return end;
}

ops::OpCall call_of(const Program& program, const Op& op) {
  ops::OpCall call = ops::call_with(
      op, [&](ir::TensorIndex tensor) -> auto& { return program.tensors[tensor].desc; });
  call.epilogue = op.epilogue;
  call.fast_sigmoid = program.fast_sigmoid;
  call.half_accumulation = program.half_accumulation;
  return call;
}

}  // namespace openqnn::program
