// SPDX-License-Identifier: BSD-3-Clause
// Chosen values as the bytes of a tensor, and back.
#pragma once

#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "base/half.h"
#include "ops/op_case.h"

namespace openqnn::ops {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

template <class T>
Bytes bytes_of(const std::vector<T>& values) {
  Bytes bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

template <class T>
std::vector<T> values_of(const Bytes& bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

inline Bytes halves(const std::vector<double>& values) {
  std::vector<uint16_t> bits;
  for (const double value : values) bits.push_back(to_half(value).bits);
  return bytes_of(bits);
}

inline std::vector<double> reals(const Bytes& bytes) {
  std::vector<double> values;
  for (const uint16_t bits : values_of<uint16_t>(bytes)) values.push_back(to_float(Half{bits}));
  return values;
}

inline double half_at(const Bytes& bytes, size_t index) {
  Half half;
  std::memcpy(&half.bits, &bytes[index * 2], 2);
  return to_float(half);
}

}  // namespace openqnn::ops
