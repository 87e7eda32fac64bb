// SPDX-License-Identifier: BSD-3-Clause
#include "oracle/elementwise/family.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace openqnn::oracle {
namespace {

double limited(double value, double low, double high) {
  return std::isnan(value) ? 0.0 : std::clamp(std::trunc(value), low, high);
}

double kept(const std::string& type, double value) {
  if (type == "bool8") return value != 0.0 ? 1.0 : 0.0;
  if (type == "i32") return limited(value, -2147483648.0, 2147483647.0);
  if (type == "u32") return limited(value, 0.0, 4294967295.0);
  return value;
}

// The shapes of all inputs, broadcast.
std::vector<size_t> common_shape(const std::vector<Tensor>& inputs) {
  std::vector<size_t> shape;
  for (const Tensor& input : inputs) {
    if (input.shape.size() > shape.size()) shape.insert(shape.begin(), input.shape.size() - shape.size(), 1);
    for (size_t i = 0; i < input.shape.size(); ++i) {
      size_t& dim = shape[shape.size() - 1 - i];
      dim = std::max(dim, input.dim_from_end(i));
    }
  }
  return shape;
}

double element(const Tensor& from, const std::vector<size_t>& index) {
  size_t offset = 0;
  for (size_t i = 0; i < from.shape.size(); ++i) {
    const size_t at = index[index.size() - from.shape.size() + i];
    offset = offset * from.shape[i] + std::min(at, from.shape[i] - 1);
  }
  return from.values[offset];
}

}  // namespace

std::vector<std::string> unary_shapes(size_t max_rank) {
  std::vector<std::string> shapes = {"in=1", "in=37", "in=3x5", "in=2x3x4", "in=1x2x3x33", "in=2x3x5x2"};
  if (max_rank > 4) shapes.emplace_back("in=2x1x3x2x5");
  return shapes;
}

std::vector<std::string> binary_shapes(size_t max_rank) {
  std::vector<std::string> shapes = {"in=1 in=1",        "in=37 in=37",           "in=3x5 in=5",
                                     "in=2x3x4 in=3x1",  "in=1x2x3x9 in=1x1x1x9", "in=2x1x5x1 in=1x3x1x4",
                                     "in=5x6 in=1x4x5x6"};
  if (max_rank > 4) shapes.insert(shapes.end(), {"in=2x1x3x2x5 in=2x3x1x5", "in=1 in=2x2x1x3x3"});
  return shapes;
}

Oracle elementwise(std::string op, std::vector<std::string> problems, ElementFunction function) {
  Oracle oracle;
  oracle.op = std::move(op);
  oracle.problems = std::move(problems);
  oracle.compute = [function = std::move(function)](const Problem& problem,
                                                    const std::vector<Tensor>& inputs) {
    Tensor out{common_shape(inputs), {}};
    std::vector<double> values(inputs.size());
    for (size_t i = 0; i < count(out.shape); ++i) {
      const std::vector<size_t> index = index_of(out.shape, i);
      for (size_t k = 0; k < inputs.size(); ++k) {
        values[k] = element(inputs[k], index);
        if (problem.inputs[k].type == "bool8") values[k] = values[k] != 0.0 ? 1.0 : 0.0;
      }
      out.values.push_back(kept(problem.outputs.at(0), function(problem, values)));
    }
    return std::vector<Tensor>{out};
  };
  return oracle;
}

Fill between(double low, double high) {
  return [low, high](const Problem&, size_t, Tensor& values, Random& random) {
    for (double& value : values.values) value = uniform(random, low, high);
    return true;
  };
}

Fill among(std::vector<double> numbers) {
  return
      [numbers = std::move(numbers)](const Problem& problem, size_t input, Tensor& values, Random& random) {
        if (problem.inputs[input].type == "u32") return false;
        for (double& value : values.values) value = numbers[pick(random, 0, numbers.size() - 1)];
        return true;
      };
}

double setting(const Problem& problem, const std::string& name, double fallback) {
  return static_cast<double>(static_cast<float>(problem.number(name, fallback)));
}

}  // namespace openqnn::oracle
