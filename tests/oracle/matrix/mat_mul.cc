// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "oracle/matrix/weights.h"
#include "oracle/oracle.h"

namespace openqnn::oracle {
namespace {

// A copy with the last two dimensions in the order of the product, and all ranks made equal.
Tensor normalized(Tensor tensor, bool transpose, size_t rank) {
  const size_t rows = tensor.dim_from_end(1);
  const size_t columns = tensor.dim_from_end(0);
  if (transpose) {
    const std::vector<double> old = tensor.values;
    for (size_t m = 0; m < old.size() / (rows * columns); ++m)
      for (size_t r = 0; r < rows; ++r)
        for (size_t c = 0; c < columns; ++c)
          tensor.values[(m * columns + c) * rows + r] = old[(m * rows + r) * columns + c];
    std::swap(tensor.shape[tensor.shape.size() - 1], tensor.shape[tensor.shape.size() - 2]);
  }
  while (tensor.shape.size() < rank) tensor.shape.insert(tensor.shape.begin(), 1);
  return tensor;
}

std::vector<Tensor> matmul(const Problem& problem, const std::vector<Tensor>& inputs) {
  constexpr size_t kRank = 4;
  const Tensor a = normalized(inputs[0], problem.integer("transpose_in0", 0) != 0, kRank);
  const Tensor b = normalized(inputs[1], problem.integer("transpose_in1", 0) != 0, kRank);
  const size_t outer = std::max(a.shape[0], b.shape[0]);
  const size_t inner = std::max(a.shape[1], b.shape[1]);
  const size_t rows = a.shape[2];
  const size_t length = a.shape[3];
  const size_t columns = b.shape[3];
  Tensor out{{outer, inner, rows, columns}, {}};
  const auto matrix = [](const Tensor& t, size_t i, size_t j) {
    return (t.shape[0] == 1 ? 0 : i) * t.shape[1] + (t.shape[1] == 1 ? 0 : j);
  };
  for (size_t i = 0; i < outer; ++i)
    for (size_t j = 0; j < inner; ++j)
      for (size_t r = 0; r < rows; ++r)
        for (size_t c = 0; c < columns; ++c) {
          double sum = problem.has_input(2) ? inputs[2].values[c] : 0.0;
          for (size_t k = 0; k < length; ++k)
            sum += a.values[(matrix(a, i, j) * rows + r) * length + k] *
                   b.values[(matrix(b, i, j) * length + k) * columns + c];
          out.values.push_back(sum);
        }
  const size_t rank = std::max(inputs[0].shape.size(), inputs[1].shape.size());
  out.shape.erase(out.shape.begin(), out.shape.end() - static_cast<long>(rank));
  return {out};
}

std::string random_matmul(Random& random) {
  const size_t m = pick(random, 1, 9);
  const size_t k = pick(random, 1, 70);
  const size_t n = pick(random, 1, 40);
  const bool transpose_a = pick(random, 0, 1) == 1;
  const bool transpose_b = pick(random, 0, 1) == 1;
  std::vector<size_t> a(pick(random, 0, 2));
  for (size_t& dim : a) dim = pick(random, 1, 3);
  std::vector<size_t> b(a.end() - static_cast<long>(pick(random, 0, a.size())), a.end());
  for (size_t& dim : b)
    if (pick(random, 0, 1)) dim = 1;
  if (pick(random, 0, 1)) std::swap(a, b);
  a.insert(a.end(), {transpose_a ? k : m, transpose_a ? m : k});
  b.insert(b.end(), {transpose_b ? n : k, transpose_b ? k : n});
  return "in=" + shape_text(a) + " in=" + shape_text(b) +
         (pick(random, 0, 1) ? " in=" + std::to_string(n) : "") +
         " transpose_in0=" + std::to_string(transpose_a) + " transpose_in1=" + std::to_string(transpose_b);
}

size_t sum_length(const Problem& problem) {
  const std::vector<size_t>& a = problem.inputs[0].shape;
  return a[a.size() - (problem.integer("transpose_in0", 0) ? 2 : 1)];
}

size_t channel_axis(const Problem& problem) {
  return problem.inputs[1].shape.size() - (problem.integer("transpose_in1", 0) ? 2 : 1);
}

const Register kMatMul{{
    .op = "MatMul",
    .problems = {"in=1x1 in=1x1", "in=3x5 in=5x7 in=7", "in=1x64 in=64x33 in=33",
                 "in=2x3x4x40 in=40x8 transpose_in1=0", "in=4x40 in=2x1x8x40 in=8 transpose_in1=1",
                 "in=3x6x4 in=3x6x5 transpose_in0=1", "in=2x1x5x3 in=4x3x2 in=2",
                 "in=37x5 in=32x37 transpose_in0=1 transpose_in1=1"},
    .random_problem = random_matmul,
    .compute = matmul,
    .words = {"", "- static static", "- static:axis static:derived", "- static:bits4 static",
              "- static:axis:bits4 static:axis", "- static:block:bits4 static"},
    .sum_length = sum_length,
    .channel_axis = channel_axis,
    .bias_input = 2,
    .skip = skips_weights,
}};

}  // namespace
}  // namespace openqnn::oracle
