// SPDX-License-Identifier: BSD-3-Clause
// x / sqrt(mean(x^2) + epsilon) * scale, the division also written as a product with the reciprocal.
#include "frontend/onnx/fuse/mean.h"

namespace openqnn::frontend::onnx {
namespace {

struct Match {
  ValueId x = kNoValue;
  Deviation deviation;
  std::vector<uint32_t> nodes;
};

// x and sqrt(mean + epsilon), of the node that brings them together.
std::optional<Match> divided(const Rewriter& net, ValueId value) {
  if (const auto divide = net.made_by_for_this_alone(value, "Div")) {
    const NetNode& node = net.node(*divide);
    if (auto deviation = deviation_of(net, node.inputs[1]))
      return Match{node.inputs[0], *deviation, {*divide}};
  }
  const auto multiply = net.made_by_for_this_alone(value, "Mul");
  if (!multiply) return std::nullopt;
  const NetNode& node = net.node(*multiply);
  for (const ValueId input : node.inputs) {
    const ValueId x = *net.other_input(node, input);
    if (const auto reciprocal = net.made_by_for_this_alone(input, "Reciprocal"))
      if (auto deviation = deviation_of(net, net.node(*reciprocal).inputs[0]))
        return Match{x, *deviation, {*reciprocal, *multiply}};
    const auto divide = net.made_by_for_this_alone(input, "Div");
    if (!divide || !near(net.number(net.node(*divide).inputs[0]).value_or(0), 1.0)) continue;
    if (auto deviation = deviation_of(net, net.node(*divide).inputs[1]))
      return Match{x, *deviation, {*divide, *multiply}};
  }
  return std::nullopt;
}

// With `index` multiplying by the scale.
bool apply(Rewriter& net, uint32_t index) {
  if (net.node(index).type != "Mul") return false;
  const auto scale = net.with_constant(net.node(index));
  auto match = scale ? divided(net, scale->other) : std::nullopt;
  const auto mean = match ? net.made_by_for_this_alone(match->deviation.mean, "ReduceMean") : std::nullopt;
  if (!mean) return false;
  const auto square = square_of(net, net.node(*mean).inputs[0]);
  const auto axis = mean_axis(net, net.node(*mean));
  if (!square || square->x != match->x || !axis) return false;
  if (!fits_from(*scale->constant, net.value(match->x).dims, *axis)) return false;
  std::vector<uint32_t> absorbed = {square->node, *mean};
  append(absorbed, match->deviation.nodes);
  append(absorbed, match->nodes);
  const ValueId gamma = *net.other_input(net.node(index), scale->other);
  Attributes attributes;
  attributes.set("axis", *axis).set("epsilon", match->deviation.epsilon);
  net.replace(index, "RMSNormalization", 23, {match->x, gamma}, attributes, absorbed);
  return true;
}

}  // namespace

Fusion rms_norm_fusion() {
  return {"rms_norm", "x / sqrt(mean(x^2) + epsilon) * scale as RMSNormalization", apply};
}

}  // namespace openqnn::frontend::onnx
