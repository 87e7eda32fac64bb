// SPDX-License-Identifier: BSD-3-Clause
#include <array>

#include "ops/op.h"

namespace openqnn::ops {

#define OPENQNN_OP(name) const OpDef& name();
#include "ops/op_list.inc"
#undef OPENQNN_OP

std::span<const OpDef* const> all_ops() {
  static const std::array kOps = {
#define OPENQNN_OP(name) &name(),
#include "ops/op_list.inc"
#undef OPENQNN_OP
  };
  return kOps;
}

const OpDef* find_op(std::string_view type) {
  for (const OpDef* op : all_ops())
    if (op->type == type) return op;
  return nullptr;
}

ir::Box input_box(const OpDef& op, const OpCall& call, size_t index, const ir::Box& output) {
  if (op.input_box) return op.input_box(call, index, output);
  ir::Box box = ir::Box::whole(call.in(index).shape);
  if (output.empty()) box.end = box.begin;
  return box;
}

std::vector<SplitAxis> split_axes(const OpDef& op, const OpCall& call) {
  return op.split_axes ? op.split_axes(call) : std::vector<SplitAxis>();
}

const Kernel& choose_kernel(const OpDef& op, const OpCall& call, std::vector<std::string>* reasons) {
  for (const Kernel& kernel : op.kernels) {
    std::optional<std::string> reason = kernel.declines ? kernel.declines(call) : std::nullopt;
    if (!reason) return kernel;
    if (reasons) reasons->push_back(std::string(kernel.name) + ": " + *reason);
  }
  return op.kernels.back();  // the reference kernel serves every call that `check` accepts
}

}  // namespace openqnn::ops
