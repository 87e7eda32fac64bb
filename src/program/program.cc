// SPDX-License-Identifier: BSD-3-Clause
#include "program/program.h"

#include <algorithm>

namespace openqnn::program {
namespace {

const ir::TensorDesc* desc_of(const Program& program, ir::TensorIndex tensor) {
  return tensor == ir::kNoTensor ? nullptr : &program.tensors[tensor].desc;
}

}  // namespace

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
  ops::OpCall call;
  call.node = op.name;
  call.params = &op.params;
  call.inputs.reserve(op.inputs.size());
  for (const ir::TensorIndex input : op.inputs) call.inputs.push_back(desc_of(program, input));
  call.outputs.reserve(op.outputs.size());
  for (const ir::TensorIndex output : op.outputs) call.outputs.push_back(desc_of(program, output));
  call.epilogue = op.epilogue;
  call.fast_sigmoid = program.fast_sigmoid;
  call.half_accumulation = program.half_accumulation;
  return call;
}

}  // namespace openqnn::program
