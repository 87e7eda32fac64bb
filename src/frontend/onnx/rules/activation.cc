// SPDX-License-Identifier: BSD-3-Clause
// Activations: functions of one number, some with settings.
#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "frontend/onnx/rule.h"
#include "frontend/onnx/rules/elementwise.h"
#include "frontend/onnx/rules/formula.h"

namespace openqnn::frontend::onnx {
namespace {

// ---- Values ----

double elu_value(double x, double alpha) { return x < 0 ? alpha * std::expm1(x) : x; }
double sigmoid_value(double x) { return 1.0 / (1.0 + std::exp(-x)); }
double softplus_value(double x) { return x > 30 ? x : std::log1p(std::exp(x)); }
double gelu_value(double x) { return 0.5 * x * std::erfc(-x * std::sqrt(0.5)); }

// The form with a hyperbolic tangent: x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))).
constexpr double kSqrtTwoOverPi = 0.79788456080286535588;
constexpr double kCubic = 0.044715;
double tanh_gelu_value(double x) {
  return 0.5 * x * (1.0 + std::tanh(kSqrtTwoOverPi * (x + kCubic * x * x * x)));
}
// As 2 sigmoid(2 y) - 1 = tanh(y): one product less, and no cancellation on the negative side. The cube is
// clamped: from 8 on the sigmoid is 0 or 1, and x^3 would leave half's range.
Reals tanh_gelu(const Reals& x) {
  const Reals near = clamp(x, -8.0, 8.0);
  return x * sigmoid(near * (2 * kSqrtTwoOverPi + near * near * (2 * kSqrtTwoOverPi * kCubic)));
}

// ---- The list ----

struct Setting {
  std::string_view name = {};
  double fallback = 0;
};

struct Activation {
  std::string_view type;
  double (*value)(double x, double first, double second);
  Reals (*formula)(const Reals& x, double first, double second);
  Setting first = {};
  Setting second = {};
};

constexpr Activation kActivations[] = {
    {"Celu",
     [](double x, double alpha, double) { return x < 0 ? alpha * std::expm1(x / alpha) : x; },
     [](const Reals& x, double alpha, double) {
       if (alpha == 1.0) return elu(x, 1.0);
       return relu(x) + alpha * elu(-relu(-x) * (1.0 / alpha), 1.0);
     },
     {"alpha", 1.0}},
    {"Elu",
     [](double x, double alpha, double) { return elu_value(x, alpha); },
     [](const Reals& x, double alpha, double) { return elu(x, alpha); },
     {"alpha", 1.0}},
    {"HardSigmoid",
     [](double x, double alpha, double beta) { return std::fmax(0, std::fmin(1, alpha * x + beta)); },
     [](const Reals& x, double alpha, double beta) {
       constexpr uint32_t kHardSigmoid = 2;
       return x.apply("ElementWiseNeuron",
                      Params().u32("operation", kHardSigmoid).f32("alpha", alpha).f32("beta", beta));
     },
     {"alpha", 0.2F},
     {"beta", 0.5}},
    {"HardSwish", [](double x, double, double) { return x * std::fmax(0, std::fmin(1, x / 6 + 0.5)); },
     [](const Reals& x, double, double) { return x.apply("HardSwish"); }},
    {"LeakyRelu",
     [](double x, double alpha, double) { return x < 0 ? alpha * x : x; },
     [](const Reals& x, double alpha, double) { return x.apply("Prelu", x.number(alpha)); },
     {"alpha", 0.01F}},
    {"Mish", [](double x, double, double) { return x * std::tanh(softplus_value(x)); },
     [](const Reals& x, double, double) { return x * tanh(softplus(x)); }},
    {"Selu",
     [](double x, double alpha, double gamma) { return gamma * elu_value(x, alpha); },
     [](const Reals& x, double alpha, double gamma) { return gamma * elu(x, alpha); },
     {"alpha", 1.67326319217681884765625},
     {"gamma", 1.05070102214813232421875}},
    {"Shrink",
     [](double x, double lambd, double bias) { return x < -lambd  ? x + bias
                                                      : x > lambd ? x - bias
                                                                  : 0.0; },
     [](const Reals& x, double lambd, double bias) {
       const Reals above = select(x > lambd, bias == 0 ? x : x - bias, x.number(0.0));
       return select(x < -lambd, bias == 0 ? x : x + bias, above);
     },
     {"lambd", 0.5},
     {"bias", 0.0}},
    {"Sigmoid", [](double x, double, double) { return sigmoid_value(x); },
     [](const Reals& x, double, double) { return sigmoid(x); }},
    {"Softplus", [](double x, double, double) { return softplus_value(x); },
     [](const Reals& x, double, double) { return softplus(x); }},
    {"Softsign", [](double x, double, double) { return x / (1.0 + std::fabs(x)); },
     [](const Reals& x, double, double) { return x / (1.0 + abs(x)); }},
    {"Swish",
     [](double x, double alpha, double) { return x * sigmoid_value(alpha * x); },
     [](const Reals& x, double alpha, double) { return x * sigmoid(alpha == 1.0 ? x : x * alpha); },
     {"alpha", 1.0}},
    {"Tanh", [](double x, double, double) { return std::tanh(x); },
     [](const Reals& x, double, double) { return tanh(x); }},
    {"ThresholdedRelu",
     [](double x, double alpha, double) { return x > alpha ? x : 0.0; },
     [](const Reals& x, double alpha, double) { return select(x > alpha, x, x.number(0.0)); },
     {"alpha", 1.0}},
    // x sigmoid(alpha x), which Microsoft's exporters write for a fast GELU.
    {"com.microsoft.QuickGelu",
     [](double x, double alpha, double) { return x * sigmoid_value(alpha * x); },
     [](const Reals& x, double alpha, double) { return x * sigmoid(x * alpha); },
     {"alpha", 1.702F}},
};

struct OperandBound {
  const Activation* activation;
  double first;
  double second;
};

OperandBound bound(const NetNode& node) {
  // Only types of the list lead here.
  const Activation* found = std::ranges::find(kActivations, node.type, &Activation::type);
  auto read = [&](const Setting& setting) { return node.attributes.real(setting.name, setting.fallback); };
  return {found, read(found->first), read(found->second)};
}

Status infer_activation(Inference& node) {
  OPENQNN_TRY(need_reals(node));
  const OperandBound with = bound(node.node());
  if (!std::isfinite(with.first) || !std::isfinite(with.second))
    return node.wrong("a setting is no finite number");
  if (with.activation->type == "Celu" && with.first <= 0) return node.wrong("alpha is not above 0");
  return infer_like_input(node);
}

Status fold_activation(Inference& node) {
  const OperandBound with = bound(node.node());
  return fold_reals(node, node.type(0),
                    [&](double x) { return with.activation->value(x, with.first, with.second); });
}

Status lower_activation(Lowering& node) {
  const OperandBound with = bound(node.node());
  const Order order = node.common_order();
  const Reals x(node, node.input(0, order));
  return node.result(with.activation->formula(x, with.first, with.second).tensor(), order);
}

// ---- Relu: integers too ----

Status infer_relu(Inference& node) {
  OPENQNN_TRY(node.need_inputs(1));
  if (!is_integer(node.type(0))) OPENQNN_TRY(need_reals(node));
  return infer_like_input(node);
}

Status fold_relu(Inference& node) {
  const Constant& x = *node.constant(0);
  ConstantBuilder builder(x.type(), x.dims());
  for (uint64_t i = 0; i < x.count(); ++i) {
    if (is_real(x.type()))
      builder.put(i, x.real(i) < 0 ? 0.0 : x.real(i));
    else
      builder.put(i, std::max<int64_t>(x.integer(i), 0));
  }
  return node.set(0, builder.take());
}

Status lower_relu(Lowering& node) { return lower_to(node, "Relu"); }

// ---- Gelu: exact or with tanh, with and without a bias ----

bool takes_tanh(const NetNode& node) {
  return node.type == "com.microsoft.FastGelu" || node.attributes.text("approximate", "none") == "tanh";
}

Status infer_gelu(Inference& node) {
  OPENQNN_TRY(need_reals(node));
  const std::string_view approximate = node.attributes().text("approximate", "none");
  if (approximate != "none" && approximate != "tanh")
    return node.wrong(concat("approximate is '", approximate, "'; none and tanh are known"));
  return infer_stretched(node);
}

Status fold_gelu(Inference& node) {
  if (node.input_count() > 1) return {};  // a bias: left to the backend
  return fold_reals(node, node.type(0), takes_tanh(node.node()) ? tanh_gelu_value : gelu_value);
}

Status lower_gelu(Lowering& node) {
  const Order order = node.common_order();
  Reals x(node, stretchable(node, 0, order));
  if (node.has(1)) x = x + Reals(node, stretchable(node, 1, order));
  return node.result((takes_tanh(node.node()) ? tanh_gelu(x) : gelu(x)).tensor(), order);
}

// ---- PRelu ----

// The slope, stretched from its last dimension; before opset 7 a vector is one number for each channel.
Dims slope_dims(const NetNode& node, const Dims& x, const Dims& slope) {
  constexpr int64_t kFirstStretched = 7;
  if (node.opset >= kFirstStretched || slope.size() != 1 || x.size() < 2) return slope;
  Dims dims(x.size() - 1, 1);
  dims[0] = slope[0];
  return dims;
}

Status infer_prelu(Inference& node) {
  OPENQNN_TRY(need_reals(node));
  OPENQNN_TRY(need_reals(node, 1));
  const Dims& x = node.dims(0);
  if (broadcast(x, slope_dims(node.node(), x, node.dims(1))) != x)
    return node.wrong(concat("the slope ", text_of(node.dims(1)), " does not stretch to ", text_of(x)));
  return infer_like_input(node);
}

Status fold_prelu(Inference& node) {
  const Constant& x = *node.constant(0);
  const Constant& slope = *node.constant(1);
  const View steps = stretched(slope_dims(node.node(), x.dims(), slope.dims()), x.dims());
  ConstantBuilder builder(x.type(), x.dims());
  walk(x.dims(), {steps}, [&](uint64_t i, const std::vector<int64_t>& at) {
    const double value = x.real(i);
    builder.put(i, value < 0 ? value * slope.real(static_cast<uint64_t>(at[0])) : value);
  });
  return node.set(0, builder.take());
}

Status lower_prelu(Lowering& node) {
  const Order order = node.common_order();
  const TensorRef x = node.input(0, order);
  const Dims dims = slope_dims(node.node(), node.dims(0), node.dims(1));
  const TensorRef slope =
      dims == node.dims(1) ? stretchable(node, 1, order) : stretchable_as(node, 1, dims, order);
  return node.result(emit_elementwise(node, "Prelu", {x, slope}, node.out_type()), order);
}

}  // namespace

std::span<const Rule> activation_rules() {
  static const std::vector<Rule> kRules = [] {
    std::vector<Rule> rules;
    for (const Activation& activation : kActivations)
      rules.push_back({activation.type, infer_activation, fold_activation, lower_activation});
    rules.push_back({"Relu", infer_relu, fold_relu, lower_relu});
    for (const char* type :
         {"Gelu", "com.microsoft.Gelu", "com.microsoft.FastGelu", "com.microsoft.BiasGelu"})
      rules.push_back({type, infer_gelu, fold_gelu, lower_gelu});
    rules.push_back({"PRelu", infer_prelu, fold_prelu, lower_prelu});
    return rules;
  }();
  return kRules;
}

}  // namespace openqnn::frontend::onnx
