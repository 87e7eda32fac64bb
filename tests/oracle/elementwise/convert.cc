// SPDX-License-Identifier: BSD-3-Clause
// Changes of type.
#include <cmath>
#include <cstdint>

#include "oracle/elementwise/family.h"

namespace openqnn::oracle {
namespace {

Oracle same_value(std::string op) {
  Oracle oracle = elementwise(std::move(op), unary_shapes(5),
                              [](const Problem&, const std::vector<double>& x) { return x[0]; });
  oracle.fill = [](const Problem& problem, size_t input, Tensor& values, Random& random) {
    if (problem.inputs[input].type == "bool8") return among({0.0, 1.0, 2.0})(problem, input, values, random);
    return problem.inputs[input].type != "u8" && between(-3.0, 5.0)(problem, input, values, random);
  };
  return oracle;
}

const Register kConvert{same_value("Convert")};
const Register kQuantize{same_value("Quantize")};
const Register kDequantize{same_value("Dequantize")};

// ---- Cast ----

struct Integer {
  const char* name;
  double low;
  double high;
};

const Integer* integer(const std::string& type) {
  static const Integer kTypes[] = {
      {"u8", 0, 255},           {"ufx8", 0, 255},         {"sfx8", -128, 127},
      {"ufx16", 0, 65535},      {"sfx16", -32768, 32767}, {"i32", -2147483648.0, 2147483647.0},
      {"u32", 0, 4294967295.0}, {"i64", -0x1p63, 0x1p63},
  };
  for (const Integer& each : kTypes)
    if (type == each.name) return &each;
  return nullptr;
}

// The number that the low bits of a whole number make.
double wrapped(double x, const Integer& to) {
  const double period = to.high - to.low + 1.0;
  return x - period * std::floor((x - to.low) / period);
}

double cast(const Problem& problem, double x) {
  const std::string& out = problem.outputs[0];
  const Integer* to = integer(out);
  if (to && std::isnan(x)) return 0.0;
  if (!to) return x;
  if (integer(problem.inputs[0].type) && out != "i64") return wrapped(x, *to);
  return std::fmin(to->high, std::fmax(to->low, std::trunc(x)));
}

// Fixed-point inputs span their whole range, so that their encoding is scale 1 and offset 0 and the oracle
// sees the stored numbers.
bool fill_cast(const Problem& problem, size_t input, Tensor& values, Random& random) {
  const std::string& type = problem.inputs[input].type;
  const Integer* range = integer(type);
  const bool wide = type == "i32" || type == "i64";
  const double low = type == "bool8" ? 0.0 : wide ? -90000.0 : range ? range->low : -300.0;
  const double high = type == "bool8" ? 3.0
                      : wide          ? 90000.0
                      : type == "u32" ? 90000.0
                      : range         ? range->high
                                      : 300.0;
  for (double& value : values.values) value = uniform(random, low, high);
  if (range) {
    for (double& value : values.values) value = std::floor(value);
    values.values.front() = low;
    values.values.back() = high;
  }
  return true;
}

const Register kCast{[] {
  Oracle oracle =
      elementwise("Cast", {"in=2", "in=37", "in=3x5", "in=2x3x4", "in=1x2x3x9", "in=2x3x5x2", "in=2x1x3x2x5"},
                  [](const Problem& problem, const std::vector<double>& x) { return cast(problem, x[0]); });
  oracle.fill = fill_cast;
  oracle.output_encoding = OutputEncoding::kUnit;
  return oracle;
}()};

}  // namespace
}  // namespace openqnn::oracle
