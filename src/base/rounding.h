// SPDX-License-Identifier: BSD-3-Clause
// The one function that turns a real number into a stored integer. Every quantized kernel ends here, on every
// instruction set, so that their results agree.
#pragma once

#include <cmath>
#include <cstdint>

namespace openqnn {

// The integers a quantized type can hold.
struct IntegerRange {
  int32_t low = 0;
  int32_t high = 0;
};

// `steps` is a real value divided by the encoding's scale. QNN's encoding is real = scale * (stored +
// offset), so stored = round(steps) - offset, ties to even, saturated to the type's range. NaN becomes the
// low end.
inline int32_t quantize_steps(double steps, int32_t offset, IntegerRange range) {
  const double stored = ::roundeven(steps) - offset;
  if (!(stored > range.low)) return range.low;
  if (stored > range.high) return range.high;
  return static_cast<int32_t>(stored);
}

}  // namespace openqnn
