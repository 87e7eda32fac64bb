// SPDX-License-Identifier: BSD-3-Clause
// The inputs and outputs of a graph that can be executed, wherever it came from: composed from a model, or
// loaded from a context binary.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "QnnTypes.h"
#include "base/result.h"
#include "ir/graph.h"

namespace openqnn::tools {

struct IoTensor {
  ir::Tensor tensor;  // without values
  uint32_t id = 0;    // the backend's name for it
  // Its encoding is one that this program cannot compute with: only native files will do.
  bool native_only = false;
  // What the file calls it that the model was converted from; empty where nothing tells.
  std::string source;
};

struct RunnableGraph {
  std::string name;
  Qnn_GraphHandle_t handle = nullptr;
  std::vector<IoTensor> inputs;  // in the order in which the graph has them
  std::vector<IoTensor> outputs;
};

std::vector<std::string> names_of(const std::vector<RunnableGraph>& graphs);
std::vector<std::string> names_of(const std::vector<IoTensor>& tensors);

// The fields that all versions of a tensor begin with.
const Qnn_TensorV1_t& fields_of(const Qnn_Tensor_t& tensor);

// Copies all that it needs from the C API's description.
Result<IoTensor> io_tensor(const Qnn_Tensor_t& tensor);

// ---- Between files and tensors ----

// float32 values as the tensor holds them: quantized, narrowed to half, or rounded to integers, saturating.
std::vector<std::byte> native_of(const ir::TensorDesc& desc, std::span<const float> values);
std::vector<float> floats_of(const ir::TensorDesc& desc, std::span<const std::byte> values);

}  // namespace openqnn::tools
