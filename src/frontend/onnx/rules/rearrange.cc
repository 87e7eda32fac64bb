// SPDX-License-Identifier: BSD-3-Clause
// What the fusion joined_dims makes: an input seen in the dimensions `between`, transposed by `perm`, and
// given in others. No ONNX op.
#include "frontend/onnx/rule.h"

namespace openqnn::frontend::onnx {
namespace {

Status lower(Lowering& node) {
  const auto perm = node.attributes().integers("perm");
  const Order order(perm.begin(), perm.end());
  return node.result(
      node.rearrange(node.input(0), node.attributes().integers("between"), order, node.out().dims));
}

}  // namespace

std::span<const Rule> rearrange_rules() {
  static const Rule kRules[] = {{"openqnn.Rearrange", infer_nothing, nullptr, lower}};
  return kRules;
}

}  // namespace openqnn::frontend::onnx
