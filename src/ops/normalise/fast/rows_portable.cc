// SPDX-License-Identifier: BSD-3-Clause
#include "base/cpu.h"
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

const RowLoops& host_rows() {
#if OPENQNN_X86
  if (host_isa() == Isa::kAvx512) return kAvx512Rows;
  if (host_isa() == Isa::kAvx2) return kAvx2Rows;
#endif
  return kPortableRows;
}

}  // namespace openqnn::ops::fast
