// SPDX-License-Identifier: BSD-3-Clause
// A quantized model, seen as a float model whose values have encodings.
#pragma once

#include "frontend/onnx/net.h"

namespace openqnn::frontend::onnx {

// Removes every QuantizeLinear with the DequantizeLinear behind it, also where an op that only moves or
// compares integers stands between, and keeps the encoding at the value. What is left is at the edges: there,
// integers that only a DequantizeLinear or the client takes get an encoding too, and lie as fixed point.
void absorb_quantization(Net& net);

}  // namespace openqnn::frontend::onnx
