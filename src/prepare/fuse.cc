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
  if (!epilogue.is_clamp()) return half && options.advanced_fusion;
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

class Fusion {
 public:
  Fusion(program::Program& program, const Options& options, const Logger& log)
      : program_(program),
        options_(options),
        log_(log),
        readers_(count_readers(program)),
        producers_(find_producers(program)),
        folded_(program.ops.size(), false) {}

  // An activation becomes the end of the op before it.
  void fold_activation(size_t index) {
    const program::Op& op = program_.ops[index];
    const std::optional<ops::Epilogue> epilogue = epilogue_of(program_, op, options_);
    if (!epilogue) return;
    program::Op* producer = sole_producer(op.inputs[0]);
    // A plain integer, another type or another number of bits in between is a conversion, not a rounding.
    if (!producer || !can_end_in_activation(*producer) || !same_type(op.inputs[0], op.outputs[0]) ||
        !same_bits(op.inputs[0], op.outputs[0]))
      return;
    fold(index, *producer, *epilogue);
  }

  // f(x) * x becomes the end of f: swish, and the like.
  void fold_gate(size_t index) {
    const program::Op& op = program_.ops[index];
    if (options_.optimization < 2 || !multiplies(op)) return;
    for (const size_t side : {0, 1}) {
      const ir::TensorIndex gate = op.inputs[side];
      const ir::TensorIndex input = op.inputs[1 - side];
      program::Op* producer = sole_producer(gate);
      if (!producer || producer->inputs[0] != input || !can_gate(*producer)) continue;
      if (!same_type(gate, op.outputs[0]) || !same_type(input, op.outputs[0])) continue;
      const ir::TensorDesc& between = program_.tensors[gate].desc;
      if (!(between.shape == program_.tensors[op.outputs[0]].desc.shape)) continue;
      if (!same_bits(gate, op.outputs[0])) continue;
      const bool quantized = ir::is_quantized(between.type);
      if (!quantized && between.type != ir::DataType::kFloat16) continue;  // integers do not round in between
      return fold(index, *producer,
                  ops::Epilogue::times_input(quantized ? between.quantization.at(0) : ir::ScaleOffset{}));
    }
  }

  void drop_folded() {
    std::vector<program::Op> kept;
    for (size_t i = 0; i < program_.ops.size(); ++i)
      if (!folded_[i]) kept.push_back(std::move(program_.ops[i]));
    program_.ops = std::move(kept);
  }

 private:
  // The op behind a tensor that nobody else reads or sees.
  program::Op* sole_producer(ir::TensorIndex tensor) {
    if (tensor == ir::kNoTensor || !producers_[tensor] || readers_[tensor] != 1) return nullptr;
    const program::Tensor& between = program_.tensors[tensor];
    if (between.role != ir::TensorRole::kNative || between.updateable) return nullptr;
    return &program_.ops[*producers_[tensor]];
  }

  bool same_type(ir::TensorIndex a, ir::TensorIndex b) const {
    return program_.tensors[a].desc.type == program_.tensors[b].desc.type;
  }

  static bool multiplies(const program::Op& op) {
    return ops::type_alone(op.type, op.params) == "ElementWiseMultiply";
  }

  bool same_bits(ir::TensorIndex a, ir::TensorIndex b) const {
    return program_.tensors[a].desc.quantization.bits == program_.tensors[b].desc.quantization.bits;
  }

  static bool can_gate(const program::Op& producer) {
    const ops::OpDef* op = ops::find_op(producer.type);
    return op && op->gates && producer.epilogue.activation == ops::Activation::kNone;
  }

  void fold(size_t index, program::Op& producer, const ops::Epilogue& epilogue) {
    const program::Op& op = program_.ops[index];
    producer.epilogue = epilogue;
    producer.outputs = op.outputs;
    producers_[op.outputs[0]] = static_cast<size_t>(&producer - program_.ops.data());
    producer.source_nodes.insert(producer.source_nodes.end(), op.source_nodes.begin(), op.source_nodes.end());
    folded_[index] = true;
    log_.verbose(concat("fused '", op.name, "' into '", producer.name, "'"));
  }

  program::Program& program_;
  const Options& options_;
  const Logger& log_;
  std::vector<uint32_t> readers_;
  std::vector<std::optional<size_t>> producers_;
  std::vector<bool> folded_;
};

}  // namespace

void fuse(Draft& draft, const Options& options, const Logger& log) {
  Fusion fusion(draft.program, options, log);
  for (size_t i = 0; i < draft.program.ops.size(); ++i) {
    fusion.fold_activation(i);
    fusion.fold_gate(i);
  }
  fusion.drop_folded();
}

}  // namespace openqnn::prepare
