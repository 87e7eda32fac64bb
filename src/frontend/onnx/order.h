// SPDX-License-Identifier: BSD-3-Clause
// In which order the dimensions of a value lie in memory.
#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

namespace openqnn::frontend::onnx {

// The value's dimension at each position, outermost first: {0, 2, 3, 1} is NHWC of a value that is NCHW.
using Order = std::vector<uint32_t>;

// 0, 1, ... count - 1.
template <class T>
std::vector<T> plain_numbers(size_t count) {
  std::vector<T> numbers(count);
  std::iota(numbers.begin(), numbers.end(), T{0});
  return numbers;
}

inline Order plain_order(size_t rank) { return plain_numbers<uint32_t>(rank); }

inline bool is_plain(const Order& order) { return order == plain_order(order.size()); }

// Batch first, channels (dimension 1) last; plain below rank 3.
inline Order channels_last(size_t rank) {
  Order order = plain_order(rank);
  if (rank < 3) return order;
  order.erase(order.begin() + 1);
  order.push_back(1);
  return order;
}

// What lies where: element i is values[order[i]].
template <class T>
std::vector<T> in_order(const std::vector<T>& values, const Order& order) {
  std::vector<T> out;
  out.reserve(order.size());
  for (const uint32_t from : order) out.push_back(values[from]);
  return out;
}

// The position of each dimension.
inline Order inverse(const Order& order) {
  Order positions(order.size());
  for (uint32_t i = 0; i < order.size(); ++i) positions[order[i]] = i;
  return positions;
}

// The Transpose that takes a tensor lying in `from` to one lying in `to`.
inline Order between(const Order& from, const Order& to) { return in_order(inverse(from), to); }

}  // namespace openqnn::frontend::onnx
