// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <cstdlib>

#include "oracle/oracle.h"

namespace openqnn::oracle {
namespace {

// Whether two indices are neighbours: equal but in the dimensions of the window, there at most `radius`
// apart.
bool near(const std::vector<size_t>& a, const std::vector<size_t>& b, size_t radius, bool within) {
  for (size_t i = 0; i < a.size(); ++i) {
    const bool windowed = within ? i == 1 || i == 2 : i + 1 == a.size();
    const size_t distance = a[i] > b[i] ? a[i] - b[i] : b[i] - a[i];
    if (distance > (windowed ? radius : 0)) return false;
  }
  return true;
}

std::vector<Tensor> lrn(const Problem& problem, const std::vector<Tensor>& inputs) {
  const Tensor& in = inputs[0];
  const auto as_float = [&](const char* name, double fallback) {
    return static_cast<double>(static_cast<float>(problem.number(name, fallback)));
  };
  Tensor out = in;
  for (size_t i = 0; i < in.values.size(); ++i) {
    const std::vector<size_t> here = index_of(in.shape, i);
    double squares = 0.0;
    for (size_t j = 0; j < in.values.size(); ++j)
      if (near(here, index_of(in.shape, j), problem.integer("radius", 0), problem.integer("region", 0) == 1))
        squares += in.values[j] * in.values[j];
    out.values[i] /=
        std::pow(as_float("bias", 1.0) + as_float("alpha", 1.0) * squares, as_float("beta", 0.5));
  }
  return {out};
}

const Register kLrn{{
    .op = "Lrn",
    .problems = {"in=1 radius=0", "in=33 radius=2", "in=3x7 radius=1 alpha=0.1 beta=0.75",
                 "in=2x3x5 radius=100 bias=2", "in=1x3x4x9 radius=2 alpha=0.0001 beta=0.75 bias=1",
                 "in=2x4x5x3 radius=1 region=1 alpha=0.3", "in=1x5x3x2 radius=7 region=1 beta=1"},
    .compute = lrn,
}};

}  // namespace
}  // namespace openqnn::oracle
