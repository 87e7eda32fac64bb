// SPDX-License-Identifier: BSD-3-Clause
// Cases with chosen bytes instead of random ones.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "ops/bytes.h"
#include "ops/op_case.h"

namespace openqnn::ops {

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
