// SPDX-License-Identifier: BSD-3-Clause
// Sparse tensors: places with coordinates and a slice each. Places outside the shape hold nothing, and of
// several with the same coordinates the last counts.
#include "oracle/movement/tensors.h"
#include "oracle/oracle.h"

namespace openqnn::oracle {
namespace {

constexpr double kWrap = 4294967296.0;  // coordinates are 32 bits, however they are read

// A sparse tensor, taken apart.
struct Sparse {
  size_t slots;
  size_t dims;
  std::vector<size_t> shape;
  size_t slice = 1;

  Sparse(const Problem& problem, std::vector<size_t> dense)
      : slots(problem.integer("slots", 0)), dims(problem.integer("dims", 0)), shape(std::move(dense)) {
    for (size_t i = dims; i < shape.size(); ++i) slice *= shape[i];
  }
  std::vector<size_t> values_shape() const {
    std::vector<size_t> result = {slots};
    result.insert(result.end(), shape.begin() + static_cast<ptrdiff_t>(dims), shape.end());
    return result;
  }
};

std::vector<Tensor> create_sparse(const Problem& problem, const std::vector<Tensor>& inputs) {
  const Sparse y(problem, sizes(problem, "to"));
  Tensor out{y.shape, {}};
  for (const double index : inputs[0].values) out.values.push_back(index < 0 ? index + kWrap : index);
  out.values.resize(y.slots * y.dims, kWrap - 1);
  out.values.insert(out.values.end(), inputs[1].values.begin(), inputs[1].values.end());
  out.values.resize(y.slots * (y.dims + y.slice), 0.0);
  return {out};
}

const Register kCreateSparse{{
    .op = "CreateSparse",
    .problems = {"in=1x1 in=1 to=7 slots=1 dims=1", "in=3x1 in=3x5 to=4,5 slots=3 dims=1",
                 "in=5x2 in=5 to=3,7 slots=5 dims=2", "in=2x2 in=2x3 to=4,5,3 slots=6 dims=2",
                 "in=4x4 in=4x3 to=2,3,2,4,3 slots=9 dims=4", "in=3x5 in=3 to=2,3,2,4,3 slots=3 dims=5"},
    .compute = create_sparse,
    .fill =
        [](const Problem& problem, size_t input, Tensor& values, Random& random) {
          if (input != 0) return false;
          const std::vector<size_t> shape = sizes(problem, "to");
          for (size_t i = 0; i < values.values.size(); ++i)
            values.values[i] = random_index(random, problem.inputs[0].type, shape[i % values.shape[1]]);
          return true;
        },
}};

std::vector<Tensor> get_sparse_indices(const Problem& problem, const std::vector<Tensor>& inputs) {
  const Sparse x(problem, inputs[0].shape);
  Tensor out{{x.slots, x.dims}, {}};
  for (size_t i = 0; i < x.slots * x.dims; ++i) {
    const double index = inputs[0].values[i];
    const bool is_negative = problem.outputs.at(0) == "i32" && index >= kWrap / 2;
    out.values.push_back(is_negative ? index - kWrap : index);
  }
  return {out};
}

const std::vector<std::string> kSparseInputs = {"in=7 slots=1 dims=1",         "in=4x5 slots=3 dims=1",
                                                "in=3x7 slots=5 dims=2",       "in=4x5x3 slots=6 dims=2",
                                                "in=2x3x2x4x3 slots=9 dims=4", "in=1x8x8x33 slots=20 dims=3",
                                                "in=2x3x2x4x3 slots=33 dims=5"};

const Register kGetSparseIndices{
    {.op = "GetSparseIndices", .problems = kSparseInputs, .compute = get_sparse_indices}};

std::vector<Tensor> get_sparse_values(const Problem& problem, const std::vector<Tensor>& inputs) {
  const Sparse x(problem, inputs[0].shape);
  const auto first = inputs[0].values.begin() + static_cast<ptrdiff_t>(x.slots * x.dims);
  return {{x.values_shape(), {first, inputs[0].values.end()}}};
}

const Register kGetSparseValues{{.op = "GetSparseValues",
                                 .problems = kSparseInputs,
                                 .compute = get_sparse_values,
                                 .output_encoding = OutputEncoding::kBoth}};

std::vector<Tensor> sparse_to_dense(const Problem& problem, const std::vector<Tensor>& inputs) {
  const Sparse x(problem, inputs[0].shape);
  Tensor out{x.shape, std::vector<double>(count(x.shape), 0.0)};
  for (size_t slot = 0; slot < x.slots; ++slot) {
    size_t place = 0;
    bool inside = true;
    for (size_t i = 0; i < x.dims; ++i) {
      const double at = inputs[0].values[slot * x.dims + i];
      inside &= at < static_cast<double>(x.shape[i]);
      place = place * x.shape[i] + static_cast<size_t>(at);
    }
    for (size_t k = 0; inside && k < x.slice; ++k)
      out.values[place * x.slice + k] = inputs[0].values[x.slots * x.dims + slot * x.slice + k];
  }
  return {out};
}

const Register kSparseToDense{{.op = "SparseToDense",
                               .problems = kSparseInputs,
                               .compute = sparse_to_dense,
                               .output_encoding = OutputEncoding::kBoth}};

}  // namespace
}  // namespace openqnn::oracle
