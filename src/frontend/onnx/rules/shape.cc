// SPDX-License-Identifier: BSD-3-Clause
// Ops that give the same values in another shape or order, and those that tell shapes.
#include <algorithm>

#include "base/text.h"
#include "frontend/onnx/rule.h"
#include "frontend/onnx/rules/elementwise.h"
#include "frontend/onnx/rules/fold.h"
#include "frontend/onnx/rules/quantization.h"

namespace openqnn::frontend::onnx {
namespace {

// ---- Constant ----

Status infer_constant(Inference& node) {
  const Attributes& attributes = node.attributes();
  if (const Attribute* value = attributes.find("value"); value != nullptr && value->tensors.size() == 1) {
    ExternalFiles none("");  // ONNX allows no external data here
    OPENQNN_ASSIGN(TensorValues values, values_of(value->tensors[0], none));
    return node.set(0, Constant(value->tensors[0].type, value->tensors[0].dims, std::move(values)));
  }
  if (attributes.has("value_int"))
    return node.set(0, Constant::of_integers(ElementType::kInt64, {}, {attributes.integer("value_int", 0)}));
  if (attributes.has("value_float"))
    return node.set(0, Constant::of_reals(ElementType::kFloat, {}, {attributes.real("value_float", 0)}));
  if (attributes.has("value_ints")) {
    const auto values = attributes.integers("value_ints");
    return node.set(
        0, Constant::of_integers(ElementType::kInt64, {static_cast<int64_t>(values.size())}, values));
  }
  if (attributes.has("value_floats")) {
    const auto values = attributes.reals("value_floats");
    return node.set(0,
                    Constant::of_reals(ElementType::kFloat, {static_cast<int64_t>(values.size())}, values));
  }
  return node.not_offered("a constant of texts or a sparse one is not computed");
}

// ---- Shape, Size ----

Status infer_shape(Inference& node) {
  OPENQNN_TRY(node.need_inputs(1));
  const Dims& dims = node.dims(0);
  const auto rank = static_cast<int64_t>(dims.size());
  auto bound = [&](std::string_view name, int64_t fallback) {
    const int64_t at = node.attributes().integer(name, fallback);
    return std::clamp<int64_t>(at < 0 ? at + rank : at, 0, rank);
  };
  const int64_t start = bound("start", 0);
  const int64_t end = std::max(start, bound("end", rank));
  const std::vector<int64_t> part(dims.begin() + start, dims.begin() + end);
  return node.set(0, Constant::of_integers(ElementType::kInt64, {end - start}, part));
}

Status infer_size(Inference& node) {
  OPENQNN_TRY(node.need_inputs(1));
  return node.set(
      0, Constant::of_integers(ElementType::kInt64, {}, {static_cast<int64_t>(count_of(node.dims(0)))}));
}

// ---- Identity ----

Status lower_same(Lowering& node) { return node.same_as_input(0); }

// ---- Reshape ----

Result<Dims> reshaped(const Inference& node, const Dims& from, const std::vector<int64_t>& target,
                      bool keeps_zero) {
  Dims dims = target;
  std::optional<size_t> open;
  for (size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] == 0 && !keeps_zero) {
      if (i >= from.size()) return node.wrong(concat("dimension ", i, " is to be kept, but there is none"));
      dims[i] = from[i];
    } else if (dims[i] == -1 && !open) {
      open = i;
      dims[i] = 1;
    } else if (dims[i] < 0) {
      return node.wrong(concat("dimension ", i, " is ", target[i]));
    }
  }
  OPENQNN_ASSIGN(const uint64_t count, checked_count(dims));
  const uint64_t has = count_of(from);
  if (open && count != 0 && has % count == 0) dims[*open] = static_cast<int64_t>(has / count);
  if (count_of(dims) != has)
    return node.wrong(concat(text_of(from), " cannot be reshaped to ", text_of(target)));
  return dims;
}

Status infer_reshape(Inference& node) {
  OPENQNN_TRY(node.need_inputs(1));
  OPENQNN_ASSIGN(const auto target, node.need_integers(1, "the new shape"));
  OPENQNN_ASSIGN(Dims dims,
                 reshaped(node, node.dims(0), target, node.attributes().integer("allowzero", 0) != 0));
  return node.set(0, node.type(0), std::move(dims));
}

// Neighbouring dimensions before a Reshape, and those after it that hold the same elements.
struct SameElements {
  size_t from_begin;
  size_t from_end;
  size_t to_begin;
  size_t to_end;
};

// As small as they can be; both shapes have the same number of elements, which is not 0.
std::vector<SameElements> split_by_elements(const Dims& from, const Dims& to) {
  std::vector<SameElements> parts;
  size_t i = 0;
  size_t j = 0;
  while (i < from.size() && j < to.size()) {
    SameElements part{i, 0, j, 0};
    int64_t before = from[i++];
    int64_t after = to[j++];
    while (before != after) {
      if (before < after)
        before *= from[i++];
      else
        after *= to[j++];
    }
    part.from_end = i;
    part.to_end = j;
    parts.push_back(part);
  }
  if (!parts.empty()) {  // what is left over is of extent 1
    parts.back().from_end = from.size();
    parts.back().to_end = to.size();
  }
  return parts;
}

// The order in which the result of a Reshape lies when nothing is moved; nothing when dimensions that it
// joins or splits lie apart.
std::optional<Order> order_after_reshape(const Order& order, const std::vector<SameElements>& parts) {
  Order after;
  for (size_t at = 0; at < order.size();) {
    const auto part = std::find_if(parts.begin(), parts.end(),
                                   [&](const SameElements& one) { return one.from_begin == order[at]; });
    if (part == parts.end()) return std::nullopt;
    for (size_t d = part->from_begin; d < part->from_end; ++d, ++at)
      if (at >= order.size() || order[at] != d) return std::nullopt;
    for (size_t d = part->to_begin; d < part->to_end; ++d) after.push_back(static_cast<uint32_t>(d));
  }
  return after;
}

// As the input lies, where that can be: channels that are last stay last.
Status lower_reshaped(Lowering& node) {
  const Dims& dims = node.out().dims;
  const Order plain = plain_order(node.rank(0));
  const auto order = node.order_at_hand(0);
  if (order && !node.is_at_hand(0, plain) && count_of(dims) != 0) {
    if (const auto after = order_after_reshape(*order, split_by_elements(node.dims(0), dims)))
      return node.result(node.reshape(node.input(0, *order), in_order(dims, *after)), *after);
  }
  return node.result(node.reshape(node.input(0), dims));
}

// ---- Transpose ----

std::vector<int64_t> perm_of(const Attributes& attributes, size_t rank) {
  auto reversed = plain_numbers<int64_t>(rank);
  std::ranges::reverse(reversed);
  return attributes.integers("perm", reversed);
}

Status infer_transpose(Inference& node) {
  OPENQNN_TRY(node.need_inputs(1));
  const Dims& dims = node.dims(0);
  const auto perm = perm_of(node.attributes(), dims.size());
  if (perm.size() != dims.size()) return node.wrong("perm has another length than the tensor has dimensions");
  if (std::any_of(perm.begin(), perm.end(), [](int64_t axis) { return axis < 0; }))
    return node.wrong("perm has a negative number");
  OPENQNN_ASSIGN(const auto axes, node.axes(perm, dims.size()));
  Dims out;
  for (const size_t axis : axes) out.push_back(dims[axis]);
  return node.set(0, node.type(0), std::move(out));
}

Status fold_transpose(Inference& node) {
  const Constant& from = *node.constant(0);
  const auto perm = perm_of(node.attributes(), from.dims().size());
  const Order order(perm.begin(), perm.end());
  OPENQNN_TRY(node.set(0, from.transposed(order)));
  if (const auto& given = node.in(0).encoding) node.keep_encoding(0, transposed_encoding(*given, order));
  return {};
}

Status lower_transpose(Lowering& node) {
  return node.same_as_input(0, perm_of(node.attributes(), node.rank(0)));
}

}  // namespace

std::span<const Rule> shape_rules() {
  static const Rule kRules[] = {
      {"Constant", infer_constant},
      {"Shape", infer_shape},
      {"Size", infer_size},
      {"Identity", infer_like_input, fold_reshaped, lower_same},
      {"Reshape", infer_reshape, fold_reshaped, lower_reshaped},
      {"Transpose", infer_transpose, fold_transpose, lower_transpose},
  };
  return kRules;
}

}  // namespace openqnn::frontend::onnx
