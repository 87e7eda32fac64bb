// SPDX-License-Identifier: BSD-3-Clause
#include "ops/normalise/fast/rows.h"
#include "ops/normalise/fast/rows.inc"

namespace openqnn::ops::fast {

const RowLoops kPortableRows = {.weigh = weigh,
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
