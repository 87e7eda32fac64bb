// SPDX-License-Identifier: BSD-3-Clause
// The reductions, Moments and CumulativeSum.
#include <algorithm>
#include <cmath>

#include "oracle/normalise/groups.h"
#include "oracle/oracle.h"

namespace openqnn::oracle {
namespace {

using Values = std::vector<double>;

// A NaN wins.
double largest(const Values& values) {
  if (std::any_of(values.begin(), values.end(), [](double value) { return std::isnan(value); })) return NAN;
  return *std::max_element(values.begin(), values.end());
}
double smallest(const Values& values) {
  Values negated;
  for (const double value : values) negated.push_back(-value);
  return -largest(negated);
}

double sum(const Values& values) {
  double total = 0.0;
  for (const double value : values) total += value;
  return total;
}

double mean(const Values& values) { return sum(values) / static_cast<double>(values.size()); }

double product(const Values& values) {
  double total = 1.0;
  for (const double value : values) total *= value;
  return total;
}

double sum_of_squares(const Values& values) {
  double total = 0.0;
  for (const double value : values) total += value * value;
  return total;
}

double variance(const Values& values) {
  const double centre = mean(values);
  Values squares;
  for (const double value : values) squares.push_back((value - centre) * (value - centre));
  return mean(squares);
}

Tensor reduce(const Problem& problem, const Tensor& in, double (*function)(const Values&)) {
  if (in.shape.empty()) return {{}, {function(in.values)}};
  std::vector<size_t> axes;
  for (const double axis : problem.params.at("axes"))
    axes.push_back(static_cast<size_t>(axis < 0 ? axis + static_cast<double>(in.shape.size()) : axis));
  Tensor out{without(in.shape, axes, problem.integer("keep_dims", 0) != 0), {}};
  for (const Offsets& group : groups(in.shape, axes)) {
    Values values;
    for (const size_t at : group) values.push_back(in.values[at]);
    out.values.push_back(function(values));
  }
  return out;
}

Oracle reduction(const char* op, double (*function)(const Values&)) {
  Oracle oracle;
  oracle.op = op;
  oracle.problems = {
      "in=1 axes=0",          "in=257 axes=0 keep_dims=1", "in=3x5 axes=1",
      "in=2x3x4 axes=0,2",    "in=2x3x4 axes=2,0,1",       "in=2x3x5x7 axes=1,2 keep_dims=1",
      "in=1x4x4x33 axes=1,2", "in=2x2x3x2x5 axes=3,1",     "in=1x2x3x2x3 axes=0,1,2,3,4 keep_dims=1"};
  oracle.random_problem = [](Random& random) {
    const std::vector<size_t> shape = random_shape(random, 1, 5, 4);
    return "in=" + shape_text(shape) + " axes=" + random_axes(random, shape.size()) +
           (pick(random, 0, 1) ? " keep_dims=1" : "");
  };
  oracle.compute = [function](const Problem& problem, const std::vector<Tensor>& inputs) {
    return std::vector<Tensor>{reduce(problem, inputs[0], function)};
  };
  return oracle;
}

// Values around 1, so that products neither vanish nor explode.
Oracle of_product() {
  Oracle oracle = reduction("ReduceProd", product);
  for (std::string& problem : oracle.problems)
    if (problem == "in=257 axes=0 keep_dims=1") problem = "in=9 axes=0 keep_dims=1";
  oracle.fill = [](const Problem&, size_t, Tensor& values, Random& random) {
    for (double& value : values.values) value = uniform(random, 0.9, 1.4) * (pick(random, 0, 1) ? 1.0 : -1.0);
    return true;
  };
  return oracle;
}

Oracle of_sum_of_squares() {
  Oracle oracle = reduction("ReduceSumSquare", sum_of_squares);
  oracle.problems.emplace_back("in=scalar axes=0");
  return oracle;
}

const Register kReduceMax{reduction("ReduceMax", largest)};
const Register kReduceMean{reduction("ReduceMean", mean)};
const Register kReduceMin{reduction("ReduceMin", smallest)};
const Register kReduceProd{of_product()};
const Register kReduceSum{reduction("ReduceSum", sum)};
const Register kReduceSumSquare{of_sum_of_squares()};

const Register kMoments{{
    .op = "Moments",
    .problems = {"in=1 axes=0 keep_dims=0", "in=257 axes=-1 keep_dims=1", "in=3x5 axes=1 keep_dims=0",
                 "in=2x3x5x7 axes=1,2 keep_dims=1", "in=2x2x3x2x5 axes=3,-4 keep_dims=0",
                 "in=2x3x4 axes=0,1,2 keep_dims=0"},
    .compute =
        [](const Problem& problem, const std::vector<Tensor>& inputs) {
          return std::vector<Tensor>{reduce(problem, inputs[0], mean), reduce(problem, inputs[0], variance)};
        },
}};

std::vector<Tensor> cumulative_sum(const Problem& problem, const std::vector<Tensor>& inputs) {
  Tensor out = inputs[0];
  for (Offsets line : groups(out.shape, {problem.integer("axis", 0)})) {
    if (problem.integer("reverse", 0)) std::reverse(line.begin(), line.end());
    for (size_t i = 0; i < line.size(); ++i) {
      Values before;
      for (size_t j = 0; j < i + (problem.integer("exclusive", 0) ? 0 : 1); ++j)
        before.push_back(inputs[0].values[line[j]]);
      out.values[line[i]] = sum(before);
    }
  }
  return {out};
}

const Register kCumulativeSum{{
    .op = "CumulativeSum",
    .problems = {"in=1 axis=0", "in=33 axis=0 exclusive=1", "in=3x5 axis=0 reverse=1",
                 "in=2x3x4 axis=1 exclusive=1 reverse=1", "in=2x3x5x7 axis=3", "in=2x3x5x7 axis=1 reverse=1"},
    .random_problem =
        [](Random& random) {
          const std::vector<size_t> shape = random_shape(random, 1, 4, 6);
          return "in=" + shape_text(shape) + " axis=" + std::to_string(pick(random, 0, shape.size() - 1)) +
                 (pick(random, 0, 1) ? " exclusive=1" : "") + (pick(random, 0, 1) ? " reverse=1" : "");
        },
    .compute = cumulative_sum,
}};

}  // namespace
}  // namespace openqnn::oracle
