// SPDX-License-Identifier: BSD-3-Clause
// The demo's model: a small image classifier that uses every op of the backend. Plain data, known to nobody
// else.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace openqnn::tools {

using Values = std::vector<double>;

struct ModelTensor {
  enum class Role : uint8_t { kInput, kOutput, kNative, kWeight, kBias };
  std::string name;
  std::vector<uint32_t> shape;  // images NHWC; filters [height, width, in, out]
  Role role = Role::kNative;
  Values values = {};  // of weights and biases
};

struct ModelNode {
  std::string name;
  std::string type;            // QNN's name for it
  std::vector<size_t> inputs;  // into Model::tensors
  size_t output = 0;
  // Of windows, {height, width}; padding is the same on both sides.
  std::array<uint32_t, 2> filter = {0, 0};
  std::array<uint32_t, 2> stride = {1, 1};
  std::array<uint32_t, 2> padding = {0, 0};
};

struct Model {
  std::vector<ModelTensor> tensors;
  std::vector<ModelNode> nodes;  // in order of dependency
  size_t input = 0;
  size_t output = 0;
};

size_t element_count(const std::vector<uint32_t>& shape);

// The same weights on every machine: integers drawn from a fixed sequence, no library's random numbers.
Model image_classifier();

// Picture `number` for the classifier: coloured patches with noise, values from 0 to 1.
Values picture(uint32_t number);

}  // namespace openqnn::tools
