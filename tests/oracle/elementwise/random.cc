// SPDX-License-Identifier: BSD-3-Clause
// The counting generator, from its description.
#include <cmath>
#include <cstring>

#include "oracle/elementwise/family.h"

namespace openqnn::oracle {
namespace {

uint64_t split_mix(uint64_t z) {
  z ^= z >> 30;
  z *= 0xBF58476D1CE4E5B9ULL;
  z ^= z >> 27;
  z *= 0x94D049BB133111EBULL;
  z ^= z >> 31;
  return z;
}

// Cases call their node "n".
uint64_t key_of(const std::vector<Tensor>& inputs) {
  if (inputs.size() < 2 || inputs[1].values.empty())
    return (0xCBF29CE484222325ULL ^ static_cast<uint64_t>('n')) * 0x100000001B3ULL;
  uint64_t bits = 0;
  std::memcpy(&bits, inputs[1].values.data(), sizeof(bits));
  return split_mix(bits);
}

double draw(uint64_t key, uint64_t n) {
  return std::ldexp(static_cast<double>(split_mix(key + (n + 1) * 0x9E3779B97F4A7C15ULL) / 2048), -53);
}

double uniform_element(const Problem& problem, uint64_t key, uint64_t i) {
  const double low = setting(problem, "low", 0.0);
  return low + (setting(problem, "high", 1.0) - low) * draw(key, i);
}

double normal_element(const Problem& problem, uint64_t key, uint64_t i) {
  const double radius = std::sqrt(-2.0 * std::log1p(-draw(key, 2 * i)));
  const double angle = 2.0 * std::acos(-1.0) * draw(key, 2 * i + 1);
  return setting(problem, "mean", 0.0) + setting(problem, "scale", 1.0) * radius * std::cos(angle);
}

// `dims` is no parameter of the ops: it tells the oracle what input 0 holds.
Oracle random_oracle(std::string op, std::vector<std::string> problems,
                     double (*element)(const Problem&, uint64_t, uint64_t)) {
  Oracle oracle;
  oracle.op = std::move(op);
  oracle.problems = std::move(problems);
  oracle.fill = [](const Problem& problem, size_t input, Tensor& values, Random& random) {
    if (input == 0)
      values.values = problem.params.at("dims");
    else
      values.values = {std::floor(uniform(random, 0.0, 1000.0))};
    return true;
  };
  oracle.compute = [element](const Problem& problem, const std::vector<Tensor>& inputs) {
    Tensor out;
    for (const double dim : problem.params.at("dims")) out.shape.push_back(static_cast<size_t>(dim));
    for (size_t i = 0; i < count(out.shape); ++i) out.values.push_back(element(problem, key_of(inputs), i));
    return std::vector<Tensor>{out};
  };
  return oracle;
}

const Register kUniform{random_oracle(
    "RandomUniformLike",
    {"in=1 in=1 dims=37", "in=2 in=1 dims=3,5 low=-1 high=2", "in=3 in=none dims=2,3,4 low=10 high=10",
     "in=4 dims=1,2,3,9", "in=5 in=1 dims=2,1,3,2,5 low=-0.5 high=0.5"},
    uniform_element)};
const Register kNormal{random_oracle(
    "RandomNormalLike",
    {"in=1 in=1 dims=37", "in=2 in=1 dims=3,5 mean=1 scale=2", "in=3 in=none dims=2,3,4 mean=-3 scale=0",
     "in=4 dims=1,2,3,9", "in=5 in=1 dims=2,1,3,2,5 scale=0.1"},
    normal_element)};

}  // namespace
}  // namespace openqnn::oracle
