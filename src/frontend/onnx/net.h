// SPDX-License-Identifier: BSD-3-Clause
// The model between its file and the backend's graph: values and nodes that can be changed, every shape
// known. Subgraphs and functions are inlined; what depends on constants alone is a constant. Refers to the
// bytes of the model, which must outlive it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/onnx/constant.h"
#include "frontend/onnx/model.h"
#include "ir/graph.h"
#include "ir/tensor_encoding.h"

namespace openqnn::frontend::onnx {

using ValueId = uint32_t;
inline constexpr ValueId kNoValue = UINT32_MAX;  // an absent optional operand

struct Value {
  std::string name;
  ElementType type = ElementType::kUndefined;  // kUndefined: what makes it is not understood
  Dims dims;
  std::shared_ptr<const Constant> constant;
  std::shared_ptr<const ir::TensorEncoding> encoding;  // of its reals, as a quantized model says it

  bool known() const { return type != ElementType::kUndefined; }
};

// By name; an attribute that is absent, or of another type, gives the fallback.
class Attributes {
 public:
  void add(std::shared_ptr<const Attribute> attribute) { all_.push_back(std::move(attribute)); }
  const Attribute* find(std::string_view name) const;
  bool has(std::string_view name) const { return find(name) != nullptr; }

  int64_t integer(std::string_view name, int64_t fallback) const;
  double real(std::string_view name, double fallback) const;
  std::string_view text(std::string_view name, std::string_view fallback) const;
  std::vector<int64_t> integers(std::string_view name, const std::vector<int64_t>& fallback = {}) const;
  std::vector<double> reals(std::string_view name, std::vector<double> fallback = {}) const;

  // For nodes that the front end makes.
  Attributes& set(std::string_view name, int64_t value);
  Attributes& set(std::string_view name, double value);
  Attributes& set(std::string_view name, std::vector<int64_t> values);
  Attributes& set(std::string_view name, std::string_view text);

 private:
  Attributes& add_own(std::string_view name, Attribute attribute, std::string_view text = {});

  std::vector<std::shared_ptr<const Attribute>> all_;
};

struct NetNode {
  std::string name;   // unique in the net
  std::string type;   // "Conv"; with its domain unless that is ONNX's own: "com.microsoft.Gelu"
  int64_t opset = 0;  // of its domain
  std::vector<ValueId> inputs;
  std::vector<ValueId> outputs;
  Attributes attributes;
  std::vector<std::string> sources;  // the nodes of the file that it stands for

  // kNoValue when it is absent.
  ValueId input(size_t index) const { return index < inputs.size() ? inputs[index] : kNoValue; }
};

// A value may be given out under a name that is not its own, and under several.
struct NetOutput {
  std::string name;
  ValueId value = kNoValue;
};

// A small file may not fill memory by folding: all results together may have this many elements, and a few
// times those of the file's own constants.
inline constexpr uint64_t kMostFolded = uint64_t{1} << 29;
inline constexpr uint64_t kFoldsOfConstants = 8;
// Nor may it take hours: what results are made of has this many elements together, and as many times more.
inline constexpr uint64_t kMostFoldedOf = uint64_t{1} << 33;

struct Net {
  std::string name;
  std::vector<Value> values;
  std::vector<NetNode> nodes;  // each after those it depends on
  std::vector<ValueId> inputs;
  std::vector<ValueId> refused_inputs;  // what nodes take that were refused: what makes it is judged, too
  std::vector<NetOutput> outputs;
  uint64_t foldable = kMostFolded;  // elements of constants that nodes may still make

  const Constant* constant(ValueId value) const {
    return value == kNoValue ? nullptr : values[value].constant.get();
  }
  ValueId add(Value value) {
    values.push_back(std::move(value));
    return static_cast<ValueId>(values.size() - 1);
  }
  ValueId add_constant(std::string_view called, const std::shared_ptr<const Constant>& value);
};

// Who makes and who takes each value. Stale after the net has changed.
struct Uses {
  explicit Uses(const Net& net);
  std::vector<uint32_t> producer;                // node of each value; kNoNode for inputs and constants
  std::vector<std::vector<uint32_t>> consumers;  // nodes, each as often as it takes the value
  std::vector<bool> is_output;
  static constexpr uint32_t kNoNode = UINT32_MAX;
};

// Drops the nodes that no output depends on, and no refused node.
void prune(Net& net);

}  // namespace openqnn::frontend::onnx
