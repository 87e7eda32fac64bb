// SPDX-License-Identifier: BSD-3-Clause
// A product with weights, and a number per column added: the backend's products take a bias.

#include "frontend/onnx/fuse/fusion.h"

namespace openqnn::frontend::onnx {
namespace {

// One number for each column, and no other dimensions than such of extent 1.
bool is_per_column(const Constant& constant, int64_t columns) {
  const Dims& dims = constant.dims();
  return !dims.empty() && dims.back() == columns && constant.count() == static_cast<uint64_t>(columns);
}

// A quantized model says where it rounds: between the two, and the bias by an encoding of its own.
bool is_rounded(const Rewriter& net, ValueId product, ValueId bias) {
  return net.value(product).encoding != nullptr || net.value(bias).encoding != nullptr;
}

}  // namespace

// With `index` adding the bias.
bool fuse_matmul_bias(Rewriter& net, uint32_t index) {
  const NetNode& add = net.node(index);
  if (add.type != "Add") return false;
  const auto sum = net.with_constant(add);
  const auto product = sum ? net.made_by_for_this_alone(sum->other, "MatMul") : std::nullopt;
  if (!product) return false;
  const std::vector<ValueId> factors = net.node(*product).inputs;
  const Constant* weights = net.constant(factors[1]);
  if (weights == nullptr || weights->dims().size() < 2 || !is_real(weights->type())) return false;
  if (!is_per_column(*sum->constant, weights->dims().back()) || is_rounded(net, sum->other, sum->id))
    return false;
  if (net.value(add.outputs[0]).dims != net.value(sum->other).dims) return false;
  net.replace(index, "openqnn.MatMulWithBias", 1, {factors[0], factors[1], sum->id}, {}, {*product});
  return true;
}

}  // namespace openqnn::frontend::onnx
