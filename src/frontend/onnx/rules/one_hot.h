// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frontend/onnx/lowering.h"

namespace openqnn::frontend::onnx {

// Indices [before, after] as [before, depth, after]: values[1] where an index points, values[0] elsewhere.
TensorRef one_hot(Lowering& node, TensorRef indices, int64_t depth, const Constant& values);

}  // namespace openqnn::frontend::onnx
