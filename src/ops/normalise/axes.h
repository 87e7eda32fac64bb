// SPDX-License-Identifier: BSD-3-Clause
// Sets of dimensions, as the parameters `axis` and `axes` name them, and what reducing them leaves.
#pragma once

#include <bitset>
#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "ir/graph.h"
#include "ops/op.h"

namespace openqnn::ops {

using AxisSet = std::bitset<ir::kMaxRank>;

// The parameter `axes` names each of its dimensions once.
Status check_axes(const ir::Params& params, const ir::Shape& shape);
// HTP computes some ops along the last dimension only. `axis` must be one of `shape`.
Status check_last_axis(uint32_t axis, const ir::Shape& shape, std::string_view op);

// After `check_axes`. A negative axis, which only Moments' signed ones can be, counts from the end.
AxisSet axes_of(const ir::Params& params, size_t rank);
AxisSet one_axis(uint32_t axis);

// The cell (cells.h) that spans the whole of the axes and one index of every other dimension.
ir::Shape cell_along(const AxisSet& axes, const ir::Shape& shape);
// A row of the last dimension.
inline ir::Shape last_axis_of(const ir::Shape& shape) {
  return cell_along(one_axis(static_cast<uint32_t>(shape.rank() - 1)), shape);
}
inline ir::Shape row_of_input(const OpCall& call) { return last_axis_of(call.in(0).shape); }

// A tensor whose `axes` are reduced, the dimensions kept as 1 or removed.
struct Reduced {
  ir::Shape input;
  AxisSet axes;
  bool keep_dims = false;

  // Reducing everything leaves one element in rank 1.
  ir::Shape output() const;
  // The part of the input that a box of the output is made of.
  ir::Box input_box(const ir::Box& output) const;
  // The element of the output that an element of the input goes to.
  ir::Shape output_index(const ir::Shape& index) const;
};

}  // namespace openqnn::ops
