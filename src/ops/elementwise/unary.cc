// SPDX-License-Identifier: BSD-3-Clause
// Functions of one number: ElementWiseUnary, and each of its operations as an op of its own; IsNan, IsInf and
// Logit.
#include <cmath>

#include "base/text.h"
#include "ops/elementwise/functions.h"
#include "ops/elementwise/map.h"

namespace openqnn::ops {
namespace {

// What the definitions leave open is what IEEE arithmetic gives: a logarithm of 0 is minus infinity, a root
// of a negative number NaN; fixed point saturates, with NaN at the low end (ours).

double sign_of(double x) { return x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : x; }

// Ours at the ends, which no source states: minus and plus infinity.
double logit_of(double p) {
  // Around 1/2 through 2p - 1, which is exact there, so that nothing cancels.
  if (p > 0.25 && p < 0.75) return portable_log1p((2.0 * p - 1.0) / (1.0 - p));
  return portable_log(p / (1.0 - p));
}

// In the order of ElementWiseUnary's `operation`.
enum class Unary : uint32_t {
  kAbs,
  kAsin,
  kAtan,
  kCeil,
  kCos,
  kExp,
  kFloor,
  kLog,
  kNeg,
  kNot,
  kReciprocal,
  kRound,
  kRsqrt,
  kSign,
  kSin,
  kSqrt,
};

constexpr std::array<Function<1>, 16> kUnary = {{
    {"abs", [](double x) { return std::fabs(x); }, {4, 1}},
    {"asin", portable_asin, {16, 30}},
    {"atan", portable_atan, {16, 30}},
    {"ceil", [](double x) { return std::ceil(x); }, {8, 2}},
    {"cos", portable_cos, {16, 24}},
    {"exp", portable_exp, {16, 16}},
    {"floor", [](double x) { return std::floor(x); }, {8, 2}},
    {"log", portable_log, {16, 20}},
    {"neg", [](double x) { return -x; }, {6, 1}},
    {"not", [](double x) { return x == 0.0 ? 1.0 : 0.0; }, {2, 2}},
    {"reciprocal", [](double x) { return 1.0 / x; }, {16, 10}},
    {"round", [](double x) { return ::roundeven(x); }, {8, 2}},
    {"rsqrt", [](double x) { return 1.0 / std::sqrt(x); }, {16, 12}},
    {"sign", sign_of, {4, 4}},
    {"sin", portable_sin, {16, 24}},
    {"sqrt", [](double x) { return std::sqrt(x); }, {16, 12}},
}};

constexpr Function<1> kIsNan{"is_nan", [](double x) { return std::isnan(x) ? 1.0 : 0.0; }, {2, 2}};
constexpr Function<1> kLogit{"logit", logit_of, {16, 30}};

template <Unary operation>
const Function<1>& function_of(const OpCall& /*call*/) {
  return kUnary[static_cast<size_t>(operation)];
}

Unary unary_operation(const OpCall& call) { return static_cast<Unary>(call.params->u32("operation", 0)); }
const Function<1>& chosen_unary(const OpCall& call) {
  return kUnary[static_cast<size_t>(unary_operation(call))];
}

bool has_meaning(Unary operation, ir::DataType type) {
  if (type == ir::DataType::kBool8) return operation == Unary::kNot;
  if (type != ir::DataType::kInt32) return true;
  return operation == Unary::kAbs || operation == Unary::kNeg || operation == Unary::kSign;
}

Status check_unary(const OpCall& call) {
  OPENQNN_TRY(check_operation(call, kUnary));
  const ir::DataType type = call.in(0).type;
  if (!has_meaning(unary_operation(call), type))
    return unsupported("op-type-row",
                       concat("operation ", chosen_unary(call).name, " has no meaning for ", ir::name(type)))
        .fix_by("cast the input to f16 or f32 first");
  return check_broadcast(call);
}

struct DetectInfinity {
  bool negative;
  bool positive;
  double operator()(double x) const { return std::isinf(x) && (x > 0.0 ? positive : negative) ? 1.0 : 0.0; }
};
struct IsInf {
  DetectInfinity apply;
  Instructions cost{3, 3};
};

// Both signs count unless the client says otherwise, as in ONNX (ours: the definition states no default).
IsInf is_inf_of(const OpCall& call) {
  return {{call.params->boolean("detect_negative", true), call.params->boolean("detect_positive", true)}};
}

template <Unary operation>
OpDef unary_op(std::string_view type, const std::vector<std::string_view>& our_rows = {}) {
  return map_op<1, function_of<operation>>(type, our_rows);
}

}  // namespace

OpDef element_wise_abs() { return unary_op<Unary::kAbs>("ElementWiseAbs", {"sfx16 -> sfx16", "i32 -> i32"}); }
OpDef element_wise_asin() {
  return unary_op<Unary::kAsin>("ElementWiseAsin", {"f16 -> f16", "f32 -> f32", "ufx16 -> ufx16"});
}
OpDef element_wise_atan() { return unary_op<Unary::kAtan>("ElementWiseAtan"); }
OpDef element_wise_ceil() { return unary_op<Unary::kCeil>("ElementWiseCeil"); }
OpDef element_wise_cos() { return unary_op<Unary::kCos>("ElementWiseCos"); }
OpDef element_wise_exp() { return unary_op<Unary::kExp>("ElementWiseExp", {"sfx16 -> sfx16"}); }
OpDef element_wise_floor() { return unary_op<Unary::kFloor>("ElementWiseFloor"); }
OpDef element_wise_log() { return unary_op<Unary::kLog>("ElementWiseLog", {"sfx16 -> sfx16"}); }
OpDef element_wise_neg() {
  return unary_op<Unary::kNeg>("ElementWiseNeg", {"sfx8 -> sfx8", "sfx16 -> sfx16", "i32 -> i32"});
}
OpDef element_wise_not() { return unary_op<Unary::kNot>("ElementWiseNot"); }
OpDef element_wise_round() { return unary_op<Unary::kRound>("ElementWiseRound"); }
OpDef element_wise_rsqrt() { return unary_op<Unary::kRsqrt>("ElementWiseRsqrt", {"sfx16 -> sfx16"}); }
OpDef element_wise_sign() { return unary_op<Unary::kSign>("ElementWiseSign", {"i32 -> i32"}); }
OpDef element_wise_sin() { return unary_op<Unary::kSin>("ElementWiseSin"); }
OpDef element_wise_square_root() {
  return unary_op<Unary::kSqrt>("ElementWiseSquareRoot", {"sfx16 -> sfx16"});
}

OpDef element_wise_unary() {
  OpDef def = map_op<1, chosen_unary>("ElementWiseUnary", {"sfx16 -> sfx16", "i32 -> i32"});
  def.check = check_unary;
  return def;
}

OpDef logit() {
  return map_op<1, always<kLogit>>("Logit", {"f16 -> f16", "f32 -> f32", "ufx8 -> ufx8", "sfx8 -> sfx8",
                                             "ufx16 -> ufx16", "sfx16 -> sfx16"});
}

OpDef is_nan() { return map_op<1, always<kIsNan>>("IsNan", {"f16 -> bool8", "f32 -> bool8"}); }

OpDef is_inf() { return map_op<1, is_inf_of>("IsInf", {"f16 -> bool8", "f32 -> bool8"}); }

}  // namespace openqnn::ops
