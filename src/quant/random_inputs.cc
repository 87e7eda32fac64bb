// SPDX-License-Identifier: BSD-3-Clause
#include "quant/random_inputs.h"

#include <algorithm>
#include <array>
#include <optional>
#include <random>
#include <string_view>

#include "ops/elements.h"
#include "quant/encoding.h"

namespace openqnn::quant {
namespace {

using ir::DataType;
using ir::TensorIndex;

// Ops behind which an index is still the same index.
constexpr std::array<std::string_view, 8> kKeepIndices = {
    "Cast", "Reshape", "Transpose", "Squeeze", "ExpandDims", "Tile", "Split", "StridedSlice"};
constexpr uint64_t kPixels = 256;
constexpr uint64_t kTruths = 2;

// The sum of uniform numbers: the same on every machine, unlike the library's normal distribution.
float random_real(std::mt19937_64& random) {
  double sum = -2.0;
  for (int i = 0; i < 4; ++i) sum += static_cast<double>(random() >> 11) * 0x1p-53;
  return static_cast<float>(sum);
}

uint64_t smallest_extent(const ir::Shape& shape) {
  uint64_t smallest = UINT32_MAX;
  for (size_t i = 0; i < shape.rank(); ++i) smallest = std::min<uint64_t>(smallest, shape[i]);
  return smallest;
}

// How many indices there are for this operand of a node; nothing where it is no index.
std::optional<uint64_t> indices_of(const ir::Graph& graph, const ir::Node& node, size_t operand) {
  if (node.type == "OneHot" && operand == 0) return node.params.u32("depth", 1);
  if (operand != 1) return std::nullopt;
  const ir::Shape& table = graph.tensors()[node.inputs[0]].desc.shape;
  if (node.type == "GatherNd" || node.type == "ScatterNd") return smallest_extent(table);
  const bool is_signed = node.type == "Gather";  // the type of its axis
  if (!is_signed && node.type != "GatherElements" && node.type != "ScatterElements") return std::nullopt;
  const auto axis =
      is_signed ? static_cast<uint32_t>(node.params.i32("axis", 0)) : node.params.u32("axis", 0);
  return axis < table.rank() ? std::optional<uint64_t>(table[axis]) : std::nullopt;
}

bool keeps_indices(const ir::Node& node, size_t operand) {
  return operand == 0 && std::ranges::find(kKeepIndices, node.type) != kKeepIndices.end();
}

// The fewest indices among all tables that are read by what an input gives.
std::optional<uint64_t> indices_behind(const ir::Graph& graph, TensorIndex input) {
  std::vector<bool> same(graph.tensors().size(), false);
  same[input] = true;
  std::optional<uint64_t> fewest;
  for (const ir::Node& node : graph.nodes()) {  // in dependency order
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      if (node.inputs[i] == ir::kNoTensor || !same[node.inputs[i]]) continue;
      if (const auto count = indices_of(graph, node, i)) fewest = std::min(fewest.value_or(*count), *count);
      if (!keeps_indices(node, i)) continue;
      for (const TensorIndex output : node.outputs)
        if (output != ir::kNoTensor) same[output] = true;
    }
  }
  return fewest;
}

uint64_t values_of(const ir::Graph& graph, TensorIndex input) {
  const DataType type = graph.tensors()[input].desc.type;
  if (type == DataType::kBool8) return kTruths;
  const auto indices = indices_behind(graph, input);
  if (!indices) return type == DataType::kUint8 ? kPixels : kTruths;
  const uint64_t positive = uint64_t{1} << (8 * ir::byte_size(type) - 1);  // as many as a signed type has
  return std::clamp<uint64_t>(*indices, 1, positive);
}

}  // namespace

std::vector<std::byte> random_input(const ir::Graph& graph, TensorIndex input, uint64_t seed) {
  const ir::TensorDesc& desc = graph.tensors()[input].desc;
  std::mt19937_64 random(seed);
  std::vector<float> reals;
  if (ir::is_float(desc.type) || ir::is_quantized(desc.type)) {
    reals.resize(desc.shape.elements());
    for (float& one : reals) one = random_real(random);
    return stored(desc, reals);
  }
  const uint64_t count = values_of(graph, input);
  std::vector<std::byte> values(ir::plain_bytes(desc));
  for (uint64_t i = 0; i < desc.shape.elements(); ++i)
    ops::save_integer(desc.type, values.data(), i, static_cast<int64_t>(random() % count));
  return values;
}

}  // namespace openqnn::quant
