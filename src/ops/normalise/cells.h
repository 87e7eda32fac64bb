// SPDX-License-Identifier: BSD-3-Clause
// A tensor as a grid of equal cells, the elements of a cell belonging together: rows of a softmax, what a
// norm takes its mean over, what a reduction makes one number of.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "ir/shape.h"
#include "ops/common.h"
#include "ops/op.h"

namespace openqnn::ops {

// Calls body(offset) for every element of the box of a dense tensor, in memory order.
template <class Body>
void for_each_offset(const ir::Shape& shape, const ir::Box& box, Body&& body) {
  if (box.rank() == 0) return body(uint64_t{0});
  if (box.empty()) return;
  const size_t last = box.rank() - 1;
  ir::Box rows = box;
  rows.end[last] = rows.begin[last] + 1;
  ir::for_each_index(rows, [&](const ir::Shape& index) {
    const uint64_t row = ir::offset_of(shape, index);
    for (uint64_t i = 0; i < box.extent(last); ++i) body(row + i);
  });
}

// Calls body(cell) with the box of every cell that `region` touches. `cell` holds the extents of one; each
// divides the tensor's dimension.
template <class Body>
void for_each_cell(const ir::Shape& cell, const ir::Box& region, Body&& body) {
  if (region.empty()) return;
  ir::Box grid = region;
  for (size_t i = 0; i < cell.rank(); ++i) {
    grid.begin[i] = region.begin[i] / cell[i];
    grid.end[i] = (region.end[i] - 1) / cell[i] + 1;
  }
  ir::for_each_index(grid, [&](const ir::Shape& index) {
    ir::Box box = grid;
    for (size_t i = 0; i < cell.rank(); ++i) {
      box.begin[i] = index[i] * cell[i];
      box.end[i] = box.begin[i] + cell[i];
    }
    body(static_cast<const ir::Box&>(box));
  });
}

// The cells that a box touches, whole.
inline ir::Box whole_cells(const ir::Shape& cell, const ir::Box& box) {
  ir::Box result = box;
  if (box.empty()) return result;
  for (size_t i = 0; i < cell.rank(); ++i) {
    result.begin[i] = box.begin[i] / cell[i] * cell[i];
    result.end[i] = ((box.end[i] - 1) / cell[i] + 1) * cell[i];
  }
  return result;
}

// What lies in both; they overlap.
inline ir::Box intersection(const ir::Box& a, const ir::Box& b) {
  ir::Box result = a;
  for (size_t i = 0; i < a.rank(); ++i) {
    result.begin[i] = std::max(a.begin[i], b.begin[i]);
    result.end[i] = std::min(a.end[i], b.end[i]);
  }
  return result;
}

// Between cells only, since each part of one needs all of it; channels in 32s, as HVX code takes them.
inline std::vector<SplitAxis> cell_split_axes(const ir::Shape& shape, const ir::Shape& cell) {
  std::vector<SplitAxis> axes;
  for (uint32_t axis = 0; axis < shape.rank(); ++axis) {
    if (cell[axis] >= shape[axis]) continue;
    const bool channels = axis + 1 == shape.rank() && cell[axis] == 1;
    axes.push_back({axis, channels ? 32 : cell[axis]});
  }
  return axes;
}

// Work of an op that reads input 0 in `passes`: instructions per 128-byte vector that it reads.
inline Work input_work(const OpCall& call, const ir::Box& input, const ir::Box& output, uint64_t instructions,
                       uint64_t passes) {
  const uint64_t read = box_bytes(call.in(0), input);
  const uint64_t written = box_bytes(call.out(), output);
  const uint64_t vectors = ceil_div(read, kVectorBytes) + ceil_div(written, kVectorBytes);
  return {.unit = soc::Unit::kHvx,
          .vector_ops = saturating_multiply(vectors, instructions),
          .vtcm_bytes = saturating_multiply(read, passes) + written};
}

}  // namespace openqnn::ops
