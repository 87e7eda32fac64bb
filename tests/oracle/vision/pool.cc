// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <limits>
#include <numeric>

#include "oracle/oracle.h"

namespace openqnn::oracle {
namespace {

// What one window sees.
struct Seen {
  std::vector<double> values;
  size_t padding = 0;
};

size_t output_size(const Problem& problem, size_t size, size_t axis) {
  const double padded = static_cast<double>(size + problem.integer("pad_amount", 0, 2 * axis) +
                                            problem.integer("pad_amount", 0, 2 * axis + 1));
  const double steps = (padded - problem.number("filter_size", 1, axis)) / problem.number("stride", 1, axis);
  return static_cast<size_t>(problem.integer("rounding_mode", 0) == 1 ? std::ceil(steps)
                                                                      : std::floor(steps)) +
         1;
}

// Looks at every cell of the window and asks what it is.
Seen look(const Problem& problem, const Tensor& input, const std::vector<size_t>& out) {
  const size_t dims = input.shape.size() - 2;
  std::vector<size_t> filter;
  for (size_t axis = 0; axis < dims; ++axis) filter.push_back(problem.integer("filter_size", 1, axis));
  Seen seen;
  for (size_t cell = 0; cell < count(filter); ++cell) {
    const std::vector<size_t> tap = index_of(filter, cell);
    std::vector<size_t> at = out;
    bool inside = true;
    bool padded = true;
    for (size_t axis = 0; axis < dims; ++axis) {
      const size_t position = out[1 + axis] * problem.integer("stride", 1, axis) + tap[axis];
      const size_t before = problem.integer("pad_amount", 0, 2 * axis);
      const size_t after = problem.integer("pad_amount", 0, 2 * axis + 1);
      inside &= position >= before && position < before + input.shape[1 + axis];
      padded &= position < before + input.shape[1 + axis] + after;
      at[1 + axis] = position - before;
    }
    if (inside) seen.values.push_back(input.values[offset_of(input.shape, at)]);
    if (!inside && padded) ++seen.padding;
  }
  return seen;
}

using Reduce = double (*)(const Problem& problem, const Seen& seen);

double largest(const Problem&, const Seen& seen) {
  double result = -std::numeric_limits<double>::infinity();
  for (const double value : seen.values) {
    if (std::isnan(value)) return value;
    result = std::fmax(result, value);
  }
  return result;
}

double average(const Problem& problem, const Seen& seen) {
  const size_t cells = seen.values.size() + (problem.integer("count_pad_for_edges", 0) ? seen.padding : 0);
  const double sum = std::accumulate(seen.values.rbegin(), seen.values.rend(), 0.0);
  return cells ? sum / static_cast<double>(cells) : 0.0;
}

double root_mean_square(const Problem&, const Seen& seen) {
  double mean = 0.0;
  for (const double value : seen.values) mean += value * value / static_cast<double>(seen.values.size());
  return std::sqrt(mean);
}

template <Reduce reduce>
std::vector<Tensor> pool(const Problem& problem, const std::vector<Tensor>& inputs) {
  Tensor out{inputs[0].shape, {}};
  for (size_t axis = 0; axis + 2 < out.shape.size(); ++axis)
    out.shape[1 + axis] = output_size(problem, inputs[0].shape[1 + axis], axis);
  for (size_t i = 0; i < count(out.shape); ++i)
    out.values.push_back(reduce(problem, look(problem, inputs[0], index_of(out.shape, i))));
  return {out};
}

std::string list(const std::vector<size_t>& values) {
  std::string text;
  for (const size_t value : values) text += (text.empty() ? "" : ",") + std::to_string(value);
  return text;
}

template <size_t dims, bool rounds, bool counts>
std::string random_pool(Random& random) {
  std::vector<size_t> in = {pick(random, 1, 2)};
  std::vector<size_t> filter;
  std::vector<size_t> stride;
  std::vector<size_t> pads;
  for (size_t axis = 0; axis < dims; ++axis) {
    filter.push_back(pick(random, 1, 3));
    stride.push_back(pick(random, 1, 3));
    in.push_back(filter[axis] + pick(random, 0, dims == 2 ? 6 : 3));
    pads.push_back(pick(random, 0, filter[axis] - 1));
    pads.push_back(pick(random, 0, filter[axis] - 1));
  }
  in.push_back(pick(random, 1, 9));
  return "in=" + shape_text(in) + " filter_size=" + list(filter) + " stride=" + list(stride) +
         " pad_amount=" + list(pads) +
         (rounds ? " rounding_mode=" + std::to_string(pick(random, 0, 1)) : "") +
         (counts ? " count_pad_for_edges=" + std::to_string(pick(random, 0, 1)) : "");
}

const std::vector<std::string> kFlat = {"in=1x1x1x1 filter_size=1,1 stride=1,1 pad_amount=0,0,0,0",
                                        "in=1x8x8x32 filter_size=2,2 stride=2,2 pad_amount=0,0,0,0",
                                        "in=1x9x9x5 filter_size=3,3 stride=2,2 pad_amount=1,1,1,1",
                                        "in=2x7x5x3 filter_size=3,2 stride=1,2 pad_amount=1,0,0,1",
                                        "in=1x5x7x33 filter_size=5,7 stride=1,1 pad_amount=0,0,0,0",
                                        // Windows of padding only.
                                        "in=1x2x2x2 filter_size=2,2 stride=1,1 pad_amount=3,3,0,2"};

const std::vector<std::string> kDeep = {
    "in=1x1x1x1x1 filter_size=1,1,1 stride=1,1,1 pad_amount=0,0,0,0,0,0",
    "in=1x4x4x4x8 filter_size=2,2,2 stride=2,2,2 pad_amount=0,0,0,0,0,0",
    "in=2x3x5x4x3 filter_size=2,3,1 stride=1,2,1 pad_amount=1,0,1,1,0,0",
    "in=1x5x4x5x2 filter_size=3,3,3 stride=2,2,2 pad_amount=0,1,1,0,1,1 rounding_mode=1",
    "in=1x2x2x3x2 filter_size=1,2,2 stride=1,1,1 pad_amount=2,2,0,0,0,0"};

const char kCeil[] = "in=1x6x6x4 filter_size=3,3 stride=2,2 pad_amount=0,0,0,0 rounding_mode=1";
// The last window starts beyond everything.
const char kBeyond[] = "in=1x4x5x3 filter_size=1,2 stride=3,4 pad_amount=0,1,0,0 rounding_mode=1";

std::vector<std::string> with(std::vector<std::string> problems, const std::vector<std::string>& more) {
  problems.insert(problems.end(), more.begin(), more.end());
  return problems;
}

const Register kMax2d{{.op = "PoolMax2d",
                       .problems = with(kFlat, {kCeil, kBeyond}),
                       .random_problem = random_pool<2, true, false>,
                       .compute = pool<largest>,
                       .any_zero = true}};
const Register kMax3d{{.op = "PoolMax3d",
                       .problems = kDeep,
                       .random_problem = random_pool<3, true, false>,
                       .compute = pool<largest>,
                       .any_zero = true}};
const Register kAvg2d{
    {.op = "PoolAvg2d",
     .problems =
         with(kFlat, {kCeil, kBeyond,
                      "in=1x9x9x5 filter_size=3,3 stride=2,2 pad_amount=1,1,1,1 count_pad_for_edges=1",
                      "in=1x6x6x4 filter_size=3,3 stride=2,2 pad_amount=1,0,0,1 rounding_mode=1 "
                      "count_pad_for_edges=1",
                      "in=1x2x2x2 filter_size=2,2 stride=1,1 pad_amount=3,3,0,2 count_pad_for_edges=1"}),
     .random_problem = random_pool<2, true, true>,
     .compute = pool<average>}};
const Register kAvg3d{{.op = "PoolAvg3d",
                       .problems = with(kDeep, {"in=1x3x4x3x5 filter_size=2,2,3 stride=2,1,2 "
                                                "pad_amount=0,1,1,1,1,1 count_pad_for_edges=1"}),
                       .random_problem = random_pool<3, true, true>,
                       .compute = pool<average>}};
const Register kL2{{.op = "L2Pool2d",
                    .problems = kFlat,
                    .random_problem = random_pool<2, false, false>,
                    .compute = pool<root_mean_square>}};

}  // namespace
}  // namespace openqnn::oracle
