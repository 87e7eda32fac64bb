// SPDX-License-Identifier: BSD-3-Clause
// Compiled for AVX2: see matrix/fast/tile.h about what must not be included here.
#if defined(__x86_64__)
#include "ops/normalise/fast/rows.h"
#include "ops/normalise/fast/rows.inc"

namespace openqnn::ops::fast {

const RowLoops kAvx2Rows = kRows;

}  // namespace openqnn::ops::fast
#endif
