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

// Vector instructions per 128 bytes of output, and how often the input is read; the output is written once.
struct CellCost {
  uint64_t fixed;
  uint64_t half;
  uint64_t passes = 1;
};

inline Work cell_work(const OpCall& call, const ir::Shape& cell, const ir::Box& output,
                      const CellCost& cost) {
  const bool half = call.out().type == ir::DataType::kFloat16;
  const uint64_t read = box_bytes(call.in(0), whole_cells(cell, output));
  return vector_work(call, output, half ? cost.half : cost.fixed,
                     saturating_multiply(cost.passes, read) + box_bytes(call.out(), output));
}

// An op whose elements each depend on all of their cell of input 0.
template <ir::Shape (*cell_of)(const OpCall&), const CellCost& cost>
OpDef cell_op(std::string_view type, Status (*check)(const OpCall&), const Kernel& reference) {
  return {
      .type = type,
      .check = check,
      .input_box = [](const OpCall& call, size_t,
                      const ir::Box& output) { return whole_cells(cell_of(call), output); },
      .split_axes = [](const OpCall& call) { return cell_split_axes(call.out().shape, cell_of(call)); },
      .work = [](const OpCall& call,
                 const ir::Box& output) { return cell_work(call, cell_of(call), output, cost); },
      .kernels = {reference},
  };
}

}  // namespace openqnn::ops
