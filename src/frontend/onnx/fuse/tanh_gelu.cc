// SPDX-License-Identifier: BSD-3-Clause
// 0.5 * x * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3))), which approximates a GELU, as the GELU itself.
// Ours: the two differ by less than 0.0005. Between -4 and 4 the steps, each rounded to half, are off by up
// to 0.0020, and the GELU rounded to half is by up to 0.0014.
#include "frontend/onnx/fuse/gelu.h"
#include "frontend/onnx/fuse/mean.h"

namespace openqnn::frontend::onnx {
namespace {

constexpr double kSlope = 0.7978845608028654;  // sqrt(2 / pi)
constexpr double kCubeShare = 0.044715;

// x^3, as a power or as two products.
std::optional<Bell> cube_of(const Rewriter& net, ValueId value) {
  if (const auto power = net.made_by_for_this_alone(value, "Pow")) {
    const NetNode& node = net.node(*power);
    if (near(net.number(node.inputs[1]).value_or(0), 3.0)) return Bell{node.inputs[0], {*power}};
  }
  const auto product = net.made_by_for_this_alone(value, "Mul");
  if (!product) return std::nullopt;
  const NetNode& node = net.node(*product);
  for (const ValueId input : node.inputs) {
    const auto square = square_of(net, input);
    if (square && net.other_input(node, input) == square->x) return Bell{square->x, {square->node, *product}};
  }
  return std::nullopt;
}

// x + 0.044715 * x^3.
std::optional<Bell> bent_of(const Rewriter& net, ValueId value) {
  const auto add = net.made_by_for_this_alone(value, "Add");
  if (!add) return std::nullopt;
  const NetNode& node = net.node(*add);
  for (const ValueId input : node.inputs) {
    const auto share = net.made_by_for_this_alone(input, "Mul");
    const auto cubed = share ? with_number(net, *share, kCubeShare) : std::nullopt;
    auto cube = cubed ? cube_of(net, *cubed) : std::nullopt;
    if (!cube || net.other_input(node, input) != cube->x) continue;
    append(cube->nodes, {*share, *add});
    return cube;
  }
  return std::nullopt;
}

std::optional<Bell> bell_of(const Rewriter& net, ValueId value) {
  const auto add = net.made_by_for_this_alone(value, "Add");
  const auto one_and = add ? with_number(net, *add, 1.0) : std::nullopt;
  const auto tanh = one_and ? net.made_by_for_this_alone(*one_and, "Tanh") : std::nullopt;
  const auto scale = tanh ? net.made_by_for_this_alone(net.node(*tanh).inputs[0], "Mul") : std::nullopt;
  const auto scaled = scale ? with_number(net, *scale, kSlope) : std::nullopt;
  auto bent = scaled ? bent_of(net, *scaled) : std::nullopt;
  if (bent) append(bent->nodes, {*scale, *tanh, *add});
  return bent;
}

bool apply(Rewriter& net, uint32_t index) {
  const NetNode& node = net.node(index);
  if (node.type != "Gelu" || node.attributes.text("approximate", "none") != "tanh")
    return fuse_gelu(net, index, bell_of);
  net.replace(index, "Gelu", node.opset, std::vector<ValueId>(node.inputs), {}, {});
  return true;
}

}  // namespace

Fusion tanh_gelu_fusion() {
  return {"tanh_gelu", "0.5 * x * (1 + tanh(...)), the approximation of a GELU, as Gelu", apply};
}

}  // namespace openqnn::frontend::onnx
