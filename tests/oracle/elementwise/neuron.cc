// SPDX-License-Identifier: BSD-3-Clause
// Activations, from their definitions.
#include <algorithm>
#include <cmath>

#include "oracle/elementwise/family.h"

namespace openqnn::oracle {
namespace {

using Activation = double (*)(const Problem&, double);

double clip(double x, double low, double high) { return x < low ? low : x > high ? high : x; }

double elu(const Problem& p, double x) { return x >= 0.0 ? x : setting(p, "alpha", 1.0) * std::expm1(x); }
double gelu(const Problem&, double x) { return x / 2.0 * (1.0 + std::erf(x / std::sqrt(2.0))); }
double hard_sigmoid(const Problem& p, double x) {
  return clip(setting(p, "alpha", 0.2) * x + setting(p, "beta", 0.5), 0.0, 1.0);
}
double hard_swish(const Problem&, double x) { return x * clip(x + 3.0, 0.0, 6.0) / 6.0; }
double relu(const Problem&, double x) { return std::max(x, 0.0); }
double relu_min_max(const Problem& p, double x) {
  return clip(x, setting(p, "min_value", 0.0), setting(p, "max_value", 0.0));
}
double sigmoid(const Problem&, double x) { return 1.0 / (1.0 + std::exp(-x)); }
double softplus(const Problem& p, double x) {
  const double beta = setting(p, "beta", 1.0);
  const double threshold = setting(p, "threshold", -1.0);
  const double soft = beta * x > 40.0 ? beta * x : std::log(1.0 + std::exp(beta * x));
  return threshold >= 0.0 && beta * x > threshold ? x : soft / beta;
}
double tanh(const Problem&, double x) { return std::tanh(x); }

struct NeuronRow {
  const char* op;  // where the activation is an op of its own
  size_t max_rank;
  Activation function;
  std::vector<std::string> settings;  // tried in turn
};

// In the order of ElementWiseNeuron's operations.
const std::vector<NeuronRow>& rows() {
  static const std::vector<NeuronRow> all = {
      {"Elu", 4, elu, {"", " alpha=0.3", " alpha=2.5"}},
      {"Gelu", 4, gelu, {""}},
      {nullptr, 4, hard_sigmoid, {"", " alpha=0.16667 beta=0.5", " beta=0.1"}},
      {"HardSwish", 4, hard_swish, {""}},
      {"Relu", 5, relu, {""}},
      {"ReluMinMax",
       5,
       relu_min_max,
       {" min_value=-1 max_value=2", " min_value=0 max_value=6", " min_value=-3e38 max_value=1",
        " min_value=1 max_value=1"}},
      {"Sigmoid", 5, sigmoid, {""}},
      {"ElementWiseSoftplus", 5, softplus, {"", " beta=2 threshold=3", " threshold=0", " beta=0.25"}},
      {"Tanh", 4, tanh, {""}},
  };
  return all;
}

Oracle single_neuron(const NeuronRow& row) {
  const std::vector<std::string> shapes = unary_shapes(row.max_rank);
  std::vector<std::string> problems;
  for (size_t i = 0; i < shapes.size(); ++i)
    problems.push_back(shapes[i] + row.settings[i % row.settings.size()]);
  Oracle oracle = elementwise(row.op, problems, [&row](const Problem& problem, const std::vector<double>& x) {
    return row.function(problem, x[0]);
  });
  oracle.fill = between(-6.0, 8.0);
  return oracle;
}

Oracle any_neuron() {
  const std::vector<std::string> shapes = unary_shapes(4);
  std::vector<std::string> problems;
  size_t next = 0;
  for (size_t operation = 0; operation < rows().size(); ++operation)
    for (const std::string& settings : rows()[operation].settings)
      problems.push_back(shapes[next++ % shapes.size()] + " operation=" + std::to_string(operation) +
                         settings);
  Oracle oracle =
      elementwise("ElementWiseNeuron", problems, [](const Problem& problem, const std::vector<double>& x) {
        return rows()[problem.integer("operation", 0)].function(problem, x[0]);
      });
  oracle.fill = between(-6.0, 8.0);
  // Of the activations only the clippings have a meaning for integers.
  oracle.skip = [](const Problem& problem) {
    const Activation function = rows()[problem.integer("operation", 0)].function;
    return problem.inputs[0].type == "i32" && function != relu && function != relu_min_max;
  };
  return oracle;
}

Oracle clipping(std::string op, double low, double high) {
  Oracle oracle =
      elementwise(std::move(op), unary_shapes(4),
                  [=](const Problem&, const std::vector<double>& x) { return clip(x[0], low, high); });
  oracle.fill = between(-6.0, 8.0);
  return oracle;
}

const struct RegisterNeurons {
  RegisterNeurons() {
    for (const NeuronRow& row : rows())
      if (row.op) Register{single_neuron(row)};
    Register{any_neuron()};
    Register{clipping("Relu1", -1.0, 1.0)};
    Register{clipping("Relu6", 0.0, 6.0)};
  }
} kNeuronOracles;

}  // namespace
}  // namespace openqnn::oracle
