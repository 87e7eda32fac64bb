// SPDX-License-Identifier: BSD-3-Clause
#include "quant/calibrate.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace openqnn::quant {
namespace {

// e^-20 is 2e-9: far less than the finest step that a Softmax's output has, 2^-16.
constexpr float kSoftmaxReach = 20.0F;

}  // namespace

Calibrator::Calibrator(const ir::Graph& graph)
    : graph_(graph),
      run_(graph, FloatsAs::kSingle),
      seen_(graph.tensors().size()),
      softmax_rows_(graph.tensors().size()) {
  find_softmax_inputs();
}

void Calibrator::find_softmax_inputs() {
  std::vector<bool> others(graph_.tensors().size(), false);  // read by something else, too
  for (const ir::Node& node : graph_.nodes()) {
    for (const ir::TensorIndex input : node.inputs) {
      if (input == ir::kNoTensor) continue;
      if (node.type != "Softmax") {
        others[input] = true;
        continue;
      }
      const ir::Shape& shape = graph_.tensors()[input].desc.shape;
      if (shape.rank() == 0) continue;
      const auto last = static_cast<uint32_t>(shape.rank() - 1);
      const uint32_t axis = std::min(node.params.u32("axis", last), last);
      const Rows rows{shape[axis], elements_behind(shape, axis),
                      kSoftmaxReach / std::max(node.params.f32("beta", 1.0F), 1e-6F)};
      // Several that read it along different axes: none of them alone says what counts.
      Rows& known = softmax_rows_[input];
      others[input] = others[input] || (known.length != 0 && known.stride != rows.stride);
      known = rows;
    }
  }
  for (size_t i = 0; i < others.size(); ++i)
    if (others[i] || graph_.tensors()[i].role != ir::TensorRole::kNative) softmax_rows_[i] = {};
}

// Masks fill a row with the most negative number there is; counted as it is, no step would be left for the
// scores. Rows that are masked as a whole do not count.
std::vector<float> Calibrator::within_reach(std::span<const float> values, const Rows& rows) {
  std::vector<float> kept;
  kept.reserve(values.size());
  const uint64_t block = rows.length * rows.stride;
  for (uint64_t start = 0; start + block <= values.size(); start += block) {
    for (uint64_t at = start; at < start + rows.stride; ++at) {
      float largest = -INFINITY;
      for (uint64_t i = 0; i < rows.length; ++i) largest = std::max(largest, values[at + i * rows.stride]);
      if (largest < kMaskLevel) continue;
      for (uint64_t i = 0; i < rows.length; ++i)
        kept.push_back(std::max(values[at + i * rows.stride], largest - rows.reach));
    }
  }
  return kept;
}

Status Calibrator::add(const Inputs& inputs) {
  return run_.run(inputs, [&](ir::TensorIndex tensor, std::span<const std::byte> values) {
    if (run_.desc(tensor).type != ir::DataType::kFloat32) return;
    const std::span<const float> numbers(reinterpret_cast<const float*>(values.data()),
                                         values.size() / sizeof(float));
    const Rows& rows = softmax_rows_[tensor];
    if (rows.length == 0)
      seen_[tensor].add(numbers);
    else
      seen_[tensor].add(within_reach(numbers, rows));
  });
}

std::vector<std::string> Calibrator::not_finite() const {
  std::vector<std::string> names;
  for (size_t i = 0; i < seen_.size(); ++i)
    if (seen_[i].not_finite() != 0 && !seen_[i].is_mask()) names.push_back(graph_.tensors()[i].name);
  return names;
}

Observations assumed_observations(const ir::Graph& graph) {
  static constexpr std::array kRange = {-1.0F, 1.0F};
  Observations seen(graph.tensors().size());
  for (Histogram& histogram : seen) histogram.add(kRange);
  return seen;
}

}  // namespace openqnn::quant
