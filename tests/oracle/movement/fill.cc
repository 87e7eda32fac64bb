// SPDX-License-Identifier: BSD-3-Clause
// OneHot, ConstantOfShape, Shape, NonZero. A word beside the parameters says what the output's shape decides:
// `to`, or `rows`.
#include "oracle/movement/tensors.h"
#include "oracle/oracle.h"

namespace openqnn::oracle {
namespace {

// All off, then one on per index.
std::vector<Tensor> one_hot(const Problem& problem, const std::vector<Tensor>& inputs) {
  const size_t depth = problem.integer("depth", 1);
  const size_t axis = problem.integer("axis", inputs[0].shape.size());
  Tensor out{inputs[0].shape, {}};
  out.shape.insert(out.shape.begin() + static_cast<std::ptrdiff_t>(axis), depth);
  out.values.assign(count(out.shape), problem.number("off_value", 0.0));
  for (size_t i = 0; i < inputs[0].values.size(); ++i) {
    const size_t entry = entry_of(inputs[0].values[i], depth);
    if (entry == depth) continue;
    std::vector<size_t> index = index_of(inputs[0].shape, i);
    index.insert(index.begin() + static_cast<std::ptrdiff_t>(axis), entry);
    out.values[offset_of(out.shape, index)] = problem.number("on_value", 1.0);
  }
  return {out};
}

const Register kOneHot{{
    .op = "OneHot",
    .problems = {"in=1 depth=1", "in=7 depth=5", "in=5 depth=3 axis=0 on_value=4 off_value=2",
                 "in=3x5 depth=6 axis=1", "in=3x5 depth=7 axis=2 on_value=3", "in=2x4 depth=3 axis=0"},
    .compute = one_hot,
    .fill =
        [](const Problem& problem, size_t, Tensor& values, Random& random) {
          for (double& value : values.values)
            value = random_index(random, problem.inputs[0].type, problem.integer("depth", 1));
          return true;
        },
}};

const Register kConstantOfShape{{
    .op = "ConstantOfShape",
    .problems = {"in=1 value=1 to=1", "in=1 value=7 to=7", "in=2 value=0 to=3,5", "in=3 value=2 to=2,3,5",
                 "in=4 value=1 to=1,3,5,7", "in=5 value=9 to=2,1,3,2,2"},
    .compute =
        [](const Problem& problem, const std::vector<Tensor>&) {
          double value = problem.number("value", 0.0);
          if (problem.outputs.at(0) == "bool8") value = value != 0.0 ? 1.0 : 0.0;
          const std::vector<size_t> shape = sizes(problem, "to");
          return std::vector<Tensor>{{shape, std::vector<double>(count(shape), value)}};
        },
    .fill =
        [](const Problem& problem, size_t, Tensor& values, Random&) {
          for (size_t i = 0; i < values.values.size(); ++i) values.values[i] = problem.number("to", 1, i);
          return true;
        },
}};

const Register kShape{{
    .op = "Shape",
    .problems = {"in=1", "in=7", "in=3x5 start=1", "in=2x3x4 end=2", "in=1x3x5x7",
                 "in=2x3x2x3x2 start=1 end=4"},
    .compute =
        [](const Problem& problem, const std::vector<Tensor>& inputs) {
          const std::vector<size_t>& shape = inputs[0].shape;
          Tensor out;
          for (size_t i = problem.integer("start", 0); i < problem.integer("end", shape.size()); ++i)
            out.values.push_back(static_cast<double>(shape[i]));
          out.shape = {out.values.size()};
          return std::vector<Tensor>{out};
        },
}};

std::vector<Tensor> non_zero(const Problem& problem, const std::vector<Tensor>& inputs) {
  const Tensor& in = inputs[0];
  const size_t rank = in.shape.size();
  const double nothing = problem.outputs.at(0) == "u32" ? 4294967295.0 : -1.0;
  Tensor out{{problem.integer("rows", count(in.shape)), rank}, {}};
  for (size_t i = 0; i < in.values.size(); ++i)
    if (in.values[i] != 0.0)
      for (const size_t at : index_of(in.shape, i)) out.values.push_back(static_cast<double>(at));
  out.values.resize(count(out.shape), nothing);
  return {out};
}

const Register kNonZero{{
    .op = "NonZero",
    .problems = {"in=1", "in=9", "in=3x5", "in=4x6 rows=3", "in=2x3x5 rows=20", "in=2x3x2x5",
                 "in=1x3x5x7 rows=50"},
    .compute = non_zero,
    .fill =
        [](const Problem& problem, size_t, Tensor& values, Random& random) {
          for (double& value : values.values)
            value = pick(random, 0, 2) == 0             ? 0.0
                    : problem.inputs[0].type == "bool8" ? 1.0
                                                        : uniform(random, -2, 2);
          return true;
        },
}};

}  // namespace
}  // namespace openqnn::oracle
