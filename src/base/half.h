// SPDX-License-Identifier: BSD-3-Clause
// IEEE 754 binary16, as storage. Arithmetic happens in float or double; this rounds to and from it.
#pragma once

#include <cstddef>
#include <cstdint>

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

// Whole arrays, of any alignment.
void floats_to_halves(const std::byte* floats, std::byte* halves, uint64_t count);
void halves_to_floats(const std::byte* halves, std::byte* floats, uint64_t count);

}  // namespace openqnn
