// SPDX-License-Identifier: BSD-3-Clause
// Arithmetic of two operands, or of several one after the other.
#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "frontend/onnx/rule.h"
#include "frontend/onnx/rules/elementwise.h"
#include "frontend/onnx/rules/fit.h"

namespace openqnn::frontend::onnx {
namespace {

// ---- Values ----

// Integers by 0 are 0 (ours: ONNX leaves it open).
int64_t quotient(int64_t a, int64_t b) {
  if (b == 0) return 0;
  return b == -1 ? wrapping_subtract(0, a) : a / b;
}
// With the sign of b, as Python's.
int64_t modulo(int64_t a, int64_t b) {
  if (b == 0 || b == -1) return 0;
  const int64_t rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}
// With the sign of a, as C's.
int64_t remainder(int64_t a, int64_t b) { return b == 0 || b == -1 ? 0 : a % b; }
int64_t power(int64_t base, int64_t exponent) {
  if (exponent < 0) return base == 1 ? 1 : base == -1 ? (exponent % 2 == 0 ? 1 : -1) : 0;
  int64_t result = 1;
  for (; exponent > 0; exponent /= 2) {
    if (exponent % 2 == 1) result = wrapping_multiply(result, base);
    base = wrapping_multiply(base, base);
  }
  return result;
}
// NaN on either side wins.
double larger(double a, double b) { return std::isnan(a) || a > b ? a : b; }
double smaller(double a, double b) { return std::isnan(a) || a < b ? a : b; }

struct Arithmetic {
  std::string_view type;
  std::string_view op;  // the backend's
  double (*real)(double, double);
  int64_t (*integer)(int64_t, int64_t);
  bool several = false;  // takes one operand and more
};

constexpr Arithmetic kArithmetic[] = {
    {"Add", "ElementWiseAdd", [](double a, double b) { return a + b; }, wrapping_add},
    {"Sub", "ElementWiseSubtract", [](double a, double b) { return a - b; }, wrapping_subtract},
    {"Mul", "ElementWiseMultiply", [](double a, double b) { return a * b; }, wrapping_multiply},
    {"Div", "ElementWiseDivide", [](double a, double b) { return a / b; }, quotient},
    {"Sum", "ElementWiseAdd", [](double a, double b) { return a + b; }, nullptr, true},
    {"Mean", "ElementWiseAdd", [](double a, double b) { return a + b; }, nullptr, true},
    {"Max", "ElementWiseMaximum", larger, [](int64_t a, int64_t b) { return std::max(a, b); }, true},
    {"Min", "ElementWiseMinimum", smaller, [](int64_t a, int64_t b) { return std::min(a, b); }, true},
};

// Only types of the list lead here.
const Arithmetic& arithmetic_of(const NodeView& node) {
  return *std::ranges::find(kArithmetic, node.node().type, &Arithmetic::type);
}

Status infer_arithmetic(Inference& node) {
  const Arithmetic& arithmetic = arithmetic_of(node);
  const size_t count = node.input_count();
  if (!arithmetic.several && count != 2) return node.wrong(concat("it takes two inputs, ", count, " given"));
  OPENQNN_TRY(infer_stretched(node));
  const bool known = is_real(node.type(0)) || (arithmetic.integer != nullptr && is_integer(node.type(0)));
  if (!known) return node.wrong(concat("it is not defined for ", name_of(node.type(0))));
  return {};
}

// result = function(a, b) over the output's dimensions.
template <class Real, class Integer>
Constant combined(const Constant& a, const Constant& b, const Dims& dims, Real&& real, Integer&& integer) {
  ConstantBuilder builder(a.type(), dims);
  walk(dims, {stretched(a.dims(), dims), stretched(b.dims(), dims)},
       [&](uint64_t i, const std::vector<int64_t>& at) {
         const auto from_a = static_cast<uint64_t>(at[0]);
         const auto from_b = static_cast<uint64_t>(at[1]);
         if (is_real(a.type()))
           builder.put(i, real(a.real(from_a), b.real(from_b)));
         else
           builder.put(i, wrapped(a.type(), integer(a.integer(from_a), b.integer(from_b))));
       });
  return builder.take();
}

Status fold_arithmetic(Inference& node) {
  const Arithmetic& arithmetic = arithmetic_of(node);
  // Sums of several are rounded once for each operand, as the backend would.
  Constant result = *node.constant(0);
  for (size_t i = 1; i < node.input_count(); ++i)
    result = combined(result, *node.constant(i), *broadcast(result.dims(), node.dims(i)), arithmetic.real,
                      arithmetic.integer);
  if (node.node().type == "Mean") {
    const auto count = static_cast<double>(node.input_count());
    const Constant divisor = Constant::of_reals(result.type(), {}, {count});
    result = combined(
        result, divisor, result.dims(), [](double a, double b) { return a / b; }, arithmetic.integer);
  }
  return node.set(0, std::move(result));
}

Status lower_arithmetic(Lowering& node) {
  const Arithmetic& arithmetic = arithmetic_of(node);
  if (node.input_count() == 1) return node.same_as_input(0);
  const Order order = node.common_order();
  const std::vector<TensorRef> inputs = stretchable_inputs(node, order);
  TensorRef result = inputs[0];
  for (size_t i = 1; i < inputs.size(); ++i)
    result = emit_elementwise(node, arithmetic.op, {result, inputs[i]}, node.out_type());
  if (node.node().type == "Mean") {
    const TensorRef share = node.reals({1}, {1.0 / static_cast<double>(inputs.size())});
    result = emit_elementwise(node, "ElementWiseMultiply", {result, share}, node.out_type());
  }
  return node.result(result, order);
}

// ---- Mod ----

Status infer_mod(Inference& node) {
  OPENQNN_TRY(infer_stretched(node));
  if (node.input_count() != 2) return node.wrong("it takes two inputs");
  if (is_real(node.type(0)) && node.attributes().integer("fmod", 0) == 0)
    return node.wrong("fmod is 0, which is for integers alone");
  return {};
}

Status fold_mod(Inference& node) {
  const bool c_like = node.attributes().integer("fmod", 0) != 0;
  return node.set(0, combined(
                         *node.constant(0), *node.constant(1), node.out_dims(0),
                         [](double a, double b) { return std::fmod(a, b); }, c_like ? remainder : modulo));
}

Status lower_mod(Lowering& node) {
  return lower_to(node, node.attributes().integer("fmod", 0) != 0 ? "ElementWiseFmod" : "ElementWiseMod");
}

// ---- Pow ----

Status infer_pow(Inference& node) {
  OPENQNN_TRY(node.need_inputs(2));
  const auto dims = broadcast(node.dims(0), node.dims(1));
  if (!dims) return node.wrong(concat(text_of(node.dims(0)), " and ", text_of(node.dims(1)), " do not fit"));
  return node.set(0, node.type(0), *dims);
}

Status fold_pow(Inference& node) {
  const Constant& base = *node.constant(0);
  const Constant& exponent = *node.constant(1);
  ConstantBuilder builder(base.type(), node.out_dims(0));
  const bool integers = is_integer(base.type()) && is_integer(exponent.type());
  walk(node.out_dims(0),
       {stretched(base.dims(), node.out_dims(0)), stretched(exponent.dims(), node.out_dims(0))},
       [&](uint64_t i, const std::vector<int64_t>& at) {
         const auto b = static_cast<uint64_t>(at[0]);
         const auto e = static_cast<uint64_t>(at[1]);
         if (integers)
           builder.put(i, wrapped(base.type(), power(base.integer(b), exponent.integer(e))));
         else
           builder.put(i, std::pow(base.real(b), exponent.real(e)));
       });
  return node.set(0, builder.take());
}

// The exponent when it is one number for all.
std::optional<double> only_exponent(const Lowering& node) {
  const Constant* exponent = node.constant(1);
  if (exponent == nullptr || exponent->count() != 1 || node.out().dims != node.dims(0)) return std::nullopt;
  return exponent->real(0);
}

bool all_whole(const Constant& values) {
  for (uint64_t i = 0; i < values.count(); ++i)
    if (values.real(i) != std::trunc(values.real(i))) return false;
  return true;
}

Status lower_pow(Lowering& node) {
  const Order order = node.common_order();
  const TensorRef base = stretchable(node, 0, order);
  const ir::DataType type = node.out_type();
  const auto exponent = only_exponent(node);
  if (exponent == 2.0)
    return node.result(emit_elementwise(node, "ElementWiseMultiply", {base, base}, type), order);
  if (exponent == 0.5 && is_real(node.in(0).type)) {
    return node.result(emit_elementwise(node, "ElementWiseSquareRoot", {base}, type), order);
  }
  if (is_integer(node.in(0).type) && is_real(node.in(1).type) &&
      (node.constant(1) == nullptr || !all_whole(*node.constant(1)))) {
    return node.not_offered("a power of integers with real exponents would be computed in half floats")
        .fix_by("cast the base to float first, or use constant whole exponents");
  }
  const TensorRef power = node.cast(stretchable(node, 1, order), type);
  return node.result(emit_elementwise(node, "ElementWisePower", {base, power}, type), order);
}

}  // namespace

std::span<const Rule> binary_rules() {
  static const std::vector<Rule> kRules = [] {
    std::vector<Rule> rules;
    for (const Arithmetic& arithmetic : kArithmetic)
      rules.push_back({arithmetic.type, infer_arithmetic, fold_arithmetic, lower_arithmetic});
    rules.push_back({"Mod", infer_mod, fold_mod, lower_mod});
    rules.push_back({"Pow", infer_pow, fold_pow, lower_pow});
    return rules;
  }();
  return kRules;
}

}  // namespace openqnn::frontend::onnx
