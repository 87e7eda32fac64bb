// SPDX-License-Identifier: BSD-3-Clause
#include "prepare/draft.h"
#include "program/constant_pool.h"

namespace openqnn::prepare {
namespace {

// Replaces static operands by the form their op stores them in. Two ops may store one tensor differently, so
// each asks for its own; equal bytes are merged when constants are placed.
void store_operands(Draft& draft) {
  program::Program& program = draft.program;
  for (program::Op& op : program.ops) {
    const ops::OpDef* def = ops::find_op(op.type);
    if (!def->store) continue;
    // All forms are computed from the client's operands before any of them is replaced: a bias is stored in
    // units that depend on the weights' encoding.
    std::vector<std::pair<size_t, ops::StoredOperand>> stored;
    const ops::OpCall call = program::call_of(program, op);
    for (size_t i = 0; i < op.inputs.size(); ++i) {
      if (op.inputs[i] == ir::kNoTensor || !draft.data[op.inputs[i]]) continue;
      if (auto operand = def->store(call, i, draft.data[op.inputs[i]]))
        stored.emplace_back(i, *std::move(operand));
    }
    for (auto& [i, operand] : stored) {
      draft.data[op.inputs[i]].release();
      replace_operand(draft, op.inputs[i], std::move(operand.desc), std::move(operand.data));
    }
  }
}

// Renumbers tensors so that only inputs, outputs and those an op names remain.
void drop_unused_tensors(Draft& draft) {
  program::Program& program = draft.program;
  std::vector<bool> used(program.tensors.size(), false);
  for (size_t i = 0; i < used.size(); ++i) used[i] = ir::is_io(program.tensors[i].role);
  const auto for_each_operand = [&program](auto&& body) {
    for (program::Op& op : program.ops) {
      for (auto* operands : {&op.inputs, &op.outputs})
        for (ir::TensorIndex& tensor : *operands)
          if (tensor != ir::kNoTensor) body(tensor);
    }
  };
  for_each_operand([&used](ir::TensorIndex tensor) { used[tensor] = true; });

  std::vector<ir::TensorIndex> renumbered(program.tensors.size(), ir::kNoTensor);
  std::vector<program::Tensor> tensors;
  std::vector<ir::Blob> data;
  for (size_t i = 0; i < used.size(); ++i) {
    if (!used[i]) continue;
    renumbered[i] = static_cast<ir::TensorIndex>(tensors.size());
    tensors.push_back(std::move(program.tensors[i]));
    data.push_back(std::move(draft.data[i]));
  }
  program.tensors = std::move(tensors);
  draft.data = std::move(data);
  for_each_operand([&renumbered](ir::TensorIndex& tensor) { tensor = renumbered[tensor]; });
}

void place_constants(Draft& draft) {
  program::ConstantPool pool;
  uint64_t most = 0;
  for (const ir::Blob& data : draft.data)
    if (data && data.is_stated()) most += program::ConstantPool::space_of(data.size());
  pool.reserve(most);
  for (size_t i = 0; i < draft.data.size(); ++i) {
    if (!draft.data[i] || !draft.data[i].is_stated()) continue;
    draft.program.tensors[i].offset = pool.place(draft.data[i].bytes());
    draft.data[i] = nullptr;  // so that no more than one constant is in memory twice
  }
  draft.constants = pool.take();
}

// Constants whose bytes nobody has stated get a place behind the others.
void place_unstated_constants(Draft& draft) {
  uint64_t end = draft.constants.size();
  for (size_t i = 0; i < draft.data.size(); ++i) {
    if (!draft.data[i]) continue;
    draft.program.tensors[i].offset = round_up(end, program::kTensorAlignment);
    end = draft.program.tensors[i].offset + draft.data[i].size();
    draft.data[i] = nullptr;
  }
  draft.unstated_bytes = end - draft.constants.size();
}

}  // namespace

void lay_out(Draft& draft) {
  store_operands(draft);
  drop_unused_tensors(draft);
  place_constants(draft);
  place_unstated_constants(draft);
}

}  // namespace openqnn::prepare
