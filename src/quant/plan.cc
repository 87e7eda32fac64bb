// SPDX-License-Identifier: BSD-3-Clause
#include "quant/plan.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_set>

#include "base/text.h"
#include "ops/matrix/dot.h"
#include "ops/op.h"
#include "ops/operand_names.h"

namespace openqnn::quant {
namespace {

using ir::DataType;

// Ops whose second input is a matrix of weights and whose third is a bias.
const std::unordered_set<std::string_view> kConvolutions = {"Conv2d", "Conv3d", "DepthWiseConv2d",
                                                            "TransposeConv2d", "TransposeConv3d"};
const std::unordered_set<std::string_view> kProducts = {"FullyConnected", "MatMul"};
enum : size_t { kWeight = 1, kBias = 2 };
constexpr size_t kExponent = 1;  // of ElementWisePower

// Ops that hand values on: their outputs have the encoding of input 0, so that nothing is rounded again.
const std::unordered_set<std::string_view> kHandOn = {
    "Reshape",        "Transpose",    "Squeeze",      "ExpandDims",
    "StridedSlice",   "Split",        "Gather",       "GatherNd",
    "GatherElements", "DepthToSpace", "SpaceToDepth", "ChannelShuffle",
    "Tile",           "PoolMax2d",    "PoolMax3d",    "ResizeNearestNeighbor",
    "TopK",           "UnPack",       "BatchToSpace", "SpaceToBatch"};

// It takes numbers as they are stored and no encodings, so that what it reads and gives must be float itself.
constexpr std::string_view kCast = "Cast";

bool has_weights(const ir::Node& node) {
  return kConvolutions.contains(node.type) || kProducts.contains(node.type);
}

// With room for minus infinity, which masks are made of: what is far below all scores does the same.
Range with_mask(Range range) { return {std::min(range.low, static_cast<double>(kMaskLevel)), range.high}; }

bool is_whole_exponent(float value) {
  constexpr float kMost = 65536.0F;  // exact as float and as integer; above, powers are 0, 1 or infinite
  return std::trunc(value) == value && std::abs(value) <= kMost;
}

// Of all values; where nobody has stated them they lie between -1 and 1.
Histogram histogram_of(const ir::Tensor& tensor) {
  constexpr std::array<float, 2> kUnstated = {-1.0F, 1.0F};
  Histogram all;
  all.add(tensor.data.is_stated() ? floats_of(tensor) : std::span<const float>(kUnstated));
  return all;
}

// The histogram of each slice of a tensor along an axis, in order.
template <class Body>
void for_each_slice(const ir::Tensor& tensor, uint32_t axis, Body&& body) {
  const uint32_t count = tensor.desc.shape[axis];
  if (!tensor.data.is_stated()) {
    const Histogram any = histogram_of(tensor);
    for (uint32_t i = 0; i < count; ++i) body(any);
    return;
  }
  const std::span<const float> values = floats_of(tensor);
  const uint64_t inner = elements_behind(tensor.desc.shape, axis);
  std::vector<std::vector<float>> parts(count);
  for (std::vector<float>& part : parts) part.reserve(values.size() / parts.size());
  for (uint64_t i = 0; i < values.size(); ++i) parts[i / inner % parts.size()].push_back(values[i]);
  for (const std::vector<float>& part : parts) {
    Histogram slice;
    slice.add(part);
    body(slice);
  }
}

constexpr uint32_t kNoClamp = UINT32_MAX;

// Of each tensor: the clamp that it alone goes into, right behind an op that can end in it.
std::vector<uint32_t> clamps_of(const ir::Graph& graph) {
  std::vector<uint32_t> readers(graph.tensors().size(), 0);
  for (const ir::Node& node : graph.nodes())
    for (const ir::TensorIndex input : node.inputs)
      if (input != ir::kNoTensor) ++readers[input];
  std::vector<uint32_t> clamps(graph.tensors().size(), kNoClamp);
  for (uint32_t n = 0; n < graph.nodes().size(); ++n) {
    const ir::Node& node = graph.nodes()[n];
    const ops::OpDef* const clamp = ops::find_op(node.type);
    if (clamp == nullptr || !ops::clamps(*clamp, ops::call_of(graph, node))) continue;
    const ir::TensorIndex before = node.inputs[0];
    const auto producer = graph.producer(before);
    if (readers[before] != 1 || graph.tensors()[before].role != ir::TensorRole::kNative || !producer)
      continue;
    const ops::OpDef* def = ops::find_op(graph.nodes()[*producer].type);
    if (def != nullptr && def->fuses) clamps[before] = n;
  }
  return clamps;
}

class Planner {
 public:
  Planner(const ir::Graph& graph, const Observations& seen, const ir::TensorEncodings& overrides,
          const Options& options)
      : graph_(graph), seen_(seen), overrides_(overrides), options_(options) {}

  Result<Plan> run() {
    plan_.tensors.resize(graph_.tensors().size());
    for (ir::TensorIndex i = 0; i < graph_.tensors().size(); ++i)
      if (graph_.tensors()[i].role != ir::TensorRole::kStatic) plan_.tensors[i] = activation(i);
    if (options_.squash_relu) squash();
    hand_on();
    for (const ir::Node& node : graph_.nodes()) {
      plan_.nodes.push_back(plan_node(node));
      const NodePlan& made = plan_.nodes.back();
      const bool may_stay_float = options_.float_fallback || node.type == kCast;
      if (made.fixed || made.why_float.empty() || may_stay_float) continue;
      return unsupported("quantize-node", concat("node '", node.name, "' (", node.type,
                                                 ") cannot be computed in integers: ", made.why_float))
          .fix_by("allow float for it");
    }
    leave_cast_inputs_float();
    return std::move(plan_);
  }

 private:
  const ir::TensorEncoding* override_of(ir::TensorIndex tensor) const {
    const auto found = overrides_.find(graph_.tensors()[tensor].name);
    return found != overrides_.end() ? &found->second : nullptr;
  }

  // ---- Encodings of what flows between nodes ----

  std::optional<ir::TensorDesc> activation(ir::TensorIndex tensor) const {
    const ir::Tensor& stated = graph_.tensors()[tensor];
    if (stated.desc.type != DataType::kFloat32) return std::nullopt;
    if (const ir::TensorEncoding* given = override_of(tensor)) {
      const bool per_tensor = given->quantization.kind == ir::Quantization::Kind::kPerTensor;
      if (ir::is_float(given->type) || !per_tensor) return std::nullopt;
      return with(stated, given->type, given->quantization);
    }
    const Histogram& histogram = seen_[tensor];
    if (histogram.empty()) return std::nullopt;
    const uint32_t bits = options_.activation_bits;
    const Range seen = histogram.range(options_.activation_calibration, bits, options_.activation_scheme,
                                       options_.percentile);
    const Range range = histogram.is_mask() ? with_mask(seen) : seen;
    return with(stated, bits == 16 ? DataType::kUfixed16 : DataType::kUfixed8,
                unsigned_encoding(range, bits, options_.activation_scheme));
  }

  void squash() {
    const std::vector<uint32_t> clamps = clamps_of(graph_);
    for (ir::TensorIndex before = 0; before < clamps.size(); ++before) {
      if (clamps[before] == kNoClamp || override_of(before) != nullptr) continue;
      const auto& after = plan_.tensors[graph_.nodes()[clamps[before]].outputs[0]];
      if (!plan_.tensors[before] || !after) continue;
      plan_.tensors[before]->type = after->type;
      plan_.tensors[before]->quantization = after->quantization;
    }
  }

  void hand_on() {
    for (const ir::Node& node : graph_.nodes()) {
      if (!kHandOn.contains(node.type) || node.inputs.empty() || node.inputs[0] == ir::kNoTensor) continue;
      const auto& from = plan_.tensors[node.inputs[0]];
      if (!from) continue;
      for (const ir::TensorIndex output : node.outputs) {
        if (output == ir::kNoTensor || !plan_.tensors[output] || override_of(output) != nullptr) continue;
        plan_.tensors[output]->type = from->type;
        plan_.tensors[output]->quantization = from->quantization;
      }
    }
  }

  // Floats of the client that only a Cast reads are not rounded: they are ids and counts.
  void leave_cast_inputs_float() {
    std::vector<bool> cast(graph_.tensors().size(), false);
    std::vector<bool> others(cast.size(), false);
    for (const ir::Node& node : graph_.nodes())
      for (const ir::TensorIndex input : node.inputs)
        if (input != ir::kNoTensor) (node.type == kCast ? cast : others)[input] = true;
    for (ir::TensorIndex i = 0; i < cast.size(); ++i)
      if (graph_.tensors()[i].role == ir::TensorRole::kInput && cast[i] && !others[i] &&
          override_of(i) == nullptr)
        plan_.tensors[i].reset();
  }

  // ---- Nodes ----

  NodePlan plan_node(const ir::Node& node) const {
    NodePlan plan;
    bool any_float = false;
    for (const auto* operands : {&node.inputs, &node.outputs})
      for (const ir::TensorIndex tensor : *operands)
        any_float |= tensor != ir::kNoTensor && graph_.tensors()[tensor].desc.type == DataType::kFloat32;
    if (!any_float) return plan;
    if (node.type == kCast) {
      plan.why_float = "it knows no encodings, so that its floats stay floats";
      return plan;
    }

    const std::set<uint32_t> widths = widths_of(node);
    const uint32_t widest = widths.empty() ? options_.activation_bits : *widths.rbegin();
    if (plan_operands(node, {.bits = widest, .as_planned = true}, plan) || widths.size() < 2) return plan;
    // The backend offers no such mix: its operands in one width, with conversions beside it. The widest goes
    // first, so that nothing is rounded that need not be (ours).
    for (auto bits = widths.rbegin(); bits != widths.rend(); ++bits)
      if (plan_operands(node, {.bits = *bits, .as_planned = false}, plan)) return plan;
    return plan;
  }

  // Of the activations of a node, in bits.
  std::set<uint32_t> widths_of(const ir::Node& node) const {
    std::set<uint32_t> widths;
    for (const auto* operands : {&node.inputs, &node.outputs})
      for (const ir::TensorIndex tensor : *operands)
        if (tensor != ir::kNoTensor && plan_.tensors[tensor])
          widths.insert(static_cast<uint32_t>(8 * ir::byte_size(plan_.tensors[tensor]->type)));
    return widths;
  }

  // How a node takes its activations: each as it is planned, or all in one width. Constants go by the bits.
  struct Width {
    uint32_t bits = 8;
    bool as_planned = true;
  };
  std::optional<ir::TensorDesc> taken(ir::TensorIndex tensor, Width width) const {
    const std::optional<ir::TensorDesc>& planned = plan_.tensors[tensor];
    return planned && !width.as_planned ? at_width(*planned, width.bits) : planned;
  }

  // Whether the backend takes the node so; else the plan has the first reason against it.
  bool plan_operands(const ir::Node& node, Width width, NodePlan& plan) const {
    const auto refuse = [&plan](std::string why) {
      if (plan.why_float.empty()) plan.why_float = std::move(why);
      return false;
    };
    std::vector<Choices> inputs;
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      inputs.push_back(choices(node, i, width));
      if (inputs.back().empty())
        return refuse(
            concat("input ", i, " '", graph_.tensors()[node.inputs[i]].name, "' ", why_none(node.inputs[i])));
    }
    plan.outputs.clear();
    for (const ir::TensorIndex output : node.outputs) {
      plan.outputs.emplace_back();
      if (output == ir::kNoTensor) continue;
      const ir::Tensor& tensor = graph_.tensors()[output];
      const auto fixed = taken(output, width);
      if (tensor.desc.type == DataType::kFloat32 && !fixed)
        return refuse(concat("output '", tensor.name, "' ", why_none(output)));
      plan.outputs.back() = fixed.value_or(tensor.desc);
    }
    return choose(node, inputs, plan);
  }

  std::string why_none(ir::TensorIndex tensor) const {
    const ir::TensorEncoding* given = override_of(tensor);
    if (!given) return "has no values to calibrate with";
    return ir::is_float(given->type) ? "is to stay float"
                                     : "has an encoding per channel, as activations cannot have";
  }

  using Choices = std::vector<ir::TensorDesc>;  // in order of preference

  Choices choices(const ir::Node& node, size_t index, Width width) const {
    const ir::TensorIndex input = node.inputs[index];
    if (input == ir::kNoTensor) return {{}};
    const ir::Tensor& tensor = graph_.tensors()[input];
    if (tensor.desc.type != DataType::kFloat32) return {tensor.desc};
    if (tensor.role != ir::TensorRole::kStatic) {
      const auto fixed = taken(input, width);
      if (!fixed) return {};
      const bool as_weights = has_weights(node) && index == kWeight && fixed->type == DataType::kUfixed16;
      return as_weights ? Choices{*fixed, around_zero(*fixed)} : Choices{*fixed};
    }
    const ir::TensorEncoding* given = override_of(input);
    if (given != nullptr && ir::is_float(given->type)) return {};
    if (node.type == "ElementWisePower" && index == kExponent) return exponent_choices(tensor, width);
    if (given != nullptr) return {with(tensor, given->type, given->quantization)};
    if (has_weights(node) && index == kWeight) return weight_choices(node, tensor, width);
    if (has_weights(node) && index == kBias) return bias_choices(node, tensor, width);
    return constant_choices(tensor, width);
  }

  static ir::TensorDesc with(const ir::Tensor& tensor, DataType type, ir::Quantization quantization) {
    ir::TensorDesc desc = tensor.desc;
    desc.type = type;
    desc.quantization = std::move(quantization);
    return desc;
  }
  static ir::TensorDesc with(const ir::Tensor& tensor, DataType type, const ir::ScaleOffset& one,
                             uint32_t narrow = 0) {
    return with(tensor, type, ir::Quantization::per_tensor(one.scale, one.offset, narrow));
  }

  // 16-bit activations in the place of weights, which must be symmetric there: the same range around 0.
  static ir::TensorDesc around_zero(const ir::TensorDesc& activation) {
    const ir::ScaleOffset& encoding = activation.quantization.encodings[0];
    const auto real = [&](double stored) {
      return static_cast<double>(encoding.scale) * (stored + encoding.offset);
    };
    const double farthest = std::max(std::abs(real(0)), std::abs(real(UINT16_MAX)));
    ir::TensorDesc made = activation;
    made.type = DataType::kSfixed16;
    made.quantization = ir::Quantization::per_tensor(static_cast<float>(farthest / ops::kLargestWeight16), 0);
    return made;
  }

  Range range(const Histogram& histogram, uint32_t bits, Scheme scheme) const {
    return histogram.range(options_.weight_calibration, bits, scheme, options_.percentile);
  }

  // A 32-bit bias counts products of an input step and a weight step: of each channel, the smallest weight
  // step with which the bias does not saturate. Empty where there is no such bias.
  std::vector<double> least_weight_steps(const ir::Node& node, Width width) const {
    constexpr double kMostCount = 2147483000.0;  // a little below 2^31, for the rounding of scales
    const bool has_bias = node.inputs.size() > kBias && node.inputs[kBias] != ir::kNoTensor;
    if (!has_bias || options_.bias_bits != 32 || override_of(node.inputs[kBias]) != nullptr) return {};
    const ir::Tensor& bias = graph_.tensors()[node.inputs[kBias]];
    const auto input = taken(node.inputs[0], width);
    if (!bias.data || bias.desc.type != DataType::kFloat32 || !input || ir::byte_size(input->type) != 1)
      return {};
    const auto input_step = static_cast<double>(input->quantization.at(0).scale);
    std::vector<double> steps;
    for (const float value : floats_of(bias))
      steps.push_back(std::isfinite(value) ? std::abs(static_cast<double>(value)) / (input_step * kMostCount)
                                           : 0.0);
    return steps;
  }

  Choices weight_choices(const ir::Node& node, const ir::Tensor& tensor, Width width) const {
    const uint32_t bits = options_.weight_bits;
    const std::vector<double> least = least_weight_steps(node, width);
    // For the biases that take it: every `count`th.
    const auto widened = [&least](ir::ScaleOffset encoding, size_t channel = 0, size_t count = 1) {
      for (size_t i = channel; i < least.size(); i += count)
        encoding.scale = std::max(encoding.scale, static_cast<float>(least[i]));
      return encoding;
    };
    const DataType type = bits == 16 ? DataType::kSfixed16 : DataType::kSfixed8;
    const uint32_t narrow = bits < 8 ? bits : 0;
    const bool many = kConvolutions.contains(node.type) ? options_.per_channel : options_.per_row;
    Choices choices;
    if (many && bits != 16) {
      const auto rank = static_cast<uint32_t>(tensor.desc.shape.rank());
      // Output channels are last, but first in FullyConnected; the backend takes no other axis.
      const uint32_t axis = node.type == "FullyConnected" ? 0 : rank - 1;
      std::vector<ir::ScaleOffset> encodings;
      for_each_slice(tensor, axis, [&](const Histogram& slice) {
        encodings.push_back(
            widened(signed_encoding(range(slice, bits, Scheme::kSymmetric), bits, options_.weight_steps),
                    encodings.size(), tensor.desc.shape[axis]));
      });
      choices.push_back(with(tensor, type, ir::Quantization::per_axis(axis, std::move(encodings), narrow)));
    }
    const Histogram all = histogram_of(tensor);
    if (options_.weight_scheme == Scheme::kSymmetric || bits == 16) {
      const ir::ScaleOffset one =
          widened(signed_encoding(range(all, bits, Scheme::kSymmetric), bits, options_.weight_steps));
      choices.push_back(with(tensor, type, one, narrow));
    } else {
      const ir::ScaleOffset one =
          widened(unsigned_encoding(range(all, bits, options_.weight_scheme), bits, options_.weight_scheme));
      choices.push_back(with(tensor, DataType::kUfixed8, one, narrow));
    }
    return choices;
  }

  // 32 bits: a scale of 0 says that they count products of input and weight steps; their integers follow from
  // the encodings that are chosen for these. With 16-bit activations, or weights in blocks, they are numbers
  // of their own.
  Choices bias_choices(const ir::Node& node, const ir::Tensor& tensor, Width width) const {
    const Histogram all = histogram_of(tensor);
    const ir::TensorDesc byte_bias =
        with(tensor, DataType::kUfixed8, unsigned_encoding(all.min_max(), 8, Scheme::kAsymmetric));
    const auto input = taken(node.inputs[0], width);
    const bool counts_products = input && ir::byte_size(input->type) == 1;
    Choices choices{with(tensor, DataType::kSfixed32, signed_encoding(all.min_max(), 32))};
    if (counts_products)
      choices.insert(choices.begin(), with(tensor, DataType::kSfixed32, ir::ScaleOffset{0.0F, 0}));
    choices.insert(options_.bias_bits == 8 ? choices.begin() : choices.end(), byte_bias);
    return choices;
  }

  // Exponents must be exact: x^3.0000001 does not exist where x is negative. The backend takes them as plain
  // numbers beside a fixed-point base.
  Choices exponent_choices(const ir::Tensor& tensor, Width width) const {
    Choices choices = constant_choices(tensor, width);
    choices.insert(choices.begin(), tensor.desc);
    if (tensor.data.is_stated() && std::ranges::all_of(floats_of(tensor), is_whole_exponent))
      choices.insert(choices.begin(), with(tensor, DataType::kInt32, ir::Quantization{}));
    return choices;
  }

  // A constant beside activations: as they are, or in one of the other forms that some ops want.
  Choices constant_choices(const ir::Tensor& tensor, Width width) const {
    const Histogram all = histogram_of(tensor);
    const Range whole = all.minus_infinities() != 0 ? with_mask(all.min_max()) : all.min_max();
    const ir::TensorDesc byte =
        with(tensor, DataType::kUfixed8, unsigned_encoding(whole, 8, Scheme::kAsymmetric));
    const ir::TensorDesc wide =
        with(tensor, DataType::kUfixed16, unsigned_encoding(whole, 16, Scheme::kAsymmetric));
    Choices choices = width.bits == 16 ? Choices{wide, byte} : Choices{byte};
    choices.push_back(with(tensor, DataType::kSfixed16, signed_encoding(whole, 16)));
    choices.push_back(with(tensor, DataType::kSfixed32, signed_encoding(whole, 32)));
    return choices;
  }

  // The first combination that the backend takes; else the reason against the most wanted one.
  bool choose(const ir::Node& node, const std::vector<Choices>& inputs, NodePlan& plan) const {
    plan.inputs.clear();
    for (const Choices& wanted : inputs) plan.inputs.push_back(wanted.front());
    const Status status = ops::validate(node.type, call_of(node, inputs, plan));
    const ops::OpDef* const op = ops::find_op(node.type);
    plan.fixed = status.ok() || (op != nullptr && choose_from(*op, node, inputs, 0, plan));
    if (!plan.fixed && plan.why_float.empty())
      plan.why_float = ops::with_names(status.error(), ops::names_of(graph_, node)).message;
    if (plan.fixed) plan.why_float.clear();
    return plan.fixed;
  }

  // Goes on with no choice whose types are in no row of the op: there are 4^14 combinations for an Lstm.
  bool choose_from(const ops::OpDef& op, const ir::Node& node, const std::vector<Choices>& inputs,
                   size_t index, NodePlan& plan) const {
    if (index == inputs.size()) return ops::validate(node.type, call_of(node, inputs, plan)).ok();
    for (const ir::TensorDesc& choice : inputs[index]) {
      plan.inputs.resize(index);
      plan.inputs.push_back(choice);
      const bool only = inputs[index].size() == 1;
      if (!only && ops::fitting_rows(op, call_of(node, inputs, plan)).empty()) continue;
      if (choose_from(op, node, inputs, index + 1, plan)) return true;
    }
    return false;
  }

  // With the inputs that are chosen or have no choice.
  static ops::OpCall call_of(const ir::Node& node, const std::vector<Choices>& inputs, const NodePlan& plan) {
    ops::OpCall call{.node = node.name, .params = &node.params};
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      const bool chosen = i < plan.inputs.size();
      const bool open = node.inputs[i] == ir::kNoTensor || (!chosen && inputs[i].size() > 1);
      call.inputs.push_back(open ? nullptr : chosen ? &plan.inputs[i] : &inputs[i].front());
    }
    for (size_t i = 0; i < node.outputs.size(); ++i)
      call.outputs.push_back(node.outputs[i] == ir::kNoTensor ? nullptr : &plan.outputs[i]);
    return call;
  }

  const ir::Graph& graph_;
  const Observations& seen_;
  const ir::TensorEncodings& overrides_;
  const Options& options_;
  Plan plan_;
};

}  // namespace

std::vector<bool> clamped_away(const ir::Graph& graph) {
  std::vector<bool> away;
  for (const uint32_t clamp : clamps_of(graph)) away.push_back(clamp != kNoClamp);
  return away;
}

Result<Plan> make_plan(const ir::Graph& graph, const Observations& seen, const ir::TensorEncodings& overrides,
                       const Options& options) {
  return Planner(graph, seen, overrides, options).run();
}

}  // namespace openqnn::quant
