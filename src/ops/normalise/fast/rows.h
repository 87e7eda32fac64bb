// SPDX-License-Identifier: BSD-3-Clause
// Loops over one row that is normalised as a whole, compiled once for each instruction set from rows.inc.
// Only plain structs here, as in matrix/fast/tile.h. Sums are in the order of sums.h.
#pragma once

#include <cstddef>
#include <cstdint>

#include "ops/elementwise/fast/loops.h"

namespace openqnn::ops::fast {

inline constexpr size_t kByteValues = 256;
inline constexpr size_t kWeightBytes = 4;
inline constexpr double kWeightUnit = 0x1p-31;  // the last bit of a weight as an integer

// A softmax of bytes: what an element weighs follows from how many steps it lies below the largest.
struct ByteSoftmax {
  const double* weights = nullptr;       // [kByteValues]
  const float* float_weights = nullptr;  // [kByteValues]
  // The same as integers, by bytes: the lowest of all weights, then the next.
  const uint8_t* weight_bytes = nullptr;  // [kWeightBytes][kByteValues]
  size_t heavy = 0;   // from here on, weights are too small to become another byte than 0 does
  uint8_t light = 0;  // that byte
  uint8_t turn = 0;   // makes stored bytes unsigned: 0x80 where they are signed
  FixedFormat out;
  float tolerance = 0.5F;  // as in FixedResult
};

// A row that is moved and divided, then scaled and shifted by channel.
struct RowNorm {
  double shift = 0.0;
  double divisor = 1.0;
  const double* gamma = nullptr;  // null: there is none
  const double* beta = nullptr;
};

// The same from bytes to bytes.
struct ByteNorm {
  RowNorm row;
  FixedFormat in;
  FixedFormat out;
  // For each channel, in steps of the output: gamma, and beta above the lowest step.
  const float* gamma_steps = nullptr;
  const float* beta_steps = nullptr;
  double largest_gamma = 0.0;  // of those
  double largest_beta = 0.0;
};

// How many numbers become one (reduce.cc).
enum class Fold : uint8_t { kMax, kMin, kSum, kProduct, kSumSquare };

struct RowLoops {
  // Makes exp(factor * (value - the largest)) of each value, and gives their sum. The factor is above 0.
  double (*weigh)(double* values, size_t count, double factor);
  void (*divide)(double* values, size_t count, double divisor);
  // A softmax from halves to halves; false where some results are in doubt. Null: there is no such loop.
  bool (*softmax_halves)(const Unaligned16* in, size_t count, double factor, double* room, Unaligned16* out);
  // `room`: of `count` bytes. Only elements [begin, end) are written.
  void (*softmax_bytes)(const ByteSoftmax& how, const uint8_t* in, uint8_t* room, size_t count, uint8_t* out,
                        size_t begin, size_t end);
  double (*sum)(const double* values, size_t count);
  double (*sum_of_squares)(const double* values, size_t count, double shift);  // of value - shift
  void (*normalise)(double* values, size_t count, const RowNorm& how);
  // Elements [begin, end) of the row.
  void (*normalise_bytes)(const ByteNorm& how, const uint8_t* in, uint8_t* out, size_t begin, size_t end);
  // Folds each value into what is beside it.
  void (*fold)(Fold how, const double* values, double* so_far, size_t count);
  // Folds all values into one; kMax, kMin and kSum alone, where the order does not matter.
  double (*fold_row)(Fold how, const double* values, size_t count, double so_far);
};

extern const RowLoops kPortableRows;
extern const RowLoops kAvx2Rows;    // on x86 alone
extern const RowLoops kAvx512Rows;  // on x86 alone
const RowLoops& host_rows();        // for the CPU that runs this

}  // namespace openqnn::ops::fast
