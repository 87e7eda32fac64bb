// SPDX-License-Identifier: BSD-3-Clause
// Normalisations over the last dimensions, written as means, and with a scale and shift at the end.
#include <algorithm>

#include "frontend/onnx/fuse/fusion.h"

namespace openqnn::frontend::onnx {
namespace {

// The first of the trailing dimensions that a ReduceMean goes over; nothing when it goes over others, or
// drops them.
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

// sqrt(mean + epsilon), from the value that is divided by.
struct Deviation {
  ValueId mean = kNoValue;
  double epsilon = 0.0;
  std::vector<uint32_t> nodes;
};
std::optional<Deviation> deviation_of(const Rewriter& net, ValueId value) {
  const auto root = net.made_by_for_this_alone(value, "Sqrt");
  const auto add = root ? net.made_by_for_this_alone(net.node(*root).inputs[0], "Add") : std::nullopt;
  const auto sum = add ? net.with_constant(net.node(*add)) : std::nullopt;
  const auto epsilon = sum ? net.number(sum->id) : std::nullopt;
  return epsilon ? std::optional(Deviation{sum->other, *epsilon, {*add, *root}}) : std::nullopt;
}

// Whether a constant has one number for each element of the dimensions of `dims` from `axis` on.
bool fits_from(const Constant& constant, const Dims& dims, int64_t axis) {
  const Dims tail(dims.begin() + axis, dims.end());
  return constant.dims() == tail;
}

// ---- x / sqrt(mean(x^2) + epsilon) * scale, the division also written as a product with the reciprocal ----

struct Divided {
  ValueId x = kNoValue;
  Deviation deviation;
  std::vector<uint32_t> nodes;
};

// x and sqrt(mean + epsilon), of the node that brings them together.
std::optional<Divided> divided(const Rewriter& net, ValueId value) {
  if (const auto divide = net.made_by_for_this_alone(value, "Div")) {
    const NetNode& node = net.node(*divide);
    if (auto deviation = deviation_of(net, node.inputs[1]))
      return Divided{node.inputs[0], *deviation, {*divide}};
  }
  const auto multiply = net.made_by_for_this_alone(value, "Mul");
  if (!multiply) return std::nullopt;
  const NetNode& node = net.node(*multiply);
  for (const ValueId input : node.inputs) {
    const ValueId x = *net.other_input(node, input);
    if (const auto reciprocal = net.made_by_for_this_alone(input, "Reciprocal"))
      if (auto deviation = deviation_of(net, net.node(*reciprocal).inputs[0]))
        return Divided{x, *deviation, {*reciprocal, *multiply}};
    const auto divide = net.made_by_for_this_alone(input, "Div");
    if (!divide || !near(net.number(net.node(*divide).inputs[0]).value_or(0), 1.0)) continue;
    if (auto deviation = deviation_of(net, net.node(*divide).inputs[1]))
      return Divided{x, *deviation, {*divide, *multiply}};
  }
  return std::nullopt;
}

// ---- (x - mean) / sqrt(mean((x - mean)^2) + epsilon) * scale + shift ----

struct Normalised {
  ValueId x = kNoValue;
  int64_t axis = 0;
  double epsilon = 0.0;
  std::vector<uint32_t> nodes;
};

// The division, and everything before it.
std::optional<Normalised> normalised(const Rewriter& net, uint32_t divide) {
  const NetNode& node = net.node(divide);
  const auto deviation = deviation_of(net, node.inputs[1]);
  const auto mean = deviation ? net.made_by_for_this_alone(deviation->mean, "ReduceMean") : std::nullopt;
  if (!mean) return std::nullopt;
  const auto square = net.square_of(net.node(*mean).inputs[0]);
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
  Normalised match{sub.inputs[0], *axis, deviation->epsilon, {*first_mean, *centred}};
  if (*divided != *centred) match.nodes.push_back(*divided);
  append(match.nodes, {square->node, *mean});
  append(match.nodes, deviation->nodes);
  return match;
}

}  // namespace

// With `index` multiplying by the scale.
bool fuse_rms_norm(Rewriter& net, uint32_t index) {
  if (net.node(index).type != "Mul") return false;
  const auto scale = net.with_constant(net.node(index));
  auto match = scale ? divided(net, scale->other) : std::nullopt;
  const auto mean = match ? net.made_by_for_this_alone(match->deviation.mean, "ReduceMean") : std::nullopt;
  if (!mean) return false;
  const auto square = net.square_of(net.node(*mean).inputs[0]);
  const auto axis = mean_axis(net, net.node(*mean));
  if (!square || square->x != match->x || !axis || !net.gives_dims_of(match->x, index)) return false;
  if (!fits_from(*scale->constant, net.value(match->x).dims, *axis)) return false;
  std::vector<uint32_t> absorbed = {square->node, *mean};
  append(absorbed, match->deviation.nodes);
  append(absorbed, match->nodes);
  Attributes attributes;
  attributes.set("axis", *axis).set("epsilon", match->deviation.epsilon);
  net.replace(index, "RMSNormalization", 23, {match->x, scale->id}, attributes, absorbed);
  return true;
}

// With `index` adding the shift.
bool fuse_layer_norm(Rewriter& net, uint32_t index) {
  if (net.node(index).type != "Add") return false;
  const auto shift = net.with_constant(net.node(index));
  const auto multiply = shift ? net.made_by_for_this_alone(shift->other, "Mul") : std::nullopt;
  const auto scale = multiply ? net.with_constant(net.node(*multiply)) : std::nullopt;
  const auto divide = scale ? net.made_by_for_this_alone(scale->other, "Div") : std::nullopt;
  auto match = divide ? normalised(net, *divide) : std::nullopt;
  if (!match || !net.gives_dims_of(match->x, index)) return false;
  const Dims& dims = net.value(match->x).dims;
  if (!fits_from(*scale->constant, dims, match->axis) || !fits_from(*shift->constant, dims, match->axis))
    return false;
  append(match->nodes, {*divide, *multiply});
  Attributes attributes;
  attributes.set("axis", match->axis).set("epsilon", match->epsilon);
  net.replace(index, "LayerNormalization", 17, {match->x, scale->id, shift->id}, attributes, match->nodes);
  return true;
}

}  // namespace openqnn::frontend::onnx
