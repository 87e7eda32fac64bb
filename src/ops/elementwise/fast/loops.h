// SPDX-License-Identifier: BSD-3-Clause
// Loops over stretches of elements, compiled once for each instruction set from loops.inc. Only plain structs
// here, as in matrix/fast/tile.h.
#pragma once

#include <cstddef>
#include <cstdint>

#include "ops/unaligned.h"

namespace openqnn::ops::fast {

enum class Arithmetic : uint8_t { kAdd, kSubtract, kMultiply, kMaximum, kMinimum };

// An operand of two: one element for each result, or one for all.
struct HalfOperand {
  const Unaligned16* values = nullptr;
  bool stays = false;
};

// What the stored integers of a fixed-point type stand for. They count as unsigned: signed ones are moved by
// half their range, and so is the offset.
struct FixedFormat {
  uint32_t move = 0;  // the sign bit of a signed type, which is turned over; else 0
  int32_t offset = 0;
  double scale = 1.0;
  double low = 0.0;  // in steps, before the offset
  double high = 0.0;
};

// Fixed-point arithmetic on real numbers: result = quantize(scale (a + offset) op scale (b + offset)).
struct FixedOperand {
  const void* values = nullptr;
  bool stays = false;
  FixedFormat format;
};
struct FixedResult {
  void* values = nullptr;
  FixedFormat format;
  // For bytes: results in float that are farther than this from a tie need no doubles. 0.5: all need them.
  float tolerance = 0.5F;
};

// Stored integers between two others, all counted as FixedFormat does.
struct Clip16 {
  uint16_t move = 0;
  uint16_t low = 0;
  uint16_t high = 0;
};

// Halves below one become it, those above another become that; every NaN has the one form of base/half.h.
// Keys are in the order of numbers, but tell zeros apart.
struct HalfClip {
  int16_t low_key = 0;
  int16_t high_key = 0;
  uint16_t low = 0;
  uint16_t high = 0;
};

struct Loops {
  void (*lookup8)(const uint8_t* table, const uint8_t* in, uint8_t* out, size_t count);
  void (*lookup16)(const uint16_t* table, const Unaligned16* in, Unaligned16* out, size_t count);
  void (*lookup16_to_8)(const uint8_t* table, const Unaligned16* in, uint8_t* out, size_t count);
  void (*clip8)(uint8_t low, uint8_t high, const uint8_t* in, uint8_t* out, size_t count);
  void (*clip16)(const Clip16& clip, const Unaligned16* in, Unaligned16* out, size_t count);
  void (*clip_halves)(const HalfClip& clip, const Unaligned16* in, Unaligned16* out, size_t count);
  void (*half)(Arithmetic op, const HalfOperand& a, const HalfOperand& b, Unaligned16* out, size_t count);
  void (*fixed8)(Arithmetic op, const FixedOperand& a, const FixedOperand& b, const FixedResult& out,
                 size_t count);
  void (*fixed16)(Arithmetic op, const FixedOperand& a, const FixedOperand& b, const FixedResult& out,
                  size_t count);
  // A stretch as real numbers and back, element by element as ElementReader and ElementWriter have them.
  void (*read8)(const void* in, const FixedFormat& format, double* out, size_t count);
  void (*read16)(const void* in, const FixedFormat& format, double* out, size_t count);
  void (*read_halves)(const void* in, double* out, size_t count);
  void (*write8)(const double* in, const FixedFormat& format, void* out, size_t count);
  void (*write16)(const double* in, const FixedFormat& format, void* out, size_t count);
  void (*write_halves)(const double* in, void* out, size_t count);
};

extern const Loops kPortableLoops;
extern const Loops kAvx2Loops;    // on x86 alone
extern const Loops kAvx512Loops;  // on x86 alone

}  // namespace openqnn::ops::fast
