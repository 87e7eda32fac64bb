// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <optional>

#include "base/text.h"
#include "prepare/draft.h"

namespace openqnn::prepare {
namespace {

// How often each tensor is read by an op.
std::vector<uint32_t> count_readers(const program::Program& program) {
  std::vector<uint32_t> readers(program.tensors.size(), 0);
  for (const program::Op& op : program.ops)
    for (const ir::TensorIndex input : op.inputs)
      if (input != ir::kNoTensor) ++readers[input];
  return readers;
}

std::vector<std::optional<size_t>> find_producers(const program::Program& program) {
  std::vector<std::optional<size_t>> producers(program.tensors.size());
  for (size_t i = 0; i < program.ops.size(); ++i)
    for (const ir::TensorIndex output : program.ops[i].outputs)
      if (output != ir::kNoTensor) producers[output] = i;
  return producers;
}

bool can_fold(const program::Op& producer, ops::Activation activation) {
  const ops::OpDef* op = ops::find_op(producer.type);
  return op && op->fuses && op->fuses(activation) && producer.outputs.size() == 1 &&
         producer.epilogue.activation == ops::Activation::kNone;
}

}  // namespace

void fuse(Draft& draft, const Options& options, const Logger& log) {
  if (options.optimization < 2 || !options.fold_relu) return;
  program::Program& program = draft.program;
  const std::vector<uint32_t> readers = count_readers(program);
  const std::vector<std::optional<size_t>> producers = find_producers(program);
  std::vector<bool> folded(program.ops.size(), false);

  for (size_t i = 0; i < program.ops.size(); ++i) {
    const program::Op& op = program.ops[i];
    const ops::OpDef* def = ops::find_op(op.type);
    if (!def || def->folds_as == ops::Activation::kNone) continue;
    const ir::TensorIndex between = op.inputs[0];
    if (!producers[between] || readers[between] != 1) continue;
    if (program.tensors[between].role != ir::TensorRole::kNative || program.tensors[between].updateable)
      continue;
    program::Op& producer = program.ops[*producers[between]];
    if (!can_fold(producer, def->folds_as)) continue;

    producer.epilogue = {def->folds_as, program.tensors[between].desc.quantization};
    producer.outputs = op.outputs;
    producer.source_nodes.insert(producer.source_nodes.end(), op.source_nodes.begin(), op.source_nodes.end());
    folded[i] = true;
    log.verbose(concat("fused '", op.name, "' into '", producer.name, "'"));
  }

  std::vector<program::Op> kept;
  for (size_t i = 0; i < program.ops.size(); ++i)
    if (!folded[i]) kept.push_back(std::move(program.ops[i]));
  program.ops = std::move(kept);
}

}  // namespace openqnn::prepare
