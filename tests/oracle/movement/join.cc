// SPDX-License-Identifier: BSD-3-Clause
// Concat, Pack, Split, UnPack.
#include "oracle/movement/tensors.h"
#include "oracle/oracle.h"

namespace openqnn::oracle {
namespace {

// Writes each input into the result, behind the ones before.
Tensor put_together(const std::vector<Tensor>& inputs, size_t axis) {
  Tensor out = inputs[0];
  out.shape[axis] = 0;
  for (const Tensor& input : inputs) out.shape[axis] += input.shape[axis];
  out.values.assign(count(out.shape), 0.0);
  size_t start = 0;
  for (const Tensor& input : inputs) {
    for (size_t i = 0; i < input.values.size(); ++i) {
      std::vector<size_t> index = index_of(input.shape, i);
      index[axis] += start;
      out.values[offset_of(out.shape, index)] = input.values[i];
    }
    start += input.shape[axis];
  }
  return out;
}

std::string random_concat(Random& random) {
  const std::vector<size_t> shape = random_shape(random, pick(random, 1, 5), 4);
  const size_t axis = pick(random, 0, shape.size() - 1);
  std::string line;
  for (size_t i = pick(random, 1, 5); i > 0; --i) {
    std::vector<size_t> each = shape;
    each[axis] = pick(random, 1, 5);
    line += "in=" + shape_text(each) + " ";
  }
  return line + "axis=" + std::to_string(axis);
}

const Register kConcat{{
    .op = "Concat",
    .problems = {"in=3 in=5", "in=7 axis=0", "in=3x5 in=3x2 in=3x1 axis=1", "in=2x3x4 in=1x3x4 axis=0",
                 "in=1x3x5x7 in=1x2x5x7 axis=1", "in=1x2x3x4 in=1x2x3x9 in=1x2x3x1 in=1x2x3x2",
                 "in=2x1x2x3x2 in=2x1x4x3x2 axis=2"},
    .random_problem = random_concat,
    .compute =
        [](const Problem& problem, const std::vector<Tensor>& inputs) {
          return std::vector<Tensor>{
              put_together(inputs, problem.integer("axis", inputs[0].shape.size() - 1))};
        },
    .output_encoding = OutputEncoding::kBoth,
}};

std::vector<Tensor> pack(const Problem& problem, const std::vector<Tensor>& inputs) {
  const size_t axis = problem.integer("axis", 0);
  std::vector<Tensor> thin;
  for (const Tensor& input : inputs) {
    std::vector<size_t> shape = input.shape;
    shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(axis), 1);
    thin.push_back(reshaped(input, shape));
  }
  return {put_together(thin, axis)};
}

const Register kPack{{
    .op = "Pack",
    .problems = {"in=3 in=3 axis=0", "in=5 in=5 in=5 axis=1", "in=3x5 in=3x5 axis=1", "in=7x2 axis=2",
                 "in=2x3x4 in=2x3x4 in=2x3x4 axis=0", "in=2x3x5 in=2x3x5 axis=3",
                 "in=2x3x5 in=2x3x5 in=2x3x5 in=2x3x5 in=2x3x5 axis=2"},
    .compute = pack,
    .output_encoding = OutputEncoding::kBoth,
}};

// The part of a tensor from `begin` to `end` on an axis, element by element.
Tensor piece(const Tensor& from, size_t axis, size_t begin, size_t end) {
  Tensor out{from.shape, {}};
  out.shape[axis] = end - begin;
  for (size_t i = 0; i < from.values.size(); ++i) {
    const size_t at = index_of(from.shape, i)[axis];
    if (at >= begin && at < end) out.values.push_back(from.values[i]);
  }
  return out;
}

std::vector<Tensor> split(const Problem& problem, const std::vector<Tensor>& inputs) {
  const size_t axis = problem.integer("axis", 0);
  std::vector<size_t> ends = sizes(problem, "split_index");
  ends.push_back(inputs[0].shape[axis]);
  std::vector<Tensor> pieces;
  size_t begin = 0;
  for (const size_t end : ends) {
    pieces.push_back(piece(inputs[0], axis, begin, end));
    begin = end;
  }
  return pieces;
}

const Register kSplit{{
    .op = "Split",
    .problems = {"in=9 axis=0 split_index=4", "in=6x8 axis=1 split_index=2,5", "in=7x3 axis=0 split_index=1",
                 "in=2x9x4 axis=1 split_index=3,6", "in=1x3x5x12 axis=3 split_index=4,8",
                 "in=3x4x5x2 axis=2 split_index=1,2,3,4", "in=2x2x6x3x2 axis=2 split_index=1,5"},
    .compute = split,
    .output_encoding = OutputEncoding::kBoth,
}};

std::vector<Tensor> unpack(const Problem& problem, const std::vector<Tensor>& inputs) {
  const size_t axis = problem.integer("axis", 0);
  std::vector<Tensor> pieces;
  for (size_t i = 0; i < inputs[0].shape[axis]; ++i) {
    Tensor one = piece(inputs[0], axis, i, i + 1);
    one.shape.erase(one.shape.begin() + static_cast<std::ptrdiff_t>(axis));
    if (one.shape.empty()) one.shape = {1};
    pieces.push_back(one);
  }
  return pieces;
}

const Register kUnPack{{
    .op = "UnPack",
    .problems = {"in=3 axis=0", "in=1x7 axis=0", "in=3x5 axis=1", "in=4x3x5 axis=0", "in=2x3x4 axis=1",
                 "in=2x3x5x4 axis=3", "in=2x3x5x4 axis=1"},
    .compute = unpack,
    .output_encoding = OutputEncoding::kBoth,
}};

}  // namespace
}  // namespace openqnn::oracle
