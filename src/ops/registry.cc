// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>

#include "base/aligned_bytes.h"
#include "base/text.h"
#include "base/until_exit.h"
#include "ops/common.h"
#include "ops/kernel_memory.h"
#include "ops/op.h"

namespace openqnn::ops {

#define OPENQNN_OP(name) OpDef name();
#include "ops/op_list.inc"
#undef OPENQNN_OP

namespace {

auto make_ops() {
  return std::array{
#define OPENQNN_OP(name) name(),
#include "ops/op_list.inc"
#undef OPENQNN_OP
  };
}

}  // namespace

std::span<const OpDef> all_ops() {
  static KeptAtExit<decltype(make_ops())> ops(make_ops());
  return *ops;
}

const OpDef* find_op(std::string_view type) {
  for (const OpDef& op : all_ops())
    if (op.type == type) return &op;
  return nullptr;
}

OpCall call_of(const ir::Graph& graph, const ir::Node& node) {
  return call_with(
      node, [&](ir::TensorIndex tensor) -> auto& { return graph.tensors()[tensor].desc; });
}

namespace {

ir::Box whole_input(const OpCall& call, size_t index, const ir::Box& output) {
  const ir::Shape& shape = call.in(index).shape;
  return output.empty() ? empty_box(shape) : ir::Box::whole(shape);
}

}  // namespace

ir::Box input_box(const OpDef& op, const OpCall& call, size_t index, const ir::Box& output) {
  return (op.input_box ? op.input_box : whole_input)(call, index, output);
}

std::vector<NeededPart> needed_parts(InputBox input_box, const OpCall& call, const ir::Box& output) {
  std::vector<NeededPart> parts;
  for (size_t i = 0; i < call.inputs.size(); ++i) {
    if (!call.has_input(i)) continue;
    const ir::Box box = input_box(call, i, output);
    if (!box.empty()) parts.push_back({i, box});
  }
  return parts;
}

NeededParts parts_of(const OpDef& op, const OpCall& call) {
  if (op.parts) return op.parts(call);
  return [&call, input_box = op.input_box ? op.input_box : whole_input](const ir::Box& output) {
    return needed_parts(input_box, call, output);
  };
}

std::vector<NeededPart> needed_parts(const OpDef& op, const OpCall& call, const ir::Box& output) {
  return parts_of(op, call)(output);
}

std::vector<SplitAxis> split_axes(const OpDef& op, const OpCall& call) {
  return op.split_axes ? op.split_axes(call) : std::vector<SplitAxis>();
}

std::string_view type_alone(const OpDef& op, const ir::Params& params) {
  const std::string_view alone = op.alone ? op.alone(params) : "";
  return alone.empty() ? op.type : alone;
}

std::string_view type_alone(std::string_view type, const ir::Params& params) {
  const OpDef* op = find_op(type);
  return op ? type_alone(*op, params) : type;
}

bool clamps(const OpDef& op, const OpCall& call) {
  const std::optional<Epilogue> epilogue = op.folds_as ? op.folds_as(call) : std::nullopt;
  return epilogue && epilogue->is_clamp();
}

namespace {

// More than this for each thread is no price for speed.
constexpr uint64_t kMostScratch = uint64_t{256} << 20;

uint64_t wanted_scratch(const Kernel& kernel, const OpCall& call) {
  return kernel.scratch_bytes ? kernel.scratch_bytes(call) : 0;
}

std::optional<std::string> declines(const Kernel& kernel, const OpCall& call) {
  if (kernel.declines)
    if (std::optional<std::string> reason = kernel.declines(call)) return reason;
  const uint64_t scratch = wanted_scratch(kernel, call);
  if (scratch <= kMostScratch) return std::nullopt;
  return concat("it would need ", scratch, " bytes of memory for each thread");
}

}  // namespace

uint64_t granted_scratch(const Kernel& kernel, const OpCall& call) {
  return std::min(wanted_scratch(kernel, call), kMostScratch);
}

const Kernel& choose_kernel(const OpDef& op, const OpCall& call, std::vector<std::string>* reasons) {
  for (const Kernel& kernel : op.kernels) {
    const std::optional<std::string> reason = declines(kernel, call);
    if (!reason) return kernel;
    if (reasons) reasons->push_back(std::string(kernel.name) + ": " + *reason);
  }
  return op.kernels.back();  // the reference kernel serves every call that `check` accepts
}

void run_alone(const OpDef& op, const Kernel& kernel, KernelArgs args, const ir::Box& region) {
  const std::unique_ptr<const KernelPlan> plan = kernel.plan ? kernel.plan(args) : nullptr;
  const Kernel& serving = kernel.plan && !plan ? op.kernels.back() : kernel;
  args.plan = plan.get();
  const AlignedBytes scratch(granted_scratch(serving, args.call));
  args.scratch = scratch.bytes();
  serving.run(args, region);
}

}  // namespace openqnn::ops
