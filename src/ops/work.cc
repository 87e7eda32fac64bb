// SPDX-License-Identifier: BSD-3-Clause
// The vectors of an op by kind: what latencies of devices tell the price of. docs/timing.md says how
// the kinds were found. An op that is not here counts the instructions that its own file estimates.
#include "ops/work.h"

#include <algorithm>
#include <array>

#include "ops/common.h"
#include "ops/op.h"

namespace openqnn::ops {
namespace {

// Which vectors of an op count.
enum class Counted : uint8_t {
  kMoved,  // read or written
  kWritten,
  kOutputs,  // written by all outputs, and read
};

struct KindRule {
  std::string_view type;
  VectorKind kind;
  Counted counted;
};

constexpr auto kRules = std::to_array<KindRule>({
    {"ElementWiseAdd", VectorKind::kElementwise, Counted::kMoved},
    {"ElementWiseSubtract", VectorKind::kElementwise, Counted::kMoved},
    {"ElementWiseMultiply", VectorKind::kElementwise, Counted::kMoved},
    {"ElementWiseDivide", VectorKind::kElementwise, Counted::kMoved},
    {"ElementWiseMinimum", VectorKind::kElementwise, Counted::kMoved},
    {"ElementWiseMaximum", VectorKind::kElementwise, Counted::kMoved},
    {"Relu", VectorKind::kElementwise, Counted::kMoved},
    {"Relu1", VectorKind::kElementwise, Counted::kMoved},
    {"Relu6", VectorKind::kElementwise, Counted::kMoved},
    {"ReluMinMax", VectorKind::kElementwise, Counted::kMoved},
    {"Cast", VectorKind::kElementwise, Counted::kMoved},
    {"Convert", VectorKind::kElementwise, Counted::kMoved},
    {"Quantize", VectorKind::kElementwise, Counted::kMoved},
    {"Dequantize", VectorKind::kElementwise, Counted::kMoved},
    {"ReduceMean", VectorKind::kElementwise, Counted::kMoved},
    {"ReduceMax", VectorKind::kElementwise, Counted::kMoved},
    {"ReduceMin", VectorKind::kElementwise, Counted::kMoved},
    {"ReduceSum", VectorKind::kElementwise, Counted::kMoved},
    {"Argmax", VectorKind::kElementwise, Counted::kMoved},
    {"Argmin", VectorKind::kElementwise, Counted::kMoved},
    {"PoolAvg2d", VectorKind::kElementwise, Counted::kMoved},
    {"PoolMax2d", VectorKind::kElementwise, Counted::kMoved},
    {"Sigmoid", VectorKind::kActivation, Counted::kWritten},
    {"Tanh", VectorKind::kActivation, Counted::kWritten},
    {"Gelu", VectorKind::kActivation, Counted::kWritten},
    {"HardSwish", VectorKind::kActivation, Counted::kWritten},
    {"Elu", VectorKind::kActivation, Counted::kWritten},
    {"Prelu", VectorKind::kActivation, Counted::kWritten},
    {"ElementWiseSoftplus", VectorKind::kActivation, Counted::kWritten},
    {"ElementWiseNeuron", VectorKind::kActivation, Counted::kWritten},
    {"Softmax", VectorKind::kSoftmax, Counted::kWritten},
    {"LogSoftmax", VectorKind::kSoftmax, Counted::kWritten},
    {"LayerNorm", VectorKind::kNorm, Counted::kWritten},
    {"RmsNorm", VectorKind::kNorm, Counted::kWritten},
    {"GroupNorm", VectorKind::kNorm, Counted::kWritten},
    {"InstanceNorm", VectorKind::kNorm, Counted::kWritten},
    {"Transpose", VectorKind::kLayout, Counted::kMoved},
    {"Reshape", VectorKind::kLayout, Counted::kMoved},
    {"DepthToSpace", VectorKind::kLayout, Counted::kMoved},
    {"SpaceToDepth", VectorKind::kLayout, Counted::kMoved},
    {"ChannelShuffle", VectorKind::kLayout, Counted::kMoved},
    {"Split", VectorKind::kLayout, Counted::kOutputs},
    {"StridedSlice", VectorKind::kLayout, Counted::kMoved},
    {"ResizeNearestNeighbor", VectorKind::kLayout, Counted::kMoved},
    {"ResizeBilinear", VectorKind::kLayout, Counted::kMoved},
    {"Resize", VectorKind::kLayout, Counted::kMoved},
    {"Gather", VectorKind::kLayout, Counted::kWritten},
    {"Concat", VectorKind::kConcat, Counted::kMoved},
    {"Batchnorm", VectorKind::kElementwise, Counted::kMoved},
});

const KindRule* rule_of(std::string_view type) {
  const auto rule = std::ranges::find(kRules, type, &KindRule::type);
  return rule == kRules.end() ? nullptr : &*rule;
}

// A pool pays a fifth of an element-wise vector again for what its windows read (an estimate, not fitted).
// The windows of a maximum reuse what they have compared.
constexpr uint64_t kPoolShare = 5;

struct OperandSizes {
  uint64_t read = 0;
  uint64_t written = 0;
};

OperandSizes operand_sizes(const OpCall& call, const ir::Box& output, const std::vector<NeededPart>& parts,
                           bool all_outputs) {
  OperandSizes sizes;
  for (const NeededPart& part : parts)
    sizes.read = saturating_add(sizes.read, padded_vectors(call.in(part.input), part.box));
  sizes.written = padded_vectors(call.out(), output);
  for (size_t i = 1; all_outputs && i < call.outputs.size(); ++i)
    if (call.has_output(i))
      sizes.written =
          saturating_add(sizes.written, padded_vectors(call.out(i), ir::Box::whole(call.out(i).shape)));
  return sizes;
}

bool is_quantized_batchnorm(const OpDef& op, const OpCall& call) {
  return op.type == "Batchnorm" && arithmetic_of(call.out()) != Arithmetic::kHalf;
}

void count_vectors(const OpDef& op, const OpCall& call, const ir::Box& output,
                   const std::vector<NeededPart>& parts, const KindRule& rule, Work& work) {
  const OperandSizes sizes = operand_sizes(call, output, parts, rule.counted == Counted::kOutputs);
  const uint64_t moved = saturating_add(sizes.read, sizes.written);
  work.of(rule.kind) = rule.counted == Counted::kWritten ? sizes.written : moved;
  if (op.type == "PoolAvg2d" || op.type.starts_with("Reduce") || op.type.starts_with("Arg"))
    work.of(rule.kind) = saturating_add(moved, sizes.read / kPoolShare);
  if (op.type == "PoolMax2d") work.of(rule.kind) = saturating_add(moved, 4 * sizes.written / kPoolShare);
  if (rule.type == "ElementWiseDivide") work.of(VectorKind::kQuotient) = sizes.written;
  if (is_quantized_batchnorm(op, call)) {
    work.of(VectorKind::kElementwise) = 0;
    work.of(VectorKind::kBatchNorm) =
        saturating_multiply(moved, work.arithmetic == Arithmetic::kBytes ? 2 : 1);
  }
}

}  // namespace

Work work_of(const OpDef& op, const OpCall& call, const ir::Box& output) {
  return work_of(op, call, output, needed_parts(op, call, output));
}

Work work_of(const OpDef& op, const OpCall& call, const ir::Box& output,
             const std::vector<NeededPart>& parts) {
  Work work = op.work(call, output);
  const KindRule* rule = output.empty() ? nullptr : rule_of(type_alone(op, *call.params));
  if (rule) count_vectors(op, call, output, parts, *rule, work);
  // Beside the matrix unit the instructions are those of other vectors.
  const bool has_kind = std::ranges::any_of(work.vectors, [](uint64_t count) { return count > 0; });
  if (has_kind && work.unit != soc::Unit::kHmx) work.vector_ops = 0;
  return work;
}

uint32_t launches_of(const OpDef& op, const OpCall& call) {
  constexpr uint32_t kPassesOfBatchnorm = 3;  // so many layers do profiles of devices show
  return is_quantized_batchnorm(op, call) ? kPassesOfBatchnorm : 1;
}

}  // namespace openqnn::ops
