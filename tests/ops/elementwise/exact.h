// SPDX-License-Identifier: BSD-3-Clause
// Cases with chosen bytes instead of random ones.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <initializer_list>
#include <string>
#include <vector>

#include "base/half.h"
#include "ops/op_case.h"

namespace openqnn::ops {

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

// The result of a problem line on these inputs; `spoil` may change the case first.
template <class Spoil>
Bytes run_on(const std::string& line, const std::vector<Bytes>& inputs, Spoil&& spoil) {
  OpCase c{line};
  c.data = inputs;
  spoil(c);
  const Status status = validate_prepared(*c.op, c.call());
  EXPECT_TRUE(status) << status.error().to_string();
  return status ? c.run() : Bytes();
}
inline Bytes run_on(const std::string& line, const std::vector<Bytes>& inputs) {
  return run_on(line, inputs, [](OpCase&) {});
}

inline void encode(ir::TensorDesc& desc, float scale, int32_t offset) {
  desc.quantization = ir::Quantization::per_tensor(scale, offset);
}

// The sentence with which a call is refused, or nothing.
template <class Spoil>
std::string refusal(const std::string& line, Spoil&& spoil) {
  OpCase c{line};
  spoil(c);
  const Status status = validate(c.op->type, c.call());
  return status ? std::string() : status.error().to_string();
}
inline std::string refusal(const std::string& line) {
  return refusal(line, [](OpCase&) {});
}

}  // namespace openqnn::ops
