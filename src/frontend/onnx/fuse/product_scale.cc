// SPDX-License-Identifier: BSD-3-Clause
// A number that multiplies the scores of attention, or what they are made of: into the weights of the layer
// that makes one of the factors. The scores are the largest tensors of a transformer, the weights are free.
#include <array>
#include <cmath>

#include "frontend/onnx/fuse/fusion.h"

namespace openqnn::frontend::onnx {
namespace {

// Ours: beyond it weights could leave the range of half.
constexpr double kMostFactor = 64;
constexpr int kMostMoves = 8;
constexpr std::array<std::string_view, 6> kMoves = {"Reshape",   "Transpose", "Squeeze",
                                                    "Unsqueeze", "Flatten",   "Identity"};
// The weights are input 1, the bias is input 2 where there is one.
constexpr std::array<std::string_view, 4> kLayers = {"openqnn.MatMulWithBias", "MatMul", "Gemm", "Conv"};

struct Scale {
  ValueId of = kNoValue;
  double factor = 1;
};

std::optional<Scale> scale_of(const Rewriter& net, const NetNode& node) {
  const bool divides = node.type == "Div";
  if ((!divides && node.type != "Mul") || node.inputs.size() != 2) return std::nullopt;
  const bool first = !divides && net.constant(node.inputs[0]) != nullptr;
  const ValueId of = node.inputs[first ? 1 : 0];
  const auto number = net.number(node.inputs[first ? 0 : 1]);
  if (!number || net.constant(of) != nullptr || !is_real(net.value(of).type)) return std::nullopt;
  const double factor = divides ? 1 / *number : *number;
  const double size = std::abs(factor);
  const bool is_moderate = size >= 1 / kMostFactor && size <= kMostFactor;  // and a number at all
  if (!is_moderate || net.value(node.outputs[0]).dims != net.value(of).dims) return std::nullopt;
  return Scale{of, factor};
}

template <size_t count>
std::optional<uint32_t> made_by_one_of(const Rewriter& net, ValueId value,
                                       const std::array<std::string_view, count>& types) {
  if (value == kNoValue || net.value(value).encoding != nullptr) return std::nullopt;  // it is rounded there
  for (const std::string_view type : types)
    if (const auto node = net.made_by_for_this_alone(value, type)) return node;
  return std::nullopt;
}

bool has_numbers_of_its_own(const Rewriter& net, const NetNode& layer) {
  for (size_t i = 1; i < layer.inputs.size(); ++i) {
    const ValueId input = layer.inputs[i];
    if (i > 1 && input == kNoValue) continue;
    const Constant* numbers = net.constant(input);
    if (numbers == nullptr || !is_real(numbers->type()) || !net.used_once(input)) return false;
    if (net.value(input).encoding != nullptr) return false;  // it belongs to the numbers as they are
  }
  return layer.inputs.size() > 1;
}

// The layer that makes a value, perhaps with nodes between that only move its elements.
std::optional<uint32_t> layer_of(const Rewriter& net, ValueId value) {
  for (int moves = 0; moves < kMostMoves; ++moves) {
    const auto layer = made_by_one_of(net, value, kLayers);
    if (layer && has_numbers_of_its_own(net, net.node(*layer))) return layer;
    const auto move = made_by_one_of(net, value, kMoves);
    if (!move) return std::nullopt;
    value = net.node(*move).inputs[0];
  }
  return std::nullopt;
}

std::vector<ValueId> scaled_inputs(Rewriter& net, const NetNode& layer, double factor) {
  std::vector<ValueId> inputs = layer.inputs;
  for (size_t i = 1; i < inputs.size(); ++i) {
    if (inputs[i] == kNoValue) continue;
    const Constant& numbers = *net.constant(inputs[i]);
    ConstantBuilder scaled(numbers.type(), numbers.dims());
    scaled.put_scaled(numbers, 0, numbers.count(), factor);
    numbers.release();
    inputs[i] = net.add_constant(net.value(inputs[i]).name + "_scaled", scaled.take());
  }
  return inputs;
}

}  // namespace

// With `index` multiplying or dividing by the number: what is scaled takes its place.
bool fuse_product_scale(Rewriter& net, uint32_t index) {
  const auto scale = scale_of(net, net.node(index));
  if (!scale) return false;
  const auto product = made_by_one_of(net, scale->of, std::array<std::string_view, 1>{"MatMul"});
  const auto moved = made_by_one_of(net, scale->of, kMoves);
  std::optional<uint32_t> layer = layer_of(net, scale->of);
  if (!layer && product)
    for (const ValueId factor : net.node(*product).inputs)
      if (!layer) layer = layer_of(net, factor);
  if (!layer) return false;
  const uint32_t before = product ? *product : moved.value_or(*layer);
  const NetNode changed = net.node(*layer);
  const std::vector<ValueId> inputs = scaled_inputs(net, changed, scale->factor);
  if (*layer != before) net.replace(*layer, changed.type, changed.opset, inputs, changed.attributes, {});
  const NetNode last = net.node(before);
  net.replace(index, last.type, last.opset, *layer == before ? inputs : last.inputs, last.attributes,
              {before});
  return true;
}

}  // namespace openqnn::frontend::onnx
