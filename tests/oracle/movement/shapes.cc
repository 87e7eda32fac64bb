// SPDX-License-Identifier: BSD-3-Clause
// Reshape, ExpandDims, Squeeze, Transpose, Tile, ChannelShuffle. A word `to` beside the parameters is the
// output's shape where the op reads it there.
#include "oracle/movement/tensors.h"
#include "oracle/oracle.h"

namespace openqnn::oracle {
namespace {

std::vector<Tensor> to_shape_given(const Problem& problem, const std::vector<Tensor>& inputs) {
  return {reshaped(inputs[0], sizes(problem, "to"))};
}

std::string random_reshape(Random& random) {
  std::vector<size_t> from = random_shape(random, pick(random, 1, 4), 6);
  std::vector<size_t> to = from;
  for (int i = 0; i < 3; ++i) {  // merge neighbours, or put a 1 between
    const size_t at = pick(random, 0, to.size() - 1);
    if (at + 1 < to.size() && random() % 2) {
      to[at] *= to[at + 1];
      to.erase(to.begin() + static_cast<std::ptrdiff_t>(at) + 1);
    } else if (to.size() < 5) {
      to.insert(to.begin() + static_cast<std::ptrdiff_t>(at), 1);
    }
  }
  return "in=" + shape_text(from) + " to=" + joined(to);
}

const Register kReshape{{
    .op = "Reshape",
    .problems = {"in=1 to=1,1", "in=2x12 to=3,8", "in=3x5x7 to=105", "in=2x3x4x5 in=3 to=4,6,5",
                 "in=60 to=2,1,3,1,10", "in=2x1x3x2x5 in=2 to=5,12", "in=3x3x5 to=3,5,3",
                 "in=2x2x3x2x2 to=2,2,3,4"},
    .random_problem = random_reshape,
    .compute = to_shape_given,
    .output_encoding = OutputEncoding::kBoth,
}};

// One position after another: what was given counts in the final shape.
std::vector<Tensor> expand(const Problem& problem, const std::vector<Tensor>& inputs) {
  const std::vector<size_t> added = sizes(problem, problem.has("axes") ? "axes" : "axis");
  std::vector<size_t> shape(inputs[0].shape.size() + added.size(), 0);
  for (const size_t axis : added) shape[axis] = 1;
  size_t next = 0;
  for (size_t& dim : shape)
    if (dim == 0) dim = inputs[0].shape[next++];
  return {reshaped(inputs[0], shape)};
}

const Register kExpandDims{{
    .op = "ExpandDims",
    .problems = {"in=1 axis=0", "in=7 axis=1", "in=3x5 axis=1", "in=2x3x4 axis=0", "in=2x3x4x5 axis=4",
                 "in=3x5 axis=0 axes=0,2,4", "in=5x3x2 axis=9 axes=3,1"},
    .compute = expand,
    .output_encoding = OutputEncoding::kBoth,
}};

const Register kSqueeze{{
    .op = "Squeeze",
    .problems = {"in=1x1 to=1", "in=1x7 to=7", "in=3x1x5 to=3,5", "in=2x1x3x1x4 to=2,3,1,4",
                 "in=2x1x3x1x4 axes=3 to=2,1,3,4", "in=1x5x1x1 axes=0,3 to=5,1", "in=1x1x1 axes=0,1,2 to=1",
                 "in=3x5 to=3,5"},
    .compute = to_shape_given,
    .output_encoding = OutputEncoding::kBoth,
}};

std::string random_transpose(Random& random) {
  const size_t rank = pick(random, 1, 5);
  return "in=" + shape_text(random_shape(random, rank, 5)) + " perm=" + joined(random_order(random, rank));
}

const Register kTranspose{{
    .op = "Transpose",
    .problems = {"in=7 perm=0", "in=3x5 perm=1,0", "in=2x3x4 perm=2,0,1", "in=1x3x5x7 perm=0,3,1,2",
                 "in=2x4x3x5 perm=3,1,0,2", "in=2x3x1x4x5 perm=4,2,0,3,1"},
    .random_problem = random_transpose,
    .compute =
        [](const Problem& problem, const std::vector<Tensor>& inputs) {
          return std::vector<Tensor>{transposed(inputs[0], sizes(problem, "perm"))};
        },
    .output_encoding = OutputEncoding::kBoth,
}};

// Axis by axis: the rows behind it, written again and again.
std::vector<Tensor> tile(const Problem& problem, const std::vector<Tensor>& inputs) {
  Tensor tensor = inputs[0];
  const std::vector<size_t> multiples = sizes(problem, "multiples");
  for (size_t axis = 0; axis < multiples.size(); ++axis) {
    size_t run = 1;
    for (size_t i = axis; i < tensor.shape.size(); ++i) run *= tensor.shape[i];
    std::vector<double> longer;
    for (size_t start = 0; start < tensor.values.size(); start += run)
      for (size_t i = 0; i < multiples[axis]; ++i)
        for (size_t k = 0; k < run; ++k) longer.push_back(tensor.values[start + k]);
    tensor.values = longer;
    tensor.shape[axis] *= multiples[axis];
  }
  return {tensor};
}

const Register kTile{{
    .op = "Tile",
    .problems = {"in=1 multiples=1", "in=7 multiples=3", "in=3x5 multiples=2,1", "in=2x3x4 multiples=1,3,2",
                 "in=1x2x1x5 multiples=2,1,4,3", "in=2x3x2x2 multiples=2,2,2,2"},
    .compute = tile,
    .output_encoding = OutputEncoding::kBoth,
}};

// Reshape the channels to [groups, rest], swap the two, flatten.
std::vector<Tensor> shuffle(const Problem& problem, const std::vector<Tensor>& inputs) {
  const std::vector<size_t>& shape = inputs[0].shape;
  const size_t axis = problem.integer("axis", shape.size() - 1);
  const size_t groups = problem.integer("num_groups", 1);
  std::vector<size_t> split = shape;
  split[axis] = groups;
  split.insert(split.begin() + static_cast<std::ptrdiff_t>(axis) + 1, shape[axis] / groups);
  std::vector<size_t> order(split.size());
  std::iota(order.begin(), order.end(), 0);
  std::swap(order[axis], order[axis + 1]);
  return {reshaped(transposed(reshaped(inputs[0], split), order), shape)};
}

const Register kChannelShuffle{{
    .op = "ChannelShuffle",
    .problems = {"in=6 num_groups=3", "in=5x8 num_groups=4", "in=12x3 num_groups=2 axis=0",
                 "in=1x3x5x15 num_groups=5", "in=2x9x2x4 num_groups=3 axis=1", "in=2x3x7 num_groups=7",
                 "in=2x3x7 num_groups=1"},
    .compute = shuffle,
    .output_encoding = OutputEncoding::kBoth,
}};

}  // namespace
}  // namespace openqnn::oracle
