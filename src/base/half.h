// SPDX-License-Identifier: BSD-3-Clause
// IEEE 754 binary16, as storage. Arithmetic happens in float or double; this rounds to and from it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/cpu.h"

namespace openqnn {

struct Half {
  uint16_t bits = 0;
  friend bool operator==(Half a, Half b) { return a.bits == b.bits; }
};

// Exact: every half is a float.
float to_float(Half value);

// Rounds to nearest, ties to even; too large becomes infinity; NaN stays NaN (quiet).
Half to_half(float value);

// Rounds once, straight from double (going through float first could round twice).
Half to_half(double value);

// The one form of a NaN that is computed: which of two NaNs an addition gives, and in which form, is the
// compiler's choice.
inline Half one_nan(Half value) { return (value.bits & 0x7fff) > 0x7c00 ? Half{0x7e00} : value; }

// Whole arrays, of any alignment, with the instructions of a level that this CPU has.
void floats_to_halves(const std::byte* floats, std::byte* halves, uint64_t count, Isa isa = host_isa());
void halves_to_floats(const std::byte* halves, std::byte* floats, uint64_t count, Isa isa = host_isa());

}  // namespace openqnn
