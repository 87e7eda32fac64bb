// SPDX-License-Identifier: BSD-3-Clause
// The models that the tests run, each with inputs.
#pragma once

#include <gtest/gtest.h>

#include "model.h"

namespace conformance {

struct Sample {
  Model model;
  Buffers inputs;
};

// What clients call a float and a quantized model.
enum class Kind { kFloat, kQuantized };

// Conv2d 3x3, Relu, PoolMax2d 2x2. Another seed gives other weights and leaves the rest as it is.
Sample conv_relu_pool(Kind kind, uint32_t size = 8, uint32_t channels = 3, uint32_t filters = 8,
                      uint32_t weight_seed = 2);
// ElementWiseAdd of two inputs, the second broadcast.
Sample add(Kind kind);
// MatMul with static weights, then Softmax.
Sample matmul_softmax(Kind kind);
// `length` ElementWiseAdds, one after the other, on tensors of rows x 1024 numbers.
Sample add_chain(Kind kind, uint32_t rows, uint32_t length);

std::vector<Sample> all_samples(Kind kind);

// For suites that run with both kinds.
std::string kind_name(const ::testing::TestParamInfo<Kind>& info);

// Reproducible numbers in [-1, 1).
Values noise(size_t count, uint32_t seed);

}  // namespace conformance
