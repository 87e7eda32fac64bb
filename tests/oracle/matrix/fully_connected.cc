// SPDX-License-Identifier: BSD-3-Clause
#include "oracle/matrix/weights.h"
#include "oracle/oracle.h"

namespace openqnn::oracle {
namespace {

std::vector<Tensor> fully_connected(const Problem& problem, const std::vector<Tensor>& inputs) {
  const size_t units = inputs[1].shape[0];
  const size_t length = inputs[1].shape[1];
  const size_t rows = inputs[0].values.size() / length;
  Tensor out{{rows, units}, {}};
  if (inputs[0].shape.size() == 1) out.shape = {units};
  if (problem.integer("keep_dims", 0) != 0) {
    out.shape = inputs[0].shape;
    out.shape.back() = units;
  }
  for (size_t row = 0; row < rows; ++row)
    for (size_t unit = 0; unit < units; ++unit) {
      double sum = problem.has_input(2) ? inputs[2].values[unit] : 0.0;
      for (size_t i = length; i > 0; --i)
        sum += inputs[0].values[row * length + i - 1] * inputs[1].values[unit * length + i - 1];
      out.values.push_back(sum);
    }
  return {out};
}

std::string random_fully_connected(Random& random) {
  const size_t length = pick(random, 1, 70);
  const size_t units = pick(random, 1, 40);
  return "in=" + shape_text({pick(random, 1, 3), pick(random, 1, 4), length}) +
         " in=" + shape_text({units, length}) + (pick(random, 0, 1) ? " in=" + std::to_string(units) : "") +
         " keep_dims=" + std::to_string(pick(random, 0, 1));
}

const Register kFullyConnected{{
    .op = "FullyConnected",
    .problems = {"in=1x1 in=1x1", "in=40 in=7x40 in=7", "in=3x33 in=35x33 in=35", "in=2x3x4x2 in=5x24 in=5",
                 "in=2x3x4 in=6x8", "in=2x1x3x4 in=5x4 in=5 keep_dims=1"},
    .random_problem = random_fully_connected,
    .compute = fully_connected,
    .words = {"", "- static static", "- static:axis static:derived", "- static:axis:bits4 static:axis",
              "- static:block:bits4 static"},
    .sum_length = [](const Problem& problem) { return problem.inputs[1].shape[1]; },
    .channel_axis = [](const Problem&) { return size_t{0}; },
    .bias_input = 2,
    .skip = skips_weights,
}};

}  // namespace
}  // namespace openqnn::oracle
