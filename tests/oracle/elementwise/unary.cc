// SPDX-License-Identifier: BSD-3-Clause
// Functions of one number, in libm's words.
#include <cmath>

#include "oracle/elementwise/family.h"

namespace openqnn::oracle {
namespace {

struct UnaryRow {
  const char* op;
  size_t max_rank;
  double (*function)(double);
  double low;
  double high;
};

double round_half_even(double x) { return std::isinf(x) ? x : std::copysign(x - std::remainder(x, 1.0), x); }
double sign(double x) { return std::isnan(x) || x == 0.0 ? x : std::copysign(1.0, x); }
double logical_not(double x) { return x == 0.0 ? 1.0 : 0.0; }
double inverse_root(double x) { return 1.0 / std::sqrt(x); }

// In the order of ElementWiseUnary's operations; the one without an op of its own has no name.
const UnaryRow kUnaryRows[] = {
    {"ElementWiseAbs", 5, std::fabs, -4.0, 4.0},
    {"ElementWiseAsin", 4, std::asin, -1.0, 1.0},
    {"ElementWiseAtan", 4, std::atan, -9.0, 9.0},
    {"ElementWiseCeil", 4, std::ceil, -6.0, 6.0},
    {"ElementWiseCos", 4, std::cos, -40.0, 40.0},
    {"ElementWiseExp", 5, std::exp, -6.0, 4.0},
    {"ElementWiseFloor", 4, std::floor, -6.0, 6.0},
    {"ElementWiseLog", 4, std::log, 0.0, 9.0},
    {"ElementWiseNeg", 4, [](double x) { return -x; }, -4.0, 4.0},
    {"ElementWiseNot", 4, logical_not, -2.0, 2.0},
    {nullptr, 4, [](double x) { return 1.0 / x; }, 0.1, 4.0},
    {"ElementWiseRound", 4, round_half_even, -6.0, 6.0},
    {"ElementWiseRsqrt", 5, inverse_root, 0.01, 9.0},
    {"ElementWiseSign", 4, sign, -1.0, 1.0},
    {"ElementWiseSin", 4, std::sin, -40.0, 40.0},
    {"ElementWiseSquareRoot", 4, std::sqrt, 0.0, 9.0},
};
constexpr size_t kNot = 9;

Oracle single_unary(const UnaryRow& row) {
  Oracle oracle =
      elementwise(row.op, unary_shapes(row.max_rank),
                  [&row](const Problem&, const std::vector<double>& x) { return row.function(x[0]); });
  oracle.fill = between(row.low, row.high);
  if (row.function == logical_not) oracle.fill = among({0.0, 0.0, 1.0, -1.0, 2.0});
  return oracle;
}

const UnaryRow& chosen_unary(const Problem& problem) { return kUnaryRows[problem.integer("operation", 0)]; }

std::vector<std::string> unary_operations() {
  const std::vector<std::string> shapes = unary_shapes(4);
  std::vector<std::string> problems;
  for (size_t i = 0; i < std::size(kUnaryRows); ++i)
    problems.push_back(shapes[i % shapes.size()] + " operation=" + std::to_string(i));
  for (const std::string& shape : shapes) problems.push_back(shape + " operation=" + std::to_string(kNot));
  return problems;
}

Oracle any_unary() {
  Oracle oracle = elementwise("ElementWiseUnary", unary_operations(),
                              [](const Problem& problem, const std::vector<double>& x) {
                                return chosen_unary(problem).function(x[0]);
                              });
  oracle.fill = [](const Problem& problem, size_t input, Tensor& values, Random& random) {
    return between(chosen_unary(problem).low, chosen_unary(problem).high)(problem, input, values, random);
  };
  // Bools can only be negated; of integers these are integers again.
  oracle.skip = [](const Problem& problem) {
    const std::string op = chosen_unary(problem).op ? chosen_unary(problem).op : "";
    if (problem.inputs[0].type == "bool8") return op != "ElementWiseNot";
    if (problem.inputs[0].type != "i32") return false;
    return op != "ElementWiseAbs" && op != "ElementWiseNeg" && op != "ElementWiseSign";
  };
  return oracle;
}

const struct RegisterUnary {
  RegisterUnary() {
    for (const UnaryRow& row : kUnaryRows)
      if (row.op) Register{single_unary(row)};
    Register{any_unary()};
  }
} kUnaryOracles;

// ---- NaN, infinity, logit ----

Fill specials() { return among({0.0, -1.5, 65504.0, INFINITY, -INFINITY, NAN}); }

const Register kIsNan{[] {
  Oracle oracle = elementwise("IsNan", unary_shapes(5), [](const Problem&, const std::vector<double>& x) {
    return x[0] != x[0] ? 1.0 : 0.0;
  });
  oracle.fill = specials();
  return oracle;
}()};

const Register kIsInf{[] {
  std::vector<std::string> problems = unary_shapes(5);
  problems.insert(problems.end(),
                  {"in=40 detect_negative=0", "in=6x9 detect_positive=0",
                   "in=2x3x4 detect_positive=0 detect_negative=0", "in=31 detect_positive=1"});
  Oracle oracle = elementwise("IsInf", problems, [](const Problem& problem, const std::vector<double>& x) {
    const bool counts = problem.integer(x[0] > 0.0 ? "detect_positive" : "detect_negative", 1) != 0;
    return std::fabs(x[0]) > 1e300 && counts ? 1.0 : 0.0;
  });
  oracle.fill = specials();
  return oracle;
}()};

const Register kLogit{[] {
  Oracle oracle = elementwise("Logit", unary_shapes(5), [](const Problem&, const std::vector<double>& p) {
    return static_cast<double>(std::log(static_cast<long double>(p[0])) -
                               std::log1p(-static_cast<long double>(p[0])));
  });
  oracle.fill = between(0.0, 1.0);
  return oracle;
}()};

}  // namespace
}  // namespace openqnn::oracle
