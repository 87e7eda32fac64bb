// SPDX-License-Identifier: BSD-3-Clause
#include "frontend/onnx/absorb_quantization.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "frontend/onnx/rules/quantization.h"

namespace openqnn::frontend::onnx {
namespace {

// Ops that give the same reals whether they see integers or what these stand for: they move elements, or take
// the greatest. The value is their first input.
constexpr std::array<std::string_view, 13> kTransparent{
    "DepthToSpace", "Expand", "Flatten", "Gather", "Identity",  "MaxPool",   "Reshape",
    "SpaceToDepth", "Slice",  "Squeeze", "Tile",   "Transpose", "Unsqueeze",
};

bool is_transparent(const NetNode& node) {
  const bool known = std::ranges::find(kTransparent, node.type) != kTransparent.end();
  return known && node.outputs.size() == 1 && !node.inputs.empty();
}

// Quantizers drop a Relu or Clip behind these where the range of the integers does the same.
constexpr std::array<std::string_view, 7> kBeforeActivations{
    "Add", "BatchNormalization", "Conv", "ConvTranspose", "Gemm", "MatMul", "Mul",
};

bool hides_activation(const NetNode& node) {
  return !node.outputs.empty() &&
         std::ranges::find(kBeforeActivations, node.type) != kBeforeActivations.end();
}

constexpr int64_t kClipByAttributes = 6;  // the opset in which a Clip says its bounds by attributes

IntegerRange range_of(const ir::TensorEncoding& encoding) {
  const uint32_t bits = encoding.quantization.bits;
  if (bits == 0) return ir::integer_range(encoding.type);
  const bool is_signed = encoding.type == ir::DataType::kSfixed8;
  return is_signed ? IntegerRange{-(1 << (bits - 1)), (1 << (bits - 1)) - 1}
                   : IntegerRange{0, (1 << bits) - 1};
}

// Whether the least real that the integers stand for is 0, as behind a Relu.
bool begins_at_zero(const ir::TensorEncoding& encoding) {
  return encoding.quantization.kind == ir::Quantization::Kind::kPerTensor &&
         int64_t{range_of(encoding).low} + encoding.quantization.encodings[0].offset == 0;
}

double greatest_of(const ir::TensorEncoding& encoding) {
  const ir::ScaleOffset& one = encoding.quantization.encodings[0];
  return (static_cast<double>(range_of(encoding).high) + one.offset) * static_cast<double>(one.scale);
}

class Absorber {
 public:
  explicit Absorber(Net& net) : net_(net), stands_for_(net.values.size(), kNoValue) {}

  void run() {
    std::vector<NetNode> nodes = std::move(net_.nodes);
    net_.nodes.clear();
    for (NetNode& node : nodes) {
      for (ValueId& input : node.inputs) input = now(input);
      if (node.type == "DequantizeLinear" && absorb_dequantize(node)) continue;
      if (node.type == "QuantizeLinear") take_quantize(node);
      join_clips(node);
      if (is_transparent(node)) add_twin(node);
      if (node.type == "Concat") add_joined_twin(node);
      if (hides_activation(node)) may_hide_activation_.insert(node.outputs[0]);
      net_.nodes.push_back(std::move(node));
    }
    for (NetOutput& output : net_.outputs) output.value = now(output.value);
    prune(net_);
    encode_edges();
  }

 private:
  // Integers and the reals that they stand for.
  struct Reals {
    ValueId value;
    std::shared_ptr<const ir::TensorEncoding> encoding;
  };
  struct Bounds {
    double low;
    double high;
  };
  struct AddedClip {
    ValueId clipped;
    Bounds range;
  };

  ValueId add(Value value) {
    stands_for_.push_back(kNoValue);
    return net_.add(std::move(value));
  }

  ValueId now(ValueId value) const {
    return value != kNoValue && stands_for_[value] != kNoValue ? stands_for_[value] : value;
  }

  const Reals* reals_of(ValueId integers) const {
    const auto found = reals_.find(integers);
    return found != reals_.end() ? &found->second : nullptr;
  }

  void take_quantize(const NetNode& node) {
    if (node.inputs.empty() || node.outputs.size() != 1 || node.outputs[0] == kNoValue) return;
    Value& value = net_.values[node.inputs[0]];
    if (!value.known() || !net_.values[node.outputs[0]].known()) return;
    auto encoding = encoding_of(net_, node, net_.values[node.outputs[0]].type, value.dims);
    if (!encoding) return;  // said when the node is lowered
    // A value has one encoding; another quantization of it is computed.
    if (value.encoding != nullptr && !(*value.encoding == *encoding)) return;
    if (value.encoding == nullptr)
      value.encoding = std::make_shared<const ir::TensorEncoding>(std::move(encoding).value());
    reals_[node.outputs[0]] = {node.inputs[0], value.encoding};
    if (may_hide_activation_.contains(node.inputs[0]) && begins_at_zero(*value.encoding)) add_clip(node);
  }

  // What the range of the integers cuts off, said as an op: the model may depend on it.
  void add_clip(const NetNode& node) {
    const ValueId clipped = node.inputs[0];
    Value value = net_.values[clipped];
    value.name += "_clipped";
    const auto encoding = value.encoding;
    const ValueId made = add(std::move(value));
    net_.nodes.push_back({.name = node.name + "/Clip",
                          .type = "Clip",
                          .opset = kClipByAttributes,
                          .inputs = {clipped},
                          .outputs = {made},
                          .attributes = Attributes().set("min", 0.0).set("max", greatest_of(*encoding)),
                          .sources = node.sources});
    reals_[node.outputs[0]] = {made, encoding};
    added_clips_[made] = {clipped, {0.0, greatest_of(*encoding)}};
  }

  // The model's own Relu or Clip behind an added one does what both do, so that one op follows a convolution
  // and can go into it. The added one is dropped unless somebody else takes what it gives.
  void join_clips(NetNode& node) {
    if (node.inputs.empty() || node.outputs.size() != 1) return;
    const auto added = added_clips_.find(node.inputs[0]);
    const auto own = added != added_clips_.end() ? bounds_of(node) : std::nullopt;
    if (!own) return;
    const auto& [clipped, range] = added->second;
    const double low = std::max(own->low, range.low);
    const double high = std::min(own->high, range.high);
    if (low > high) return;  // one number: left to the ops as they stand
    node.type = "Clip";
    node.opset = kClipByAttributes;
    node.inputs = {clipped};
    node.attributes = Attributes().set("min", low).set("max", high);
  }

  // What a Relu or a Clip with known bounds keeps.
  std::optional<Bounds> bounds_of(const NetNode& node) const {
    constexpr double kNone = std::numeric_limits<double>::infinity();
    if (node.type == "Relu") return Bounds{0.0, kNone};
    if (node.type != "Clip") return std::nullopt;
    Bounds bounds{node.attributes.real("min", -kNone), node.attributes.real("max", kNone)};
    for (const size_t input : {size_t{1}, size_t{2}}) {
      if (node.input(input) == kNoValue) continue;
      const Constant* known = net_.constant(node.input(input));
      if (known == nullptr || known->count() != 1) return std::nullopt;
      (input == 1 ? bounds.low : bounds.high) = known->real(0);
    }
    return bounds;
  }

  bool absorb_dequantize(const NetNode& node) {
    if (node.inputs.empty() || node.outputs.size() != 1 || node.outputs[0] == kNoValue) return false;
    const Value& integers = net_.values[node.inputs[0]];
    if (!integers.known()) return false;
    auto encoding = encoding_of(net_, node, integers.type, integers.dims);
    if (!encoding) return false;  // said when the node is lowered
    if (const Reals* reals = reals_of(node.inputs[0])) {
      if (!(*encoding == *reals->encoding)) return false;
      stands_for_[node.outputs[0]] = reals->value;
      return true;
    }
    // The first of those that take a client's integers; the others become the same.
    Value& value = net_.values[node.outputs[0]];
    value.encoding = std::make_shared<const ir::TensorEncoding>(std::move(encoding).value());
    reals_[node.inputs[0]] = {node.outputs[0], value.encoding};
    return false;
  }

  // The same op on the reals; the one on the integers is dropped unless somebody needs it.
  void add_twin(const NetNode& node) {
    const Reals* reals = reals_of(node.inputs[0]);
    if (reals == nullptr || reals->encoding->quantization.kind != ir::Quantization::Kind::kPerTensor) return;
    std::vector<ValueId> inputs = node.inputs;
    inputs[0] = reals->value;
    add_real_node(node, std::move(inputs), *reals);
  }

  // All parts must have one encoding.
  void add_joined_twin(const NetNode& node) {
    if (node.inputs.empty() || node.outputs.size() != 1) return;
    const Reals* first = reals_of(node.inputs[0]);
    if (first == nullptr || first->encoding->quantization.kind != ir::Quantization::Kind::kPerTensor) return;
    std::vector<ValueId> inputs;
    for (const ValueId input : node.inputs) {
      const Reals* reals = reals_of(input);
      if (reals == nullptr || !(*reals->encoding == *first->encoding)) return;
      inputs.push_back(reals->value);
    }
    add_real_node(node, std::move(inputs), *first);
  }

  void add_real_node(const NetNode& node, std::vector<ValueId> inputs, const Reals& reals) {
    const ValueId integers = node.outputs[0];
    if (integers == kNoValue || !net_.values[integers].known()) return;
    Value value = net_.values[integers];
    value.type = net_.values[reals.value].type;
    value.encoding = reals.encoding;
    const auto encoding = reals.encoding;
    NetNode twin = node;
    twin.inputs = std::move(inputs);
    twin.outputs = {add(std::move(value))};
    reals_[integers] = {twin.outputs[0], encoding};
    net_.nodes.push_back(std::move(twin));
  }

  // ---- Edges ----

  void encode_edges() {
    const Uses uses(net_);
    for (const ValueId input : net_.inputs) encode_input(input, uses);
    for (const NetNode& node : net_.nodes)
      if (node.type == "QuantizeLinear" && node.outputs.size() == 1 && node.outputs[0] != kNoValue)
        encode_output(node, uses);
  }

  // Whether nobody but DequantizeLinear takes the integers.
  bool is_only_dequantized(ValueId integers, const Uses& uses) const {
    const auto& takers = uses.consumers[integers];
    return std::all_of(takers.begin(), takers.end(), [&](uint32_t n) {
      const NetNode& node = net_.nodes[n];
      return node.type == "DequantizeLinear" && node.inputs[0] == integers;
    });
  }

  void encode_input(ValueId input, const Uses& uses) {
    Value& value = net_.values[input];
    const auto fixed = fixed_point(value.type);
    if (!fixed || fixed->type == ir::DataType::kSfixed32) return;
    if (uses.consumers[input].empty() || !is_only_dequantized(input, uses)) return;
    const NetNode& taker = net_.nodes[uses.consumers[input].front()];
    auto said = encoding_of(net_, taker, value.type, value.dims);
    const bool per_tensor = said && said->quantization.kind == ir::Quantization::Kind::kPerTensor;
    ir::TensorEncoding encoding = per_tensor ? std::move(said).value() : integers_themselves(*fixed);
    value.encoding = std::make_shared<const ir::TensorEncoding>(std::move(encoding));
  }

  void encode_output(const NetNode& node, const Uses& uses) {
    Value& value = net_.values[node.outputs[0]];
    if (!value.known() || !net_.values[node.inputs[0]].known() || !is_only_dequantized(node.outputs[0], uses))
      return;
    if (auto said = encoding_of(net_, node, value.type, value.dims))
      value.encoding = std::make_shared<const ir::TensorEncoding>(std::move(said).value());
  }

  Net& net_;
  std::vector<ValueId> stands_for_;  // what a DequantizeLinear gave is another value now
  std::unordered_map<ValueId, Reals> reals_;
  std::unordered_map<ValueId, AddedClip> added_clips_;  // by what they give
  std::unordered_set<ValueId> may_hide_activation_;
};

}  // namespace

void absorb_quantization(Net& net) { Absorber(net).run(); }

}  // namespace openqnn::frontend::onnx
