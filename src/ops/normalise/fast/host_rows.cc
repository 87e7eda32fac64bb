// SPDX-License-Identifier: BSD-3-Clause
#include "ops/normalise/fast/host_rows.h"

#include <cstdlib>

#include "base/cpu.h"

namespace openqnn::ops::fast {

const RowLoops& host_rows() {
#if OPENQNN_X86
  if (host_isa() == Isa::kAvx512) return kAvx512Rows;
  if (host_isa() == Isa::kAvx2) return kAvx2Rows;
#endif
  return kPortableRows;
}

bool has_plain_bytes(const ir::TensorDesc& desc) {
  constexpr int64_t kMostOffset = 1 << 20;
  if (desc.type != ir::DataType::kUfixed8 && desc.type != ir::DataType::kSfixed8) return false;
  return (desc.quantization.bits == 0 || desc.quantization.bits == 8) &&
         std::abs(int64_t{desc.quantization.at(0).offset}) <= kMostOffset;
}

}  // namespace openqnn::ops::fast
