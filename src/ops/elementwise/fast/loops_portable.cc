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

const Loops kPortableLoops = {.lookup8 = lookup8,
                              .lookup16 = lookup16,
                              .lookup16_to_8 = lookup16_to_8,
                              .clip8 = clip8,
                              .clip16 = clip16,
                              .clip_halves = clip_halves,
                              .half = half,
                              .fixed8 = fixed<uint8_t>,
                              .fixed16 = fixed<uint16_t>,
                              .read8 = read_fixed<uint8_t>,
                              .read16 = read_fixed<uint16_t>,
                              .read_halves = read_halves,
                              .write8 = write_fixed<uint8_t>,
                              .write16 = write_fixed<uint16_t>,
                              .write_halves = write_halves};

}  // namespace openqnn::ops::fast
