// SPDX-License-Identifier: BSD-3-Clause
// Normalisation along dimensions: LayerNormalization and its relatives, LpNormalization,
// MeanVarianceNormalization. The backend has them over what lies last.
#include <algorithm>

#include "base/text.h"
#include "frontend/onnx/rule.h"
#include "frontend/onnx/rules/axes.h"
#include "frontend/onnx/rules/elementwise.h"

namespace openqnn::frontend::onnx {
namespace {

constexpr size_t kMostLayerNormDimensions = 4;  // that the backend's norms take

// ---- LayerNormalization, RMSNormalization ----

// The dimensions that are normalised together, as ONNX counts them: all from the axis on.
std::vector<size_t> axes_from(int64_t axis, size_t rank) {
  std::vector<size_t> axes;
  for (size_t i = counted_axis(axis, rank); i < rank; ++i) axes.push_back(i);
  return axes;
}

int64_t axis_of(const Attributes& attributes) { return attributes.integer("axis", -1); }

// Without the dimensions that were normalised away.
Dims statistics_dims(const Dims& dims, size_t axis) {
  Dims out = dims;
  std::fill(out.begin() + static_cast<std::ptrdiff_t>(axis), out.end(), 1);
  return out;
}

Status infer_along(Inference& node) {
  OPENQNN_TRY(node.need_inputs(2));
  OPENQNN_ASSIGN(const size_t axis, node.axis(axis_of(node.attributes()), node.rank(0)));
  for (size_t i = 1; i < node.input_count(); ++i)
    if (node.has(i) && broadcast(node.dims(i), node.dims(0)) != node.dims(0))
      return node.wrong(
          concat("input ", i, " ", text_of(node.dims(i)), " does not fit ", text_of(node.dims(0))));
  for (const size_t output : {1, 2})
    OPENQNN_TRY(node.set(output, ElementType::kFloat, statistics_dims(node.dims(0), axis)));
  return node.set(0, node.type(0), node.dims(0));
}

// The inputs of one norm.
struct Norm {
  std::string_view type;  // of the backend
  TensorRef x;            // what is normalised lies last
  size_t last;            // how many dimensions that are
  double epsilon;
  TensorRef gamma = kNoTensorRef;  // one number per element that is normalised together
  TensorRef beta = kNoTensorRef;
};

// One norm over the last dimension: what is normalised together is made one, and so is the rest where the
// backend has too few dimensions.
TensorRef norm(Lowering& node, const Norm& norm) {
  const Dims dims = node.lies_as(norm.x);
  if (dims.size() < norm.last) return kNoTensorRef;  // a refusal before
  const size_t kept = dims.size() - norm.last;
  Dims flat(dims.begin(), dims.begin() + static_cast<std::ptrdiff_t>(kept));
  if (kept + 1 > kMostLayerNormDimensions) flat = {extent_between(dims, 0, kept)};
  flat.push_back(extent_between(dims, kept, dims.size()));
  auto vector = [&](TensorRef tensor) {
    return tensor == kNoTensorRef ? tensor : node.reshape(tensor, {flat.back()});
  };
  Params params;
  params.f32("epsilon", norm.epsilon).u32s("axes", {static_cast<uint32_t>(flat.size() - 1)});
  const TensorRef y =
      node.emit(norm.type, {node.reshape(norm.x, flat), vector(norm.gamma), vector(norm.beta)}, params,
                node.desc(norm.x).type, flat);
  return node.reshape(y, dims);
}

// Mean and 1/deviation, where the model asks for them.
void give_statistics(Lowering& node, TensorRef x, size_t axis, double epsilon) {
  if (!node.wants(1) && !node.wants(2)) return;
  const Dims dims = statistics_dims(node.dims(0), axis);
  std::vector<uint32_t> axes;
  for (size_t i = axis; i < node.rank(0); ++i) axes.push_back(static_cast<uint32_t>(i));
  auto mean_of = [&](TensorRef tensor) {
    return node.emit("ReduceMean", {tensor}, Params().u32s("axes", axes).boolean("keep_dims", true),
                     ir::DataType::kFloat32, dims);
  };
  const TensorRef mean = mean_of(x);
  const TensorRef variance = mean_of(node.binary("ElementWiseSquaredDifference", x, mean));
  const TensorRef moved = node.binary("ElementWiseAdd", variance, node.reals({1}, {epsilon}));
  const Order order = plain_order(dims.size());
  node.result(1, mean, order);
  node.result(2, node.unary("ElementWiseRsqrt", moved), order);
}

// Whether a scale has one number for each element that is normalised together, and no dimensions besides.
bool covers_axis(const Lowering& node, size_t input, size_t axis) {
  const Dims& dims = node.dims(0);
  return node.dims(input) == Dims(dims.begin() + static_cast<std::ptrdiff_t>(axis), dims.end());
}

// Scale is input 1, bias input 2. Those that are stretched are applied by ops of their own.
Status lower_along(Lowering& node, std::string_view type) {
  const size_t rank = node.rank(0);
  const size_t axis = counted_axis(axis_of(node.attributes()), rank);
  const double epsilon = node.attributes().real("epsilon", 1e-5);
  const std::vector<size_t> axes = axes_from(axis_of(node.attributes()), rank);
  // Statistics are given in ONNX's order, and several dimensions have to lie as gamma does.
  const bool statistics = node.wants(1) || node.wants(2);
  const Order order = statistics ? plain_order(rank) : with_last(order_of(node, 0), axes);
  const bool whole = covers_axis(node, 1, axis) && (!node.has(2) || covers_axis(node, 2, axis));
  const TensorRef x = node.input(0, order);
  Norm inputs{type, x, axes.size(), epsilon};
  if (whole) {
    inputs.gamma = node.input(1);
    if (node.has(2)) inputs.beta = node.input(2);
  }
  TensorRef y = norm(node, inputs);
  if (!whole) {
    y = node.binary("ElementWiseMultiply", y, stretchable(node, 1, order));
    if (node.has(2)) y = node.binary("ElementWiseAdd", y, stretchable(node, 2, order));
  }
  node.result(0, y, order);
  give_statistics(node, x, axis, epsilon);
  return {};
}

Status lower_layer_norm(Lowering& node) { return lower_along(node, "LayerNorm"); }

Status lower_rms_norm(Lowering& node) {
  if (node.wants(1) || node.wants(2))
    return node.not_offered("the statistics of a root-mean-square norm are not computed");
  return lower_along(node, "RmsNorm");
}

// ---- SkipLayerNormalization: the norm of a sum, which may be wanted too ----

// Inputs: x, skip, gamma, then beta (only with a mean), then a bias of the sum.
Status infer_skip(Inference& node) {
  OPENQNN_TRY(node.need_inputs(3));
  const Dims& dims = node.dims(0);
  if (dims.empty() || broadcast(node.dims(1), dims) != dims)
    return node.wrong(concat("skip ", text_of(node.dims(1)), " does not fit ", text_of(dims)));
  for (size_t i = 2; i < node.input_count(); ++i)
    if (node.has(i) && node.dims(i) != Dims{dims.back()})
      return node.wrong(concat("input ", i, " is ", text_of(node.dims(i)), ", not [", dims.back(), "]"));
  if (node.wants(1) || node.wants(2)) return node.not_offered("its statistics are not given out");
  OPENQNN_TRY(node.set(3, node.type(0), dims));
  return node.set(0, node.type(0), dims);
}

template <bool has_beta>
Status lower_skip(Lowering& node) {
  const size_t rank = node.rank(0);
  const Order order = plain_order(rank);
  constexpr size_t kBias = has_beta ? 4 : 3;
  TensorRef sum = node.binary("ElementWiseAdd", node.input(0), node.input(1));
  if (node.has(kBias)) sum = node.binary("ElementWiseAdd", sum, node.input(kBias));
  Norm inputs{has_beta ? "LayerNorm" : "RmsNorm", sum, 1, node.attributes().real("epsilon", 1e-12)};
  inputs.gamma = node.input(2);
  if (has_beta && node.has(3)) inputs.beta = node.input(3);
  node.result(0, norm(node, inputs), order);
  node.result(3, sum, order);
  return {};
}

// ---- MeanVarianceNormalization ----

Result<std::vector<size_t>> normalised_axes(const Inference& node) {
  return node.axes(node.attributes().integers("axes", {0, 2, 3}), node.rank(0));
}

Status infer_mean_variance(Inference& node) {
  OPENQNN_TRY(node.need_inputs(1));
  OPENQNN_ASSIGN(const auto axes, normalised_axes(node));
  if (axes.empty()) return node.wrong("it names no axes");
  return node.set(0, node.type(0), node.dims(0));
}

Status lower_mean_variance(Lowering& node) {
  // ONNX adds 1e-9 to the deviation; the backend adds the square of that to the variance.
  constexpr double kEpsilon = 1e-18;
  std::vector<size_t> axes;
  for (const int64_t axis : node.attributes().integers("axes", {0, 2, 3}))
    axes.push_back(counted_axis(axis, node.rank(0)));
  const Order order = with_last(order_of(node, 0), axes);
  return node.result(norm(node, {"LayerNorm", node.input(0, order), axes.size(), kEpsilon}), order);
}

// ---- LpNormalization ----

Status infer_lp(Inference& node) {
  OPENQNN_TRY(node.need_inputs(1));
  OPENQNN_TRY(node.axis(axis_of(node.attributes()), node.rank(0)));
  const int64_t p = node.attributes().integer("p", 2);
  if (p != 1 && p != 2) return node.wrong(concat("p is ", p, ", not 1 or 2"));
  return node.set(0, node.type(0), node.dims(0));
}

Status lower_lp_normalization(Lowering& node) {
  const size_t axis = counted_axis(axis_of(node.attributes()), node.rank(0));
  const Order order = order_of(node, 0);
  const uint32_t at = position_of(axis, order);
  const TensorRef x = node.input(0, order);
  if (node.refusal()) return {};
  Dims dims = node.lies_as(x);
  if (node.attributes().integer("p", 2) == 2) {
    if (dims.size() > kMostLayerNormDimensions)
      dims = {extent_between(dims, 0, at), dims[at], extent_between(dims, at + 1, dims.size())};
    const uint32_t along = dims.size() == order.size() ? at : 1;
    const TensorRef y =
        node.emit("L2Norm", {node.reshape(x, dims)}, Params().u32("axis", along), node.out_type(), dims);
    return node.result(node.reshape(y, node.lies_as(x)), order);
  }
  dims[at] = 1;
  const TensorRef sum =
      node.emit("ReduceSum", {node.unary("ElementWiseAbs", x)},
                Params().u32s("axes", {at}).boolean("keep_dims", true), node.out_type(), dims);
  return node.result(node.binary("ElementWiseDivide", x, sum), order);
}

}  // namespace

std::span<const Rule> layer_norm_rules() {
  static const Rule kRules[] = {
      {"LayerNormalization", infer_along, nullptr, lower_layer_norm},
      {"RMSNormalization", infer_along, nullptr, lower_rms_norm},
      // ONNX Runtime's, from before ONNX had its own; without a domain, too, as its exporters write it.
      {"SimplifiedLayerNormalization", infer_along, nullptr, lower_rms_norm},
      {"com.microsoft.SimplifiedLayerNormalization", infer_along, nullptr, lower_rms_norm},
      {"com.microsoft.SkipLayerNormalization", infer_skip, nullptr, lower_skip<true>},
      {"com.microsoft.SkipSimplifiedLayerNormalization", infer_skip, nullptr, lower_skip<false>},
      {"MeanVarianceNormalization", infer_mean_variance, nullptr, lower_mean_variance},
      {"LpNormalization", infer_lp, nullptr, lower_lp_normalization},
  };
  return kRules;
}

}  // namespace openqnn::frontend::onnx
