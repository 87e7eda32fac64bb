// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>

#include "oracle/oracle.h"

namespace openqnn::oracle {
namespace {

Tensor softmax(const Problem& problem, const std::vector<Tensor>& inputs) {
  const double beta = problem.number("beta", 1.0);
  Tensor out = inputs[0];
  const size_t length = out.dim_from_end(0);
  for (size_t row = 0; row < out.values.size(); row += length) {
    const auto begin = out.values.begin() + static_cast<long>(row);
    const auto end = begin + static_cast<long>(length);
    const double largest = *std::max_element(begin, end);
    double sum = 0.0;
    for (auto it = begin; it != end; ++it) sum += * it = std::exp((*it - largest) * beta);
    for (auto it = begin; it != end; ++it) *it /= sum;
  }
  return out;
}

std::string random_softmax(Random& random) {
  std::vector<size_t> shape(pick(random, 1, 5));
  for (size_t& dim : shape) dim = pick(random, 1, 4);
  shape.back() = pick(random, 1, 40);
  return "in=" + shape_text(shape) + (pick(random, 0, 1) ? " beta=0.5" : "");
}

const Register kSoftmax{{
    .op = "Softmax",
    .variants = {"f16", "ufx8"},
    .problems = {"in=1", "in=10", "in=1x1000", "in=4x7 beta=2", "in=2x3x5 axis=2", "in=1x4x4x21 beta=0.125",
                 "in=1x2x3x4x5 axis=4"},
    .random_problem = random_softmax,
    .compute = softmax,
    .sum_length = {},
    .channel_axis = {},
}};

}  // namespace
}  // namespace openqnn::oracle
