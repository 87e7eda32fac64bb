// SPDX-License-Identifier: BSD-3-Clause
// Random tensors of the C API, with all they point to.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "QnnTypes.h"
#include "api/fuzz/dice.h"
#include "ir/types.h"

namespace openqnn::api::fuzz {

constexpr uint64_t kMostBytes = 1 << 16;  // of one tensor's buffer

// Lists that a quantization encoding points to.
struct EncodingLists {
  std::vector<Qnn_ScaleOffset_t> pairs;
  std::vector<float> scales;
  std::vector<int32_t> offsets;
  std::vector<uint32_t> block;
  std::vector<uint8_t> block_scales;
  Qnn_BlockwiseExpansion_t expansion{};
  Qnn_VectorEncoding_t vector{};
};

// Made once, then only read: graphs and threads share it. Calls pass copies of `tensor`.
struct OwnTensor {
  std::string name;
  std::vector<uint32_t> dims;
  std::vector<uint8_t> is_dynamic;  // of version 2
  std::vector<std::byte> data;      // of a static one
  EncodingLists lists;
  Qnn_Tensor_t tensor = QNN_TENSOR_INIT;

  // Bytes of a buffer for it, kMostBytes at most.
  uint64_t bytes() const;
  bool is_input() const;
  bool is_output() const;
};

struct TensorRequest {
  std::string name;
  Qnn_TensorType_t role = QNN_TENSOR_TYPE_NATIVE;
  ir::DataType type = ir::DataType::kFloat32;
  std::vector<uint32_t> dims;
  bool sparse = false;
};

std::vector<uint32_t> random_shape(Dice& dice);
// Mostly what was asked for: now and then with another role, version, memory or encoding than is sensible.
std::unique_ptr<OwnTensor> random_tensor(Dice& dice, TensorRequest request);
// Another encoding and other data for a tensor that exists, as updates pass them.
std::unique_ptr<OwnTensor> random_update(Dice& dice, const OwnTensor& old);

}  // namespace openqnn::api::fuzz
