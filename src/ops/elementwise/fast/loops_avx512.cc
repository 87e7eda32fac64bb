// SPDX-License-Identifier: BSD-3-Clause
// Compiled for AVX-512: see matrix/fast/tile.h about what must not be included here.
#if defined(__x86_64__)
#include "ops/elementwise/fast/arithmetic_avx512.inc"
#include "ops/elementwise/fast/words_avx512.inc"

namespace openqnn::ops::fast {

const Loops kAvx512Loops = {.lookup8 = lookup8,
                            .lookup16 = lookup16,
                            .lookup16_to_8 = lookup16_to_8,
                            .clip8 = clip8,
                            .clip16 = clip16,
                            .clip_halves = clip_halves,
                            .half = half_by_vectors,
                            .fixed8 = bytes_by_vectors,
                            .fixed16 = words_by_vectors,
                            .read8 = read_fixed<uint8_t>,
                            .read16 = read_fixed<uint16_t>,
                            .read_halves = read_halves,
                            .write8 = write_fixed<uint8_t>,
                            .write16 = write_fixed<uint16_t>,
                            .write_halves = write_half_vectors};

}  // namespace openqnn::ops::fast
#endif
