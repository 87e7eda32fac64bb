// SPDX-License-Identifier: BSD-3-Clause
// 0.5 * x * bell, whichever of the three factors is multiplied first. The bell is 1 + erf(x / sqrt(2)) or
// what comes near it.
#include <cmath>

#include "frontend/onnx/fuse/fusion.h"

namespace openqnn::frontend::onnx {
namespace {

struct Bell {
  ValueId x = kNoValue;  // of which
  std::vector<uint32_t> nodes;
};
using FindBell = std::optional<Bell> (*)(const Rewriter& net, ValueId value);

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

// With the Mul `index` at the end.
bool fuse_bell(Rewriter& net, uint32_t index, FindBell bell_of) {
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
    if (!has_x || !has_half || !net.gives_dims_of(bell->x, index)) return false;
    std::vector<uint32_t> absorbed = bell->nodes;
    append(absorbed, factors.nodes);
    net.replace(index, "Gelu", 20, {bell->x}, {}, absorbed);
    return true;
  }
  return false;
}

// 1 + erf(x / sqrt(2)).
std::optional<Bell> erf_bell(const Rewriter& net, ValueId value) {
  const auto add = net.made_by_for_this_alone(value, "Add");
  const auto one_and = add ? net.with_number(*add, 1.0) : std::nullopt;
  const auto erf = one_and ? net.made_by_for_this_alone(*one_and, "Erf") : std::nullopt;
  if (!erf) return std::nullopt;
  const ValueId scaled = net.node(*erf).inputs[0];
  for (const char* type : {"Div", "Mul"}) {
    const auto scale = net.made_by_for_this_alone(scaled, type);
    if (!scale) continue;
    const NetNode& node = net.node(*scale);
    const auto found = net.with_constant(node);
    if (!found) continue;
    const double number = net.number(found->id).value_or(0);
    const double wanted = node.type == "Div" ? std::sqrt(2.0) : std::sqrt(0.5);
    if (std::abs(number - wanted) > 1e-3 || (node.type == "Div" && node.inputs[0] != found->other)) continue;
    return Bell{found->other, {*scale, *erf, *add}};
  }
  return std::nullopt;
}

// ---- 0.5 * x * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3))) ----

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
    const auto square = net.square_of(input);
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
    const auto cubed = share ? net.with_number(*share, kCubeShare) : std::nullopt;
    auto cube = cubed ? cube_of(net, *cubed) : std::nullopt;
    if (!cube || net.other_input(node, input) != cube->x) continue;
    append(cube->nodes, {*share, *add});
    return cube;
  }
  return std::nullopt;
}

std::optional<Bell> tanh_bell(const Rewriter& net, ValueId value) {
  const auto add = net.made_by_for_this_alone(value, "Add");
  const auto one_and = add ? net.with_number(*add, 1.0) : std::nullopt;
  const auto tanh = one_and ? net.made_by_for_this_alone(*one_and, "Tanh") : std::nullopt;
  const auto scale = tanh ? net.made_by_for_this_alone(net.node(*tanh).inputs[0], "Mul") : std::nullopt;
  const auto scaled = scale ? net.with_number(*scale, kSlope) : std::nullopt;
  auto bent = scaled ? bent_of(net, *scaled) : std::nullopt;
  if (bent) append(bent->nodes, {*scale, *tanh, *add});
  return bent;
}

}  // namespace

bool fuse_gelu(Rewriter& net, uint32_t index) { return fuse_bell(net, index, erf_bell); }

// It approximates a GELU, and becomes the GELU itself. Ours: the two differ by less than 0.0005. Between -4
// and 4 the steps, each rounded to half, are off by up to 0.0020, and the GELU rounded to half is by up to
// 0.0014.
bool fuse_tanh_gelu(Rewriter& net, uint32_t index) {
  const NetNode& node = net.node(index);
  if (node.type != "Gelu" || node.attributes.text("approximate", "none") != "tanh")
    return fuse_bell(net, index, tanh_bell);
  net.replace(index, "Gelu", node.opset, std::vector<ValueId>(node.inputs), {}, {});
  return true;
}

}  // namespace openqnn::frontend::onnx
