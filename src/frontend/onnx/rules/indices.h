// SPDX-License-Identifier: BSD-3-Clause
// Indices that are data. ONNX counts negative ones from the end; HTP documents 0 to extent - 1 alone. Those
// that are constants are checked and counted from the front here; what the model computes is left to the
// backend's ops, which take negative ones.
#pragma once

#include "frontend/onnx/inference.h"
#include "frontend/onnx/lowering.h"

namespace openqnn::frontend::onnx {

inline int64_t from_the_front(int64_t index, int64_t extent) { return index < 0 ? index + extent : index; }

// Refuses an input that is not int32 or int64.
Status need_indices(const Inference& node, size_t input);
// Refuses constant indices outside of a dimension.
Status check_indices(const Inference& node, size_t input, int64_t extent);
// The same for tuples, the last dimension of the input, that address the dimensions `extents`.
Status check_tuples(const Inference& node, size_t input, const Dims& extents);
// Of an index per element along one axis of input 0; the other dimensions are no larger than input 0's.
Status check_indices_along(const Inference& node, size_t input, size_t axis);

TensorRef indices_from_the_front(Lowering& node, size_t input, int64_t extent, const Order& order);
TensorRef indices_from_the_front(Lowering& node, size_t input, int64_t extent);
TensorRef tuples_from_the_front(Lowering& node, size_t input, const Dims& extents);

// Indices [before, after] as [before, depth, after]: values[1] where an index points, values[0] elsewhere.
TensorRef one_hot(Lowering& node, TensorRef indices, int64_t depth, const Constant& values);

}  // namespace openqnn::frontend::onnx
