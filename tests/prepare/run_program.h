// SPDX-License-Identifier: BSD-3-Clause
// Runs a prepared graph on values that are always the same.
#pragma once

#include <cstring>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "exec/executor.h"
#include "prepare/passes.h"

namespace openqnn::prepare {

using Buffer = std::vector<std::byte>;

inline uint64_t client_bytes(const program::Tensor& tensor) {
  return tensor.desc.shape.elements() * ir::byte_size(tensor.client_type);
}

// Values that depend on the tensor's name alone, so that every Program of a graph gets the same.
inline Buffer input_values(const program::Tensor& tensor) {
  std::mt19937 random(static_cast<uint32_t>(tensor.name.size() * 131 + tensor.name.back()));
  Buffer values(client_bytes(tensor));
  if (tensor.client_type != kFloat32) {
    for (std::byte& byte : values) byte = static_cast<std::byte>(random());
    return values;
  }
  for (size_t i = 0; i < values.size(); i += sizeof(float)) {
    const float value = std::uniform_real_distribution<float>(-2.0F, 2.0F)(random);
    std::memcpy(values.data() + i, &value, sizeof value);
  }
  return values;
}

// The outputs by name.
inline std::map<std::string, Buffer> run(const program::ProgramSet& set, exec::Mode mode) {
  const program::Program& program = *set.programs[0];
  std::vector<Buffer> memory(program.tensors.size());
  std::vector<std::byte*> buffers(program.tensors.size(), nullptr);
  for (size_t i = 0; i < program.tensors.size(); ++i) {
    const program::Tensor& tensor = program.tensors[i];
    if (tensor.role == ir::TensorRole::kInput) memory[i] = input_values(tensor);
    if (tensor.role == ir::TensorRole::kOutput) memory[i].resize(client_bytes(tensor));
    if (!memory[i].empty()) buffers[i] = memory[i].data();
  }
  exec::Executor(set, mode, Logger()).run(buffers);
  std::map<std::string, Buffer> outputs;
  for (size_t i = 0; i < program.tensors.size(); ++i)
    if (program.tensors[i].role == ir::TensorRole::kOutput) outputs[program.tensors[i].name] = memory[i];
  return outputs;
}

}  // namespace openqnn::prepare
