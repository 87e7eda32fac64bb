// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace openqnn::ops {

// NaN stays NaN, and minus zero becomes zero. Shared by Relu and by ops that end in it.
inline double relu_of(double x) { return x <= 0.0 ? 0.0 : x; }

}  // namespace openqnn::ops
