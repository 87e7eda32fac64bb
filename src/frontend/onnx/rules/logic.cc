// SPDX-License-Identifier: BSD-3-Clause
// Comparisons, truth values, bits, and the choice between two operands.
#include <algorithm>

#include "base/text.h"
#include "frontend/onnx/rule.h"
#include "frontend/onnx/rules/elementwise.h"
#include "frontend/onnx/rules/fit.h"

namespace openqnn::frontend::onnx {
namespace {

// ---- Comparisons and truth values ----

struct Relation {
  std::string_view type;
  std::string_view op;  // the backend's
  bool (*reals)(double, double);
  bool (*integers)(int64_t, int64_t);  // of truth values too
  bool of_truths = false;
};

constexpr Relation kRelations[] = {
    {"Equal", "ElementWiseEqual", [](double a, double b) { return a == b; },
     [](int64_t a, int64_t b) { return a == b; }},
    {"Greater", "ElementWiseGreater", [](double a, double b) { return a > b; },
     [](int64_t a, int64_t b) { return a > b; }},
    {"GreaterOrEqual", "ElementWiseGreaterEqual", [](double a, double b) { return a >= b; },
     [](int64_t a, int64_t b) { return a >= b; }},
    {"Less", "ElementWiseLess", [](double a, double b) { return a < b; },
     [](int64_t a, int64_t b) { return a < b; }},
    {"LessOrEqual", "ElementWiseLessEqual", [](double a, double b) { return a <= b; },
     [](int64_t a, int64_t b) { return a <= b; }},
    {"And", "ElementWiseAnd", nullptr, [](int64_t a, int64_t b) { return a != 0 && b != 0; }, true},
    {"Or", "ElementWiseOr", nullptr, [](int64_t a, int64_t b) { return a != 0 || b != 0; }, true},
    {"Xor", "ElementWiseXor", nullptr, [](int64_t a, int64_t b) { return (a != 0) != (b != 0); }, true},
};

// Only types of the list lead here.
const Relation& relation_of(const NodeView& node) {
  return *std::ranges::find(kRelations, node.node().type, &Relation::type);
}

Status infer_relation(Inference& node) {
  OPENQNN_TRY(node.need_inputs(2));
  if (node.input_count() != 2) return node.wrong("it takes two inputs");
  if (relation_of(node).of_truths && node.type(0) != ElementType::kBool)
    return node.wrong(concat("it takes truth values, not ", name_of(node.type(0))));
  return infer_stretched(node, ElementType::kBool);
}

Status fold_relation(Inference& node) {
  const Relation& relation = relation_of(node);
  const Constant& a = *node.constant(0);
  const Constant& b = *node.constant(1);
  const Dims& dims = node.out_dims(0);
  ConstantBuilder builder(ElementType::kBool, dims);
  walk(dims, {stretched(a.dims(), dims), stretched(b.dims(), dims)},
       [&](uint64_t i, const std::vector<int64_t>& at) {
         const auto from_a = static_cast<uint64_t>(at[0]);
         const auto from_b = static_cast<uint64_t>(at[1]);
         const bool holds = is_real(a.type()) ? relation.reals(a.real(from_a), b.real(from_b))
                                              : relation.integers(a.integer(from_a), b.integer(from_b));
         builder.put(i, int64_t{holds});
       });
  return node.set(0, builder.take());
}

Status lower_relation(Lowering& node) { return lower_to(node, relation_of(node).op); }

// ---- Not ----

Status infer_not(Inference& node) {
  OPENQNN_TRY(node.need_inputs(1));
  if (node.type(0) != ElementType::kBool)
    return node.wrong(concat("it takes truth values, not ", name_of(node.type(0))));
  return infer_like_input(node);
}

Status fold_not(Inference& node) {
  const Constant& x = *node.constant(0);
  ConstantBuilder builder(ElementType::kBool, x.dims());
  for (uint64_t i = 0; i < x.count(); ++i) builder.put(i, int64_t{x.integer(i) == 0});
  return node.set(0, builder.take());
}

Status lower_not(Lowering& node) { return lower_to(node, "ElementWiseNot"); }

// ---- Where ----

Status infer_where(Inference& node) {
  OPENQNN_TRY(node.need_inputs(3));
  if (node.type(0) != ElementType::kBool)
    return node.wrong(concat("the condition is ", name_of(node.type(0)), ", not bool"));
  return infer_stretched(node, ElementType::kUndefined, 1);
}

Status fold_where(Inference& node) {
  const Dims& dims = node.out_dims(0);
  ConstantBuilder builder(node.type(1), dims);
  walk(dims, {stretched(node.dims(0), dims), stretched(node.dims(1), dims), stretched(node.dims(2), dims)},
       [&](uint64_t i, const std::vector<int64_t>& at) {
         const size_t chosen = node.constant(0)->integer(static_cast<uint64_t>(at[0])) != 0 ? 1 : 2;
         copy_element(*node.constant(chosen), static_cast<uint64_t>(at[chosen]), builder, i);
       });
  return node.set(0, builder.take());
}

Status lower_where(Lowering& node) { return lower_to(node, "ElementWiseSelect"); }

// ---- Bits ----

struct Bits {
  std::string_view type;
  int64_t (*value)(int64_t, int64_t);
};

constexpr Bits kBits[] = {
    {"BitwiseAnd", [](int64_t a, int64_t b) { return a & b; }},
    {"BitwiseOr", [](int64_t a, int64_t b) { return a | b; }},
    {"BitwiseXor", [](int64_t a, int64_t b) { return a ^ b; }},
};

Status infer_bits(Inference& node) {
  OPENQNN_TRY(infer_stretched(node));
  if (node.input_count() > 2 || !is_integer(node.type(0)))
    return node.wrong(concat("it takes one or two tensors of integers, not ", name_of(node.type(0))));
  return {};
}

template <class Function>
Status fold_integers(Inference& node, Function&& function) {
  const Dims& dims = node.out_dims(0);
  const Constant& a = *node.constant(0);
  const Constant& b = *node.constant(node.input_count() - 1);
  ConstantBuilder builder(a.type(), dims);
  walk(dims, {stretched(a.dims(), dims), stretched(b.dims(), dims)},
       [&](uint64_t i, const std::vector<int64_t>& at) {
         const int64_t x = a.integer(static_cast<uint64_t>(at[0]));
         const int64_t y = b.integer(static_cast<uint64_t>(at[1]));
         builder.put(i, wrapped(a.type(), function(x, y)));
       });
  return node.set(0, builder.take());
}

Status fold_bits(Inference& node) {
  for (const Bits& bits : kBits)
    if (bits.type == node.node().type) return fold_integers(node, bits.value);
  return fold_integers(node, [](int64_t x, int64_t) { return ~x; });  // BitwiseNot
}

// -1 - x, which has the inverted bits; unsigned numbers keep the low ones of it.
Status lower_bitwise_not(Lowering& node) {
  const Order order = node.common_order();
  const TensorRef x = node.cast(node.input(0, order), ir::DataType::kInt32);
  const TensorRef y =
      emit_elementwise(node, "ElementWiseSubtract", {node.integers({1}, {-1}), x}, ir::DataType::kInt32);
  return node.result(node.cast(y, node.out_type()), order);
}

// ---- BitShift ----

bool shifts_left(const Attributes& attributes) { return attributes.text("direction", "") == "LEFT"; }

Status infer_shift(Inference& node) {
  OPENQNN_TRY(node.need_inputs(2));
  const std::string_view direction = node.attributes().text("direction", "");
  if (direction != "LEFT" && direction != "RIGHT")
    return node.wrong(concat("direction is '", direction, "'; LEFT and RIGHT are known"));
  return infer_bits(node);
}

Status fold_shift(Inference& node) {
  const bool left = shifts_left(node.attributes());
  return fold_integers(node, [&](int64_t x, int64_t amount) {
    if (amount < 0 || amount >= 64) return int64_t{0};
    const auto bits = static_cast<uint64_t>(x);
    return static_cast<int64_t>(left ? bits << amount : bits >> amount);
  });
}

// A product or quotient by powers of two, for amounts that are known.
Status lower_shift(Lowering& node) {
  const Constant* amounts = node.constant(1);
  if (amounts == nullptr)
    return node.not_offered("the backend shifts by amounts that are known before the model runs alone");
  const uint32_t width = bits_of(node.in(0).type);
  std::vector<int64_t> factors;
  for (uint64_t i = 0; i < amounts->count(); ++i) {
    const int64_t amount = amounts->integer(i);
    if (amount < 0 || amount >= width || amount > 30)
      return node.not_offered(concat("a shift by ", amount, " is beyond the backend's 32-bit integers"));
    factors.push_back(int64_t{1} << amount);
  }
  const Order order = node.common_order();
  Dims dims(order.size() - amounts->dims().size(), 1);
  dims.insert(dims.end(), amounts->dims().begin(), amounts->dims().end());
  const TensorRef x = stretchable(node, 0, order);
  const TensorRef by = node.constant(Constant::of_integers(node.in(0).type, dims, factors), order);
  const bool left = shifts_left(node.attributes());
  return node.result(
      emit_elementwise(node, left ? "ElementWiseMultiply" : "ElementWiseDivide", {x, by}, node.out_type()),
      order);
}

}  // namespace

std::span<const Rule> logic_rules() {
  static const std::vector<Rule> kRules = [] {
    std::vector<Rule> rules;
    for (const Relation& relation : kRelations)
      rules.push_back({relation.type, infer_relation, fold_relation, lower_relation});
    rules.push_back({"Not", infer_not, fold_not, lower_not});
    rules.push_back({"Where", infer_where, fold_where, lower_where});
    for (const Bits& bits : kBits) rules.push_back({bits.type, infer_bits, fold_bits, nullptr});
    rules.push_back({"BitwiseNot", infer_bits, fold_bits, lower_bitwise_not});
    rules.push_back({"BitShift", infer_shift, fold_shift, lower_shift});
    return rules;
  }();
  return kRules;
}

}  // namespace openqnn::frontend::onnx
