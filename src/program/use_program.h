// SPDX-License-Identifier: BSD-3-Clause
// For fuzzers: does with a Program that a reader let through what sim and exec do, so that a sanitizer sees
// what the reader should have refused.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "ops/op.h"
#include "program/program.h"

namespace openqnn::program {

// A broken promise of the reader.
inline void require(bool holds) {
  if (!holds) std::abort();
}

// Small enough to compute in the blink of an eye.
inline bool is_small(const Program& program) {
  uint64_t bytes = program.arena_bytes;
  for (const Tensor& tensor : program.tensors) bytes += std::min(tensor.bytes, uint64_t{kMiB});
  return bytes < kMiB;
}

// What sim and reports do.
inline void walk(const Program& program) {
  for (const Task& task : program.schedule.tasks) {
    const Op& op = program.ops[task.op];
    if (task.kind != TaskKind::kCompute) continue;
    const ops::OpDef& def = *ops::find_op(op.type);
    const ops::OpCall call = call_of(program, op);
    def.work(call, task.box);
    for (size_t i = 0; i < op.inputs.size(); ++i)
      if (call.has_input(i))
        require(ir::contains(ir::Box::whole(call.in(i).shape), ops::input_box(def, call, i, task.box)));
  }
}

// What exec does, with memory of exactly the sizes that the Program states.
inline void compute(const ProgramSet& set, const Program& program) {
  std::vector<std::byte> arena(program.arena_bytes);
  std::vector<std::vector<std::byte>> clients(program.tensors.size());
  std::vector<std::byte*> places(program.tensors.size());
  for (size_t i = 0; i < program.tensors.size(); ++i) {
    const Tensor& tensor = program.tensors[i];
    if (tensor.storage == Storage::kClient) clients[i].resize(tensor.bytes);
    places[i] = tensor.storage == Storage::kClient  ? clients[i].data()
                : tensor.storage == Storage::kArena ? arena.data() + tensor.offset
                                                    : const_cast<std::byte*>(set.bytes_of(tensor).data());
  }
  uint64_t budget = 1'000'000;
  for (const Op& op : program.ops) {
    const ops::OpDef& def = *ops::find_op(op.type);
    const ops::OpCall call = call_of(program, op);
    const ir::Box whole = ir::Box::whole(call.out().shape);
    const ops::Work work = def.work(call, whole);
    const uint64_t cost = std::max({work.macs, work.vector_ops * 128, work.vtcm_bytes});
    if (cost > budget) return;
    budget -= cost;
    std::vector<const std::byte*> inputs;
    for (const ir::TensorIndex input : op.inputs)
      inputs.push_back(input == ir::kNoTensor ? nullptr : places[input]);
    std::vector<std::byte*> outputs;
    for (const ir::TensorIndex output : op.outputs)
      outputs.push_back(output == ir::kNoTensor ? nullptr : places[output]);
    std::vector<std::byte> state(def.state_bytes ? def.state_bytes(call) : 0);
    ops::run_alone(def, ops::choose_kernel(def, call), {call, inputs, outputs, state}, whole);
  }
}

inline void use(const ProgramSet& set) {
  for (const auto& program : set.programs) {
    walk(*program);
    if (is_small(*program)) compute(set, *program);
  }
}

}  // namespace openqnn::program
