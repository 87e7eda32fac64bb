// SPDX-License-Identifier: BSD-3-Clause
// A batch normalisation, or a multiplication and addition per channel, after a convolution: its numbers go
// into the convolution's weights and bias.
#include <cmath>

#include "frontend/onnx/fuse/fusion.h"

namespace openqnn::frontend::onnx {
namespace {

constexpr double kDefaultEpsilon = 1e-5;

// y = scale * x + shift, for each channel.
struct Affine {
  ValueId input = kNoValue;
  std::vector<double> scale;
  std::vector<double> shift;
};

std::optional<Affine> read_batch_norm(const Rewriter& net, const NetNode& node) {
  if (node.type != "BatchNormalization" || node.inputs.size() < 5 || node.outputs.size() != 1)
    return std::nullopt;
  if (node.attributes.integer("training_mode", 0) != 0) return std::nullopt;
  const Constant* parts[4];
  for (size_t i = 0; i < 4; ++i) {
    parts[i] = net.constant(node.inputs[i + 1]);
    if (parts[i] == nullptr || parts[i]->count() != parts[0]->count()) return std::nullopt;
  }
  const double epsilon = node.attributes.real("epsilon", kDefaultEpsilon);
  Affine affine;
  affine.input = node.inputs[0];
  for (uint64_t i = 0; i < parts[0]->count(); ++i) {
    const double scale = parts[0]->real(i) / std::sqrt(parts[3]->real(i) + epsilon);
    affine.scale.push_back(scale);
    affine.shift.push_back(parts[1]->real(i) - parts[2]->real(i) * scale);
  }
  return affine;
}

// A constant that has one number per channel (dimension 1 of `rank`), or one for all.
std::optional<std::vector<double>> per_channel(const Constant& constant, size_t rank, int64_t channels) {
  Dims dims = constant.dims();
  if (dims.size() > rank) return std::nullopt;
  dims.insert(dims.begin(), rank - dims.size(), 1);
  for (size_t i = 0; i < rank; ++i)
    if (dims[i] != 1 && (i != 1 || dims[i] != channels)) return std::nullopt;
  std::vector<double> values = constant.reals();
  if (values.size() == 1) values.resize(static_cast<size_t>(channels), values[0]);
  return values;
}

std::optional<Affine> read_arithmetic(const Rewriter& net, const NetNode& node) {
  const bool multiplies = node.type == "Mul";
  if (!multiplies && node.type != "Add") return std::nullopt;
  const auto found = net.with_constant(node);
  if (!found) return std::nullopt;
  const Dims& dims = net.value(found->other).dims;
  if (dims.size() < 3 || dims != net.value(node.outputs[0]).dims) return std::nullopt;
  auto numbers = per_channel(*found->constant, dims.size(), dims[1]);
  if (!numbers) return std::nullopt;
  const std::vector<double> same(numbers->size(), multiplies ? 0.0 : 1.0);
  return multiplies ? Affine{found->other, *numbers, same} : Affine{found->other, same, *numbers};
}

// Weights times the scale of their output channel, which is dimension `axis`, split into groups.
Constant scaled_weights(const Constant& weights, const std::vector<double>& scale, size_t axis,
                        int64_t group) {
  if (!weights.is_stated()) return weights;
  const Dims& dims = weights.dims();
  uint64_t inner = 1;
  for (size_t i = axis + 1; i < dims.size(); ++i) inner *= static_cast<uint64_t>(dims[i]);
  const auto extent = static_cast<uint64_t>(dims[axis]);
  // A transposed convolution's weights are [in, out / group, ...]: the group follows from the input channel.
  const uint64_t in_per_group = axis == 1 ? static_cast<uint64_t>(dims[0] / group) * extent * inner : 0;
  ConstantBuilder scaled(weights.type(), dims);
  for (uint64_t begin = 0; begin < weights.count(); begin += inner) {
    const uint64_t channel = begin / inner % extent + (in_per_group != 0 ? begin / in_per_group * extent : 0);
    scaled.put_scaled(weights, begin, inner, scale[channel]);
  }
  weights.release();
  return scaled.take();
}

bool fold_into(Rewriter& net, uint32_t index, const Affine& affine, std::string_view type) {
  const auto found = net.made_by_for_this_alone(affine.input, type);
  if (!found) return false;
  const NetNode conv = net.node(*found);
  const Constant* weights = net.constant(conv.inputs[1]);
  const Constant* bias = net.constant(conv.input(2));
  const bool other_bias = conv.input(2) != kNoValue && bias == nullptr;
  // An encoding belongs to the numbers as they are.
  if (weights == nullptr || other_bias || net.value(conv.inputs[1]).encoding != nullptr) return false;
  const int64_t group = conv.attributes.integer("group", 1);
  const size_t axis = type == "ConvTranspose" ? 1 : 0;
  std::vector<double> shift(affine.shift);
  for (size_t i = 0; i < shift.size(); ++i)
    shift[i] += (bias != nullptr ? bias->real(i) : 0.0) * affine.scale[i];
  const ValueId new_weights = net.add_constant(net.value(conv.inputs[1]).name + "_scaled",
                                               scaled_weights(*weights, affine.scale, axis, group));
  const ValueId new_bias =
      net.add_constant(net.node(index).name + "_bias",
                       Constant::of_reals(weights->type(), {static_cast<int64_t>(shift.size())}, shift));
  net.replace(index, std::string(type), conv.opset, {conv.inputs[0], new_weights, new_bias}, conv.attributes,
              {*found});
  return true;
}

}  // namespace

bool fuse_batch_norm(Rewriter& net, uint32_t index) {
  const NetNode& node = net.node(index);
  auto affine = read_batch_norm(net, node);
  if (!affine) affine = read_arithmetic(net, node);
  return affine &&
         (fold_into(net, index, *affine, "Conv") || fold_into(net, index, *affine, "ConvTranspose"));
}

}  // namespace openqnn::frontend::onnx
