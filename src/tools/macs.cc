// SPDX-License-Identifier: BSD-3-Clause
#include "tools/macs.h"

#include <algorithm>
#include <string_view>

namespace openqnn::tools {
namespace {

class Operands {
 public:
  Operands(const ir::Graph& graph, const ir::Node& node) : graph_(graph), node_(node) {}

  const ir::Tensor* in(size_t i) const { return i < node_.inputs.size() ? tensor(node_.inputs[i]) : nullptr; }
  uint64_t in_elements(size_t i) const { return in(i) == nullptr ? 0 : in(i)->desc.shape.elements(); }
  const ir::Shape& out() const { return graph_.tensors()[node_.outputs.at(0)].desc.shape; }

 private:
  const ir::Tensor* tensor(ir::TensorIndex index) const {
    return index == ir::kNoTensor ? nullptr : &graph_.tensors()[index];
  }
  const ir::Graph& graph_;
  const ir::Node& node_;
};

// Weights are [kernel..., channels in, channels out]: each output is a sum over all but the last.
uint64_t of_convolution(const Operands& operands) {
  const uint32_t channels = std::max(operands.in(1)->desc.shape.from_end(0), 1U);
  return operands.out().elements() * (operands.in_elements(1) / channels);
}

// The other way round: each input goes into the kernels of all output channels of its group, and weights are
// [kernel..., channels in, channels out of a group].
uint64_t of_transposed(const Operands& operands) {
  const ir::Shape& weight = operands.in(1)->desc.shape;
  const uint32_t channels_in = std::max(weight.rank() < 2 ? 1U : weight.from_end(1), 1U);
  return operands.in_elements(0) * (operands.in_elements(1) / channels_in);
}

uint64_t of_matmul(const Operands& operands, bool first_is_transposed) {
  const ir::Shape& first = operands.in(0)->desc.shape;
  if (first.rank() == 0) return 0;
  const bool turned = first_is_transposed && first.rank() > 1;
  return operands.out().elements() * first.from_end(turned ? 1 : 0);
}

// Every matrix is used once for each row and each step, which the output has one vector for.
uint64_t of_recurrent(const Operands& operands, size_t inputs) {
  if (operands.out().rank() == 0) return 0;
  uint64_t weights = 0;
  for (size_t i = 0; i < inputs; ++i) {
    const ir::Tensor* const tensor = operands.in(i);
    if (tensor != nullptr && tensor->data && tensor->desc.shape.rank() == 2)
      weights += operands.in_elements(i);
  }
  return weights * (operands.out().elements() / std::max(operands.out().from_end(0), 1U));
}

bool is_one_of(std::string_view type, std::initializer_list<std::string_view> types) {
  return std::ranges::find(types, type) != types.end();
}

}  // namespace

uint64_t macs_of(const ir::Graph& graph, const ir::Node& node) {
  const Operands operands(graph, node);
  if (node.outputs.empty() || node.outputs[0] == ir::kNoTensor) return 0;
  if (is_one_of(node.type, {"Lstm", "Gru"})) return of_recurrent(operands, node.inputs.size());
  if (operands.in(0) == nullptr || operands.in(1) == nullptr) return 0;
  if (node.type == "MatMul") return of_matmul(operands, node.params.boolean("transpose_in0", false));
  if (node.type == "FullyConnected")  // weights [out, in]
    return operands.out().elements() * operands.in(1)->desc.shape.from_end(0);
  if (operands.in(1)->desc.shape.rank() == 0) return 0;
  if (is_one_of(node.type, {"Conv1d", "Conv2d", "Conv3d", "DepthWiseConv1d", "DepthWiseConv2d"}))
    return of_convolution(operands);
  if (is_one_of(node.type, {"TransposeConv1d", "TransposeConv2d", "TransposeConv3d"}))
    return of_transposed(operands);
  return 0;
}

}  // namespace openqnn::tools
