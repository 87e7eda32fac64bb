// SPDX-License-Identifier: BSD-3-Clause
// Loops over the taps of one pooling window or one sample, all channels side by side, compiled once for each
// instruction set from pool_loops.inc. Only plain structs here, as in matrix/fast/tile.h.
#pragma once

#include <cstddef>
#include <cstdint>

#include "ops/vision/fast/tap.h"

namespace openqnn::ops::fast {

// The taps that lie in the input. Strides are in bytes.
struct PoolTaps {
  const void* first = nullptr;  // channel 0 of the first tap
  size_t planes = 1;
  size_t rows = 1;
  size_t columns = 1;
  size_t plane_stride = 0;
  size_t row_stride = 0;
  size_t column_stride = 0;
  size_t channels = 0;
};

struct PoolLoops {
  // The largest stored integer of each channel.
  void (*max_u8)(const PoolTaps& taps, void* out);
  void (*max_s8)(const PoolTaps& taps, void* out);
  void (*max_u16)(const PoolTaps& taps, void* out);
  void (*max_s16)(const PoolTaps& taps, void* out);
  // The first of the largest; NaN, in its one form, where there is any.
  void (*max_halves)(const PoolTaps& taps, void* out);
  // Sums that fit in 32 bits, of stored integers with `turn` turned over.
  void (*sum_8)(const PoolTaps& taps, uint32_t turn, int32_t* sums);
  void (*sum_16)(const PoolTaps& taps, uint32_t turn, int32_t* sums);
  // Added one after another.
  void (*sum_halves)(const PoolTaps& taps, double* sums);
  // Of pixels of real numbers with `channels` each: `out` receives those that are weighted sums of the ones
  // in `in`, added one after another to 0. The taps of pixel i are those from ends[i - 1] (0 for the first)
  // to ends[i].
  void (*weigh)(const double* in, const Tap* taps, const size_t* ends, size_t pixels, size_t channels,
                double* out);
};

extern const PoolLoops kPortablePools;
extern const PoolLoops kAvx2Pools;    // on x86 alone
extern const PoolLoops kAvx512Pools;  // on x86 alone
const PoolLoops& host_pools();        // for the CPU that runs this

}  // namespace openqnn::ops::fast
