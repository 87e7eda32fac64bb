// SPDX-License-Identifier: BSD-3-Clause
// Moves of elements that several ops are made of. Tensors are taken as they lie: dimensions here are
// positions.
#pragma once

#include <cstdint>
#include <vector>

#include "frontend/onnx/lowering.h"
#include "frontend/onnx/rules/fold.h"

namespace openqnn::frontend::onnx {

// What is taken of one dimension: `count` elements from `start` on, every `step`th (backwards when negative).
struct Range {
  int64_t start = 0;
  int64_t step = 1;
  int64_t count = 0;
};
inline Range whole(int64_t extent) { return {0, 1, extent}; }
inline bool is_whole(const Range& range, int64_t extent) {
  return range.start == 0 && range.step == 1 && range.count == extent;
}

// Part of a tensor; nothing is emitted where all of it is taken. No range is empty.
TensorRef slice(Lowering& node, TensorRef tensor, const std::vector<Range>& ranges);
// One dimension backwards.
TensorRef reversed(Lowering& node, TensorRef tensor, size_t position);
// Each dimension repeated as often as `times` says.
TensorRef repeated(Lowering& node, TensorRef tensor, const std::vector<int64_t>& times);
// Several tensors joined along a position.
TensorRef concatenated(Lowering& node, const std::vector<TensorRef>& tensors, size_t position);
// The tensor as [before, extent of the position, after].
TensorRef as_rows_around(Lowering& node, TensorRef tensor, size_t position);

}  // namespace openqnn::frontend::onnx
