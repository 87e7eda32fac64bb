// SPDX-License-Identifier: BSD-3-Clause
// Compiled for AVX2: see matrix/fast/tile.h about what must not be included here.
#if defined(__x86_64__)
#include "ops/elementwise/fast/arithmetic_avx2.inc"

namespace openqnn::ops::fast {

constinit const Loops kAvx2Loops = [] {
  Loops loops = kLoops;
  loops.lookup16 = look_up_words;
  loops.half = half_by_vectors;
  loops.fixed8 = bytes_by_vectors;
  return loops;
}();

}  // namespace openqnn::ops::fast
#endif
