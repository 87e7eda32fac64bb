// SPDX-License-Identifier: BSD-3-Clause
// The few steps that definitions of data movement are written in, on the oracle's tensors.
#pragma once

#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "oracle/oracle.h"

namespace openqnn::oracle {

inline Tensor reshaped(const Tensor& from, std::vector<size_t> shape) {
  return {std::move(shape), from.values};
}

// Dimension i of the result is dimension order[i] of the tensor.
inline Tensor transposed(const Tensor& from, const std::vector<size_t>& order) {
  Tensor to;
  for (const size_t axis : order) to.shape.push_back(from.shape[axis]);
  to.values.resize(from.values.size());
  for (size_t i = 0; i < from.values.size(); ++i) {
    const std::vector<size_t> index = index_of(from.shape, i);
    std::vector<size_t> moved;
    for (const size_t axis : order) moved.push_back(index[axis]);
    to.values[offset_of(to.shape, moved)] = from.values[i];
  }
  return to;
}

// A parameter's numbers as sizes.
inline std::vector<size_t> sizes(const Problem& problem, const std::string& name) {
  std::vector<size_t> result;
  if (!problem.has(name)) return result;
  for (const double value : problem.params.at(name)) result.push_back(static_cast<size_t>(value));
  return result;
}

inline std::vector<size_t> random_shape(Random& random, size_t rank, size_t most) {
  std::vector<size_t> shape(rank);
  for (size_t& dim : shape) dim = pick(random, 1, most);
  return shape;
}

template <class Number>
std::string joined(const std::vector<Number>& numbers) {
  std::string text;
  for (const Number number : numbers) text += (text.empty() ? "" : ",") + std::to_string(number);
  return text;
}

// A random order of 0 to count - 1.
inline std::vector<size_t> random_order(Random& random, size_t count) {
  std::vector<size_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  for (size_t i = count; i > 1; --i) std::swap(order[i - 1], order[pick(random, 0, i - 1)]);
  return order;
}

// Indices of an axis: mostly inside, some from the end (where the type has a sign), some outside.
inline double random_index(Random& random, const std::string& type, size_t size) {
  const auto n = static_cast<double>(size);
  if (pick(random, 0, 9) == 0) return n + static_cast<double>(pick(random, 0, 2));
  const auto inside = static_cast<double>(pick(random, 0, size - 1));
  if (type == "u32" || pick(random, 0, 3) > 0) return inside;
  return inside - n - (pick(random, 0, 5) == 0 ? n : 0.0);
}

// The entry that an index names, or `size` when there is none.
inline size_t entry_of(double index, size_t size) {
  if (index < 0) index += static_cast<double>(size);
  return index < 0 || index >= static_cast<double>(size) ? size : static_cast<size_t>(index);
}

}  // namespace openqnn::oracle
