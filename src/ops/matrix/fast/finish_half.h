// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

#include "ops/op.h"

namespace openqnn::ops::fast {

// Sums to halves as reference kernels (HalfDot) end them: bias, activation, one rounding. `bias` may be null;
// `sums` are changed.
void finish_halves(const OpCall& call, float* sums, const float* bias, size_t count, std::byte* out);

}  // namespace openqnn::ops::fast
