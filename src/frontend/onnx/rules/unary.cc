// SPDX-License-Identifier: BSD-3-Clause
// Functions of one number without settings.
#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "frontend/onnx/rule.h"
#include "frontend/onnx/rules/elementwise.h"
#include "frontend/onnx/rules/formula.h"

namespace openqnn::frontend::onnx {
namespace {

constexpr double kPi = 3.14159265358979323846;

// ---- Functions that the backend does not have ----

// Near 1 the result is small, and pi/2 - asin(x) would leave nothing of it.
Reals acos_of(const Reals& x) {
  return select(x > 0.5, 2.0 * asin(sqrt((1.0 - x) * 0.5)), kPi / 2 - asin(x));
}

// x - x^3/6 + 3 x^5/40 below 1/2, where the logarithm would cancel. Above, |x| stands apart from the root,
// since x^2 leaves half's range long before the result does.
Reals asinh_of(const Reals& x) {
  const Reals size = abs(x);
  const Reals square = size * size;
  const Reals small = size * (1.0 - square * (1.0 / 6 - square * (3.0 / 40)));
  const Reals inverse = 1.0 / size;
  const Reals large = log(size) + log(1.0 + sqrt(1.0 + inverse * inverse));
  return sign(x) * select(size < 0.5, small, large);
}

// 2 asinh(sqrt((x - 1) / 2)): x - 1 is exact where it matters.
Reals acosh_of(const Reals& x) { return 2.0 * asinh_of(sqrt((x - 1.0) * 0.5)); }

// x + x^3/3 + x^5/5 + x^7/7 below 0.4, where the logarithm would cancel.
Reals atanh_of(const Reals& x) {
  const Reals square = x * x;
  const Reals small = x * (1.0 + square * (1.0 / 3 + square * (1.0 / 5 + square * (1.0 / 7))));
  const Reals large = 0.5 * log((1.0 + x) / (1.0 - x));
  return select(abs(x) < 0.4, small, large);
}

// e^|x| in two factors: it leaves half's range before half of it does.
Reals cosh_of(const Reals& x) {
  const Reals size = abs(x);
  const Reals root = exp(size * 0.5);
  return (root * 0.5) * root + 0.5 * exp(-size);
}

// With m = e^-|x| - 1, which the backend computes without cancellation: -m (1 + m/2) e^|x|.
Reals sinh_of(const Reals& x) {
  const Reals size = abs(x);
  const Reals m = elu(-size, 1.0);
  const Reals root = exp(size * 0.5);
  return sign(x) * (root * (-m * (1.0 + m * 0.5))) * root;
}

Reals tan_of(const Reals& x) { return sin(x) / cos(x); }

// tanh of a polynomial, fitted to 4e-5 (ours); beyond 4 the result is 1 in half.
Reals erf_of(const Reals& x) {
  const Reals near = clamp(x, -4.0, 4.0);
  const Reals square = near * near;
  return tanh(near * (1.12814338 + square * (0.10408118 - square * 0.00178648)));
}

Reals reciprocal_of(const Reals& x) { return 1.0 / x; }

// ---- The list ----

double sign_of(double x) { return x > 0 ? 1 : x < 0 ? -1 : x; }
int64_t sign_of(int64_t x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }
int64_t absolute(int64_t x) { return x < 0 ? wrapping_subtract(0, x) : x; }
int64_t negative(int64_t x) { return wrapping_subtract(0, x); }

struct UnaryFunction {
  std::string_view type;
  double (*real)(double);
  std::string_view op = {};                    // the backend's
  Reals (*formula)(const Reals& x) = nullptr;  // where it has none
  int64_t (*integer)(int64_t) = nullptr;       // where integers are taken too
};

constexpr UnaryFunction kFunctions[] = {
    {"Abs", [](double x) { return std::fabs(x); }, "ElementWiseAbs", nullptr, absolute},
    {"Acos", [](double x) { return std::acos(x); }, {}, acos_of},
    {"Acosh", [](double x) { return std::acosh(x); }, {}, acosh_of},
    {"Asin", [](double x) { return std::asin(x); }, "ElementWiseAsin"},
    {"Asinh", [](double x) { return std::asinh(x); }, {}, asinh_of},
    {"Atan", [](double x) { return std::atan(x); }, "ElementWiseAtan"},
    {"Atanh", [](double x) { return std::atanh(x); }, {}, atanh_of},
    {"Ceil", [](double x) { return std::ceil(x); }, "ElementWiseCeil"},
    {"Cos", [](double x) { return std::cos(x); }, "ElementWiseCos"},
    {"Cosh", [](double x) { return std::cosh(x); }, {}, cosh_of},
    {"Erf", [](double x) { return std::erf(x); }, {}, erf_of},
    {"Exp", [](double x) { return std::exp(x); }, "ElementWiseExp"},
    {"Floor", [](double x) { return std::floor(x); }, "ElementWiseFloor"},
    {"Log", [](double x) { return std::log(x); }, "ElementWiseLog"},
    {"Neg", [](double x) { return -x; }, "ElementWiseNeg", nullptr, negative},
    {"Reciprocal", [](double x) { return 1.0 / x; }, {}, reciprocal_of},
    {"Round", [](double x) { return std::nearbyint(x); }, "ElementWiseRound"},
    {"Sign", [](double x) { return sign_of(x); }, "ElementWiseSign", nullptr, sign_of},
    {"Sin", [](double x) { return std::sin(x); }, "ElementWiseSin"},
    {"Sinh", [](double x) { return std::sinh(x); }, {}, sinh_of},
    {"Sqrt", [](double x) { return std::sqrt(x); }, "ElementWiseSquareRoot"},
    {"Tan", [](double x) { return std::tan(x); }, {}, tan_of},
};

// Only types of the list lead here.
const UnaryFunction& function_of(const NodeView& node) {
  return *std::ranges::find(kFunctions, node.node().type, &UnaryFunction::type);
}

Status infer_function(Inference& node) {
  OPENQNN_TRY(node.need_inputs(1));
  const bool integers = function_of(node).integer != nullptr && is_integer(node.type(0));
  if (!integers) OPENQNN_TRY(need_reals(node));
  return infer_like_input(node);
}

Status fold_function(Inference& node) {
  const UnaryFunction& function = function_of(node);
  if (is_real(node.type(0))) return fold_reals(node, node.type(0), function.real);
  const Constant& x = *node.constant(0);
  ConstantBuilder builder(x.type(), x.dims());
  for (uint64_t i = 0; i < x.count(); ++i) builder.put(i, wrapped(x.type(), function.integer(x.integer(i))));
  return node.set(0, builder.take());
}

Status lower_function(Lowering& node) {
  const UnaryFunction& function = function_of(node);
  if (function.formula == nullptr) return lower_to(node, function.op);
  const Order order = node.common_order();
  return node.result(function.formula(Reals(node, node.input(0, order))).tensor(), order);
}

// ---- Tests of reals ----

Status infer_test(Inference& node) {
  OPENQNN_TRY(need_reals(node));
  return node.set(0, ElementType::kBool, node.dims(0));
}

Status fold_is_nan(Inference& node) {
  return fold_reals(node, ElementType::kBool, [](double x) { return std::isnan(x); });
}
Status lower_is_nan(Lowering& node) { return lower_to(node, "IsNan"); }

bool detects(const Attributes& attributes, std::string_view which) {
  return attributes.integer(which, 1) != 0;
}

Status fold_is_inf(Inference& node) {
  const bool up = detects(node.attributes(), "detect_positive");
  const bool down = detects(node.attributes(), "detect_negative");
  return fold_reals(node, ElementType::kBool, [&](double x) { return std::isinf(x) && (x > 0 ? up : down); });
}

Status lower_is_inf(Lowering& node) {
  Params params;
  for (const char* which : {"detect_positive", "detect_negative"})
    params.boolean(which, detects(node.attributes(), which));
  return lower_to(node, "IsInf", params);
}

}  // namespace

std::span<const Rule> unary_rules() {
  static const std::vector<Rule> kRules = [] {
    std::vector<Rule> rules;
    for (const UnaryFunction& function : kFunctions)
      rules.push_back({function.type, infer_function, fold_function, lower_function});
    rules.push_back({"IsInf", infer_test, fold_is_inf, lower_is_inf});
    rules.push_back({"IsNaN", infer_test, fold_is_nan, lower_is_nan});
    return rules;
  }();
  return kRules;
}

}  // namespace openqnn::frontend::onnx
