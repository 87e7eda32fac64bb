// SPDX-License-Identifier: BSD-3-Clause
// Functions of two numbers: ElementWiseBinary, and each of its operations as an op of its own; Prelu.
#include <algorithm>
#include <array>
#include <cmath>

#include "base/text.h"
#include "ops/elementwise/functions.h"
#include "ops/elementwise/map.h"

namespace openqnn::ops {
namespace {

// Operands are compared and combined as real numbers, whatever their encodings. i32 is exact and saturates; a
// quotient is rounded towards zero (ours). Division by 0 gives what IEEE says: infinity saturates, and 0/0 is
// 0 for integers and the low end for fixed point (ours).

// A truth value in a tensor that is not bool8 is the real number 1 or 0 (ours: the tables list fixed-point
// outputs and do not say).
double truth(bool value) { return value ? 1.0 : 0.0; }

// Like numpy's: a NaN on either side wins (ours).
double maximum_of(double a, double b) { return std::isnan(a) || a > b ? a : b; }
double minimum_of(double a, double b) { return std::isnan(a) || a < b ? a : b; }

// The remainder that has the sign of b. fmod is exact by definition, so libm's may be used.
double modulo_of(double a, double b) {
  const double rest = std::fmod(a, b);
  return rest != 0.0 && (rest < 0.0) != (b < 0.0) ? rest + b : rest;
}

// In the order of ElementWiseBinary's `operation`.
enum class Binary : uint32_t {
  kAdd,
  kAnd,
  kDivide,
  kEqual,
  kFloorDiv,
  kFmod,
  kGreater,
  kGreaterEqual,
  kLess,
  kLessEqual,
  kMaximum,
  kMinimum,
  kMod,
  kMultiply,
  kNotEqual,
  kOr,
  kPower,
  kSquaredDifference,
  kSubtract,
  kXor,
};

constexpr std::array<Function<2>, 20> kBinary = {{
    {"add", [](double a, double b) { return a + b; }, {10, 3}},
    {"and", [](double a, double b) { return truth(a != 0.0 && b != 0.0); }, {4, 4}},
    {"divide", [](double a, double b) { return a / b; }, {24, 12}},
    {"equal", [](double a, double b) { return truth(a == b); }, {8, 3}},
    {"floor_div", [](double a, double b) { return std::floor(a / b); }, {26, 14}},
    {"fmod", [](double a, double b) { return std::fmod(a, b); }, {30, 18}},
    {"greater", [](double a, double b) { return truth(a > b); }, {8, 3}},
    {"greater_equal", [](double a, double b) { return truth(a >= b); }, {8, 3}},
    {"less", [](double a, double b) { return truth(a < b); }, {8, 3}},
    {"less_equal", [](double a, double b) { return truth(a <= b); }, {8, 3}},
    {"maximum", maximum_of, {10, 3}},
    {"minimum", minimum_of, {10, 3}},
    {"mod", modulo_of, {32, 20}},
    {"multiply", [](double a, double b) { return a * b; }, {10, 3}},
    {"not_equal", [](double a, double b) { return truth(a != b); }, {8, 3}},
    {"or", [](double a, double b) { return truth(a != 0.0 || b != 0.0); }, {4, 4}},
    {"power", portable_pow, {48, 40}},
    {"squared_difference", [](double a, double b) { return (a - b) * (a - b); }, {14, 4}},
    {"subtract", [](double a, double b) { return a - b; }, {10, 3}},
    {"xor", [](double a, double b) { return truth((a != 0.0) != (b != 0.0)); }, {4, 4}},
}};

// The ops that are one of them alone.
constexpr std::array<std::string_view, kBinary.size()> kBinaryOps = {
    "ElementWiseAdd",       "ElementWiseAnd",          "ElementWiseDivide",
    "ElementWiseEqual",     "ElementWiseFloorDiv",     "ElementWiseFmod",
    "ElementWiseGreater",   "ElementWiseGreaterEqual", "ElementWiseLess",
    "ElementWiseLessEqual", "ElementWiseMaximum",      "ElementWiseMinimum",
    "ElementWiseMod",       "ElementWiseMultiply",     "ElementWiseNotEqual",
    "ElementWiseOr",        "ElementWisePower",        "ElementWiseSquaredDifference",
    "ElementWiseSubtract",  "ElementWiseXor"};

constexpr Function<2> kPrelu{
    "prelu", [](double x, double slope) { return x >= 0.0 ? x : slope * x; }, {14, 5}};

template <Binary operation>
const Function<2>& function_of(const OpCall& /*call*/) {
  return kBinary[static_cast<size_t>(operation)];
}

Binary binary_operation(const OpCall& call) { return static_cast<Binary>(call.params->u32("operation", 0)); }
const Function<2>& chosen_binary(const OpCall& call) {
  return kBinary[static_cast<size_t>(binary_operation(call))];
}

bool gives_truth(Binary operation) {
  using enum Binary;
  constexpr std::array kTruths = {kAnd,     kOr,           kXor,  kEqual,    kNotEqual,
                                  kGreater, kGreaterEqual, kLess, kLessEqual};
  return std::ranges::find(kTruths, operation) != kTruths.end();
}

// ---- Fast kernel ----

std::optional<fast::Arithmetic> loop_of(Binary operation) {
  switch (operation) {
    case Binary::kAdd:
      return fast::Arithmetic::kAdd;
    case Binary::kSubtract:
      return fast::Arithmetic::kSubtract;
    case Binary::kMultiply:
      return fast::Arithmetic::kMultiply;
    case Binary::kMaximum:
      return fast::Arithmetic::kMaximum;
    case Binary::kMinimum:
      return fast::Arithmetic::kMinimum;
    default:
      return std::nullopt;
  }
}

// `operation` gives what a call computes.
template <Binary (*operation)(const OpCall&)>
Kernel vector_kernel() {
  return {.name = "vectors",
          .declines = [](const OpCall& call) -> std::optional<std::string> {
            if (!loop_of(operation(call))) return "the operation has no loop";
            return fast::declines_arithmetic(call);
          },
          .run =
              [](const KernelArgs& args, const ir::Box& region) {
                fast::run_arithmetic(args, region, *loop_of(operation(args.call)));
              }};
}

template <Binary operation>
Binary always_operation(const OpCall& /*call*/) {
  return operation;
}

// ---- Checks ----

// Every operation takes every listed combination of types that makes sense for it; which of them a device
// refuses per operation differs from version to version (ours).
Status check_binary(const OpCall& call) {
  OPENQNN_TRY(check_operation(call, kBinary));
  const bool has_bool = call.in(0).type == ir::DataType::kBool8 || call.in(1).type == ir::DataType::kBool8 ||
                        call.out().type == ir::DataType::kBool8;
  if (has_bool && !gives_truth(binary_operation(call)))
    return unsupported("op-type-row",
                       concat("operation ", chosen_binary(call).name, " has no meaning for bool8"))
        .fix_by("give the output the type of input 0");
  const bool is_plain = call.in(0).type == ir::DataType::kInt32 || call.in(0).type == ir::DataType::kUint32;
  if (binary_operation(call) == Binary::kMod && !is_plain)
    return unsupported("op-type-row",
                       concat("operation mod is defined for integers, not for ", ir::name(call.in(0).type)))
        .fix_by("use operation 5 (fmod), or subtract b times floor_div");
  return check_broadcast(call);
}

// One way only: the slope stretches to x.
Status check_prelu(const OpCall& call) {
  const ir::Shape& x = call.in(0).shape;
  const ir::Shape& slope = call.in(1).shape;
  if (broadcast(x, slope) != x)
    return invalid("op-shape",
                   concat("slope ", slope.to_string(), " does not broadcast to input ", x.to_string()))
        .fix_by("dimensions, counted from the last one, must be equal or 1 in the slope");
  return expect_shape("output", call.out().shape, x);
}

template <Binary operation>
OpDef binary_op(const std::vector<std::string_view>& our_rows = {}) {
  OpDef def = map_op<2, function_of<operation>>(kBinaryOps[static_cast<size_t>(operation)], our_rows);
  def.clamps_as_it_writes = operation == Binary::kAdd;
  if (loop_of(operation))
    def.kernels.insert(def.kernels.begin(), vector_kernel<always_operation<operation>>());
  return def;
}

constexpr std::string_view kSigned16 = "sfx16,sfx16 -> sfx16";
constexpr std::string_view kInteger = "i32,i32 -> i32";
constexpr std::string_view kBools = "bool8,bool8 -> bool8";
constexpr std::string_view kUnsigned = "u32,u32 -> u32";

}  // namespace

OpDef element_wise_add() { return binary_op<Binary::kAdd>(); }
OpDef element_wise_and() { return binary_op<Binary::kAnd>(); }
OpDef element_wise_divide() { return binary_op<Binary::kDivide>({kSigned16}); }
OpDef element_wise_equal() { return binary_op<Binary::kEqual>({kBools}); }
OpDef element_wise_floor_div() { return binary_op<Binary::kFloorDiv>({kInteger}); }
OpDef element_wise_fmod() {
  // No table lists it.
  return binary_op<Binary::kFmod>({"f16,f16 -> f16", "f32,f32 -> f32", "ufx8,ufx8 -> ufx8",
                                   "sfx8,sfx8 -> sfx8", "ufx16,ufx16 -> ufx16", kInteger, kUnsigned});
}
OpDef element_wise_greater() { return binary_op<Binary::kGreater>(); }
OpDef element_wise_greater_equal() { return binary_op<Binary::kGreaterEqual>(); }
OpDef element_wise_less() { return binary_op<Binary::kLess>(); }
OpDef element_wise_less_equal() { return binary_op<Binary::kLessEqual>(); }
OpDef element_wise_maximum() { return binary_op<Binary::kMaximum>({kSigned16, kInteger}); }
OpDef element_wise_minimum() { return binary_op<Binary::kMinimum>({kSigned16, kInteger}); }
OpDef element_wise_mod() {
  // No table lists it either, and its definition is for integers.
  return binary_op<Binary::kMod>({kInteger, kUnsigned});
}
OpDef element_wise_multiply() { return binary_op<Binary::kMultiply>(); }
OpDef element_wise_not_equal() { return binary_op<Binary::kNotEqual>({kBools}); }
OpDef element_wise_or() { return binary_op<Binary::kOr>(); }
OpDef element_wise_power() { return binary_op<Binary::kPower>({kInteger}); }
OpDef element_wise_squared_difference() { return binary_op<Binary::kSquaredDifference>(); }
OpDef element_wise_subtract() { return binary_op<Binary::kSubtract>({kSigned16}); }
OpDef element_wise_xor() { return binary_op<Binary::kXor>(); }

OpDef element_wise_binary() {
  OpDef def = map_op<2, chosen_binary>("ElementWiseBinary");
  def.kernels.insert(def.kernels.begin(), vector_kernel<binary_operation>());
  def.takes_scalars = true;
  def.check = check_binary;
  def.alone = [](const ir::Params& params) { return kBinaryOps[params.u32("operation", 0)]; };
  return def;
}

OpDef prelu() {
  OpDef def = map_op<2, always<kPrelu>>("Prelu");
  def.check = check_prelu;
  return def;
}

}  // namespace openqnn::ops
