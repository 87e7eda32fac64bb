// SPDX-License-Identifier: BSD-3-Clause
// StridedSlice and Pad.
#include "oracle/movement/tensors.h"
#include "oracle/oracle.h"

namespace openqnn::oracle {
namespace {

// Keeps, along one axis, the entries listed, in that order.
Tensor take(const Tensor& from, size_t axis, const std::vector<size_t>& entries) {
  Tensor out{from.shape, {}};
  out.shape[axis] = entries.size();
  for (size_t i = 0; i < count(out.shape); ++i) {
    std::vector<size_t> index = index_of(out.shape, i);
    index[axis] = entries[index[axis]];
    out.values.push_back(from.values[offset_of(from.shape, index)]);
  }
  return out;
}

// The entries that a loop from begin to end visits; the first one at least.
std::vector<size_t> visited(long begin, long end, long stride) {
  std::vector<size_t> entries = {static_cast<size_t>(begin)};
  for (long at = begin + stride; stride > 0 ? at < end : at > end; at += stride)
    entries.push_back(static_cast<size_t>(at));
  return entries;
}

std::vector<Tensor> strided_slice(const Problem& problem, const std::vector<Tensor>& inputs) {
  const auto has_bit = [&](const char* mask, size_t dim) { return problem.integer(mask, 0) >> dim & 1; };
  Tensor tensor = inputs[0];
  const size_t rows = problem.params.at("ranges").size() / 3;
  for (size_t dim = 0; dim < rows; ++dim)
    if (has_bit("new_axes_mask", dim))
      tensor.shape.insert(tensor.shape.begin() + static_cast<std::ptrdiff_t>(dim), 1);
  std::vector<size_t> shape;
  for (size_t dim = 0; dim < rows; ++dim) {
    if (has_bit("new_axes_mask", dim)) {
      shape.push_back(1);
      continue;
    }
    const auto size = static_cast<long>(tensor.shape[dim]);
    const long stride = static_cast<long>(problem.number("ranges", 0, dim * 3 + 2));
    long begin = static_cast<long>(problem.number("ranges", 0, dim * 3));
    long end = static_cast<long>(problem.number("ranges", 0, dim * 3 + 1));
    if (has_bit("begin_mask", dim)) begin = stride > 0 ? 0 : size - 1;
    if (has_bit("end_mask", dim)) end = stride > 0 ? size : -1;
    if (has_bit("shrink_axes", dim)) {
      tensor = take(tensor, dim, {static_cast<size_t>(begin)});
    } else {
      tensor = take(tensor, dim, visited(begin, end, stride));
      shape.push_back(tensor.shape[dim]);
    }
  }
  if (shape.empty()) shape = {1};
  return {reshaped(tensor, shape)};
}

std::string random_slice(Random& random) {
  const std::vector<size_t> shape = random_shape(random, pick(random, 1, 5), 6);
  std::vector<long> ranges;
  for (const size_t dim : shape) {
    const long begin = static_cast<long>(pick(random, 0, dim - 1));
    const long stride = static_cast<long>(pick(random, 1, 3));
    if (random() % 2)
      ranges.insert(ranges.end(),
                    {begin, static_cast<long>(pick(random, static_cast<size_t>(begin), dim)), stride});
    else
      ranges.insert(ranges.end(),
                    {begin, static_cast<long>(pick(random, 0, static_cast<size_t>(begin) + 1)) - 1, -stride});
  }
  const size_t masks = (size_t{1} << shape.size()) - 1;
  return "in=" + shape_text(shape) + " ranges=" + joined(ranges) +
         " begin_mask=" + std::to_string(random() & masks & random()) +
         " end_mask=" + std::to_string(random() & masks & random()) +
         " shrink_axes=" + std::to_string(random() & masks & random());
}

const Register kStridedSlice{{
    .op = "StridedSlice",
    .problems = {"in=7 ranges=1,6,2", "in=7 ranges=6,-1,-1", "in=5x8 ranges=0,5,1,7,1,-3",
                 "in=3x5x7 ranges=9,9,1,1,4,1,0,0,-2 begin_mask=5 end_mask=5",
                 "in=4x5x6 ranges=1,0,0,0,5,2,3,0,0 shrink_axes=5",
                 "in=4x6 ranges=7,7,7,1,4,1,7,7,0,2,3,1 new_axes_mask=5 shrink_axes=9",
                 "in=1x9x9x5 ranges=0,1,1,1,9,3,8,0,-4,0,5,1",
                 "in=2x3x4x3x2 ranges=0,2,1,2,-1,-1,0,4,2,0,3,1,1,2,1",
                 "in=3x3 ranges=2,9,0,1,9,0 shrink_axes=3", "in=6x2 ranges=3,3,1,0,2,1"},
    .random_problem = random_slice,
    .compute = strided_slice,
    .output_encoding = OutputEncoding::kBoth,
}};

// The entry of the input that each position of a padded axis shows; SIZE_MAX for the constant. Grown outwards
// from the border, one by one.
std::vector<size_t> shown(size_t size, size_t before, size_t after, size_t scheme) {
  std::vector<size_t> entries;
  for (size_t i = 0; i < size; ++i) entries.push_back(i);
  const size_t skip = scheme == 2 ? 1 : 0;
  for (size_t i = 0; i < before; ++i)
    entries.insert(entries.begin(), scheme == 0 ? SIZE_MAX : scheme == 3 ? 0 : i + skip);
  for (size_t i = 0; i < after; ++i)
    entries.push_back(scheme == 0 ? SIZE_MAX : scheme == 3 ? size - 1 : size - 1 - i - skip);
  return entries;
}

std::vector<Tensor> pad(const Problem& problem, const std::vector<Tensor>& inputs) {
  const size_t scheme = problem.integer("scheme", 0);
  const std::vector<size_t> amounts = sizes(problem, "pad_amount");
  Tensor tensor = inputs[0];
  for (size_t axis = 0; axis < tensor.shape.size(); ++axis) {
    const std::vector<size_t> entries =
        shown(tensor.shape[axis], amounts[2 * axis], amounts[2 * axis + 1], scheme);
    Tensor out{tensor.shape, {}};
    out.shape[axis] = entries.size();
    for (size_t i = 0; i < count(out.shape); ++i) {
      std::vector<size_t> index = index_of(out.shape, i);
      index[axis] = entries[index[axis]];
      out.values.push_back(index[axis] == SIZE_MAX ? problem.number("pad_constant_value", 0.0)
                                                   : tensor.values[offset_of(tensor.shape, index)]);
    }
    tensor = out;
  }
  return {tensor};
}

std::string random_pad(Random& random) {
  const std::vector<size_t> shape = random_shape(random, pick(random, 1, 4), 4);
  const size_t scheme = pick(random, 0, 3);
  std::vector<size_t> amounts;
  for (const size_t dim : shape)
    for (int side = 0; side < 2; ++side)
      amounts.push_back(pick(random, 0, scheme == 1 ? dim : scheme == 2 ? dim - 1 : 3));
  return "in=" + shape_text(shape) + " scheme=" + std::to_string(scheme) + " pad_amount=" + joined(amounts) +
         " pad_constant_value=1.5";
}

const Register kPad{{
    .op = "Pad",
    .problems = {"in=1 scheme=0 pad_amount=0,0", "in=7 scheme=0 pad_amount=2,3 pad_constant_value=-0.5",
                 "in=3x5 scheme=1 pad_amount=3,1,0,5", "in=3x5 scheme=2 pad_amount=2,1,4,0",
                 "in=2x3x4 scheme=3 pad_amount=0,4,3,0,7,2", "in=1x5x5x3 scheme=0 pad_amount=0,0,1,2,2,1,0,0",
                 "in=1x4x3x5 scheme=2 pad_amount=0,0,1,2,2,1,0,4",
                 "in=2x1x3x2x2 scheme=0 pad_amount=1,0,0,1,0,0,2,0,1,1 pad_constant_value=0.25",
                 "in=1x2x3x2x2 scheme=3 pad_amount=1,0,0,1,0,0,2,0,1,1"},
    .random_problem = random_pad,
    .compute = pad,
    .output_encoding = OutputEncoding::kBoth,
    // A real value does not fit a tensor of integers.
    .skip =
        [](const Problem& problem) {
          const double fill = problem.number("pad_constant_value", 0.0);
          return problem.inputs[0].type == "i32" && fill != static_cast<double>(static_cast<long>(fill));
        },
}};

}  // namespace
}  // namespace openqnn::oracle
