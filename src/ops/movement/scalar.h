// SPDX-License-Identifier: BSD-3-Clause
// Values that come as scalar parameters of any type: what Pad, OneHot and ConstantOfShape fill with.
#pragma once

#include <string_view>

#include "base/result.h"
#include "ops/op.h"

namespace openqnn::ops {

// Refuses types that cannot stand for an element of `tensor`.
Status check_fill(const OpCall& call, std::string_view param, const ir::TensorDesc& tensor);

// The real value. A float is the value itself; for a quantized tensor an integer is the stored value in its
// encoding (so it is documented for Pad's i32; ours for the others), else the value.
double fill_value(const OpCall& call, std::string_view param, const ir::TensorDesc& tensor, double fallback);

}  // namespace openqnn::ops
