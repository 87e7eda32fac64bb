// SPDX-License-Identifier: BSD-3-Clause
// Dimensions by number, where values may lie in another order than ONNX's.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/text.h"
#include "frontend/onnx/lowering.h"
#include "frontend/onnx/order.h"

namespace openqnn::frontend::onnx {

// Of a node whose inference succeeded: counted from the end when negative.
inline size_t counted_axis(int64_t axis, size_t rank) {
  return static_cast<size_t>(axis < 0 ? axis + static_cast<int64_t>(rank) : axis);
}

// Each once, counted from 0.
inline Result<std::vector<size_t>> axes_of(const NodeView& node, const std::vector<int64_t>& axes,
                                           size_t rank) {
  if (rank > kMostDims) return node.not_offered(concat("it has to do with ", rank, " dimensions"));
  return node.axes(axes, rank);
}

// Whether an axis that is reduced stays, with one element.
inline bool keeps_dims(const Attributes& attributes) { return attributes.integer("keepdims", 1) != 0; }

inline bool contains(const std::vector<size_t>& axes, size_t axis) {
  return std::find(axes.begin(), axes.end(), axis) != axes.end();
}

// Where dimension `axis` lies.
inline uint32_t position_of(size_t axis, const Order& order) { return inverse(order)[axis]; }

// The order at hand, or ONNX's own for a constant.
inline Order order_of(const Lowering& node, size_t input) {
  return node.order_at_hand(input).value_or(plain_order(node.rank(input)));
}

// `order` with `axes` moved behind the others, in the order given.
inline Order with_last(const Order& order, const std::vector<size_t>& axes) {
  Order out;
  for (const uint32_t d : order)
    if (!contains(axes, d)) out.push_back(d);
  for (const size_t axis : axes) out.push_back(static_cast<uint32_t>(axis));
  return out;
}

// The order in which the dimensions that are not in `axes` lie, counted anew.
inline Order without(const Order& order, const std::vector<size_t>& axes) {
  Order out;
  for (const uint32_t d : order) {
    if (contains(axes, d)) continue;
    const auto before = std::count_if(axes.begin(), axes.end(), [d](size_t axis) { return axis < d; });
    out.push_back(d - static_cast<uint32_t>(before));
  }
  return out;
}

// The extents from `first` up to `last`, as one.
inline int64_t extent_between(const Dims& dims, size_t first, size_t last) {
  int64_t extent = 1;
  for (size_t i = first; i < last; ++i) extent *= dims[i];
  return extent;
}

}  // namespace openqnn::frontend::onnx
