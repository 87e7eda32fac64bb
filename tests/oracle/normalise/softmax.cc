// SPDX-License-Identifier: BSD-3-Clause
// Softmax, LogSoftmax and MaskedSoftmax.
#include <algorithm>
#include <cmath>

#include "oracle/oracle.h"

namespace openqnn::oracle {
namespace {

std::vector<Tensor> softmax(const Problem& problem, const std::vector<Tensor>& inputs) {
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
  return {out};
}

std::vector<Tensor> log_softmax(const Problem& problem, const std::vector<Tensor>& inputs) {
  const double beta = problem.number("beta", 1.0);
  Tensor out = inputs[0];
  const size_t length = out.dim_from_end(0);
  for (size_t row = 0; row < out.values.size(); row += length) {
    double largest = out.values[row];
    for (size_t i = 0; i < length; ++i) largest = std::max(largest, out.values[row + i]);
    double sum = 0.0;
    for (size_t i = 0; i < length; ++i) sum += std::exp((out.values[row + i] - largest) * beta);
    const double log_of_sum = std::log(sum) + largest * beta;
    for (size_t i = 0; i < length; ++i) out.values[row + i] = out.values[row + i] * beta - log_of_sum;
  }
  return {out};
}

std::string random_rows(Random& random, size_t most_rank, const char* axis) {
  std::vector<size_t> shape(pick(random, 1, most_rank));
  for (size_t& dim : shape) dim = pick(random, 1, 4);
  shape.back() = pick(random, 1, 40);
  std::string line = "in=" + shape_text(shape) + (pick(random, 0, 1) ? " beta=0.5" : "");
  if (axis) line += axis + std::to_string(shape.size() - 1);
  return line;
}

const Register kSoftmax{{
    .op = "Softmax",
    .problems = {"in=1", "in=10", "in=1x1000", "in=4x7 beta=2", "in=2x3x5 axis=2", "in=1x4x4x21 beta=0.125",
                 "in=1x2x3x4x5 axis=4"},
    .random_problem = [](Random& random) { return random_rows(random, 5, nullptr); },
    .compute = softmax,
}};

const Register kLogSoftmax{{
    .op = "LogSoftmax",
    .problems = {"in=1 axis=0", "in=10 axis=0", "in=1x1000 axis=1", "in=4x7 beta=2 axis=1", "in=2x3x5 axis=2",
                 "in=1x4x4x21 beta=0.125 axis=3"},
    .random_problem = [](Random& random) { return random_rows(random, 4, " axis="); },
    .compute = log_softmax,
}};

// ---- MaskedSoftmax ----

// The number of the sequence that each position belongs to, -1 for none.
std::vector<int> sequence_numbers(const Tensor& lengths, size_t batch, size_t positions) {
  std::vector<int> numbers;
  for (size_t s = 0; s < lengths.shape[1]; ++s)
    for (double i = 0; i < lengths.values[batch * lengths.shape[1] + s]; ++i)
      numbers.push_back(static_cast<int>(s));
  numbers.resize(positions, -1);
  return numbers;
}

std::vector<Tensor> masked_softmax(const Problem& problem, const std::vector<Tensor>& inputs) {
  const Tensor& x = inputs[0];
  const Tensor& mask = inputs[1];
  const bool compressed = problem.integer("mode", 0) == 1;
  const size_t columns = x.shape[3];
  Tensor out{x.shape, std::vector<double>(x.values.size(), 0.0)};
  for (size_t row = 0; row < x.values.size() / columns; ++row) {
    const size_t batch = row / (x.shape[1] * x.shape[2]);
    const std::vector<int> sequence =
        compressed ? sequence_numbers(mask, batch, columns) : std::vector<int>(columns, 0);
    const int mine = compressed ? sequence[row % x.shape[2]] : 0;
    const auto score = [&](size_t i) {
      return x.values[row * columns + i] + (compressed ? 0.0 : mask.values[batch * columns + i]);
    };
    const auto counts = [&](size_t i) { return mine >= 0 && sequence[i] == mine; };
    double largest = -INFINITY;
    for (size_t i = 0; i < columns; ++i)
      if (counts(i)) largest = std::fmax(largest, score(i));
    double sum = 0.0;
    for (size_t i = 0; i < columns; ++i)
      if (counts(i)) sum += std::exp(score(i) - largest);
    for (size_t i = 0; i < columns; ++i)
      if (counts(i)) out.values[row * columns + i] = std::exp(score(i) - largest) / sum;
  }
  return {out};
}

bool fill_mask(const Problem& problem, size_t input, Tensor& values, Random& random) {
  if (input != 1) return false;
  const bool compressed = problem.integer("mode", 0) == 1;
  size_t left = problem.inputs[0].shape[3];
  for (size_t i = 0; i < values.values.size(); ++i) {
    if (i % values.shape[1] == 0) left = problem.inputs[0].shape[3];
    // The first column always counts: what a row without any gives is a question of rounding.
    const bool drops = i % values.shape[1] != 0 && pick(random, 0, 2) == 0;
    const size_t length = pick(random, 0, std::min<size_t>(left, 4));
    left -= length;
    values.values[i] = compressed ? static_cast<double>(length) : drops ? -10000.0 : 0.0;
  }
  return true;
}

const Register kMaskedSoftmax{{
    .op = "MaskedSoftmax",
    .problems = {"in=1x1x1x1 in=1x1", "in=2x2x3x7 in=2x7", "in=1x2x4x16 in=1x16 mode=0",
                 "in=3x1x2x33 in=3x33", "in=1x1x1x1 in=1x1 mode=1", "in=2x2x7x7 in=2x3 mode=1",
                 "in=1x1x12x12 in=1x5 mode=1", "in=3x2x5x5 in=3x1 mode=1"},
    .compute = masked_softmax,
    .fill = fill_mask,
    .skip =
        [](const Problem& problem) {
          const std::string& type = problem.inputs[1].type;
          return (type == "i32" || type == "u32") != (problem.integer("mode", 0) == 1);
        },
}};

}  // namespace
}  // namespace openqnn::oracle
