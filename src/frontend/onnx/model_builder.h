// SPDX-License-Identifier: BSD-3-Clause
// Models for tests, written as one would draw them.
//
//   ModelBuilder model(17);
//   model.input("x", {1, 3, 8, 8});
//   model.integers("shape", {1, -1});
//   model.node("Reshape", {"x", "shape"}, {"y"});
//   model.output("y");
#pragma once

#include <concepts>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/onnx/convert.h"
#include "frontend/onnx/import.h"
#include "frontend/onnx/model.h"
#include "frontend/onnx/proto_writer.h"

namespace openqnn::frontend::onnx {

// ---- Attributes ----

inline ProtoWriter attr(std::string_view name, std::integral auto value) {
  const auto wide = static_cast<uint64_t>(static_cast<int64_t>(value));
  return ProtoWriter().bytes(1, name).varint(20, 2).varint(3, wide);
}
inline ProtoWriter attr(std::string_view name, std::floating_point auto value) {
  return ProtoWriter().bytes(1, name).varint(20, 1).fixed32(2, static_cast<float>(value));
}
inline ProtoWriter attr(std::string_view name, std::string_view text) {
  return ProtoWriter().bytes(1, name).varint(20, 3).bytes(4, text);
}
inline ProtoWriter attr(std::string_view name, const char* text) {
  return attr(name, std::string_view(text));
}
inline ProtoWriter attr(std::string_view name, const std::vector<int64_t>& values) {
  ProtoWriter attribute;
  attribute.bytes(1, name).varint(20, 7);
  for (const int64_t value : values) attribute.varint(8, static_cast<uint64_t>(value));
  return attribute;
}
inline ProtoWriter attr(std::string_view name, const std::vector<float>& values) {
  ProtoWriter attribute;
  attribute.bytes(1, name).varint(20, 6);
  for (const float value : values) attribute.fixed32(7, value);
  return attribute;
}
inline ProtoWriter attr(std::string_view name, const std::vector<std::string_view>& texts) {
  ProtoWriter attribute;
  attribute.bytes(1, name).varint(20, 8);
  for (const std::string_view text : texts) attribute.bytes(9, text);
  return attribute;
}
inline ProtoWriter attr(std::string_view name, const ProtoWriter& tensor) {
  return ProtoWriter().bytes(1, name).varint(20, 4).message(5, tensor);
}

// ---- Tensors ----

template <class T>
ProtoWriter tensor(std::string_view name, ElementType type, const Dims& dims, const std::vector<T>& values) {
  std::string raw(values.size() * sizeof(T), '\0');
  if (!raw.empty()) std::memcpy(raw.data(), values.data(), raw.size());
  ProtoWriter message;
  for (const int64_t dim : dims) message.varint(1, static_cast<uint64_t>(dim));
  message.varint(2, static_cast<uint64_t>(type)).bytes(8, name).bytes(9, raw);
  return message;
}

// ---- The model ----

class ModelBuilder {
 public:
  explicit ModelBuilder(int64_t opset = 17) : opset_(opset) {}

  ModelBuilder& input(std::string_view name, const Dims& dims, ElementType type = ElementType::kFloat) {
    graph_.message(11, value_info(name, dims, type));
    return *this;
  }
  ModelBuilder& output(std::string_view name) {
    graph_.message(12, ProtoWriter().bytes(1, name));
    return *this;
  }
  ModelBuilder& integers(std::string_view name, const std::vector<int64_t>& values) {
    return constant(name, ElementType::kInt64, {static_cast<int64_t>(values.size())}, values);
  }
  ModelBuilder& integer(std::string_view name, int64_t value) {
    return constant(name, ElementType::kInt64, {}, std::vector<int64_t>{value});
  }
  ModelBuilder& reals(std::string_view name, const Dims& dims, const std::vector<float>& values) {
    return constant(name, ElementType::kFloat, dims, values);
  }
  template <class T>
  ModelBuilder& constant(std::string_view name, ElementType type, const Dims& dims,
                         const std::vector<T>& values) {
    graph_.message(5, tensor(name, type, dims, values));
    return *this;
  }
  // `type` may begin with its domain: "com.microsoft.Gelu".
  ModelBuilder& node(std::string_view type, const std::vector<std::string_view>& inputs,
                     const std::vector<std::string_view>& outputs,
                     const std::vector<ProtoWriter>& attributes = {}) {
    ProtoWriter node;
    for (const std::string_view name : inputs) node.bytes(1, name);
    for (const std::string_view name : outputs) node.bytes(2, name);
    const size_t dot = type.rfind('.');
    node.bytes(4, dot == std::string_view::npos ? type : type.substr(dot + 1));
    for (const ProtoWriter& attribute : attributes) node.message(5, attribute);
    if (dot != std::string_view::npos) node.bytes(7, type.substr(0, dot));
    graph_.message(1, node);
    return *this;
  }

  // As the body of a node: inputs and outputs are the body's.
  ProtoWriter body(std::string_view attribute) const {
    return ProtoWriter().bytes(1, attribute).varint(20, 5).message(6, graph_);
  }

  std::string bytes() const {
    ProtoWriter model;
    model.varint(1, 8).message(7, graph_);
    model.message(8, ProtoWriter().varint(2, static_cast<uint64_t>(opset_)));
    model.message(8, ProtoWriter().bytes(1, "com.microsoft").varint(2, 1));
    return model.text();
  }

 private:
  static ProtoWriter value_info(std::string_view name, const Dims& dims, ElementType type) {
    ProtoWriter shape;
    for (const int64_t dim : dims) shape.message(1, ProtoWriter().varint(1, static_cast<uint64_t>(dim)));
    ProtoWriter tensor_type;
    tensor_type.varint(1, static_cast<uint64_t>(type)).message(2, shape);
    return ProtoWriter().bytes(1, name).message(2, ProtoWriter().message(1, tensor_type));
  }

  int64_t opset_;
  ProtoWriter graph_;
};

// ---- What becomes of it ----

// The net of a model keeps views into its bytes: both are kept together.
struct BuiltModel {
  explicit BuiltModel(const ModelBuilder& builder) : file(builder.bytes()) {
    const Bytes view = std::as_bytes(std::span(file.data(), file.size()));
    model = read_model(view, "test.onnx").value();
  }
  Result<Imported> import(const ImportOptions& options = {}) const {
    ExternalFiles none("");
    return import_model(model, none, options);
  }
  Result<Conversion> convert(const ConvertOptions& options = {}) const {
    ExternalFiles none("");
    return onnx::convert(model, none, "test", options);
  }

  std::string file;
  Model model;
};

// The types of the ops that compute a model, in order.
inline std::vector<std::string> ops_of(const ir::Graph& graph) {
  std::vector<std::string> types;
  for (const ir::Node& node : graph.nodes()) types.push_back(node.type);
  return types;
}

// "Type: reason" of the first refused node, or the reason why there is no model at all; empty when all is
// well.
inline std::string refusal_of(const ModelBuilder& builder) {
  const auto converted = BuiltModel(builder).convert();
  if (!converted) return converted.error().message;
  const auto& refusals = converted->refusals;
  return refusals.empty() ? "" : refusals[0].type + ": " + refusals[0].why.message;
}

// The types of the ops that compute the model; what was refused instead, if anything was.
inline std::vector<std::string> lowered(const ModelBuilder& builder) {
  const auto converted = BuiltModel(builder).convert();
  if (!converted || !converted->graph) return {refusal_of(builder)};
  return ops_of(*converted->graph);
}

// The values of the first output, which depends on constants alone; empty when it does not.
inline std::vector<double> folded(const ModelBuilder& builder) {
  const BuiltModel built(builder);
  const auto imported = built.import();
  if (!imported || imported->net.outputs.empty()) return {};
  const Constant* constant = imported->net.constant(imported->net.outputs[0].value);
  return constant == nullptr ? std::vector<double>() : constant->reals();
}

}  // namespace openqnn::frontend::onnx
