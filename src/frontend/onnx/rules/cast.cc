// SPDX-License-Identifier: BSD-3-Clause
// Changes of type, bounds, and what inference leaves as it is.
#include <algorithm>
#include <limits>

#include "base/text.h"
#include "frontend/onnx/rule.h"
#include "frontend/onnx/rules/elementwise.h"
#include "frontend/onnx/rules/fit.h"

namespace openqnn::frontend::onnx {
namespace {

// ---- Cast, CastLike ----

Status infer_cast_to(Inference& node, ElementType type) {
  if (backend_type(type) == ir::DataType::kUndefined)
    return node.not_offered(concat("the backend has nothing that holds ", name_of(type)));
  return node.set(0, type, node.dims(0));
}

Status infer_cast(Inference& node) {
  OPENQNN_TRY(node.need_inputs(1));
  return infer_cast_to(node, static_cast<ElementType>(node.attributes().integer("to", 0)));
}

Status infer_cast_like(Inference& node) {
  OPENQNN_TRY(node.need_inputs(2));
  return infer_cast_to(node, node.type(1));
}

Status fold_cast(Inference& node) {
  const Constant& x = *node.constant(0);
  const ElementType type = node.out_type(0);
  ConstantBuilder builder(type, x.dims());
  for (uint64_t i = 0; i < x.count(); ++i) {
    if (is_real(x.type()))
      builder.put(i, x.real(i));
    else
      builder.put(i, wrapped(type, x.integer(i)));
  }
  return node.set(0, builder.take());
}

// All reals are one type to the backend, which computes them in half.
Status lower_cast(Lowering& node) {
  if (backend_type(node.in(0).type) == node.out_type()) return node.same_as_input(0);
  const Order order = node.common_order();
  return node.result(emit_elementwise(node, "Cast", {node.input(0, order)}, node.out_type()), order);
}

// ---- Clip ----

// The bounds: attributes up to opset 10, inputs from then on. An absent one does not bind.
struct ClipBound {
  size_t input;
  std::string_view attribute;
};
constexpr ClipBound kLow{1, "min"};
constexpr ClipBound kHigh{2, "max"};

Status infer_clip(Inference& node) {
  OPENQNN_TRY(node.need_inputs(1));
  for (const ClipBound& bound : {kLow, kHigh}) {
    if (!node.has(bound.input)) continue;
    if (count_of(node.dims(bound.input)) != 1 || node.type(bound.input) != node.type(0))
      return node.wrong(concat(bound.attribute, " is no single ", name_of(node.type(0))));
  }
  return infer_like_input(node);
}

// Nothing when it does not bind, or is not known.
std::optional<double> known_bound(const NodeView& node, const ClipBound& bound) {
  if (const Constant* constant = node.constant(bound.input)) return constant->real(0);
  if (node.attributes().has(bound.attribute)) return node.attributes().real(bound.attribute, 0);
  return std::nullopt;
}

Status fold_clip(Inference& node) {
  const Constant& x = *node.constant(0);
  ConstantBuilder builder(x.type(), x.dims());
  if (is_real(x.type())) {
    const double infinity = std::numeric_limits<double>::infinity();
    const double low = known_bound(node, kLow).value_or(-infinity);
    const double high = known_bound(node, kHigh).value_or(infinity);
    for (uint64_t i = 0; i < x.count(); ++i) {
      const double value = x.real(i);
      builder.put(i, value > high ? high : value < low ? std::min(low, high) : value);
    }
    return node.set(0, builder.take());
  }
  const Constant* low = node.constant(kLow.input);
  const Constant* high = node.constant(kHigh.input);
  for (uint64_t i = 0; i < x.count(); ++i) {
    int64_t value = x.integer(i);
    if (low != nullptr) value = std::max(value, low->integer(0));
    if (high != nullptr) value = std::min(value, high->integer(0));
    builder.put(i, value);
  }
  return node.set(0, builder.take());
}

bool is_computed(const Lowering& node, const ClipBound& bound) {
  return node.has(bound.input) && node.constant(bound.input) == nullptr;
}

Status lower_clip(Lowering& node) {
  const Order order = node.common_order();
  TensorRef x = node.input(0, order);
  const auto low = known_bound(node, kLow);
  const auto high = known_bound(node, kHigh);
  const bool computed = is_computed(node, kLow) || is_computed(node, kHigh);
  if (!low && !high && !computed) return node.same_as_input(0);
  // One op, whose bounds are floats; a lower bound above the upper one gives the upper one, in ONNX.
  if (is_real(node.in(0).type) && !computed && low.value_or(-1) <= high.value_or(low.value_or(-1))) {
    constexpr double kMost = std::numeric_limits<float>::max();
    Params params;
    params.f32("min_value", std::max(low.value_or(-kMost), -kMost));
    params.f32("max_value", std::min(high.value_or(kMost), kMost));
    return node.result(emit_elementwise(node, "ReluMinMax", {x}, node.out_type(), params), order);
  }
  // Exact for integers, and for bounds that the model computes.
  auto bind = [&](const ClipBound& bound, std::string_view op) {
    if (node.has(bound.input)) {
      x = emit_elementwise(node, op, {x, node.reshape(node.input(bound.input), {1})}, node.out_type());
    } else if (const auto known = known_bound(node, bound)) {
      x = emit_elementwise(node, op, {x, node.reals({1}, {*known})}, node.out_type());
    }
  };
  bind(kLow, "ElementWiseMaximum");
  bind(kHigh, "ElementWiseMinimum");
  return node.result(x, order);
}

// ---- Dropout ----

bool is_training(const Inference& node) {
  const Constant* mode = node.constant(2);
  return node.has(2) && (mode == nullptr || (mode->count() > 0 && mode->integer(0) != 0));
}

// Nothing is dropped when a model is used: the output is the input, and the mask lets all through.
Status infer_dropout(Inference& node) {
  OPENQNN_TRY(infer_like_input(node));
  const Constant* ratio = node.constant(1);
  const bool drops_none = ratio != nullptr && ratio->count() == 1 && ratio->real(0) == 0;
  if (is_training(node) && !drops_none) {
    return node.not_offered("it drops at random, as in training, which gives no result to compare with")
        .fix_by("export the model for inference");
  }
  if (!node.wants(1)) return {};
  const uint64_t count = count_of(node.dims(0));
  OPENQNN_TRY(need_small_constant(node, count));
  constexpr int64_t kFirstWithBoolMask = 10;
  ConstantBuilder mask(node.opset() >= kFirstWithBoolMask ? ElementType::kBool : node.type(0), node.dims(0));
  for (uint64_t i = 0; i < count; ++i) mask.put(i, int64_t{1});
  return node.set(1, mask.take());
}

Status fold_dropout(Inference& node) { return node.set(0, *node.constant(0)); }

Status lower_dropout(Lowering& node) {
  OPENQNN_TRY(node.same_as_input(0));
  if (node.wants(1)) node.result(1, node.constant(*node.out(1).constant), plain_order(node.rank(0)));
  return {};
}

}  // namespace

std::span<const Rule> cast_rules() {
  static const Rule kRules[] = {
      {"Cast", infer_cast, fold_cast, lower_cast},
      {"CastLike", infer_cast_like, fold_cast, lower_cast},
      {"Clip", infer_clip, fold_clip, lower_clip},
      {"Dropout", infer_dropout, fold_dropout, lower_dropout},
  };
  return kRules;
}

}  // namespace openqnn::frontend::onnx
