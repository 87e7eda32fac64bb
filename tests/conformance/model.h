// SPDX-License-Identifier: BSD-3-Clause
// Models as plain data, and their description in the structs of the C API.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "QnnOpDef.h"
#include "QnnTypes.h"

namespace conformance {

using Bytes = std::vector<std::byte>;
using Values = std::vector<double>;
using Buffers = std::map<std::string, Bytes>;  // contents by tensor name

// value = scale * (code + offset); a scale of 0 means not quantized.
struct Encoding {
  float scale = 0;
  int32_t offset = 0;
};

// A sparse tensor's layout; no dimensions: a dense one.
struct Sparse {
  uint32_t elements = 0;
  uint32_t dimensions = 0;
};

struct Tensor {
  std::string name;
  Qnn_TensorType_t role = QNN_TENSOR_TYPE_NATIVE;
  Qnn_DataType_t type = QNN_DATATYPE_FLOAT_32;
  std::vector<uint32_t> dims;
  Encoding encoding;
  Bytes data;       // of a static tensor
  uint32_t id = 0;  // the backend's answer to createGraphTensor
  bool created = false;
  Sparse sparse = {};

  size_t elements() const;
  size_t bytes() const;
};

// Real numbers to stored ones and back, in the tensor's type and encoding.
Bytes encode(const Tensor& tensor, std::span<const double> values);
Values decode(const Tensor& tensor, std::span<const std::byte> data);

struct Param {
  std::string name;
  std::variant<Qnn_Scalar_t, Tensor> value;
};
Param scalar(const char* name, uint32_t value);
Param scalar(const char* name, float value);
Param flag(const char* name, bool value);
Param numbers(const char* name, std::vector<uint32_t> dims, std::vector<uint32_t> values);

struct Node {
  std::string name;
  std::string type;
  std::vector<Param> params;
  std::vector<std::string> inputs;  // names of tensors
  std::vector<std::string> outputs;
  std::string package = QNN_OP_PACKAGE_NAME_QTI_AISW;
};

struct Model {
  std::string name;
  std::vector<Tensor> tensors;
  std::vector<Node> nodes;  // in dependency order

  Tensor& tensor(const std::string& tensor_name);
  const Tensor& tensor(const std::string& tensor_name) const;
  Node& node(const std::string& node_name);
  std::vector<const Tensor*> with_role(Qnn_TensorType_t role) const;
};

// Memory that a call may read while it runs and nobody may read afterwards: names, dimensions, arrays. It is
// overwritten before it is freed, so that a backend which keeps a pointer is found out.
class Scratch {
 public:
  Scratch() = default;
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  template <class T>
  T* copy(std::span<const T> items) {
    return reinterpret_cast<T*>(keep(std::as_bytes(items)));
  }
  const char* text(const std::string& text);

 private:
  std::byte* keep(std::span<const std::byte> bytes);

  std::vector<Bytes> blocks_;
};

Qnn_Tensor_t describe(const Tensor& tensor, Scratch& scratch,
                      Qnn_TensorVersion_t version = QNN_TENSOR_VERSION_1);
Qnn_OpConfig_t describe(const Model& model, const Node& node, Scratch& scratch);

// The fields that both versions of a tensor have.
const Qnn_TensorV1_t& fields(const Qnn_Tensor_t& tensor);

}  // namespace conformance
