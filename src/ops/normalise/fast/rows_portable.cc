// SPDX-License-Identifier: BSD-3-Clause
#include "base/cpu.h"
#include "ops/normalise/fast/rows.h"
#include "ops/normalise/fast/rows.inc"

namespace openqnn::ops::fast {

const RowLoops kPortableRows = kRows;

const RowLoops& host_rows() {
#if OPENQNN_X86
  if (host_isa() == Isa::kAvx512) return kAvx512Rows;
  if (host_isa() == Isa::kAvx2) return kAvx2Rows;
#endif
  return kPortableRows;
}

}  // namespace openqnn::ops::fast
