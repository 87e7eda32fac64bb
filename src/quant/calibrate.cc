// SPDX-License-Identifier: BSD-3-Clause
#include "quant/calibrate.h"

namespace openqnn::quant {

Calibrator::Calibrator(const ir::Graph& graph)
    : graph_(graph), run_(graph, FloatsAs::kSingle), seen_(graph.tensors().size()) {}

Status Calibrator::add(const Inputs& inputs) {
  return run_.run(inputs, [&](ir::TensorIndex tensor, std::span<const std::byte> values) {
    if (run_.desc(tensor).type != ir::DataType::kFloat32) return;
    seen_[tensor].add({reinterpret_cast<const float*>(values.data()), values.size() / sizeof(float)});
  });
}

std::vector<std::string> Calibrator::not_finite() const {
  std::vector<std::string> names;
  for (size_t i = 0; i < seen_.size(); ++i)
    if (seen_[i].not_finite() != 0) names.push_back(graph_.tensors()[i].name);
  return names;
}

}  // namespace openqnn::quant
