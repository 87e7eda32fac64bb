// SPDX-License-Identifier: BSD-3-Clause
// Compiled for AVX2: see matrix/fast/tile.h about what must not be included here.
#if defined(__x86_64__)
#include "ops/elementwise/fast/f16c.inc"
#include "ops/vision/fast/pool_loops.h"

#define OPENQNN_POOLS kAvx2Pools
#include "ops/vision/fast/pool_loops.inc"
#endif
