// SPDX-License-Identifier: BSD-3-Clause
// Operands that are stretched to one another, when the result lies in another order than ONNX's.
#pragma once

#include "frontend/onnx/lowering.h"

namespace openqnn::frontend::onnx {

// An input so that it can be stretched to a result that lies in `order`: with as many dimensions as the
// result unless the backend's own rule (missing dimensions are leading ones) says the same.
TensorRef stretchable(Lowering& node, size_t input, const Order& order);
// The same for an input that is first seen in other dimensions of the same count.
TensorRef stretchable_as(Lowering& node, size_t input, const Dims& dims, const Order& order);

}  // namespace openqnn::frontend::onnx
