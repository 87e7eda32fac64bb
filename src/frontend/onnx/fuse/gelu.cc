// SPDX-License-Identifier: BSD-3-Clause
// 0.5 * x * (1 + erf(x / sqrt(2))), whichever of the three factors is multiplied first.
#include "frontend/onnx/fuse/gelu.h"

#include <cmath>

namespace openqnn::frontend::onnx {
namespace {

// 1 + erf(x / sqrt(2)).
std::optional<Bell> bell_of(const Rewriter& net, ValueId value) {
  const auto add = net.made_by_for_this_alone(value, "Add");
  const auto one_and = add ? with_number(net, *add, 1.0) : std::nullopt;
  const auto erf = one_and ? net.made_by_for_this_alone(*one_and, "Erf") : std::nullopt;
  if (!erf) return std::nullopt;
  const ValueId scaled = net.node(*erf).inputs[0];
  for (const char* type : {"Div", "Mul"}) {
    const auto scale = net.made_by_for_this_alone(scaled, type);
    if (!scale) continue;
    const NetNode& node = net.node(*scale);
    const auto found = net.with_constant(node);
    if (!found) continue;
    const double number = net.number(*net.other_input(node, found->other)).value_or(0);
    const double wanted = node.type == "Div" ? std::sqrt(2.0) : std::sqrt(0.5);
    if (std::abs(number - wanted) > 1e-3 || (node.type == "Div" && node.inputs[0] != found->other)) continue;
    return Bell{found->other, {*scale, *erf, *add}};
  }
  return std::nullopt;
}

struct Factors {
  std::vector<ValueId> values;
  std::vector<uint32_t> nodes;
};

// The three factors of the product that node `index` ends.
void collect(const Rewriter& net, uint32_t index, int depth, Factors& factors) {
  for (const ValueId input : net.node(index).inputs) {
    const auto inner = depth > 0 ? net.made_by_for_this_alone(input, "Mul") : std::nullopt;
    if (inner) {
      factors.nodes.push_back(*inner);
      collect(net, *inner, depth - 1, factors);
    } else {
      factors.values.push_back(input);
    }
  }
}

bool apply(Rewriter& net, uint32_t index) { return fuse_gelu(net, index, bell_of); }

}  // namespace

std::optional<ValueId> with_number(const Rewriter& net, uint32_t node, double number) {
  const auto found = net.with_constant(net.node(node));
  if (!found) return std::nullopt;
  const auto known = net.number(*net.other_input(net.node(node), found->other));
  return known && near(*known, number) ? std::optional(found->other) : std::nullopt;
}

bool fuse_gelu(Rewriter& net, uint32_t index, const FindBell& bell_of) {
  if (net.node(index).type != "Mul") return false;
  Factors factors;
  collect(net, index, 1, factors);
  if (factors.values.size() != 3) return false;
  for (const ValueId candidate : factors.values) {
    const auto bell = bell_of(net, candidate);
    if (!bell) continue;
    bool has_x = false;
    bool has_half = false;
    for (const ValueId factor : factors.values) {
      has_x |= factor == bell->x;
      has_half |= near(net.number(factor).value_or(0), 0.5);
    }
    if (!has_x || !has_half) return false;
    std::vector<uint32_t> absorbed = bell->nodes;
    append(absorbed, factors.nodes);
    net.replace(index, "Gelu", 20, {bell->x}, {}, absorbed);
    return true;
  }
  return false;
}

Fusion gelu_fusion() { return {"gelu", "0.5 * x * (1 + erf(x / sqrt(2))) as Gelu", apply}; }

}  // namespace openqnn::frontend::onnx
