// SPDX-License-Identifier: BSD-3-Clause
// An ONNX model as its file states it. Texts and tensor values are views into the file's bytes, which must
// outlive the model; nothing is checked against a schema and nothing is inferred here.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "base/files.h"
#include "base/result.h"
#include "base/zero_pages.h"
#include "frontend/onnx/wire.h"

namespace openqnn::frontend::onnx {

// TensorProto.DataType.
enum class ElementType : int32_t {
  kUndefined = 0,
  kFloat = 1,
  kUint8 = 2,
  kInt8 = 3,
  kUint16 = 4,
  kInt16 = 5,
  kInt32 = 6,
  kInt64 = 7,
  kString = 8,
  kBool = 9,
  kFloat16 = 10,
  kDouble = 11,
  kUint32 = 12,
  kUint64 = 13,
  kBfloat16 = 16,
  kUint4 = 21,
  kInt4 = 22,
};
// "float", "int64"; "type 14" for one that is not named above.
std::string name_of(ElementType type);
// Bits of an element in raw_data; 0 for texts and types that are not named above.
uint32_t bits_of(ElementType type);
// Bytes of so many elements in raw_data.
uint64_t stored_bytes(ElementType type, uint64_t count);

// Where a tensor's values lie when they are not in the model's own file.
struct ExternalData {
  std::string_view location;  // a path relative to the model's folder
  uint64_t offset = 0;
  std::optional<uint64_t> length;
};

struct Tensor {
  std::string_view name;
  ElementType type = ElementType::kUndefined;
  std::vector<int64_t> dims;
  // The values are in exactly one of these.
  std::optional<Bytes> raw;
  std::vector<Field> typed;  // float_data, int32_data, ...: packed or one by one, as written
  std::vector<std::string_view> texts;
  std::optional<ExternalData> external;
};

struct Dimension {
  std::optional<int64_t> value;
  std::string_view name;  // of a dynamic one; may be empty
};

struct ValueInfo {
  std::string_view name;
  ElementType type = ElementType::kUndefined;  // kUndefined: not a tensor, or not said
  std::optional<std::vector<Dimension>> shape;
  bool is_tensor = false;
};

struct Graph;

struct Attribute {
  // AttributeProto.AttributeType.
  enum class Type : int32_t {
    kUndefined = 0,
    kFloat = 1,
    kInt = 2,
    kString = 3,
    kTensor = 4,
    kGraph = 5,
    kFloats = 6,
    kInts = 7,
    kStrings = 8,
    kTensors = 9,
    kGraphs = 10,
  };
  std::string_view name;
  std::string_view refers_to;  // inside a function: the function's attribute that gives the value
  Type type = Type::kUndefined;
  float f = 0;
  int64_t i = 0;
  std::string_view s;
  std::vector<float> floats;
  std::vector<int64_t> ints;
  std::vector<std::string_view> strings;
  std::vector<Tensor> tensors;
  std::vector<Graph> graphs;
};

struct Node {
  std::string_view name;
  std::string_view op_type;
  std::string_view domain;                // "" is ONNX's own
  std::vector<std::string_view> inputs;   // "" is an absent optional one
  std::vector<std::string_view> outputs;  // likewise
  std::vector<Attribute> attributes;

  const Attribute* find(std::string_view attribute) const;
};

struct Graph {
  std::string_view name;
  std::vector<Node> nodes;
  std::vector<Tensor> initializers;
  std::vector<ValueInfo> inputs;
  std::vector<ValueInfo> outputs;
  std::vector<ValueInfo> value_infos;
  bool has_sparse_initializers = false;
};

struct OperatorSet {
  std::string_view domain;
  int64_t version = 0;
};

struct Function {
  std::string_view name;
  std::string_view domain;
  std::vector<std::string_view> inputs;
  std::vector<std::string_view> outputs;
  std::vector<std::string_view> attributes;
  std::vector<Attribute> defaults;  // attributes with a value when the call has none
  std::vector<Node> nodes;
  std::vector<OperatorSet> operator_sets;
};

struct Model {
  int64_t ir_version = 0;
  std::string_view producer;
  std::string_view producer_version;
  std::vector<OperatorSet> operator_sets;
  std::vector<Function> functions;
  std::optional<Graph> graph;

  // Of ONNX's own domain; 0 when the model imports none.
  int64_t opset() const;
};

// `source` names the bytes in diagnostics.
Result<Model> read_model(Bytes bytes, std::string_view source);
// A tensor that has a file of its own, as test sets hold inputs and outputs.
Result<Tensor> read_tensor(Bytes bytes, std::string_view source);

// The values of a tensor, row-major, little-endian, as raw_data would hold them; 4-bit ones two to a byte,
// the first in the low nibble. A view where the file allows it.
class TensorValues {
 public:
  explicit TensorValues(Bytes view, std::shared_ptr<const void> owner = nullptr)
      : view_(view), owner_(std::move(owner)) {}
  TensorValues(Bytes view, const std::shared_ptr<const MappedFile>& file)
      : view_(view), owner_(file), file_(file.get()) {}
  // Of a tensor whose shape alone counts; zeros to whoever looks.
  static TensorValues unstated(const std::shared_ptr<ZeroPages>& zeros) {
    TensorValues values(zeros->bytes(), std::shared_ptr<const void>(zeros));
    values.stated_ = false;
    return values;
  }
  Bytes bytes() const { return view_; }
  bool is_stated() const { return stated_; }
  bool owns() const { return owner_ != nullptr; }
  // Gives back the memory of values that lie in a file.
  void release() const {
    if (file_ != nullptr) file_->release(view_);
  }

 private:
  Bytes view_;
  std::shared_ptr<const void> owner_;  // keeps the bytes alive; none when they are the model's
  const MappedFile* file_ = nullptr;   // the owner, where it is a file
  bool stated_ = true;
};

// The files that hold the values of a model's tensors: those beside it, each mapped once, and its own, where
// it came from one.
class ExternalFiles {
 public:
  ExternalFiles() = default;  // of a model in memory, which nothing is beside
  explicit ExternalFiles(std::filesystem::path folder, std::shared_ptr<const MappedFile> model = nullptr)
      : folder_(std::move(folder)), model_(std::move(model)) {}
  Result<TensorValues> read(const ExternalData& data, uint64_t bytes);
  // From now on no file is opened, and tensors of weights have no values: shapes alone count.
  void leave_weights_out() { leaves_weights_out_ = true; }
  bool leaves_out(const Tensor& tensor, uint64_t bytes) const;
  // Bytes of the model itself.
  TensorValues own(Bytes view) const { return model_ ? TensorValues(view, model_) : TensorValues(view); }

 private:
  struct File {
    std::string location;
    std::shared_ptr<const MappedFile> mapped;
  };
  std::optional<std::filesystem::path> folder_;
  std::shared_ptr<const MappedFile> model_;
  std::vector<File> files_;
  bool leaves_weights_out_ = false;
};

// How many elements the dimensions say; refuses negative ones and products beyond any memory.
Result<uint64_t> element_count(const Tensor& tensor);
// Refuses texts, unknown types, and values that are fewer or more than the dimensions say.
Result<TensorValues> values_of(const Tensor& tensor, ExternalFiles& files);

}  // namespace openqnn::frontend::onnx
