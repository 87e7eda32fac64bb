// SPDX-License-Identifier: BSD-3-Clause
// Parameters of the backend's ops, written in a row.
#pragma once

#include <cstring>
#include <string_view>
#include <vector>

#include "ir/graph.h"

namespace openqnn::frontend::onnx {

class Params {
 public:
  Params& u32(std::string_view name, uint32_t value) {
    return add(name, ir::DataType::kUint32, {}, &value, sizeof(value));
  }
  Params& i32(std::string_view name, int32_t value) {
    return add(name, ir::DataType::kInt32, {}, &value, sizeof(value));
  }
  Params& f32(std::string_view name, double value) {
    const auto single = static_cast<float>(value);
    return add(name, ir::DataType::kFloat32, {}, &single, sizeof(single));
  }
  Params& boolean(std::string_view name, bool value) {
    const uint8_t byte = value ? 1 : 0;
    return add(name, ir::DataType::kBool8, {}, &byte, sizeof(byte));
  }
  // A tensor of u32 or i32; `shape` is {count} unless it is given.
  Params& u32s(std::string_view name, const std::vector<uint32_t>& values, ir::Shape shape = {}) {
    if (shape.rank() == 0) shape = {static_cast<uint32_t>(values.size())};
    return add(name, ir::DataType::kUint32, shape, values.data(), values.size() * sizeof(uint32_t));
  }
  Params& i32s(std::string_view name, const std::vector<int32_t>& values, ir::Shape shape = {}) {
    if (shape.rank() == 0) shape = {static_cast<uint32_t>(values.size())};
    return add(name, ir::DataType::kInt32, shape, values.data(), values.size() * sizeof(int32_t));
  }
  Params& f32s(std::string_view name, const std::vector<float>& values) {
    return add(name, ir::DataType::kFloat32, {static_cast<uint32_t>(values.size())}, values.data(),
               values.size() * sizeof(float));
  }

  const ir::Params& ir() const { return params_; }

 private:
  Params& add(std::string_view name, ir::DataType type, const ir::Shape& shape, const void* data,
              size_t bytes) {
    ir::Param param{std::string(name), type, shape, std::vector<std::byte>(bytes)};
    if (bytes != 0) std::memcpy(param.data.data(), data, bytes);
    params_.add(std::move(param));
    return *this;
  }
  ir::Params params_;
};

}  // namespace openqnn::frontend::onnx
