// SPDX-License-Identifier: BSD-3-Clause
// The innermost loops of fast sums of products: one tile of outputs, a few rows by one block of the packed
// weights' columns. There is one file per instruction set; all give the same bits.
//
// Only plain structs here: the files behind it are compiled for instructions that not every CPU has, and an
// inline function that they share with others could be taken from them by the linker.
#pragma once

#include <cstddef>
#include <cstdint>

#include "ops/unaligned.h"

namespace openqnn::ops::fast {

inline constexpr size_t kTileRows = 14;  // 28 of AVX-512's 32 registers hold sums; images are multiples of 7
inline constexpr size_t kTileColumns = 32;

// Sums of unsigned bytes times the packed weights of one block of columns, exact in 32 bits.
struct ByteTile {
  const uint8_t* const* rows = nullptr;  // [tap][kTileRows]: where the bytes of a row begin
  size_t row_count = 0;
  size_t taps = 1;
  size_t quads = 0;                 // per tap: four consecutive k
  const int8_t* weights = nullptr;  // of the first block of columns
  size_t block_stride = 0;          // bytes from one block of 32 k to the next
};

// Blocks of columns that a call goes through; their weights lie one after another. Whatever is told for each
// column, and outputs, begin at the matrix's column 0.
struct Columns {
  size_t first = 0;  // of the first block
  size_t blocks = 1;
  uint32_t in_first = UINT32_MAX;  // which ones of the first and of the last block are written, a bit each
  uint32_t in_last = UINT32_MAX;
};
inline constexpr size_t kBlockWeights = 32 * kTileColumns;
// Internal to each file, as everything has to be here.
static inline uint32_t written_columns(const Columns& columns, size_t block) {
  return (block == 0 ? columns.in_first : UINT32_MAX) &
         (block + 1 == columns.blocks ? columns.in_last : UINT32_MAX);
}

// How sums become stored bytes: sum + start of the column + start of the row, times the column's factor,
// rounded, ties to even, clipped. `factors` is what `exact_factors` is in float; where a product in float is
// nearer to a tie than `tolerance` the one in double decides, so that every result is that of double.
struct ByteFinish {
  const int32_t* starts = nullptr;        // beside each column
  const int32_t* row_starts = nullptr;    // [row_count], or none
  const float* factors = nullptr;         // beside each column
  const double* exact_factors = nullptr;  // beside each column
  float low = 0.0F;                       // in steps, before the offset
  float high = 0.0F;
  float tolerance = 0.0F;
  int32_t offset = 0;  // stored = steps - offset
};

// How two sums, of the low and of the high bytes of 16-bit activations, become stored 16-bit integers: as
// ByteFinish, all of it in double; `biases` are added to the products.
struct WideFinish {
  const double* starts = nullptr;  // beside each column, as the two that follow
  const double* factors = nullptr;
  const double* biases = nullptr;       // null when all are 0
  const int64_t* row_starts = nullptr;  // [rows], or none
  double low = 0.0;
  double high = 0.0;
  int32_t offset = 0;
  bool is_small = false;  // steps stay integers of 32 bits
};

// Sums of floats times packed half weights: products added one after another by FMA, from 0. What is added
// apart is the sum of two such sums.
inline constexpr size_t kHalfAhead = 32;
struct HalfPart {
  const float* const* rows = nullptr;  // [row_count]
  size_t count = 0;                    // of products
  const uint32_t* row_of = nullptr;    // [count]: where the k-th row of the block begins, in elements;
                                       // and kHalfAhead more, which are needed next
};
struct HalfTile {
  HalfPart all;
  HalfPart apart;  // or none: count 0
  size_t row_count = 0;
  const uint16_t* weights = nullptr;
};

// Some output positions of a depth-wise convolution: each channel sees its own column of the taps.
inline constexpr size_t kDepthBlock = 64;  // channels; what belongs to a channel is padded to blocks of them
struct DepthTile {
  const uint8_t* const* taps =
      nullptr;                      // [4 * quads]: where channel 0 of each tap lies at the first position,
  const size_t* further = nullptr;  // [4 * quads]: and how much further on it lies at the next
  size_t positions = 0;
  size_t quads = 0;
  // [block][quad][place of the channel][4]; ByteFinish has everything in the order of places, too.
  const int8_t* weights = nullptr;
  uint8_t turn = 0;  // activations are taken xor this: 0x80 makes unsigned ones of signed ones
  size_t begin = 0;  // channels that are computed
  size_t end = 0;
  size_t channels = 0;  // from one position of the output to the next
};
// The same for halves, which come as floats.
struct DepthHalfTile {
  const float* const* taps = nullptr;  // [tap_count]
  const size_t* further = nullptr;
  size_t positions = 0;
  size_t tap_count = 0;
  const float* weights = nullptr;  // [tap_count][weight_stride]
  size_t weight_stride = 0;
  bool apart = false;  // products of odd taps are added apart
  size_t begin = 0;
  size_t end = 0;
  size_t channels = 0;
};

// The same for 16-bit integers. Pairs of taps are multiplied at a time; blocks are kTileColumns channels.
struct DepthWordTile {
  const Unaligned16* const* taps = nullptr;  // [2 * pairs]
  const size_t* further = nullptr;
  size_t positions = 0;
  size_t pairs = 0;
  // [block][pair][place of the channel][2]; and what counts 256 times beside it, or none.
  const int16_t* weights = nullptr;
  const int16_t* high_weights = nullptr;
  uint16_t turn = 0;  // activations are taken xor this: 0x8000 makes signed ones of unsigned ones
  size_t begin = 0;
  size_t end = 0;
  size_t channels = 0;
};

// How sums of halves end: bias, then a range that activations leave, then one rounding.
struct HalfFinish {
  const float* bias = nullptr;  // beside each column, or none
  bool has_low = false;
  bool has_high = false;
  float low = 0.0F;
  float high = 0.0F;
};

struct TileFunctions {
  // `outputs`: for each row, where column 0 lies.
  void (*bytes)(const ByteTile& tile, const ByteFinish& finish, const Columns& columns,
                uint8_t* const* outputs);
  // The first half of the tile's rows are low bytes, the second one the high bytes of the same activations.
  void (*wide)(const ByteTile& tile, const WideFinish& finish, const Columns& columns,
               Unaligned16* const* outputs);
  void (*byte_sums)(const ByteTile& tile, int32_t* sums);  // of one block: [row][kTileColumns]
  // Bytes, xor `turn`: 0x80 makes unsigned ones of signed ones.
  void (*copy_bytes)(const uint8_t* from, uint8_t* to, size_t count, uint8_t turn);
  // The same for both bytes of 16-bit integers; `turn` is for the high ones.
  void (*split_bytes)(const Unaligned16* from, uint8_t* low, uint8_t* high, size_t count, uint8_t turn);
  void (*halves)(const HalfTile& tile, const HalfFinish& finish, const Columns& columns,
                 Unaligned16* const* outputs);
  void (*half_sums)(const HalfTile& tile, float* sums);  // of one block: [row][kTileColumns]
  // `output`: channel 0 at the first position. Rows of ByteFinish have no starts.
  void (*depth_bytes)(const DepthTile& tile, const ByteFinish& finish, uint8_t* output);
  size_t (*depth_place)(size_t channel);  // within a block
  // Rows of WideFinish have no starts; it has channels in order.
  void (*depth_words)(const DepthWordTile& tile, const WideFinish& finish, Unaligned16* output);
  size_t (*depth_word_place)(size_t channel);
  void (*depth_halves)(const DepthHalfTile& tile, const HalfFinish& finish, Unaligned16* output);
  void (*depth_half_sums)(const DepthHalfTile& tile, float* sums);
  void (*finish_halves)(const float* sums, const HalfFinish& finish, Unaligned16* out, size_t count);
  // Activation::kSigmoid (elementwise/activation.h) of each, as halves; `fast` is OpCall::fast_sigmoid. Null:
  // one by one is as fast.
  void (*sigmoids)(const float* values, bool fast, Unaligned16* out, size_t count);
  void (*widen)(const Unaligned16* halves, float* floats, size_t count);
  // Elements 0, 2, 4 … and 1, 3, 5 … apart, of an even number of them.
  void (*widen_apart)(const Unaligned16* halves, float* even, float* odd, size_t pairs);
};

extern const TileFunctions kPortableTiles;
extern const TileFunctions kAvx2Tiles;    // on x86 alone
extern const TileFunctions kAvx512Tiles;  // on x86 alone

}  // namespace openqnn::ops::fast
