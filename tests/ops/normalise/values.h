// SPDX-License-Identifier: BSD-3-Clause
// Values of our own choice in a case, and what came out.
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "base/half.h"
#include "ops/bytes.h"
#include "ops/op_case.h"

namespace openqnn::ops {

inline void set_halves(OpCase& c, size_t input, const std::vector<float>& values) {
  c.data[input] = halves({values.begin(), values.end()});
}

template <class T>
void set_values(OpCase& c, size_t input, const std::vector<T>& values) {
  c.data[input] = bytes_of(values);
}

template <class T>
std::vector<T> values_of(const OpCase& c, const Bytes& out, size_t output = 0) {
  std::vector<T> values(c.outputs[output].shape.elements());
  std::memcpy(values.data(), out.data() + c.output_offset(output), values.size() * sizeof(T));
  return values;
}

inline std::vector<float> halves_of(const OpCase& c, const Bytes& out, size_t output = 0) {
  std::vector<float> values;
  for (const uint16_t bits : values_of<uint16_t>(c, out, output)) values.push_back(to_float(Half{bits}));
  return values;
}

}  // namespace openqnn::ops
