// SPDX-License-Identifier: BSD-3-Clause
// Which elements of a tensor belong together.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "oracle/oracle.h"

namespace openqnn::oracle {

using Offsets = std::vector<size_t>;

// Elements that differ only in their index along `axes`, each group and the list of groups in memory order.
inline std::vector<Offsets> groups(const std::vector<size_t>& shape, const std::vector<size_t>& axes) {
  std::map<std::vector<size_t>, Offsets> by_rest;
  for (size_t i = 0; i < count(shape); ++i) {
    std::vector<size_t> index = index_of(shape, i);
    for (const size_t axis : axes) index[axis] = 0;
    by_rest[index].push_back(i);
  }
  std::vector<Offsets> result;
  for (const auto& [rest, offsets] : by_rest) result.push_back(offsets);
  return result;
}

inline std::vector<size_t> sizes_of(const Problem& problem, const std::string& name) {
  std::vector<size_t> values;
  for (size_t i = 0; i < problem.params.at(name).size(); ++i) values.push_back(problem.integer(name, 0, i));
  return values;
}

// What is left of a shape when `axes` are reduced; at least one dimension.
inline std::vector<size_t> without(const std::vector<size_t>& shape, const std::vector<size_t>& axes,
                                   bool keep) {
  std::vector<size_t> result;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (std::find(axes.begin(), axes.end(), i) == axes.end())
      result.push_back(shape[i]);
    else if (keep)
      result.push_back(1);
  }
  return result.empty() ? std::vector<size_t>{1} : result;
}

inline std::vector<size_t> random_shape(Random& random, size_t low_rank, size_t high_rank, size_t most) {
  std::vector<size_t> shape(pick(random, low_rank, high_rank));
  for (size_t& dim : shape) dim = pick(random, 1, most);
  return shape;
}

// "1,3": some of the axes, at least one, in any order.
inline std::string random_axes(Random& random, size_t rank) {
  std::vector<size_t> axes(rank);
  for (size_t i = 0; i < rank; ++i) axes[i] = i;
  for (size_t i = rank; i > 1; --i) std::swap(axes[i - 1], axes[pick(random, 0, i - 1)]);
  axes.resize(pick(random, 1, rank));
  std::string text;
  for (const size_t axis : axes) text += (text.empty() ? "" : ",") + std::to_string(axis);
  return text;
}

}  // namespace openqnn::oracle
