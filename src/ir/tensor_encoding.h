// SPDX-License-Identifier: BSD-3-Clause
// What is said of the tensors of a float graph beside the graph: by a quantized model, or by a file of
// encodings.
#pragma once

#include <map>
#include <string>

#include "ir/graph.h"

namespace openqnn::ir {

// How integers stand for a tensor's reals; or, with a float type, that the tensor stays float.
struct TensorEncoding {
  DataType type = DataType::kUndefined;
  Quantization quantization;  // of a fixed-point type

  friend bool operator==(const TensorEncoding&, const TensorEncoding&) = default;
};
using TensorEncodings = std::map<std::string, TensorEncoding>;  // by the tensor's name

}  // namespace openqnn::ir
