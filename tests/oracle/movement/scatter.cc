// SPDX-License-Identifier: BSD-3-Clause
// ScatterElements and ScatterNd: the updates, one after another, into a copy. Indices outside are dropped.
#include <algorithm>
#include <cmath>

#include "oracle/movement/tensors.h"
#include "oracle/oracle.h"

namespace openqnn::oracle {
namespace {

void put(const Problem& problem, double& at, double update) {
  switch (problem.integer("reduction", 0)) {
    case 0:
      at = update;
      break;
    case 1:
      at += update;
      break;
    case 2:
      at *= update;
      break;
    default:
      at = std::isnan(at) || std::isnan(update) ? NAN : std::max(at, update);
  }
}

// What a plain type can hold of a result.
std::vector<Tensor> stored(const Problem& problem, Tensor out) {
  const std::string& type = problem.outputs.at(0);
  for (double& value : out.values) {
    if (type == "bool8") value = value != 0.0 ? 1.0 : 0.0;
    if (type == "u8") value = std::clamp(value, 0.0, 255.0);
    if (type == "u16") value = std::clamp(value, 0.0, 65535.0);
    if (type == "u32") value = std::clamp(value, 0.0, 4294967295.0);
    if (type == "i32") value = std::clamp(value, -2147483648.0, 2147483647.0);
  }
  return {out};
}

std::vector<Tensor> scatter_elements(const Problem& problem, const std::vector<Tensor>& inputs) {
  const size_t axis = problem.integer("axis", 0);
  Tensor out = inputs[0];
  for (size_t i = 0; i < inputs[1].values.size(); ++i) {
    std::vector<size_t> index = index_of(inputs[1].shape, i);
    index[axis] = entry_of(inputs[1].values[i], out.shape[axis]);
    if (index[axis] < out.shape[axis])
      put(problem, out.values[offset_of(out.shape, index)], inputs[2].values[i]);
  }
  return stored(problem, out);
}

const Register kScatterElements{{
    .op = "ScatterElements",
    .problems = {"in=7 in=5 in=5", "in=5x3 in=4x3 in=4x3 reduction=1",
                 "in=3x5 in=2x9 in=2x9 axis=1 reduction=2", "in=3x5 in=3x7 in=3x7 axis=1 reduction=3",
                 "in=2x3x4 in=2x2x3 in=2x2x3 axis=2", "in=2x3x4x5 in=1x3x4x6 in=1x3x4x6 axis=3 reduction=1",
                 "in=2x3x3x2 in=2x9x3x2 in=2x9x3x2 axis=1 reduction=2"},
    .compute = scatter_elements,
    .fill =
        [](const Problem& problem, size_t input, Tensor& values, Random& random) {
          if (input != 1) return false;
          const size_t size = problem.inputs[0].shape[problem.integer("axis", 0)];
          for (double& value : values.values) value = random_index(random, problem.inputs[1].type, size);
          return true;
        },
    .output_encoding = OutputEncoding::kBoth,
}};

std::vector<Tensor> scatter_nd(const Problem& problem, const std::vector<Tensor>& inputs) {
  Tensor out = inputs[0];
  const size_t tuple = inputs[1].shape.back();
  size_t slice = 1;
  for (size_t i = tuple; i < out.shape.size(); ++i) slice *= out.shape[i];
  for (size_t t = 0; t < inputs[1].values.size() / tuple; ++t) {
    size_t at = 0;
    bool inside = true;
    for (size_t i = 0; i < tuple; ++i) {
      const size_t entry = entry_of(inputs[1].values[t * tuple + i], out.shape[i]);
      inside &= entry < out.shape[i];
      at = at * out.shape[i] + entry;
    }
    for (size_t k = 0; inside && k < slice; ++k)
      put(problem, out.values[at * slice + k], inputs[2].values[t * slice + k]);
  }
  return stored(problem, out);
}

const Register kScatterNd{{
    .op = "ScatterNd",
    .problems = {"in=7 in=1 in=1", "in=7 in=5x1 in=5 reduction=1", "in=3x5 in=9x2 in=9 reduction=2",
                 "in=3x5 in=2x1 in=2x5", "in=2x3x4 in=2x3x2 in=2x3x4 reduction=1",
                 "in=4x3x1x5 in=3x1 in=3x3x1x5", "in=2x3x2x3x2 in=1x2x1x3x3x5 in=1x2x1x3x3 reduction=1",
                 "in=2x3x2x3x2 in=2x2x3 in=2x2x3x2"},
    .compute = scatter_nd,
    .fill =
        [](const Problem& problem, size_t input, Tensor& values, Random& random) {
          if (input != 1) return false;
          const size_t tuple = values.shape.back();
          for (size_t i = 0; i < values.values.size(); ++i)
            values.values[i] =
                random_index(random, problem.inputs[1].type, problem.inputs[0].shape[i % tuple]);
          return true;
        },
    .output_encoding = OutputEncoding::kBoth,
}};

}  // namespace
}  // namespace openqnn::oracle
