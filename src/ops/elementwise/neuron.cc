// SPDX-License-Identifier: BSD-3-Clause
// Activations: ElementWiseNeuron, and each of its operations as an op of its own; Relu1 and Relu6.
#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "ops/elementwise/activation.h"
#include "ops/elementwise/functions.h"
#include "ops/elementwise/map.h"

namespace openqnn::ops {
namespace {

// The numbers that an activation may take beside x; each parameter is in one of these places.
struct Settings {
  double first = 0.0;
  double second = 0.0;
};

// A parameter of an activation; required when it has no default.
struct Setting {
  std::string_view name;
  std::optional<float> fallback;
};

struct Neuron {
  std::string_view name;
  std::string_view op;  // that is this activation alone, if there is one
  double (*function)(double x, const Settings& settings);
  Instructions cost;
  std::array<Setting, 2> settings = {};
  bool takes_integers = false;
};

// ln(1 + e^(beta x)) / beta; x itself beyond a threshold that is not negative.
double softplus_of(double x, double beta, double threshold) {
  const double steep = beta * x;
  if (threshold >= 0.0 && steep > threshold) return x;
  if (std::isnan(x)) return x;
  return (std::max(steep, 0.0) + portable_log1p(portable_exp(-std::fabs(steep)))) / beta;
}

// In the order of ElementWiseNeuron's `operation`.
enum class Operation : uint32_t {
  kElu,
  kGelu,
  kHardSigmoid,
  kHardSwish,
  kRelu,
  kReluMinMax,
  kSigmoid,
  kSoftplus,
  kTanh,
};

constexpr std::array<Neuron, 9> kNeurons = {{
    {"elu",
     "Elu",
     [](double x, const Settings& s) { return x >= 0.0 ? x : s.first * portable_expm1(x); },
     {16, 18},
     {{{"alpha", 1.0F}}}},
    {"gelu", "Gelu", [](double x, const Settings&) { return gelu_of(x); }, {16, 28}},
    {"hard_sigmoid",
     "",
     [](double x, const Settings& s) { return clamped(s.first * x + s.second, 0.0, 1.0); },
     {12, 4},
     {{{"alpha", 0.2F}, {"beta", 0.5F}}}},
    {"hard_swish",
     "HardSwish",
     [](double x, const Settings&) { return x * clamped(x + 3.0, 0.0, 6.0) / 6.0; },
     {14, 5}},
    {"relu", "Relu", [](double x, const Settings&) { return relu_of(x); }, {4, 4}, {}, true},
    {"relu_min_max",
     "ReluMinMax",
     [](double x, const Settings& s) { return clamped(x, s.first, s.second); },
     {5, 4},
     {{{"min_value", {}}, {"max_value", {}}}},
     true},
    {"sigmoid", "Sigmoid", [](double x, const Settings&) { return portable_sigmoid(x); }, {24, 24}},
    {"softplus",
     "ElementWiseSoftplus",
     [](double x, const Settings& s) { return softplus_of(x, s.first, s.second); },
     {16, 36},
     {{{"beta", 1.0F}, {"threshold", -1.0F}}}},
    {"tanh", "Tanh", [](double x, const Settings&) { return portable_tanh(x); }, {24, 24}},
}};

const Neuron& neuron(Operation operation) { return kNeurons[static_cast<size_t>(operation)]; }
bool is(const Neuron& from, Operation operation) { return &from == &neuron(operation); }

// ---- From a call to its function ----

struct BoundNeuron {
  struct Apply {
    double (*function)(double x, const Settings& settings);
    Settings settings;
    double operator()(double x) const { return function(x, settings); }
  };
  Apply apply;
  Instructions cost;
};

BoundNeuron bind(const Neuron& from, const OpCall& call) {
  const ir::Params& params = *call.params;
  const auto value = [&](const Setting& setting) -> double {
    return setting.name.empty() ? 0.0F : params.f32(setting.name, setting.fallback.value_or(0.0F));
  };
  BoundNeuron bound{{from.function, {value(from.settings[0]), value(from.settings[1])}}, from.cost};
  if (is(from, Operation::kSigmoid) && call.fast_sigmoid && call.out().type == ir::DataType::kFloat16)
    bound.apply.function = [](double x, const Settings&) { return fast_sigmoid_of(x); };
  return bound;
}

// Whether this activation may end the op before it, and as what.
std::optional<Epilogue> epilogue_of(const Neuron& from, const OpCall& call) {
  const Settings settings = bind(from, call).apply.settings;
  if (is(from, Operation::kRelu)) return Epilogue{Activation::kRelu};
  if (is(from, Operation::kReluMinMax))
    return Epilogue{Activation::kClamp, static_cast<float>(settings.first),
                    static_cast<float>(settings.second)};
  if (is(from, Operation::kSigmoid)) return Epilogue{Activation::kSigmoid};
  if (is(from, Operation::kTanh)) return Epilogue{Activation::kTanh};
  if (is(from, Operation::kGelu)) return Epilogue{Activation::kGelu};
  return std::nullopt;
}

template <Operation operation>
BoundNeuron bind_fixed(const OpCall& call) {
  return bind(neuron(operation), call);
}

const Neuron& chosen_neuron(const ir::Params& params) { return kNeurons[params.u32("operation", 0)]; }
const Neuron& chosen_neuron(const OpCall& call) { return chosen_neuron(*call.params); }
BoundNeuron bind_chosen(const OpCall& call) { return bind(chosen_neuron(call), call); }

// ---- Checks ----

Status check_setting(const Neuron& from, const Setting& setting, const ir::Params& params) {
  if (setting.name.empty()) return {};
  if (!setting.fallback && !params.find(setting.name))
    return invalid("op-param-missing",
                   concat("parameter '", setting.name, "' is missing; ", from.name, " needs it"));
  const float value = params.f32(setting.name, 0.0F);
  const bool open_ended = is(from, Operation::kReluMinMax);  // an infinite bound is none
  if (std::isnan(value) || (std::isinf(value) && !open_ended))
    return invalid("op-param-value", concat("parameter '", setting.name, "' is ", value))
        .fix_by("give it a finite number");
  return {};
}

Status check_settings(const Neuron& from, const OpCall& call) {
  for (const Setting& setting : from.settings) OPENQNN_TRY(check_setting(from, setting, *call.params));
  const Settings settings = bind(from, call).apply.settings;
  if (is(from, Operation::kReluMinMax) && settings.first > settings.second)
    return invalid("op-param-value",
                   concat("min_value ", settings.first, " is above max_value ", settings.second));
  if (is(from, Operation::kSoftplus) && !(settings.first > 0.0))
    return invalid("op-param-value", concat("beta ", settings.first, " is not above 0"));
  return {};
}

template <Operation operation>
Status check_fixed(const OpCall& call) {
  OPENQNN_TRY(check_settings(neuron(operation), call));
  return check_broadcast(call);
}

// Parameters of another operation are an error, as the definition says.
Status check_foreign_params(const Neuron& from, const ir::Params& params) {
  for (const ir::Param& param : params.all())
    if (param.name != "operation" &&
        std::ranges::find(from.settings, param.name, &Setting::name) == from.settings.end())
      return invalid("op-param-unknown",
                     concat("parameter '", param.name, "' has no meaning for operation ", from.name))
          .fix_by("leave it out");
  return {};
}

Status check_neuron(const OpCall& call) {
  OPENQNN_TRY(check_operation(call, kNeurons));
  const Neuron& from = chosen_neuron(call);
  OPENQNN_TRY(check_foreign_params(from, *call.params));
  OPENQNN_TRY(check_settings(from, call));
  if (call.in(0).type == ir::DataType::kInt32 && !from.takes_integers)
    return unsupported("op-type-row", concat("operation ", from.name, " has no meaning for i32"))
        .fix_by("cast the input to f16 or f32 first");
  return check_broadcast(call);
}

template <Operation operation>
OpDef neuron_op(const std::vector<std::string_view>& our_rows = {}) {
  OpDef def = map_op<1, bind_fixed<operation>>(neuron(operation).op, our_rows);
  def.check = check_fixed<operation>;
  def.folds_as = [](const OpCall& call) { return epilogue_of(neuron(operation), call); };
  return def;
}

template <int low, int high>
constexpr Function<1> kClamp{"clamp", [](double x) { return clamped(x, low, high); }, {5, 4}};

template <int low, int high>
OpDef clamp_op(std::string_view type) {
  OpDef def = map_op<1, always<kClamp<low, high>>>(type);
  def.folds_as = [](const OpCall&) { return std::optional<Epilogue>({Activation::kClamp, low, high}); };
  return def;
}

}  // namespace

OpDef relu() { return neuron_op<Operation::kRelu>({"i32 -> i32"}); }
OpDef relu1() { return clamp_op<-1, 1>("Relu1"); }
OpDef relu6() { return clamp_op<0, 6>("Relu6"); }
OpDef relu_min_max() { return neuron_op<Operation::kReluMinMax>({"sfx16 -> sfx16"}); }
OpDef sigmoid() { return neuron_op<Operation::kSigmoid>(); }
OpDef tanh() { return neuron_op<Operation::kTanh>(); }
OpDef elu() { return neuron_op<Operation::kElu>(); }
OpDef gelu() { return neuron_op<Operation::kGelu>({"sfx16 -> sfx16"}); }
OpDef hard_swish() { return neuron_op<Operation::kHardSwish>({"sfx16 -> sfx16"}); }

OpDef element_wise_softplus() {
  return neuron_op<Operation::kSoftplus>(
      {"f16 -> f16", "f32 -> f32", "ufx8 -> ufx8", "sfx8 -> sfx8", "ufx16 -> ufx16", "sfx16 -> sfx16"});
}

OpDef element_wise_neuron() {
  OpDef def = map_op<1, bind_chosen>("ElementWiseNeuron");
  def.check = check_neuron;
  def.alone = [](const ir::Params& params) { return chosen_neuron(params).op; };
  def.folds_as = [](const OpCall& call) { return epilogue_of(chosen_neuron(call), call); };
  return def;
}

}  // namespace openqnn::ops
