// SPDX-License-Identifier: BSD-3-Clause
#include "base/half.h"
#include "ops/unaligned.h"
#include "ops/vision/fast/pool_loops.h"

namespace openqnn::ops::fast {
namespace {

void widen(const Unaligned16* halves, float* floats, size_t count) {
  halves_to_floats(reinterpret_cast<const std::byte*>(halves), reinterpret_cast<std::byte*>(floats), count,
                   Isa::kPortable);
}

}  // namespace
}  // namespace openqnn::ops::fast

#define OPENQNN_POOLS kPortablePools
#include "ops/vision/fast/pool_loops.inc"
