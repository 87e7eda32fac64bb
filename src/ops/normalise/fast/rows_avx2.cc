// SPDX-License-Identifier: BSD-3-Clause
// Compiled for AVX2: see matrix/fast/tile.h about what must not be included here.
#if defined(__x86_64__)
#include "ops/normalise/fast/rows.h"
#include "ops/normalise/fast/rows.inc"

namespace openqnn::ops::fast {

const RowLoops kAvx2Rows = {.weigh = weigh,
                            .divide = divide,
                            .softmax_halves = nullptr,
                            .softmax_bytes = softmax_bytes,
                            .sum = sum,
                            .sum_of_squares = sum_of_squares,
                            .normalise = normalise,
                            .normalise_bytes = exact_bytes,
                            .fold = fold,
                            .fold_row = fold_row};

}  // namespace openqnn::ops::fast
#endif
