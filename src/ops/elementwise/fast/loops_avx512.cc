// SPDX-License-Identifier: BSD-3-Clause
// Compiled for AVX-512: see matrix/fast/tile.h about what must not be included here.
#if defined(__x86_64__)
#include "ops/elementwise/fast/arithmetic_avx512.inc"
#include "ops/elementwise/fast/words_avx512.inc"

namespace openqnn::ops::fast {

constinit const Loops kAvx512Loops = [] {
  Loops loops = kLoops;
  loops.lookup8 = look_up_bytes;
  loops.lookup16 = look_up_words;
  loops.half = half_by_vectors;
  loops.fixed8 = bytes_by_vectors;
  loops.fixed16 = words_by_vectors;
  loops.write_halves = write_half_vectors;
  return loops;
}();

}  // namespace openqnn::ops::fast
#endif
