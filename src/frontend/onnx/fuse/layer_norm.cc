// SPDX-License-Identifier: BSD-3-Clause
// (x - mean) / sqrt(mean((x - mean)^2) + epsilon) * scale + shift.
#include "frontend/onnx/fuse/mean.h"

namespace openqnn::frontend::onnx {
namespace {

struct Match {
  ValueId x = kNoValue;
  int64_t axis = 0;
  double epsilon = 0.0;
  std::vector<uint32_t> nodes;
};

// The division, and everything before it.
std::optional<Match> normalised(const Rewriter& net, uint32_t divide) {
  const NetNode& node = net.node(divide);
  const auto deviation = deviation_of(net, node.inputs[1]);
  const auto mean = deviation ? net.made_by_for_this_alone(deviation->mean, "ReduceMean") : std::nullopt;
  if (!mean) return std::nullopt;
  const auto square = square_of(net, net.node(*mean).inputs[0]);
  if (!square) return std::nullopt;
  // Exporters write x - mean once, or once for each use.
  const auto centred = net.made_by(square->x, "Sub");
  const auto divided = net.made_by(node.inputs[0], "Sub");
  if (!centred || !divided) return std::nullopt;
  const NetNode& sub = net.node(*centred);
  if (net.node(*divided).inputs != sub.inputs) return std::nullopt;
  const auto first_mean = net.made_by(sub.inputs[1], "ReduceMean");
  if (!first_mean || net.node(*first_mean).inputs[0] != sub.inputs[0]) return std::nullopt;
  const auto axis = mean_axis(net, net.node(*mean));
  if (!axis || mean_axis(net, net.node(*first_mean)) != axis) return std::nullopt;
  Match match{sub.inputs[0], *axis, deviation->epsilon, {*first_mean, *centred}};
  if (*divided != *centred) match.nodes.push_back(*divided);
  append(match.nodes, {square->node, *mean});
  append(match.nodes, deviation->nodes);
  return match;
}

// With `index` adding the shift.
bool apply(Rewriter& net, uint32_t index) {
  if (net.node(index).type != "Add") return false;
  const auto shift = net.with_constant(net.node(index));
  const auto multiply = shift ? net.made_by_for_this_alone(shift->other, "Mul") : std::nullopt;
  const auto scale = multiply ? net.with_constant(net.node(*multiply)) : std::nullopt;
  const auto divide = scale ? net.made_by_for_this_alone(scale->other, "Div") : std::nullopt;
  auto match = divide ? normalised(net, *divide) : std::nullopt;
  if (!match) return false;
  const Dims& dims = net.value(match->x).dims;
  if (!fits_from(*scale->constant, dims, match->axis) || !fits_from(*shift->constant, dims, match->axis))
    return false;
  append(match->nodes, {*divide, *multiply});
  const ValueId gamma = *net.other_input(net.node(*multiply), scale->other);
  const ValueId beta = *net.other_input(net.node(index), shift->other);
  Attributes attributes;
  attributes.set("axis", match->axis).set("epsilon", match->epsilon);
  net.replace(index, "LayerNormalization", 17, {match->x, gamma, beta}, attributes, match->nodes);
  return true;
}

}  // namespace

Fusion layer_norm_fusion() {
  return {"layer_norm", "the nine nodes of a layer normalisation as LayerNormalization", apply};
}

}  // namespace openqnn::frontend::onnx
