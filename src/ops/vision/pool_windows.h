// SPDX-License-Identifier: BSD-3-Clause
// The windows of pooling: over two dimensions between batch and channel (NHWC) or three (NDHWC).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>

#include "ops/op.h"
#include "ops/window.h"

namespace openqnn::ops {

struct Windows {
  std::array<Window, 3> axes;
  size_t count = 0;
};

inline Windows windows_of(const OpCall& call) {
  Windows windows;
  windows.count = call.in(0).shape.rank() - 2;
  for (size_t i = 0; i < windows.count; ++i)
    windows.axes[i] = window_of(call.in(0).shape, call.params->u32_at("filter_size", i, 1), *call.params, i);
  return windows;
}

inline ir::Box inputs_of(const Windows& windows, const ir::Box& output) {
  ir::Box box = output;
  for (size_t i = 1; i <= windows.count; ++i)
    std::tie(box.begin[i], box.end[i]) = windows.axes[i - 1].inputs(output.begin[i], output.end[i]);
  return box;
}

// How many cells of the window at `index` lie in the input or its padding. What sticks out beyond the padding
// (only the last window when the output size is rounded up) is no cell; ours, as torch and ONNX count.
inline double padded_cells(const Windows& windows, const ir::Shape& index) {
  double cells = 1.0;
  for (size_t i = 0; i < windows.count; ++i) {
    const Window& window = windows.axes[i];
    const int64_t start = window.start(index[1 + i]);
    const int64_t end = std::min(start + static_cast<int64_t>(window.reach()),
                                 int64_t{window.input} + int64_t{window.pad_after});
    cells *= static_cast<double>(std::max<int64_t>(end - start, 0));
  }
  return cells;
}

}  // namespace openqnn::ops
