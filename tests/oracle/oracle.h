// SPDX-License-Identifier: BSD-3-Clause
// A second opinion on every op: computed in double, on plain vectors, with indexing of its own. Nothing here
// may include src/ops. One file per op; it registers itself, so that a new op is one new file.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace openqnn::oracle {

struct Tensor {
  std::vector<size_t> shape;
  std::vector<double> values;

  size_t dim_from_end(size_t i) const { return shape[shape.size() - 1 - i]; }
};
size_t count(const std::vector<size_t>& shape);

// A problem is a line: the op, its inputs in order, its parameters.
//   Conv2d in=1x8x8x3:ufx8 in=3x3x3x16:sfx8:static:axis in=16:sfx32:static stride=2,2 pad_amount=1,1,1,1
// After an input's shape: its type, `static`, `axis` (an encoding per channel), `derived` (a bias whose scale
// is 0, to be taken from input and weights).
struct Problem {
  struct Input {
    std::vector<size_t> shape;
    std::string type;
    bool is_static = false;
    bool per_axis = false;
    bool derived = false;
  };
  std::string line;
  std::string op;
  std::vector<Input> inputs;
  std::map<std::string, std::vector<double>> params;

  static Problem parse(const std::string& line);
  double number(const std::string& name, double fallback, size_t index = 0) const;
  size_t integer(const std::string& name, size_t fallback, size_t index = 0) const;
};

using Random = std::mt19937;
size_t pick(Random& random, size_t low, size_t high);  // both included

struct Oracle {
  std::string op;
  // What follows the shape of input 0, 1, …, separated by blanks; each problem is tried with each variant.
  std::vector<std::string> variants;
  std::vector<std::string> problems;  // without types
  std::function<std::string(Random&)> random_problem;
  std::function<Tensor(const Problem&, const std::vector<Tensor>&)> compute;
  // Products in each sum, for ops whose rounding errors grow with it; empty for the others.
  std::function<size_t(const Problem&)> sum_length;
  // The axis of input 1 that is the output channel.
  std::function<size_t(const Problem&)> channel_axis;
};

const std::vector<Oracle>& all();
const Oracle* find(const std::string& op);
// Every problem of an op with every variant, and `random_count` random ones with a fixed seed.
std::vector<Problem> problems(const Oracle& oracle, size_t random_count);

struct Register {
  explicit Register(Oracle oracle);
};

// "1x2x3"
std::string shape_text(const std::vector<size_t>& shape);

// An op of one input that works element by element.
Oracle unary(std::string op, double (*function)(double));

}  // namespace openqnn::oracle
