// SPDX-License-Identifier: BSD-3-Clause
// Argmax, Argmin and TopK.
#include <algorithm>
#include <cmath>

#include "oracle/normalise/groups.h"
#include "oracle/oracle.h"

namespace openqnn::oracle {
namespace {

// The first NaN is above everything.
bool beats(double value, double best) { return !std::isnan(best) && (std::isnan(value) || value > best); }

Tensor arg(const Problem& problem, const Tensor& in, double sign) {
  const std::vector<size_t> axes = {problem.integer("axis", 0)};
  Tensor out{without(in.shape, axes, problem.integer("keep_dims", 0) != 0), {}};
  for (const Offsets& line : groups(in.shape, axes)) {
    size_t best = 0;
    for (size_t i = 0; i < line.size(); ++i)
      if (beats(sign * in.values[line[i]], sign * in.values[line[best]])) best = i;
    out.values.push_back(static_cast<double>(best));
  }
  return out;
}

Oracle of_arg(const char* op, double sign) {
  Oracle oracle;
  oracle.op = op;
  oracle.problems = {"in=1 axis=0",     "in=257 axis=0 keep_dims=1", "in=3x5 axis=0",
                     "in=2x3x4 axis=1", "in=1x8x8x21 axis=3",        "in=2x3x5x7 axis=2 keep_dims=1"};
  oracle.random_problem = [](Random& random) {
    const std::vector<size_t> shape = random_shape(random, 1, 4, 6);
    return "in=" + shape_text(shape) + " axis=" + std::to_string(pick(random, 0, shape.size() - 1)) +
           (pick(random, 0, 1) ? " keep_dims=1" : "");
  };
  oracle.compute = [sign](const Problem& problem, const std::vector<Tensor>& inputs) {
    return std::vector<Tensor>{arg(problem, inputs[0], sign)};
  };
  return oracle;
}

const Register kArgmax{of_arg("Argmax", 1.0)};
const Register kArgmin{of_arg("Argmin", -1.0)};

// NaN is the largest number, above infinity: halves end at 65504.
double rank_of(double value) {
  return std::isnan(value) ? 3e5 : std::isinf(value) ? std::copysign(2e5, value) : value;
}

// Takes the best of what is left, k times; the last of equal ones.
std::vector<Tensor> top_k(const Problem& problem, const std::vector<Tensor>& inputs) {
  const Tensor& in = inputs[0];
  const size_t k = problem.integer("k", 1);
  const double sign = problem.integer("largest", 1) ? 1.0 : -1.0;
  const size_t length = in.shape.back();
  Tensor values{in.shape, {}};
  values.shape.back() = k;
  Tensor indices = values;
  for (size_t row = 0; row < in.values.size(); row += length) {
    std::vector<bool> taken(length);
    for (size_t round = 0; round < k; ++round) {
      size_t best = length;
      for (size_t i = 0; i < length; ++i)
        if (!taken[i] &&
            (best == length || sign * rank_of(in.values[row + i]) >= sign * rank_of(in.values[row + best])))
          best = i;
      taken[best] = true;
      values.values.push_back(in.values[row + best]);
      indices.values.push_back(static_cast<double>(best));
    }
  }
  return {values, indices};
}

const Register kTopK{{
    .op = "TopK",
    .problems = {"in=1 k=1", "in=257 k=20", "in=3x5 k=5", "in=2x3x16 k=3 largest=0",
                 "in=2x2x3x9 k=1 largest=1", "in=1x1x2x100 k=100"},
    .random_problem =
        [](Random& random) {
          std::vector<size_t> shape = random_shape(random, 1, 4, 4);
          shape.back() = pick(random, 1, 30);
          return "in=" + shape_text(shape) + " k=" + std::to_string(pick(random, 1, shape.back())) +
                 (pick(random, 0, 1) ? " largest=0" : "");
        },
    .compute = top_k,
    .output_encoding = OutputEncoding::kLikeInput,
}};

}  // namespace
}  // namespace openqnn::oracle
