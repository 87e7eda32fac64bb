// SPDX-License-Identifier: BSD-3-Clause
// Reshape, Transpose, Reshape: how exporters write what moves blocks of channels.
#pragma once

#include "frontend/onnx/fuse/fusion.h"

namespace openqnn::frontend::onnx {

struct Shuffle {
  ValueId x = kNoValue;
  Dims from;     // of x
  Dims between;  // after the first Reshape
  std::vector<int64_t> perm;
  Dims to;  // of the result
  std::vector<uint32_t> nodes;
};
// That ends with the Reshape `index`.
std::optional<Shuffle> shuffle_of(const Rewriter& net, uint32_t index);

}  // namespace openqnn::frontend::onnx
