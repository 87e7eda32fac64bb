// SPDX-License-Identifier: BSD-3-Clause
// Filters that slide over spatial dimensions: what convolutions and pools have in common.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/result.h"
#include "frontend/onnx/inference.h"
#include "frontend/onnx/lowering.h"

namespace openqnn::frontend::onnx {

struct Window {
  Dims kernel;
  Dims stride;
  Dims dilation;
  Dims pad_before;
  Dims pad_after;
  Dims out;                // extents of the output
  bool rounds_up = false;  // a last window begins inside the input and ends beyond its padding

  size_t spatial() const { return kernel.size(); }
  bool is_dilated() const {
    return std::ranges::any_of(dilation, [](int64_t step) { return step != 1; });
  }
  // One spatial dimension more, of extent 1, in front: the backend's filters have at least two.
  void add_unit_dimension();
  // As the backend takes them.
  std::vector<uint32_t> kernels() const { return {kernel.begin(), kernel.end()}; }
  std::vector<uint32_t> strides() const { return {stride.begin(), stride.end()}; }
  std::vector<uint32_t> dilations() const { return {dilation.begin(), dilation.end()}; }
  std::vector<uint32_t> pads() const;  // before and after of each dimension
  ir::Shape pads_shape() const { return {static_cast<uint32_t>(spatial()), 2}; }
};

// Reads kernel_shape, strides, dilations, pads, auto_pad and ceil_mode over input 0; `kernel` is taken where
// the node has no kernel_shape. Refuses what is negative, zero or larger than the backend counts.
Result<Window> window_of(const NodeView& node, const Dims& kernel);

// For inputs of one spatial dimension: a second one of extent 1 before it, in a tensor that lies channels
// last, so that the backend's filters of two dimensions take it. Others stay.
TensorRef with_two_spatial(Lowering& node, TensorRef x);

// `dims` with an extent of 1 before position `at`.
Dims with_unit_dimension(Dims dims, size_t at);

}  // namespace openqnn::frontend::onnx
