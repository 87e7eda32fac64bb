// SPDX-License-Identifier: BSD-3-Clause
// Gather, GatherElements, GatherNd, BatchPermutation. Indices outside read 0.
#include "oracle/movement/tensors.h"
#include "oracle/oracle.h"

namespace openqnn::oracle {
namespace {

// As three nested loops: what lies before the axis, the indices, what lies behind.
std::vector<Tensor> gather(const Problem& problem, const std::vector<Tensor>& inputs) {
  const Tensor& table = inputs[0];
  const size_t axis = problem.integer("axis", 0);
  Tensor out;
  size_t before = 1;
  size_t behind = 1;
  for (size_t i = 0; i < axis; ++i) out.shape.push_back(table.shape[i]), before *= table.shape[i];
  out.shape.insert(out.shape.end(), inputs[1].shape.begin(), inputs[1].shape.end());
  for (size_t i = axis + 1; i < table.shape.size(); ++i)
    out.shape.push_back(table.shape[i]), behind *= table.shape[i];
  const size_t size = table.shape[axis];
  for (size_t i = 0; i < before; ++i)
    for (const double index : inputs[1].values)
      for (size_t k = 0; k < behind; ++k) {
        const size_t entry = entry_of(index, size);
        out.values.push_back(entry == size ? 0.0 : table.values[(i * size + entry) * behind + k]);
      }
  return {out};
}

bool fill_axis_indices(const Problem& problem, size_t input, Tensor& values, Random& random) {
  if (input != 1) return false;
  const size_t size = problem.inputs[0].shape[problem.integer("axis", 0)];
  for (double& value : values.values) value = random_index(random, problem.inputs[1].type, size);
  return true;
}

const Register kGather{{
    .op = "Gather",
    .problems = {"in=1 in=1 axis=0", "in=7 in=5 axis=0", "in=5x3 in=4 axis=0", "in=3x5 in=2x3 axis=1",
                 "in=2x6x5 in=7 axis=1", "in=2x3x4 in=2x1x2 axis=2", "in=1x3x5x7 in=3 axis=3",
                 "in=2x3x2x3x2 in=3 axis=2"},
    .compute = gather,
    .fill = fill_axis_indices,
    .output_encoding = OutputEncoding::kBoth,
}};

std::vector<Tensor> gather_elements(const Problem& problem, const std::vector<Tensor>& inputs) {
  const size_t axis = problem.integer("axis", 0);
  Tensor out = inputs[1];
  for (size_t i = 0; i < out.values.size(); ++i) {
    std::vector<size_t> index = index_of(out.shape, i);
    index[axis] = entry_of(inputs[1].values[i], inputs[0].shape[axis]);
    const bool inside = index[axis] < inputs[0].shape[axis];
    out.values[i] = inside ? inputs[0].values[offset_of(inputs[0].shape, index)] : 0.0;
  }
  return {out};
}

const Register kGatherElements{{
    .op = "GatherElements",
    .problems = {"in=5 in=9", "in=3x5 in=7x5 axis=0", "in=3x5 in=2x4 axis=1", "in=2x3x4 in=2x6x3 axis=1",
                 "in=1x3x5x7 in=1x3x5x2 axis=3", "in=2x4x3x2 in=1x4x5x2 axis=2",
                 "in=2x1x3x2x4 in=2x1x5x1x3 axis=2"},
    .compute = gather_elements,
    .fill = fill_axis_indices,
    .output_encoding = OutputEncoding::kBoth,
}};

// Batch by batch, tuple by tuple: each names a slice, which is appended.
std::vector<Tensor> gather_nd(const Problem& problem, const std::vector<Tensor>& inputs) {
  const std::vector<size_t>& in = inputs[0].shape;
  const std::vector<size_t>& indices = inputs[1].shape;
  const size_t batch_dims = problem.integer("batch_dims", 0);
  const size_t tuple = indices.back();
  Tensor out;
  out.shape.assign(indices.begin(), indices.end() - 1);
  size_t slice = 1;
  for (size_t i = batch_dims + tuple; i < in.size(); ++i) out.shape.push_back(in[i]), slice *= in[i];
  if (out.shape.empty()) out.shape = {1};
  size_t batches = 1;
  for (size_t i = 0; i < batch_dims; ++i) batches *= in[i];
  const size_t tuples = count(indices) / tuple;
  const double* next = inputs[1].values.data();
  for (size_t t = 0; t < tuples; ++t) {
    size_t at = t / (tuples / batches);
    bool inside = true;
    for (size_t i = 0; i < tuple; ++i) {
      const size_t size = in[batch_dims + i];
      const size_t entry = entry_of(*next++, size);
      inside &= entry < size;
      at = at * size + entry;
    }
    for (size_t k = 0; k < slice; ++k) out.values.push_back(inside ? inputs[0].values[at * slice + k] : 0.0);
  }
  return {out};
}

const Register kGatherNd{{
    .op = "GatherNd",
    .problems = {"in=7 in=1", "in=3x5 in=4x2", "in=3x5 in=4x1", "in=2x3x4 in=5x3",
                 "in=2x3x4 in=2x5x1 batch_dims=1", "in=2x3x5x3 in=2x2 ", "in=2x3x4x5 in=2x3x2x1 batch_dims=2",
                 "in=2x3x2x3x2 in=3x1x2"},
    .compute = gather_nd,
    .fill =
        [](const Problem& problem, size_t input, Tensor& values, Random& random) {
          if (input != 1) return false;
          const size_t tuple = values.shape.back();
          for (size_t i = 0; i < values.values.size(); ++i)
            values.values[i] =
                random_index(random, problem.inputs[1].type,
                             problem.inputs[0].shape[problem.integer("batch_dims", 0) + i % tuple]);
          return true;
        },
    .output_encoding = OutputEncoding::kBoth,
}};

std::vector<Tensor> permute(const Problem&, const std::vector<Tensor>& inputs) {
  Tensor out{inputs[0].shape, {}};
  out.shape[0] = inputs[1].values.size();
  const size_t run = inputs[0].values.size() / inputs[0].shape[0];
  for (const double index : inputs[1].values) {
    if (index < 0 || index >= static_cast<double>(inputs[0].shape[0])) continue;
    const auto start =
        inputs[0].values.begin() + static_cast<std::ptrdiff_t>(static_cast<size_t>(index) * run);
    out.values.insert(out.values.end(), start, start + static_cast<std::ptrdiff_t>(run));
  }
  out.values.resize(count(out.shape), 0.0);
  return {out};
}

const Register kBatchPermutation{{
    .op = "BatchPermutation",
    .problems = {"in=5 in=5", "in=4x3 in=3", "in=3x5x2 in=3", "in=6x2x3x2 in=4", "in=7x3x1x2x2 in=7"},
    .compute = permute,
    // Some out of range; the definition wants the others to differ.
    .fill =
        [](const Problem& problem, size_t input, Tensor& values, Random& random) {
          if (input != 1) return false;
          const std::vector<size_t> order = random_order(random, problem.inputs[0].shape[0]);
          for (size_t i = 0; i < values.values.size(); ++i)
            values.values[i] = pick(random, 0, 3) ? static_cast<double>(order[i]) : 100.0;
          if (problem.inputs[1].type == "i32") values.values[0] = -1.0;
          return true;
        },
    .output_encoding = OutputEncoding::kBoth,
}};

}  // namespace
}  // namespace openqnn::oracle
