// SPDX-License-Identifier: BSD-3-Clause
// A second opinion on every op: computed in double, on plain vectors, with indexing of its own. Nothing here
// may include src/ops. One file per op or family; it registers itself, so that a new op is one new file.
//
// The tests in tests/ops try each problem of an op with every row of types that the op offers: an oracle
// lists shapes and parameters, never types.
#pragma once

#include <cstddef>
#include <cstdint>
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
// The position of an index in a dense tensor, and back.
size_t offset_of(const std::vector<size_t>& shape, const std::vector<size_t>& index);
std::vector<size_t> index_of(const std::vector<size_t>& shape, size_t offset);

// A problem is a line: the op, its inputs in order, its outputs' types, its parameters.
//   Conv2d in=1x8x8x3:ufx8 in=3x3x3x16:sfx8:static:axis in=16:sfx32:static out=ufx8 stride=2,2 …
// After an input's shape: its type, `static`, `axis` (an encoding per channel), `derived` (a bias whose scale
// is 0, to be taken from input and weights), `bits4` (4-bit values in a wider type), `block` (an encoding per
// block). `in=none` is an absent optional input, `in=scalar` one of rank 0. Parameters whose type the schema
// leaves open say it: pad_constant_value:i32=3.
// The sparse operand of an op that has one has `slots` places in its first `dims` dimensions. Its Tensor has
// the dense shape, and as values the coordinates of all places, then the slices there.
struct Problem {
  struct Input {
    std::vector<size_t> shape;
    std::string type;
    bool absent = false;
    bool is_static = false;
    bool per_axis = false;
    bool per_block = false;
    bool four_bits = false;
    bool derived = false;
  };
  std::string line;
  std::string op;
  std::vector<Input> inputs;
  std::vector<std::string> outputs;  // types
  std::map<std::string, std::vector<double>> params;
  std::map<std::string, std::string> param_types;  // where the line says one

  static Problem parse(const std::string& line);
  bool has(const std::string& name) const { return params.count(name) != 0; }
  double number(const std::string& name, double fallback, size_t index = 0) const;
  size_t integer(const std::string& name, size_t fallback, size_t index = 0) const;
  bool has_input(size_t index) const { return index < inputs.size() && !inputs[index].absent; }
};

using Random = std::mt19937;
size_t pick(Random& random, size_t low, size_t high);  // both included
double uniform(Random& random, double low, double high);

// How the encodings of quantized outputs are chosen.
enum class OutputEncoding : uint8_t {
  kFitted,     // to what the oracle computes, with some saturation
  kLikeInput,  // that of input 0
  kBoth,       // now one, now the other: for ops that move elements
  kUnit,       // scale 1, offset 0: for ops whose results are the stored numbers
};

inline constexpr size_t kNoInput = SIZE_MAX;

struct Oracle {
  std::string op;
  std::vector<std::string> problems;  // without types: "in=1x8x8x3 in=3x3x3x16 stride=1,1"
  // More of them; null when the list is enough.
  std::function<std::string(Random&)> random_problem = {};
  // All outputs. An absent input is a tensor without values.
  std::function<std::vector<Tensor>(const Problem&, const std::vector<Tensor>&)> compute;

  // What follows the types of input 0, 1, …, separated by blanks ("-" for nothing): each problem is tried
  // with each of them, where the types allow it.
  std::vector<std::string> words = {""};
  // Real values for an input, when arbitrary ones will not do (indices, positive numbers): fills `values` and
  // returns true. They are then rounded to the input's type.
  std::function<bool(const Problem&, size_t input, Tensor& values, Random&)> fill = {};
  // Products in each sum, for ops whose rounding errors grow with it.
  std::function<size_t(const Problem&)> sum_length = {};
  // The axis of input 1 that is the output channel, for `axis`.
  std::function<size_t(const Problem&)> channel_axis = {};
  size_t bias_input = kNoInput;  // counts in units of input 0 times input 1
  OutputEncoding output_encoding = OutputEncoding::kFitted;
  // Combinations of problem and types that make no sense although both do alone.
  std::function<bool(const Problem&)> skip = {};
  // How far from the oracle's own rounding a half result may be, beyond half a step, relative to the value:
  // for ops whose definition leaves it open (0: not at all).
  double half_slack = 0.0;
  // Half inputs are also tried with zeros with a sign, subnormal and the largest numbers, infinities and NaN.
  // Of some inputs the definition gives no answer to compare with: to infinities and NaN, or to any of these.
  std::vector<size_t> finite_inputs = {};
  std::vector<size_t> ordinary_inputs = {};
  // Whether a result of 0 may have either sign, as the first of equal ones or a sum of zeros does.
  bool any_zero = false;
};

const std::vector<Oracle>& all();
const Oracle* find(const std::string& op);

struct Register {
  explicit Register(Oracle oracle);
};

// "1x2x3"
std::string shape_text(const std::vector<size_t>& shape);

// An op of one input and one output that works element by element; `low` and `high` bound its inputs.
Oracle unary(std::string op, double (*function)(double), double low = -4.0, double high = 4.0);
// The same of two inputs that broadcast.
Oracle binary(std::string op, double (*function)(double, double));

// Calls `function` with the elements of two tensors, broadcast together.
Tensor broadcast(const Tensor& a, const Tensor& b, const std::function<double(double, double)>& function);

}  // namespace openqnn::oracle
