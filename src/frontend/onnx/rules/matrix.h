// SPDX-License-Identifier: BSD-3-Clause
// The product of two tensors' last two dimensions, for every op that needs one.
#pragma once

#include "frontend/onnx/lowering.h"

namespace openqnn::frontend::onnx {

// Both have at least two dimensions; those before the matrices are stretched to one another. The flags swap
// the last two dimensions of an operand. `bias`, where there is one, has a number for each column.
TensorRef product(Lowering& node, TensorRef a, bool transpose_a, TensorRef b, bool transpose_b,
                  TensorRef bias = kNoTensorRef);

}  // namespace openqnn::frontend::onnx
