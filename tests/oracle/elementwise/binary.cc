// SPDX-License-Identifier: BSD-3-Clause
// Functions of two numbers, and the choice between two.
#include <algorithm>
#include <cmath>

#include "oracle/elementwise/family.h"

namespace openqnn::oracle {
namespace {

enum class Kind : uint8_t { kArithmetic, kComparison, kLogic };

struct Row {
  const char* op;
  size_t max_rank;
  Kind kind;
  double (*function)(double, double);
};

double number(bool truth) { return truth ? 1.0 : 0.0; }

// Exact in extended precision for the numbers that the types hold.
double python_modulo(double a, double b) {
  const long double quotient = std::floor(static_cast<long double>(a) / b);
  return static_cast<double>(a - b * quotient);
}

bool is_any_nan(double a, double b) { return std::isnan(a) || std::isnan(b); }

// In the order of ElementWiseBinary's operations.
const Row kRows[] = {
    {"ElementWiseAdd", 5, Kind::kArithmetic, [](double a, double b) { return a + b; }},
    {"ElementWiseAnd", 4, Kind::kLogic, [](double a, double b) { return number(a != 0.0 && b != 0.0); }},
    {"ElementWiseDivide", 5, Kind::kArithmetic, [](double a, double b) { return a / b; }},
    {"ElementWiseEqual", 5, Kind::kComparison, [](double a, double b) { return number(a == b); }},
    {"ElementWiseFloorDiv", 4, Kind::kArithmetic, [](double a, double b) { return std::floor(a / b); }},
    {"ElementWiseFmod", 5, Kind::kArithmetic, [](double a, double b) { return std::fmod(a, b); }},
    {"ElementWiseGreater", 5, Kind::kComparison, [](double a, double b) { return number(a > b); }},
    {"ElementWiseGreaterEqual", 5, Kind::kComparison, [](double a, double b) { return number(a >= b); }},
    {"ElementWiseLess", 5, Kind::kComparison, [](double a, double b) { return number(a < b); }},
    {"ElementWiseLessEqual", 5, Kind::kComparison, [](double a, double b) { return number(a <= b); }},
    {"ElementWiseMaximum", 5, Kind::kArithmetic,
     [](double a, double b) { return is_any_nan(a, b) ? NAN : std::fmax(a, b); }},
    {"ElementWiseMinimum", 5, Kind::kArithmetic,
     [](double a, double b) { return is_any_nan(a, b) ? NAN : std::fmin(a, b); }},
    {"ElementWiseMod", 5, Kind::kArithmetic, python_modulo},
    {"ElementWiseMultiply", 5, Kind::kArithmetic, [](double a, double b) { return a * b; }},
    {"ElementWiseNotEqual", 5, Kind::kComparison, [](double a, double b) { return number(a != b); }},
    {"ElementWiseOr", 4, Kind::kLogic, [](double a, double b) { return number(a != 0.0 || b != 0.0); }},
    {"ElementWisePower", 5, Kind::kArithmetic, [](double a, double b) { return std::pow(a, b); }},
    {"ElementWiseSquaredDifference", 5, Kind::kArithmetic,
     [](double a, double b) { return std::pow(a - b, 2.0); }},
    {"ElementWiseSubtract", 5, Kind::kArithmetic, [](double a, double b) { return a - b; }},
    {"ElementWiseXor", 4, Kind::kLogic,
     [](double a, double b) { return number((a != 0.0) + (b != 0.0) == 1); }},
};

// Comparisons and logic need numbers that meet; the rest takes any.
bool fill_for(const Row& row, const Problem& problem, size_t input, Tensor& values, Random& random) {
  if (row.kind == Kind::kArithmetic) return false;
  static const Fill kFill = among({0.0, 0.0, 1.0, -1.0, 2.0, -3.0});
  return kFill(problem, input, values, random);
}

std::string random_shapes(Random& random) {
  std::vector<size_t> a(pick(random, 1, 4));
  for (size_t& dim : a) dim = pick(random, 1, 6);
  std::vector<size_t> b = a;
  for (size_t i = 0; i < a.size(); ++i) {
    const size_t stretched = pick(random, 0, 5);
    if (stretched == 0) a[i] = 1;
    if (stretched == 1) b[i] = 1;
  }
  return "in=" + shape_text(a) + " in=" + shape_text(b);
}

Oracle single(const Row& row) {
  Oracle oracle =
      elementwise(row.op, binary_shapes(row.max_rank),
                  [&row](const Problem&, const std::vector<double>& x) { return row.function(x[0], x[1]); });
  oracle.fill = [&row](const Problem& problem, size_t input, Tensor& values, Random& random) {
    return fill_for(row, problem, input, values, random);
  };
  oracle.random_problem = random_shapes;
  return oracle;
}

const Row& chosen(const Problem& problem) { return kRows[problem.integer("operation", 0)]; }

std::vector<std::string> all_operations() {
  std::vector<std::string> shapes = {"in=7 in=7",        "in=2x3x4 in=3x1",         "in=scalar in=3x5",
                                     "in=3x4 in=scalar", "in=2x1x3x2x2 in=2x3x1x2", "in=scalar in=scalar"};
  std::vector<std::string> problems;
  for (size_t i = 0; i < std::size(kRows); ++i)
    problems.push_back(shapes[i % shapes.size()] + " operation=" + std::to_string(i));
  return problems;
}

Oracle any() {
  Oracle oracle = elementwise("ElementWiseBinary", all_operations(),
                              [](const Problem& problem, const std::vector<double>& x) {
                                return chosen(problem).function(x[0], x[1]);
                              });
  oracle.fill = [](const Problem& problem, size_t input, Tensor& values, Random& random) {
    return fill_for(chosen(problem), problem, input, values, random);
  };
  oracle.skip = [](const Problem& problem) {
    const std::string& type = problem.inputs[0].type;
    if (chosen(problem).function == python_modulo && type != "i32" && type != "u32") return true;
    const bool has_bool = type == "bool8" || problem.outputs[0] == "bool8";
    return has_bool && chosen(problem).kind == Kind::kArithmetic;
  };
  return oracle;
}

const struct RegisterAll {
  RegisterAll() {
    for (const Row& row : kRows) Register{single(row)};
    Register{any()};
  }
} kAll;

const Register kPrelu{elementwise(
    "Prelu",
    {"in=1 in=1", "in=37 in=1", "in=3x5 in=5", "in=2x3x4 in=3x1", "in=1x2x3x9 in=1x1x1x9", "in=2x3x5x2 in=1",
     "in=2x3x5x2 in=3x1x2"},
    [](const Problem&, const std::vector<double>& x) { return x[0] < 0.0 ? x[1] * x[0] : x[0]; })};

const Register kSelect{[] {
  Oracle oracle =
      elementwise("ElementWiseSelect",
                  {"in=1 in=1 in=1", "in=37 in=37 in=37", "in=3x5 in=1 in=1", "in=2x1x4 in=3x1 in=4",
                   "in=5 in=2x1x3x5 in=4x1x1", "in=1 in=2x3x5x2 in=1", "in=2x1x3x2x5 in=3x1x1 in=2x1x1x1x1"},
                  [](const Problem&, const std::vector<double>& x) { return x[0] == 0.0 ? x[2] : x[1]; });
  oracle.fill = [](const Problem& problem, size_t input, Tensor& values, Random& random) {
    static const Fill kFill = among({0.0, 0.0, 1.0, 3.0});
    return input == 0 && kFill(problem, input, values, random);
  };
  return oracle;
}()};

}  // namespace
}  // namespace openqnn::oracle
