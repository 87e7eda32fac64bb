// SPDX-License-Identifier: BSD-3-Clause
// Quantities that must not be mixed up. Cycles become time only through a clock (sim's power state).
#pragma once

#include <compare>
#include <cstdint>

namespace openqnn {

template <class Tag>
struct Quantity {
  uint64_t value = 0;

  friend constexpr auto operator<=>(Quantity,
                                    Quantity) = default;  // NOLINT(modernize-use-nullptr): its mistake
  friend constexpr Quantity operator+(Quantity a, Quantity b) { return {a.value + b.value}; }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return {a.value - b.value}; }
  constexpr Quantity& operator+=(Quantity other) {
    value += other.value;
    return *this;
  }
};

using Cycles = Quantity<struct CyclesTag>;
using Bytes = Quantity<struct BytesTag>;
using Nanos = Quantity<struct NanosTag>;  // of the modelled device unless a name says host

constexpr double in_micros(Nanos time) { return static_cast<double>(time.value) / 1000.0; }
constexpr Nanos micros(uint64_t count) { return {count * 1000}; }

inline constexpr uint64_t kKiB = 1024;
inline constexpr uint64_t kMiB = 1024 * kKiB;

constexpr uint64_t round_up(uint64_t value, uint64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}
constexpr uint64_t ceil_div(uint64_t value, uint64_t divisor) { return (value + divisor - 1) / divisor; }

}  // namespace openqnn
