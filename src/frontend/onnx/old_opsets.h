// SPDX-License-Identifier: BSD-3-Clause
// Ops that meant something else before opset 7, the oldest that the rules were written after.
#pragma once

#include "base/result.h"
#include "frontend/onnx/net.h"

namespace openqnn::frontend::onnx {

inline constexpr int64_t kOldestOpset = 7;

// Refuses a node of an older opset that says something in the way of that opset, which the rules would
// misread. Most ops mean the same in all of them, and pass.
Status refuse_old_form(const NetNode& node, const Net& net);

}  // namespace openqnn::frontend::onnx
