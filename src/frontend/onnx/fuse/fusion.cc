// SPDX-License-Identifier: BSD-3-Clause
#include "frontend/onnx/fuse/fusion.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"

namespace openqnn::frontend::onnx {

#define OPENQNN_FUSION(name, summary) bool fuse_##name(Rewriter& net, uint32_t node);
#include "frontend/onnx/fuse/fusions.inc"
#undef OPENQNN_FUSION

std::span<const Fusion> all_fusions() {
  static constexpr Fusion kAll[] = {
#define OPENQNN_FUSION(name, summary) {#name, summary, fuse_##name},
#include "frontend/onnx/fuse/fusions.inc"
#undef OPENQNN_FUSION
  };
  return kAll;
}

std::vector<std::string> fuse(Net& net, const std::set<std::string>& without) {
  std::vector<std::string> made;
  for (const Fusion& fusion : all_fusions()) {
    if (without.contains(std::string(fusion.name))) continue;
    Rewriter rewriter(net);
    bool any = false;
    for (uint32_t i = 0; i < net.nodes.size(); ++i) {
      if (!fusion.apply(rewriter, i)) continue;
      any = true;
      made.push_back(concat(fusion.name, ": ", net.nodes[i].name));
    }
    if (any) prune(net);
  }
  return made;
}

void append(std::vector<uint32_t>& nodes, const std::vector<uint32_t>& more) {
  for (const uint32_t node : more) nodes.push_back(node);
}

bool near(double a, double b) { return std::abs(a - b) <= 1e-5 * std::max(std::abs(a), std::abs(b)) + 1e-12; }

std::optional<uint32_t> Rewriter::made_by(ValueId value, std::string_view type) const {
  if (value == kNoValue || net_.values[value].constant != nullptr) return std::nullopt;
  const uint32_t node = uses_.producer[value];
  if (node == Uses::kNoNode || net_.nodes[node].type != type) return std::nullopt;
  return node;
}

std::optional<uint32_t> Rewriter::made_by_for_this_alone(ValueId value, std::string_view type) const {
  return value != kNoValue && used_once(value) ? made_by(value, type) : std::nullopt;
}

// Values that were made since are the rewriter's own, and used once.
bool Rewriter::used_once(ValueId value) const {
  return value >= uses_.consumers.size() || (uses_.consumers[value].size() == 1 && !uses_.is_output[value]);
}

bool Rewriter::gives_dims_of(ValueId x, uint32_t node) const {
  return value(net_.nodes[node].outputs[0]).dims == value(x).dims;
}

std::optional<ValueId> Rewriter::other_input(const NetNode& node, ValueId one) const {
  if (node.inputs.size() != 2) return std::nullopt;
  if (node.inputs[0] == one) return node.inputs[1];
  if (node.inputs[1] == one) return node.inputs[0];
  return std::nullopt;
}

std::optional<Rewriter::WithConstant> Rewriter::with_constant(const NetNode& node) const {
  if (node.inputs.size() != 2) return std::nullopt;
  if (const Constant* second = constant(node.inputs[1]))
    return WithConstant{node.inputs[0], node.inputs[1], second};
  if (const Constant* first = constant(node.inputs[0]))
    return WithConstant{node.inputs[1], node.inputs[0], first};
  return std::nullopt;
}

std::optional<double> Rewriter::number(ValueId value) const {
  const Constant* known = constant(value);
  if (known == nullptr || known->count() == 0) return std::nullopt;
  const double first = known->real(0);
  for (uint64_t i = 1; i < known->count(); ++i)
    if (known->real(i) != first) return std::nullopt;
  return first;
}

std::optional<ValueId> Rewriter::with_number(uint32_t index, double wanted) const {
  const auto found = with_constant(node(index));
  const auto known = found ? number(found->id) : std::nullopt;
  return known && near(*known, wanted) ? std::optional(found->other) : std::nullopt;
}

std::optional<Rewriter::Square> Rewriter::square_of(ValueId value) const {
  if (const auto power = made_by_for_this_alone(value, "Pow")) {
    const NetNode& made = node(*power);
    if (near(number(made.inputs[1]).value_or(0), 2.0)) return Square{made.inputs[0], *power};
  }
  if (const auto product = made_by_for_this_alone(value, "Mul")) {
    const NetNode& made = node(*product);
    if (made.inputs[0] == made.inputs[1]) return Square{made.inputs[0], *product};
  }
  return std::nullopt;
}

ValueId Rewriter::add_constant(std::string_view name, Constant constant) {
  return net_.add_constant(name, std::make_shared<const Constant>(std::move(constant)));
}

void Rewriter::replace(uint32_t index, std::string type, int64_t opset, std::vector<ValueId> inputs,
                       Attributes attributes, const std::vector<uint32_t>& absorbed) {
  NetNode& node = net_.nodes[index];
  std::vector<std::string> sources;
  for (const uint32_t other : absorbed)
    sources.insert(sources.end(), net_.nodes[other].sources.begin(), net_.nodes[other].sources.end());
  sources.insert(sources.end(), node.sources.begin(), node.sources.end());
  node.type = std::move(type);
  node.opset = opset;
  node.inputs = std::move(inputs);
  node.attributes = std::move(attributes);
  node.sources = std::move(sources);
}

}  // namespace openqnn::frontend::onnx
