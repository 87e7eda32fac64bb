// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <limits>

#include "oracle/oracle.h"

namespace openqnn::oracle {
namespace {

// Copies the input into a larger one filled with minus infinity, then takes plain windows of it.
Tensor pool(const Problem& problem, const std::vector<Tensor>& inputs) {
  const std::vector<size_t>& in = inputs[0].shape;
  size_t padded[2];
  size_t out_size[2];
  for (size_t axis = 0; axis < 2; ++axis) {
    const size_t filter = problem.integer("filter_size", 1, axis);
    const size_t stride = problem.integer("stride", 1, axis);
    padded[axis] = in[1 + axis] + problem.integer("pad_amount", 0, 2 * axis) +
                   problem.integer("pad_amount", 0, 2 * axis + 1);
    const double steps = static_cast<double>(padded[axis] - filter) / static_cast<double>(stride);
    const bool ceil = problem.integer("rounding_mode", 0) == 1;
    out_size[axis] = static_cast<size_t>(ceil ? std::ceil(steps) : std::floor(steps)) + 1;
    padded[axis] += stride;  // windows of the ceil mode may stick out
  }
  std::vector<double> grid(in[0] * padded[0] * padded[1] * in[3], -std::numeric_limits<double>::infinity());
  const size_t top = problem.integer("pad_amount", 0, 0);
  const size_t left = problem.integer("pad_amount", 0, 2);
  const double* next = inputs[0].values.data();
  for (size_t b = 0; b < in[0]; ++b)
    for (size_t h = 0; h < in[1]; ++h)
      for (size_t w = 0; w < in[2]; ++w)
        for (size_t c = 0; c < in[3]; ++c)
          grid[((b * padded[0] + h + top) * padded[1] + w + left) * in[3] + c] = *next++;

  Tensor out{{in[0], out_size[0], out_size[1], in[3]}, {}};
  for (size_t b = 0; b < in[0]; ++b)
    for (size_t h = 0; h < out_size[0]; ++h)
      for (size_t w = 0; w < out_size[1]; ++w)
        for (size_t c = 0; c < in[3]; ++c) {
          double largest = -std::numeric_limits<double>::infinity();
          for (size_t i = 0; i < problem.integer("filter_size", 1, 0); ++i)
            for (size_t j = 0; j < problem.integer("filter_size", 1, 1); ++j) {
              const size_t y = h * problem.integer("stride", 1, 0) + i;
              const size_t x = w * problem.integer("stride", 1, 1) + j;
              largest = std::fmax(largest, grid[((b * padded[0] + y) * padded[1] + x) * in[3] + c]);
            }
          out.values.push_back(largest);
        }
  return out;
}

std::string two(size_t a, size_t b) { return std::to_string(a) + "," + std::to_string(b); }

std::string random_pool(Random& random) {
  const size_t filter[2] = {pick(random, 1, 3), pick(random, 1, 3)};
  const std::vector<size_t> in = {pick(random, 1, 2), filter[0] + pick(random, 0, 6),
                                  filter[1] + pick(random, 0, 6), pick(random, 1, 9)};
  return "in=" + shape_text(in) + " filter_size=" + two(filter[0], filter[1]) +
         " stride=" + two(pick(random, 1, 3), pick(random, 1, 3)) +
         " pad_amount=" + two(pick(random, 0, filter[0] - 1), pick(random, 0, filter[0] - 1)) + "," +
         two(pick(random, 0, filter[1] - 1), pick(random, 0, filter[1] - 1)) +
         " rounding_mode=" + std::to_string(pick(random, 0, 1));
}

const Register kPool{{
    .op = "PoolMax2d",
    .variants = {"f16", "ufx8"},
    .problems = {"in=1x1x1x1 filter_size=1,1 stride=1,1 pad_amount=0,0,0,0",
                 "in=1x8x8x32 filter_size=2,2 stride=2,2 pad_amount=0,0,0,0",
                 "in=1x9x9x5 filter_size=3,3 stride=2,2 pad_amount=1,1,1,1",
                 "in=2x7x5x3 filter_size=3,2 stride=1,2 pad_amount=1,0,0,1",
                 "in=1x6x6x4 filter_size=3,3 stride=2,2 pad_amount=0,0,0,0 rounding_mode=1",
                 "in=1x5x7x33 filter_size=5,7 stride=1,1 pad_amount=0,0,0,0",
                 // Windows of padding only.
                 "in=1x2x2x2 filter_size=2,2 stride=1,1 pad_amount=3,3,0,2"},
    .random_problem = random_pool,
    .compute = pool,
    .sum_length = {},
    .channel_axis = {},
}};

}  // namespace
}  // namespace openqnn::oracle
