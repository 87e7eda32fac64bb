// SPDX-License-Identifier: BSD-3-Clause
#include "advise/rewrite.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <functional>

#include "base/text.h"
#include "base/units.h"
#include "ops/elements.h"
#include "quant/encoding.h"

namespace openqnn::advise {
namespace {

DiagnosticBuilder cannot(std::string why) { return unsupported("advise-rewrite", std::move(why)); }

ir::Param u32_param(std::string name, const ir::Shape& shape, const std::vector<uint32_t>& values) {
  ir::Param param{std::move(name), ir::DataType::kUint32, shape, {}};
  param.data.resize(values.size() * sizeof(uint32_t));
  std::memcpy(param.data.data(), values.data(), param.data.size());
  return param;
}

ir::Params with_param(const ir::Params& params, const ir::Param& changed) {
  ir::Params made;
  for (const ir::Param& param : params.all())
    if (param.name != changed.name) made.add(param);
  made.add(changed);
  return made;
}

bool is_static(const ir::Tensor& tensor) { return tensor.role == ir::TensorRole::kStatic && tensor.data; }

bool has_one_encoding(const ir::TensorDesc& desc) {
  return !ir::is_quantized(desc.type) || desc.quantization.kind == ir::Quantization::Kind::kPerTensor;
}

// The type and a new encoding for these values.
ir::Tensor constant_like(const ir::Tensor& other, const std::vector<float>& values) {
  ir::Tensor made = other;
  if (ir::is_quantized(made.desc.type)) {
    const auto bits = static_cast<uint32_t>(8 * ir::byte_size(made.desc.type));
    const quant::Range range = quant::min_max(values);
    const ir::ScaleOffset encoding = ops::is_signed_fixed(made.desc.type)
                                         ? quant::signed_encoding(range, bits)
                                         : quant::unsigned_encoding(range, bits, quant::Scheme::kAsymmetric);
    made.desc.quantization = ir::Quantization::per_tensor(encoding.scale, encoding.offset);
  }
  made.data = ir::Blob::of(quant::stored(made.desc, values));
  return made;
}

}  // namespace

// ---- Taking apart and putting together ----

ir::TensorIndex Rewrite::add(ir::Tensor tensor) {
  tensor.name = concat("advised_", tensors.size(), "_", tensor.name);
  tensors.push_back(std::move(tensor));
  return static_cast<ir::TensorIndex>(tensors.size() - 1);
}

size_t Rewrite::count_readers(ir::TensorIndex tensor) const {
  size_t readers = 0;
  for (const ir::Node& node : nodes) readers += static_cast<size_t>(std::ranges::count(node.inputs, tensor));
  return readers;
}

std::optional<uint32_t> Rewrite::producer(ir::TensorIndex tensor) const {
  for (uint32_t i = 0; i < nodes.size(); ++i)
    if (std::ranges::find(nodes[i].outputs, tensor) != nodes[i].outputs.end()) return i;
  return std::nullopt;
}

Result<ir::Graph> Rewrite::graph() const {
  std::vector<bool> used(tensors.size(), false);
  for (const ir::Node& node : nodes) {
    if (node.type.empty()) continue;
    for (const auto* list : {&node.inputs, &node.outputs})
      for (const ir::TensorIndex tensor : *list)
        if (tensor != ir::kNoTensor) used[tensor] = true;
  }
  ir::Graph made(name_);
  std::vector<ir::TensorIndex> moved(tensors.size(), ir::kNoTensor);
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (!used[i] && tensors[i].role != ir::TensorRole::kInput) continue;
    OPENQNN_ASSIGN(moved[i], made.add_tensor(tensors[i]));
  }
  const auto follow = [&](std::vector<ir::TensorIndex> list) {
    for (ir::TensorIndex& tensor : list)
      if (tensor != ir::kNoTensor) tensor = moved[tensor];
    return list;
  };
  for (const ir::Node& node : nodes) {
    if (node.type.empty()) continue;
    ir::Node copy = node;
    copy.inputs = follow(node.inputs);
    copy.outputs = follow(node.outputs);
    OPENQNN_TRY(made.add_node(std::move(copy)));
  }
  OPENQNN_TRY(made.check_complete());
  return made;
}

// ---- One op for another ----

Result<ir::Graph> with_reciprocals(const ir::Graph& graph, const NodeList& divisions) {
  Rewrite rewrite(graph);
  for (const uint32_t index : divisions) {
    ir::Node& node = rewrite.nodes[index];
    const ir::Tensor& divisor = rewrite.tensors[node.inputs[1]];
    if (!is_static(divisor) || !has_one_encoding(divisor.desc))
      return cannot(concat("the divisor of '", node.name, "' is not one constant"));
    const ops::ElementReader read(divisor.desc, divisor.data.data());
    std::vector<float> values(divisor.desc.shape.elements());
    for (size_t i = 0; i < values.size(); ++i) {
      const double real = read(i);
      if (real == 0.0) return cannot(concat("a divisor of '", node.name, "' is 0"));
      values[i] = static_cast<float>(1.0 / real);
    }
    node.type = "ElementWiseMultiply";
    node.params = {};
    node.inputs[1] = rewrite.add(constant_like(divisor, values));
  }
  return rewrite.graph();
}

Result<ir::Graph> with_plain_relu(const ir::Graph& graph, const NodeList& prelus) {
  Rewrite rewrite(graph);
  for (const uint32_t index : prelus) {
    rewrite.nodes[index].type = "Relu";
    rewrite.nodes[index].params = {};
    rewrite.nodes[index].inputs.resize(1);
  }
  return rewrite.graph();
}

Result<ir::Graph> with_one_reader(const ir::Graph& graph, const NodeList& activations) {
  Rewrite rewrite(graph);
  for (const uint32_t index : activations) {
    const ir::TensorIndex before = rewrite.nodes[index].inputs[0];
    if (rewrite.tensors[before].role != ir::TensorRole::kNative)
      return cannot(concat("'", rewrite.tensors[before].name, "' is an output of the graph"));
    for (uint32_t other = 0; other < rewrite.nodes.size(); ++other) {
      if (other == index) continue;
      std::vector<ir::TensorIndex>& inputs = rewrite.nodes[other].inputs;
      if (std::ranges::find(inputs, before) == inputs.end()) continue;
      if (other < index)
        return cannot(concat("'", rewrite.nodes[other].name, "' is computed before the activation"));
      std::ranges::replace(inputs, before, rewrite.nodes[index].outputs[0]);
    }
  }
  return rewrite.graph();
}

Result<ir::Graph> with_inputs_behind(const ir::Graph& graph, const NodeList& movers) {
  Rewrite rewrite(graph);
  for (const uint32_t index : movers) {
    const ir::Node& node = rewrite.nodes[index];
    ir::Tensor& input = rewrite.tensors[node.inputs[0]];
    ir::Tensor& moved = rewrite.tensors[node.outputs[0]];
    if (rewrite.count_readers(node.inputs[0]) != 1 || moved.role != ir::TensorRole::kNative)
      return cannot(concat("the input of '", node.name, "' is read in its old form, too"));
    moved.role = ir::TensorRole::kInput;
    input.role = ir::TensorRole::kNative;  // nobody has it any more
    rewrite.drop(index);
  }
  return rewrite.graph();
}

namespace {

constexpr int kStep = 16;  // steps of 8 bits in one of 4
constexpr int kLowest4 = -8;
constexpr int kHighest4 = 7;

}  // namespace

Result<ir::Graph> with_four_bit_weights(const ir::Graph& graph, const NodeList& nodes) {
  Rewrite rewrite(graph);
  for (const uint32_t index : nodes) {
    ir::Node& node = rewrite.nodes[index];
    const ir::Tensor& weights = rewrite.tensors[node.inputs[1]];
    if (!is_static(weights) || weights.desc.type != ir::DataType::kSfixed8)
      return cannot(concat("the weights of '", node.name, "' are not 8-bit constants"));
    ir::Tensor made = weights;
    made.desc.quantization.bits = 4;
    for (ir::ScaleOffset& encoding : made.desc.quantization.encodings) encoding.scale *= kStep;
    const ir::Blob wide = weights.data;
    made.data = ir::Blob::made_by(wide.size(), [wide] {
      std::vector<std::byte> narrow(wide.size());
      for (size_t i = 0; i < narrow.size(); ++i) {
        const auto value = static_cast<double>(ops::load<int8_t>(wide.data(), i));
        const auto step = static_cast<int>(std::nearbyint(value / kStep));
        narrow[i] = static_cast<std::byte>(std::clamp(step, kLowest4, kHighest4));
      }
      return narrow;
    });
    node.inputs[1] = rewrite.add(std::move(made));
  }
  return rewrite.graph();
}

// ---- Differences ----

namespace {

// A tensor as its producer left it, and the convolution behind it, perhaps with a Relu between.
struct Branch {
  uint32_t convolution = 0;
  std::optional<uint32_t> relu;
};

std::optional<Branch> branch_of(const Rewrite& rewrite, ir::TensorIndex tensor) {
  const auto is_sole = [&](ir::TensorIndex one) {
    return rewrite.count_readers(one) == 1 && rewrite.tensors[one].role == ir::TensorRole::kNative;
  };
  Branch branch;
  std::optional<uint32_t> node = rewrite.producer(tensor);
  if (!node || !is_sole(tensor)) return std::nullopt;
  if (rewrite.nodes[*node].type == "Relu") {
    branch.relu = node;
    const ir::TensorIndex before = rewrite.nodes[*node].inputs[0];
    node = rewrite.producer(before);
    if (!node || !is_sole(before)) return std::nullopt;
  }
  if (rewrite.nodes[*node].type != "Conv2d") return std::nullopt;
  branch.convolution = *node;
  return branch;
}

bool same_params(const ir::Params& a, const ir::Params& b) {
  if (a.all().size() != b.all().size()) return false;
  return std::ranges::all_of(a.all(), [&](const ir::Param& param) {
    const ir::Param* other = b.find(param.name);
    return other != nullptr && other->data == param.data;
  });
}

// Two constants side by side along their last dimension.
Result<ir::Tensor> joined(const ir::Tensor& a, const ir::Tensor& b) {
  using Kind = ir::Quantization::Kind;
  const auto last = static_cast<uint32_t>(a.desc.shape.rank() - 1);
  const ir::Quantization& of_a = a.desc.quantization;
  const ir::Quantization& of_b = b.desc.quantization;
  const bool per_channel = of_a.kind == Kind::kPerAxis && of_b.kind == Kind::kPerAxis && of_a.axis == last &&
                           of_b.axis == last && of_a.bits == of_b.bits;
  if (!is_static(a) || !is_static(b) || a.desc.type != b.desc.type || (!per_channel && !(of_a == of_b)))
    return cannot(concat("'", a.name, "' and '", b.name, "' cannot be joined"));
  ir::Tensor made = a;
  made.desc.shape[last] = a.desc.shape[last] + b.desc.shape[last];
  if (per_channel)
    made.desc.quantization.encodings.insert(made.desc.quantization.encodings.end(), of_b.encodings.begin(),
                                            of_b.encodings.end());
  const size_t row_a = a.desc.shape[last] * ir::byte_size(a.desc.type);
  const size_t row_b = b.desc.shape[last] * ir::byte_size(b.desc.type);
  std::vector<std::byte> data;
  data.reserve(a.data.size() + b.data.size());
  for (size_t at_a = 0, at_b = 0; at_a < a.data.size(); at_a += row_a, at_b += row_b) {
    data.insert(data.end(), a.data.data() + at_a, a.data.data() + at_a + row_a);
    data.insert(data.end(), b.data.data() + at_b, b.data.data() + at_b + row_b);
  }
  made.data = ir::Blob::of(std::move(data));
  return made;
}

// The convolution of `b` computed in that of `a`. Answers whether it could be done.
bool join_branches(Rewrite& rewrite, const Branch& a, const Branch& b) {
  ir::Node& kept = rewrite.nodes[a.convolution];
  const ir::Node& other = rewrite.nodes[b.convolution];
  if (a.relu.has_value() != b.relu.has_value() || kept.inputs[0] != other.inputs[0] ||
      kept.inputs.size() != other.inputs.size() || !same_params(kept.params, other.params) ||
      kept.params.u32("group", 1) != 1)
    return false;
  std::vector<ir::Tensor> constants;
  for (size_t i = 1; i < kept.inputs.size(); ++i) {
    auto both = joined(rewrite.tensors[kept.inputs[i]], rewrite.tensors[other.inputs[i]]);
    if (!both) return false;
    constants.push_back(*std::move(both));
  }
  for (size_t i = 1; i < kept.inputs.size(); ++i) kept.inputs[i] = rewrite.add(constants[i - 1]);
  const auto widen = [&](uint32_t node) {
    ir::Shape& shape = rewrite.tensors[rewrite.nodes[node].outputs[0]].desc.shape;
    shape[shape.rank() - 1] = constants[0].desc.shape.from_end(0);
  };
  widen(a.convolution);
  rewrite.drop(b.convolution);
  if (!a.relu) return true;
  widen(*a.relu);
  rewrite.drop(*b.relu);
  return true;
}

// Weights that subtract the second half of the channels from the first.
ir::Tensor difference_weights(const ir::Tensor& like, uint32_t channels) {
  ir::Tensor made{.name = "difference", .role = ir::TensorRole::kStatic, .desc = {}, .data = {}};
  const bool quantized = ir::is_quantized(like.desc.type);
  made.desc.type = quantized ? ir::DataType::kSfixed8 : like.desc.type;
  made.desc.shape = {1, 1, 2 * channels, channels};
  made.desc.is_static = true;
  if (quantized) {
    const ir::ScaleOffset one = quant::signed_encoding({-1.0, 1.0}, 8);
    made.desc.quantization = ir::Quantization::per_tensor(one.scale, one.offset);
  }
  std::vector<float> values(uint64_t{2} * channels * channels, 0.0F);
  for (uint32_t i = 0; i < channels; ++i) {
    values[uint64_t{i} * channels + i] = 1.0F;
    values[uint64_t{channels + i} * channels + i] = -1.0F;
  }
  made.data = ir::Blob::of(quant::stored(made.desc, values));
  return made;
}

Status convolve_difference(Rewrite& rewrite, uint32_t index) {
  const ir::Node before = rewrite.nodes[index];
  const ir::Tensor a = rewrite.tensors[before.inputs[0]];
  const ir::Tensor b = rewrite.tensors[before.inputs[1]];
  if (a.desc.shape.rank() != 4 || !(a.desc.shape == b.desc.shape) || a.desc.type != b.desc.type)
    return cannot(concat("the operands of '", before.name, "' are not two images of one shape"));
  const uint32_t channels = a.desc.shape[3];
  const auto branch_a = branch_of(rewrite, before.inputs[0]);
  const auto branch_b = branch_of(rewrite, before.inputs[1]);
  ir::TensorIndex both = before.inputs[0];
  const bool is_joined = branch_a && branch_b && join_branches(rewrite, *branch_a, *branch_b);
  const ir::TensorIndex weights = rewrite.add(difference_weights(a, channels));
  ir::Node convolution{concat(before.name, "_convolved"), "Conv2d", {}, {both, weights}, before.outputs};
  convolution.params.add(u32_param("stride", {2}, {1, 1}));
  convolution.params.add(u32_param("pad_amount", {2, 2}, {0, 0, 0, 0}));
  if (is_joined) {
    rewrite.nodes[index] = std::move(convolution);
    return {};
  }
  ir::Tensor pair = a;
  pair.role = ir::TensorRole::kNative;
  pair.desc.shape[3] = 2 * channels;
  both = rewrite.add(std::move(pair));
  convolution.inputs[0] = both;
  rewrite.nodes[index] = {before.name, "Concat", {}, {before.inputs[0], before.inputs[1]}, {both}};
  rewrite.nodes[index].params.add(u32_param("axis", {}, {3}));
  rewrite.nodes.insert(rewrite.nodes.begin() + index + 1, std::move(convolution));
  return {};
}

}  // namespace

Result<ir::Graph> with_convolved_differences(const ir::Graph& graph, const NodeList& differences) {
  Rewrite rewrite(graph);
  NodeList from_behind = differences;  // nodes may be put in: those before stay where they are
  std::ranges::sort(from_behind, std::greater<>());
  for (const uint32_t index : from_behind) OPENQNN_TRY(convolve_difference(rewrite, index));
  return rewrite.graph();
}

// ---- Channels ----

Result<ir::Graph> with_joined_groups(const ir::Graph& graph, const NodeList& convolutions) {
  constexpr uint32_t kRows = 32;
  Rewrite rewrite(graph);
  for (const uint32_t index : convolutions) {
    ir::Node& node = rewrite.nodes[index];
    const ir::Tensor& weights = rewrite.tensors[node.inputs[1]];
    const uint32_t groups = node.params.u32("group", 1);
    if (!is_static(weights) || weights.desc.shape.rank() != 4)
      return cannot(concat("the weights of '", node.name, "' are no constant"));
    const uint32_t depth = weights.desc.shape[2];
    const uint32_t columns = weights.desc.shape[3];
    uint32_t joined_groups = 1;
    while (groups % (2 * joined_groups) == 0 && 2 * joined_groups * depth <= kRows) joined_groups *= 2;
    ir::Tensor made = weights;
    made.desc.shape[2] = depth * joined_groups;
    const size_t row = columns * ir::byte_size(weights.desc.type);
    const size_t taps = uint64_t{weights.desc.shape[0]} * weights.desc.shape[1];
    std::vector<std::byte> data(row * made.desc.shape[2] * taps);
    const size_t element = ir::byte_size(weights.desc.type);
    const uint32_t columns_of_group = columns / groups;
    for (size_t tap = 0; tap < taps; ++tap)
      for (uint32_t k = 0; k < depth; ++k)
        for (uint32_t column = 0; column < columns; ++column) {
          const uint32_t place = column / columns_of_group % joined_groups;
          std::memcpy(data.data() + (tap * made.desc.shape[2] + place * depth + k) * row + column * element,
                      weights.data.data() + (tap * depth + k) * row + column * element, element);
        }
    made.data = ir::Blob::of(std::move(data));
    node.inputs[1] = rewrite.add(std::move(made));
    node.params = with_param(node.params, u32_param("group", {}, {groups / joined_groups}));
  }
  return rewrite.graph();
}

namespace {

bool keeps_channels(std::string_view type) {
  constexpr std::array<std::string_view, 9> kTypes = {
      "Relu", "Relu6", "ReluMinMax", "Sigmoid", "Tanh", "Gelu", "HardSwish", "Elu", "ElementWiseNeuron"};
  return std::ranges::find(kTypes, type) != kTypes.end();
}

// A constant with more along one dimension; what is added is 0.
ir::Tensor widened(const ir::Tensor& tensor, size_t axis, uint32_t extent) {
  ir::Tensor made = tensor;
  made.desc.shape[axis] = extent;
  ir::Quantization& encodings = made.desc.quantization;
  if (encodings.kind == ir::Quantization::Kind::kPerAxis && encodings.axis == axis)
    encodings.encodings.resize(extent, encodings.encodings.front());
  size_t inner = ir::byte_size(made.desc.type);
  for (size_t i = axis + 1; i < made.desc.shape.rank(); ++i) inner *= made.desc.shape[i];
  const size_t old_run = inner * tensor.desc.shape[axis];
  const size_t new_run = inner * extent;
  std::vector<std::byte> data(tensor.data.size() / old_run * new_run);
  for (size_t from = 0, to = 0; from < tensor.data.size(); from += old_run, to += new_run)
    std::memcpy(data.data() + to, tensor.data.data() + from, old_run);
  made.data = ir::Blob::of(std::move(data));
  return made;
}

// The tensors that have the channels of `tensor`, and the convolutions that read them; nothing where somebody
// else sees how many there are.
struct Channels {
  std::vector<ir::TensorIndex> tensors;
  std::vector<uint32_t> readers;
};
std::optional<Channels> channels_behind(const Rewrite& rewrite, ir::TensorIndex tensor) {
  Channels found{{tensor}, {}};
  for (size_t i = 0; i < found.tensors.size(); ++i) {
    const ir::TensorIndex at = found.tensors[i];
    if (rewrite.tensors[at].role != ir::TensorRole::kNative) return std::nullopt;
    for (uint32_t node = 0; node < rewrite.nodes.size(); ++node) {
      const ir::Node& reader = rewrite.nodes[node];
      if (std::ranges::find(reader.inputs, at) == reader.inputs.end()) continue;
      if (reader.type == "Conv2d" && reader.params.u32("group", 1) == 1 && reader.inputs[0] == at &&
          is_static(rewrite.tensors[reader.inputs[1]])) {
        found.readers.push_back(node);
      } else if (keeps_channels(reader.type)) {
        found.tensors.push_back(reader.outputs[0]);
      } else {
        return std::nullopt;
      }
    }
  }
  return found;
}

}  // namespace

Result<ir::Graph> with_padded_channels(const ir::Graph& graph, const NodeList& convolutions,
                                       uint32_t channels) {
  Rewrite rewrite(graph);
  bool any = false;
  for (const uint32_t index : convolutions) {
    const ir::Node& node = rewrite.nodes[index];
    const ir::Tensor& weights = rewrite.tensors[node.inputs[1]];
    if (node.type != "Conv2d" || node.params.u32("group", 1) != 1 || !is_static(weights)) continue;
    const uint32_t extent = weights.desc.shape[3];
    const auto wide = static_cast<uint32_t>(round_up(extent, channels));
    const auto behind = channels_behind(rewrite, node.outputs[0]);
    if (wide == extent || !behind) continue;
    for (size_t i = 1; i < node.inputs.size(); ++i) {
      const ir::Tensor constant = rewrite.tensors[node.inputs[i]];
      if (!is_static(constant)) return cannot(concat("'", constant.name, "' is no constant"));
      const ir::TensorIndex made = rewrite.add(widened(constant, constant.desc.shape.rank() - 1, wide));
      rewrite.nodes[index].inputs[i] = made;
    }
    for (const ir::TensorIndex tensor : behind->tensors) rewrite.tensors[tensor].desc.shape[3] = wide;
    for (const uint32_t reader : behind->readers) {
      const ir::TensorIndex made =
          rewrite.add(widened(rewrite.tensors[rewrite.nodes[reader].inputs[1]], 2, wide));
      rewrite.nodes[reader].inputs[1] = made;
    }
    any = true;
  }
  if (!any) return cannot("other ops than convolutions see how many channels there are");
  return rewrite.graph();
}

}  // namespace openqnn::advise
