// SPDX-License-Identifier: BSD-3-Clause
#include "quant/compare.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "base/text.h"
#include "quant/plan.h"

namespace openqnn::quant {

Comparison::Names Comparison::by_name(const ir::Graph& graph) {
  Names found;
  for (ir::TensorIndex i = 0; i < graph.tensors().size(); ++i) found.emplace(graph.tensors()[i].name, i);
  return found;
}

void Distance::add(std::span<const float> reference, std::span<const float> values) {
  for (size_t i = 0; i < reference.size(); ++i) {
    const auto want = static_cast<double>(reference[i]);
    const auto got = static_cast<double>(values[i]);
    ++count;
    if (!std::isfinite(want) || !std::isfinite(got)) {
      const bool same = (std::isnan(want) && std::isnan(got)) || want == got;
      ++(same ? never_finite : not_finite);
      continue;
    }
    signal += want * want;
    noise += (got - want) * (got - want);
    largest = std::max(largest, std::abs(got - want));
  }
}

double Distance::sqnr() const {
  if (noise == 0.0) return INFINITY;
  return 10.0 * std::log10(signal / noise);
}

void Decisions::add(std::span<const float> reference, std::span<const float> values, size_t row) {
  for (size_t at = 0; at + row <= reference.size(); at += row) {
    const auto want = reference.subspan(at, row);
    const auto got = values.subspan(at, row);
    const auto has_nan = [](std::span<const float> all) {
      return std::ranges::any_of(all, [](float value) { return std::isnan(value); });
    };
    if (has_nan(want) || has_nan(got)) continue;  // no element is the largest
    const auto largest = [](std::span<const float> all) {
      return std::max_element(all.begin(), all.end()) - all.begin();
    };
    same += largest(want) == largest(got) ? 1 : 0;
    ++count;
  }
}

size_t decision_row(const ir::Tensor& output) {
  constexpr size_t kMostDimensions = 3;  // batch, time, classes: an image has more
  const ir::Shape& shape = output.desc.shape;
  if (output.role != ir::TensorRole::kOutput || shape.rank() == 0 || shape.rank() > kMostDimensions) return 0;
  const uint32_t row = shape.from_end(0);
  return row > 1 ? row : 0;
}

Comparison::Comparison(const ir::Graph& reference, const ir::Graph& measured)
    : reference_(reference),
      measured_(measured),
      single_(reference, FloatsAs::kSingle),
      backend_(measured, FloatsAs::kHalf) {
  const auto names = by_name(measured);
  const std::vector<bool> away = clamped_away(reference);
  for (const ir::Node& node : reference.nodes())
    for (const ir::TensorIndex output : node.outputs)
      if (output != ir::kNoTensor && !away[output]) add_layer(node, output, names);
}

void Comparison::add_layer(const ir::Node& node, ir::TensorIndex output, const Names& names) {
  if (reference_.tensors()[output].desc.type != ir::DataType::kFloat32) return;
  const std::string& name = reference_.tensors()[output].name;
  const auto found = names.find(name);
  if (found == names.end()) return;
  if (measured_.tensors()[found->second].desc.shape != reference_.tensors()[output].desc.shape) return;
  layers_.push_back(
      {name, node.name, node.type, std::string(ir::name(backend_.desc(found->second).type)), {}, {}});
  in_reference_.push_back(output);
  in_measured_.push_back(found->second);
}

void Comparison::add_values(size_t layer, std::span<const float> wanted, std::span<const float> values) {
  layers_[layer].distance.add(wanted, values);
  const size_t row = decision_row(reference_.tensors()[in_reference_[layer]]);
  if (row != 0) layers_[layer].decisions.add(wanted, values, row);
}

Status Comparison::add(const Inputs& inputs) {
  std::unordered_map<ir::TensorIndex, size_t> place;
  for (size_t i = 0; i < layers_.size(); ++i) place.emplace(in_reference_[i], i);
  std::vector<std::vector<float>> wanted(layers_.size());
  OPENQNN_TRY(single_.run(inputs, [&](ir::TensorIndex tensor, std::span<const std::byte> values) {
    if (const auto found = place.find(tensor); found != place.end())
      wanted[found->second] = reals_of(single_.desc(tensor), values);
  }));
  place.clear();
  for (size_t i = 0; i < layers_.size(); ++i) place.emplace(in_measured_[i], i);
  OPENQNN_ASSIGN(const StoredInputs own_inputs, stored_inputs(inputs, reference_, measured_));
  return backend_.run(
      {own_inputs.begin(), own_inputs.end()}, [&](ir::TensorIndex tensor, std::span<const std::byte> values) {
        const auto found = place.find(tensor);
        if (found == place.end()) return;
        add_values(found->second, wanted[found->second], reals_of(backend_.desc(tensor), values));
        wanted[found->second] = {};
      });
}

}  // namespace openqnn::quant
