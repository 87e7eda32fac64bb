// SPDX-License-Identifier: BSD-3-Clause
// Normalisation by channel: BatchNormalization, InstanceNormalization, GroupNormalization, LRN. The backend
// has them with channels last.
#include <cmath>

#include "base/text.h"
#include "frontend/onnx/rule.h"
#include "frontend/onnx/rules/axes.h"

namespace openqnn::frontend::onnx {
namespace {

constexpr size_t kMostNormDimensions = 4;  // that the backend's normalisations take

Status infer_by_channel(Inference& node, size_t inputs) {
  OPENQNN_TRY(node.need_inputs(inputs));
  if (node.rank(0) < 2) return node.wrong(concat("input ", text_of(node.dims(0)), " has no channels"));
  return node.set(0, node.type(0), node.dims(0));
}

// Every spatial dimension but the last is one, so that no more than four remain, or exactly four.
TensorRef with_four_dimensions(Lowering& node, TensorRef x) {
  const Dims dims = node.lies_as(x);
  if (dims.size() < 2 || dims.size() == kMostNormDimensions) return x;
  const int64_t spatial = extent_between(dims, 1, dims.size() - 1);
  return node.reshape(x, {dims.front(), 1, spatial, dims.back()});
}

// ---- BatchNormalization ----

Status check_vector(Inference& node, size_t input, int64_t count) {
  if (node.dims(input) == Dims{count}) return {};
  return node.wrong(concat("input ", input, " is ", text_of(node.dims(input)), ", not [", count, "]"));
}

Status infer_batch_norm(Inference& node) {
  OPENQNN_TRY(infer_by_channel(node, 5));
  for (const size_t input : {1, 2, 3, 4}) OPENQNN_TRY(check_vector(node, input, node.dims(0)[1]));
  bool trains = node.attributes().integer("training_mode", 0) != 0;
  for (const size_t output : {1, 2, 3, 4}) trains = trains || node.wants(output);
  if (trains) {
    return node.not_offered("it is in training mode: the statistics are to be those of the batch")
        .fix_by("export the model for inference");
  }
  if (node.attributes().integer("spatial", 1) == 0)
    return node.not_offered("statistics per element (spatial = 0) are not computed");
  return {};
}

// y = x * weight + bias, once the statistics are constant.
struct AffineTensors {
  TensorRef weight;
  TensorRef bias;
};

AffineTensors affine_of_constants(Lowering& node, double epsilon) {
  const Constant& scale = *node.constant(1);
  const Constant& shift = *node.constant(2);
  const Constant& mean = *node.constant(3);
  const Constant& variance = *node.constant(4);
  std::vector<double> weight(scale.count());
  std::vector<double> bias(scale.count());
  for (size_t i = 0; i < weight.size(); ++i) {
    weight[i] = scale.real(i) / std::sqrt(variance.real(i) + epsilon);
    bias[i] = shift.real(i) - mean.real(i) * weight[i];
  }
  return {node.reals(scale.dims(), weight), node.reals(scale.dims(), bias)};
}

AffineTensors affine_of_tensors(Lowering& node, double epsilon) {
  const TensorRef variance = node.binary("ElementWiseAdd", node.input(4), node.reals({1}, {epsilon}));
  const TensorRef weight =
      node.binary("ElementWiseMultiply", node.input(1), node.unary("ElementWiseRsqrt", variance));
  const TensorRef moved = node.binary("ElementWiseMultiply", node.input(3), weight);
  return {weight, node.binary("ElementWiseSubtract", node.input(2), moved)};
}

Status lower_batch_norm(Lowering& node) {
  const double epsilon = node.attributes().real("epsilon", 1e-5);
  bool constants = true;
  for (const size_t input : {1, 2, 3, 4}) constants = constants && node.constant(input) != nullptr;
  const AffineTensors affine =
      constants ? affine_of_constants(node, epsilon) : affine_of_tensors(node, epsilon);
  const Order order = channels_last(node.rank(0));
  TensorRef x = node.input(0, order);
  if (node.rank(0) > kMostNormDimensions) x = with_four_dimensions(node, x);
  const TensorRef y =
      node.emit("Batchnorm", {x, affine.weight, affine.bias}, {}, node.out_type(), node.lies_as(x));
  return node.result(node.reshape(y, in_order(node.out().dims, order)), order);
}

// ---- InstanceNormalization ----

Status infer_instance_norm(Inference& node) {
  OPENQNN_TRY(infer_by_channel(node, 3));
  if (node.rank(0) < 3) return node.wrong("its input has no spatial dimensions");
  for (const size_t input : {1, 2}) OPENQNN_TRY(check_vector(node, input, node.dims(0)[1]));
  return {};
}

Status lower_instance_norm(Lowering& node) {
  const Order order = channels_last(node.rank(0));
  const TensorRef x = with_four_dimensions(node, node.input(0, order));
  const TensorRef y = node.emit("InstanceNorm", {x, node.input(1), node.input(2)},
                                Params().f32("epsilon", node.attributes().real("epsilon", 1e-5)),
                                node.out_type(), node.lies_as(x));
  return node.result(node.reshape(y, in_order(node.out().dims, order)), order);
}

// ---- GroupNormalization ----

Status infer_group_norm(Inference& node) {
  OPENQNN_TRY(infer_by_channel(node, 3));
  const int64_t groups = node.attributes().integer("num_groups", 0);
  const int64_t channels = node.dims(0)[1];
  if (groups < 1 || channels % groups != 0)
    return node.wrong(concat(channels, " channels cannot be divided into ", groups, " groups"));
  for (const size_t input : {1, 2})
    if (node.dims(input) != Dims{groups}) OPENQNN_TRY(check_vector(node, input, channels));
  return {};
}

// Until opset 20 there was one number per group; the backend wants one per channel.
TensorRef by_channel(Lowering& node, size_t input, int64_t channels) {
  const int64_t given = node.dims(input)[0];
  if (given == channels) return node.input(input);
  const TensorRef repeated =
      node.emit("Tile", {node.reshape(node.input(input), {given, 1})},
                Params().u32s("multiples", {1, static_cast<uint32_t>(channels / given)}), node.out_type(),
                {given, channels / given});
  return node.reshape(repeated, {channels});
}

Status lower_group_norm(Lowering& node) {
  const Order order = channels_last(node.rank(0));
  const int64_t channels = node.dims(0)[1];
  TensorRef x = node.input(0, order);
  if (node.rank(0) > kMostNormDimensions) x = with_four_dimensions(node, x);
  Params params;
  params.f32("epsilon", node.attributes().real("epsilon", 1e-5));
  params.u32("group", static_cast<uint32_t>(node.attributes().integer("num_groups", 1)));
  const TensorRef y =
      node.emit("GroupNorm", {x, by_channel(node, 1, channels), by_channel(node, 2, channels)}, params,
                node.out_type(), node.lies_as(x));
  return node.result(node.reshape(y, in_order(node.out().dims, order)), order);
}

// ---- LRN ----

Status infer_lrn(Inference& node) {
  OPENQNN_TRY(infer_by_channel(node, 1));
  const int64_t size = node.attributes().integer("size", 0);
  if (size < 1 || size > INT32_MAX) return node.wrong(concat("its size is ", size));
  if (size % 2 == 0)
    return node.not_offered(
        concat("a window of ", size, " channels has no middle; the backend takes odd sizes"));
  return {};
}

Status lower_lrn(Lowering& node) {
  const Attributes& attributes = node.attributes();
  const int64_t size = attributes.integer("size", 1);
  const Order order = channels_last(node.rank(0));
  TensorRef x = node.input(0, order);
  if (node.rank(0) > kMostNormDimensions) x = with_four_dimensions(node, x);
  Params params;
  params.f32("alpha", attributes.real("alpha", 1e-4) / static_cast<double>(size));
  params.f32("beta", attributes.real("beta", 0.75)).f32("bias", attributes.real("bias", 1));
  params.i32("radius", static_cast<int32_t>((size - 1) / 2));
  const TensorRef y = node.emit("Lrn", {x}, params, node.out_type(), node.lies_as(x));
  return node.result(node.reshape(y, in_order(node.out().dims, order)), order);
}

}  // namespace

std::span<const Rule> normalise_rules() {
  static const Rule kRules[] = {
      {"BatchNormalization", infer_batch_norm, nullptr, lower_batch_norm},
      {"InstanceNormalization", infer_instance_norm, nullptr, lower_instance_norm},
      {"GroupNormalization", infer_group_norm, nullptr, lower_group_norm},
      {"LRN", infer_lrn, nullptr, lower_lrn},
  };
  return kRules;
}

}  // namespace openqnn::frontend::onnx
