// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "ir/graph.h"
#include "ops/normalise/fast/rows.h"

namespace openqnn::ops::fast {

const RowLoops& host_rows();

// Whether bytes of this tensor may be taken by the loops for them: fixed point that uses all its 8 bits, and
// an offset that leaves differences of elements exact.
bool has_plain_bytes(const ir::TensorDesc& desc);

}  // namespace openqnn::ops::fast
