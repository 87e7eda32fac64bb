// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "oracle/oracle.h"

namespace openqnn::oracle {
namespace {

std::vector<size_t> padded(const std::vector<size_t>& shape, size_t rank) {
  std::vector<size_t> result(rank - shape.size(), 1);
  result.insert(result.end(), shape.begin(), shape.end());
  return result;
}

Tensor add(const Problem&, const std::vector<Tensor>& inputs) {
  const size_t rank = std::max(inputs[0].shape.size(), inputs[1].shape.size());
  const std::vector<size_t> shapes[2] = {padded(inputs[0].shape, rank), padded(inputs[1].shape, rank)};
  Tensor out;
  for (size_t i = 0; i < rank; ++i) out.shape.push_back(std::max(shapes[0][i], shapes[1][i]));
  out.values.assign(count(out.shape), 0.0);
  for (size_t at = 0; at < out.values.size(); ++at) {
    for (size_t input = 0; input < 2; ++input) {
      // Peels coordinates off the end, with the stride each has in the input.
      size_t rest = at;
      size_t stride = 1;
      size_t position = 0;
      for (size_t i = rank; i-- > 0;) {
        const size_t coordinate = rest % out.shape[i];
        rest /= out.shape[i];
        if (shapes[input][i] > 1) position += coordinate * stride;
        stride *= shapes[input][i];
      }
      out.values[at] += inputs[input].values[position];
    }
  }
  return out;
}

std::string random_add(Random& random) {
  std::vector<size_t> a(pick(random, 1, 5));
  for (size_t& dim : a) dim = pick(random, 1, 5);
  std::vector<size_t> b(a.end() - static_cast<long>(pick(random, 1, a.size())), a.end());
  for (size_t& dim : b)
    if (pick(random, 0, 2) == 0) dim = 1;
  if (pick(random, 0, 1)) std::swap(a, b);
  return "in=" + shape_text(a) + " in=" + shape_text(b);
}

const Register kAdd{{
    .op = "ElementWiseAdd",
    .variants = {"f16 f16", "ufx8 ufx8", "ufx8 ufx8:static"},
    .problems = {"in=1 in=1", "in=7 in=7", "in=1x8x8x32 in=1x8x8x32", "in=1x8x8x32 in=32",
                 "in=1x8x8x32 in=1x1x1x32", "in=32 in=2x3x32", "in=4x1x5 in=1x6x1", "in=2x3x4x5x6 in=1"},
    .random_problem = random_add,
    .compute = add,
    .sum_length = {},
    .channel_axis = {},
}};

}  // namespace
}  // namespace openqnn::oracle
