// SPDX-License-Identifier: BSD-3-Clause
// x * clip(x + 3, 0, 6) / 6, in the ways exporters write it.
#include "frontend/onnx/fuse/fusion.h"

namespace openqnn::frontend::onnx {
namespace {

bool clips_0_to_6(const Rewriter& net, const NetNode& clip) {
  auto bound = [&](size_t input, std::string_view attribute) -> std::optional<double> {
    if (clip.inputs.size() > input && clip.inputs[input] != kNoValue) return net.number(clip.inputs[input]);
    if (!clip.attributes.has(attribute)) return std::nullopt;
    return clip.attributes.real(attribute, 0.0);
  };
  const auto low = bound(1, "min");
  const auto high = bound(2, "max");
  return low && high && near(*low, 0.0) && near(*high, 6.0);
}

// clip(x + 3, 0, 6): which x, and its nodes.
struct Gate {
  ValueId x;
  std::vector<uint32_t> nodes;
};

std::optional<Gate> gate_of(const Rewriter& net, ValueId value) {
  const auto clip = net.made_by_for_this_alone(value, "Clip");
  if (!clip || !clips_0_to_6(net, net.node(*clip))) return std::nullopt;
  const auto add = net.made_by_for_this_alone(net.node(*clip).inputs[0], "Add");
  const auto x = add ? net.with_number(*add, 3.0) : std::nullopt;
  return x ? std::optional(Gate{*x, {*add, *clip}}) : std::nullopt;
}

// Of a node that divides by six: what it divides.
std::optional<ValueId> sixth(const Rewriter& net, const NetNode& node) {
  const bool divides = node.type == "Div";
  if (!divides && node.type != "Mul") return std::nullopt;
  if (node.inputs.size() != 2) return std::nullopt;
  if (const auto number = net.number(node.inputs[1]); number && near(*number, divides ? 6.0 : 1.0 / 6.0))
    return node.inputs[0];
  if (const auto number = net.number(node.inputs[0]); !divides && number && near(*number, 1.0 / 6.0))
    return node.inputs[1];
  return std::nullopt;
}

// (x * gate) / 6, with `index` dividing.
bool divided_last(Rewriter& net, uint32_t index) {
  const auto product = sixth(net, net.node(index));
  const auto multiply = product ? net.made_by_for_this_alone(*product, "Mul") : std::nullopt;
  if (!multiply) return false;
  const NetNode& node = net.node(*multiply);
  for (const ValueId input : node.inputs) {
    const auto gate = gate_of(net, input);
    if (!gate || net.other_input(node, input) != gate->x || !net.gives_dims_of(gate->x, index)) continue;
    std::vector<uint32_t> absorbed = gate->nodes;
    absorbed.push_back(*multiply);
    net.replace(index, "HardSwish", 14, {gate->x}, {}, absorbed);
    return true;
  }
  return false;
}

// x * (gate / 6), with `index` multiplying; or x * HardSigmoid(x) of the same slope.
bool divided_first(Rewriter& net, uint32_t index) {
  const NetNode& node = net.node(index);
  if (node.type != "Mul" || node.inputs.size() != 2) return false;
  for (const ValueId input : node.inputs) {
    const ValueId x = *net.other_input(node, input);
    if (!net.gives_dims_of(x, index)) continue;
    for (const char* type : {"Div", "Mul"}) {
      const auto scale = net.made_by_for_this_alone(input, type);
      const auto clipped = scale ? sixth(net, net.node(*scale)) : std::nullopt;
      const auto gate = clipped ? gate_of(net, *clipped) : std::nullopt;
      if (!gate || gate->x != x) continue;
      std::vector<uint32_t> absorbed = gate->nodes;
      absorbed.push_back(*scale);
      net.replace(index, "HardSwish", 14, {x}, {}, absorbed);
      return true;
    }
    const auto sigmoid = net.made_by_for_this_alone(input, "HardSigmoid");
    if (!sigmoid || net.node(*sigmoid).inputs[0] != x) continue;
    const Attributes& attributes = net.node(*sigmoid).attributes;
    if (!near(attributes.real("alpha", 0.2), 1.0 / 6.0) || !near(attributes.real("beta", 0.5), 0.5)) continue;
    net.replace(index, "HardSwish", 14, {x}, {}, {*sigmoid});
    return true;
  }
  return false;
}

}  // namespace

bool fuse_hard_swish(Rewriter& net, uint32_t index) {
  return divided_last(net, index) || divided_first(net, index);
}

}  // namespace openqnn::frontend::onnx
