// SPDX-License-Identifier: BSD-3-Clause
#include "base/half.h"
#include "ops/elementwise/fast/loops.h"

namespace openqnn::ops::fast {
namespace {

void widen(const Unaligned16* halves, float* floats, size_t count) {
  halves_to_floats(reinterpret_cast<const std::byte*>(halves), reinterpret_cast<std::byte*>(floats), count,
                   Isa::kPortable);
}

void narrow(const float* floats, uint16_t* halves, size_t count) {
  floats_to_halves(reinterpret_cast<const std::byte*>(floats), reinterpret_cast<std::byte*>(halves), count,
                   Isa::kPortable);
}

}  // namespace
}  // namespace openqnn::ops::fast

#include "ops/elementwise/fast/loops.inc"

namespace openqnn::ops::fast {

const Loops kPortableLoops = kLoops;

}  // namespace openqnn::ops::fast
