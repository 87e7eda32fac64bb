// SPDX-License-Identifier: BSD-3-Clause
#include "frontend/onnx/fuse/mean.h"

#include <algorithm>

namespace openqnn::frontend::onnx {

std::optional<int64_t> mean_axis(const Rewriter& net, const NetNode& node) {
  const auto rank = static_cast<int64_t>(net.value(node.inputs[0]).dims.size());
  std::vector<int64_t> axes = node.attributes.integers("axes");
  if (node.inputs.size() > 1) {
    const Constant* given = net.constant(node.inputs[1]);
    if (given == nullptr) return std::nullopt;
    axes = given->integers();
  }
  if (axes.empty() || node.attributes.integer("keepdims", 1) == 0) return std::nullopt;
  for (int64_t& axis : axes)
    if (axis < 0) axis += rank;
  std::sort(axes.begin(), axes.end());
  for (size_t i = 0; i < axes.size(); ++i)
    if (axes[i] != rank - static_cast<int64_t>(axes.size() - i)) return std::nullopt;
  return axes[0];
}

std::optional<Deviation> deviation_of(const Rewriter& net, ValueId value) {
  const auto root = net.made_by_for_this_alone(value, "Sqrt");
  if (!root) return std::nullopt;
  const auto add = net.made_by_for_this_alone(net.node(*root).inputs[0], "Add");
  if (!add) return std::nullopt;
  const auto sum = net.with_constant(net.node(*add));
  if (!sum) return std::nullopt;
  const auto epsilon = net.number(*net.other_input(net.node(*add), sum->other));
  if (!epsilon) return std::nullopt;
  return Deviation{sum->other, *epsilon, {*add, *root}};
}

std::optional<Square> square_of(const Rewriter& net, ValueId value) {
  if (const auto power = net.made_by_for_this_alone(value, "Pow")) {
    const NetNode& node = net.node(*power);
    if (near(net.number(node.inputs[1]).value_or(0), 2.0)) return Square{node.inputs[0], *power};
  }
  if (const auto product = net.made_by_for_this_alone(value, "Mul")) {
    const NetNode& node = net.node(*product);
    if (node.inputs[0] == node.inputs[1]) return Square{node.inputs[0], *product};
  }
  return std::nullopt;
}

bool fits_from(const Constant& constant, const Dims& dims, int64_t axis) {
  const Dims tail(dims.begin() + axis, dims.end());
  return constant.dims() == tail;
}

}  // namespace openqnn::frontend::onnx
