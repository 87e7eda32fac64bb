// SPDX-License-Identifier: BSD-3-Clause
// One node as the rules see it; and those that infer and fold.
#pragma once

#include <memory>
#include <string>

#include "base/diagnostic.h"
#include "frontend/onnx/net.h"

namespace openqnn::frontend::onnx {

// No model has tensors of more dimensions than this, and no rule needs to be quick for them (ours).
inline constexpr size_t kMostDims = 64;

// One node as every rule sees it.
class NodeView {
 public:
  NodeView(const Net& net, const NetNode& node) : net_(net), node_(node) {}

  const Net& net() const { return net_; }
  const NetNode& node() const { return node_; }
  const Attributes& attributes() const { return node_.attributes; }
  int64_t opset() const { return node_.opset; }

  size_t input_count() const { return node_.inputs.size(); }
  bool has(size_t input) const { return node_.input(input) != kNoValue; }
  // Of inputs that are there; the importer has seen to it that their shapes are known.
  const Value& in(size_t input) const { return net_.values[node_.inputs[input]]; }
  const Dims& dims(size_t input) const { return in(input).dims; }
  size_t rank(size_t input) const { return dims(input).size(); }
  ElementType type(size_t input) const { return in(input).type; }
  // Null when it is absent or no constant.
  const Constant* constant(size_t input) const { return net_.constant(node_.input(input)); }
  size_t output_count() const { return node_.outputs.size(); }
  bool wants(size_t output) const {
    return output < node_.outputs.size() && node_.outputs[output] != kNoValue;
  }
  // One that the node does not have is empty.
  const Value& out(size_t output = 0) const {
    static const Value kNone;
    return wants(output) ? net_.values[node_.outputs[output]] : kNone;
  }

  // `axis` counted from the end when negative, in a tensor of `rank` dimensions.
  Result<size_t> axis(int64_t axis, size_t rank) const;
  // Each once.
  Result<std::vector<size_t>> axes(const std::vector<int64_t>& axes, size_t rank) const;
  // What the attribute `axis` says of input 0.
  Result<size_t> axis_attribute(int64_t fallback) const;

  // Arguments that were attributes in old opsets and are inputs in new ones: the numbers of `input` where the
  // node has it, else those of the attribute; nothing when it has neither. An input must be constant.
  Result<std::optional<std::vector<int64_t>>> integers_of(size_t input, std::string_view attribute) const;
  // One such number, e.g. k of a TopK.
  Result<int64_t> integer_of(size_t input, std::string_view name) const;

  // The diagnostics of a node: where it is, is said already.
  DiagnosticBuilder wrong(const std::string& why) const;        // breaks ONNX's rules
  DiagnosticBuilder not_offered(const std::string& why) const;  // legal, but not computed here

 private:
  const Net& net_;
  const NetNode& node_;
};

// As the rules that infer and fold see it.
class Inference : public NodeView {
 public:
  Inference(Net& net, const NetNode& node) : NodeView(net, node), changed_(net) {}

  // The values of an input that must be constant for shapes to be known, e.g. the target of a Reshape.
  Result<std::vector<int64_t>> need_integers(size_t input, std::string_view what) const;
  // Refuses a node with fewer inputs, or whose first `count` inputs are not all there.
  Status need_inputs(size_t count) const;

  // Of an output that was set; empty for one that the node does not have.
  const Dims& out_dims(size_t output) const { return out(output).dims; }
  ElementType out_type(size_t output) const { return out(output).type; }
  // An output that the node does not have is passed over. Refuses dimensions that no memory holds.
  Status set(size_t output, ElementType type, Dims dims);
  Status set(size_t output, Constant constant);
  // What a quantized model says of the reals of an output that was set.
  void keep_encoding(size_t output, std::shared_ptr<const ir::TensorEncoding> encoding);

 private:
  Net& changed_;
};

// The dimensions of two operands stretched to one another; nothing when they do not fit.
std::optional<Dims> broadcast(const Dims& a, const Dims& b);

DiagnosticBuilder wrong_node(const NetNode& node, const std::string& why);
DiagnosticBuilder not_offered_node(const NetNode& node, const std::string& why);

// For ops that fusions alone make, after the inference: a file that names one is refused.
Status infer_nothing(Inference& node);

}  // namespace openqnn::frontend::onnx
