// SPDX-License-Identifier: BSD-3-Clause
// Which tensors of a float graph become integers, with which encodings, and which nodes stay in float.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "ir/graph.h"
#include "ir/tensor_encoding.h"
#include "quant/calibration.h"
#include "quant/encoding.h"

namespace openqnn::quant {

struct Options {
  uint32_t activation_bits = 8;  // 8 or 16
  uint32_t weight_bits = 8;      // 4, 8 or 16
  uint32_t bias_bits = 32;       // 8 or 32
  Scheme activation_scheme = Scheme::kAsymmetric;
  Scheme weight_scheme = Scheme::kSymmetric;
  Calibration activation_calibration = Calibration::kMinMax;
  Calibration weight_calibration = Calibration::kMinMax;
  double percentile = 99.99;
  bool per_channel = true;  // convolutions' weights: an encoding for each output channel
  bool per_row = true;      // the same for FullyConnected and MatMul
  bool squash_relu = true;  // what feeds a Relu alone gets the range after it
  bool float_fallback =
      true;               // a node that the backend cannot compute in integers stays in float; else an error
  bool float_io = false;  // inputs and outputs stay float, with conversions behind and before them
  std::set<std::string> float_io_names;  // the same for these alone
  std::optional<Steps> weight_steps;
};

// The values of a float constant.
inline std::span<const float> floats_of(const ir::Tensor& tensor) {
  return {reinterpret_cast<const float*>(tensor.data.data()), tensor.data.size() / sizeof(float)};
}

// Beside the graph's tensors; empty for tensors that were not seen.
using Observations = std::vector<Histogram>;

struct NodePlan {
  bool fixed = false;
  std::string why_float;               // of a node with float operands that is not fixed
  std::vector<ir::TensorDesc> inputs;  // as the node takes them, when fixed; unused where absent
  std::vector<ir::TensorDesc> outputs;
};

struct Plan {
  std::vector<NodePlan> nodes;  // beside the graph's nodes
  std::vector<std::optional<ir::TensorDesc>>
      tensors;  // the fixed-point form of each float tensor that has one
};

// Of each tensor, whether it goes into one Relu or clamp alone, right behind an op that ends in it on the
// device: then only what the clamp leaves is ever there.
std::vector<bool> clamped_away(const ir::Graph& graph);

// What `overrides` say of tensors goes before what was seen.
Result<Plan> make_plan(const ir::Graph& graph, const Observations& seen, const ir::TensorEncodings& overrides,
                       const Options& options);

}  // namespace openqnn::quant
