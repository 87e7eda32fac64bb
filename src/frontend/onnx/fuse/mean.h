// SPDX-License-Identifier: BSD-3-Clause
// What the normalisations have in common: means over the last dimensions, and a scale and shift at the end.
#pragma once

#include "frontend/onnx/fuse/fusion.h"

namespace openqnn::frontend::onnx {

// The first of the trailing dimensions that a ReduceMean goes over; nothing when it goes over others, or
// drops them.
std::optional<int64_t> mean_axis(const Rewriter& net, const NetNode& node);

// sqrt(mean + epsilon), from the value that is divided by.
struct Deviation {
  ValueId mean = kNoValue;
  double epsilon = 0.0;
  std::vector<uint32_t> nodes;
};
std::optional<Deviation> deviation_of(const Rewriter& net, ValueId value);

// Square of what: x * x, or x to the power of 2.
struct Square {
  ValueId x = kNoValue;
  uint32_t node = 0;
};
std::optional<Square> square_of(const Rewriter& net, ValueId value);

// Whether a constant has one number for each element of the dimensions of `dims` from `axis` on.
bool fits_from(const Constant& constant, const Dims& dims, int64_t axis);

}  // namespace openqnn::frontend::onnx
