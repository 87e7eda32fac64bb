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

bool can_end_in_activation(const program::Op& producer) {
  const ops::OpDef* op = ops::find_op(producer.type);
  return op && op->fuses && producer.outputs.size() == 1 &&
         producer.epilogue.activation == ops::Activation::kNone;
}

// Results do not depend on the level. What changes them is done at every one: folding a relu takes a rounding
// out of a quantized graph, and the advanced fusions one out of a half graph. A relu in half changes nothing.
bool is_wanted(const ops::Epilogue& epilogue, ir::DataType type, const Options& options) {
  const bool half = type == ir::DataType::kFloat16;
  if (epilogue.activation > ops::Activation::kClamp) return half && options.advanced_fusion;
  return options.fold_relu && (!half || options.optimization >= 2);
}

std::optional<ops::Epilogue> epilogue_of(const program::Program& program, const program::Op& op,
                                         const Options& options) {
  const ops::OpDef* def = ops::find_op(op.type);
  if (!def || !def->folds_as) return std::nullopt;
  const ops::OpCall call = program::call_of(program, op);
  const std::optional<ops::Epilogue> epilogue = def->folds_as(call);
  return epilogue && is_wanted(*epilogue, call.out().type, options) ? epilogue : std::nullopt;
}

}  // namespace

void fuse(Draft& draft, const Options& options, const Logger& log) {
  program::Program& program = draft.program;
  const std::vector<uint32_t> readers = count_readers(program);
  const std::vector<std::optional<size_t>> producers = find_producers(program);
  std::vector<bool> folded(program.ops.size(), false);

  for (size_t i = 0; i < program.ops.size(); ++i) {
    const program::Op& op = program.ops[i];
    const std::optional<ops::Epilogue> epilogue = epilogue_of(program, op, options);
    if (!epilogue) continue;
    const ir::TensorIndex between = op.inputs[0];
    if (!producers[between] || readers[between] != 1) continue;
    if (program.tensors[between].role != ir::TensorRole::kNative || program.tensors[between].updateable)
      continue;
    program::Op& producer = program.ops[*producers[between]];
    // A plain integer or another type in between is a conversion, not a rounding.
    if (!can_end_in_activation(producer) ||
        program.tensors[between].desc.type != program.tensors[op.outputs[0]].desc.type)
      continue;

    producer.epilogue = *epilogue;
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
