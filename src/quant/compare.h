// SPDX-License-Identifier: BSD-3-Clause
// How far a graph's tensors are from the float model's, layer by layer.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "quant/reference_run.h"

namespace openqnn::quant {

// One tensor of a graph against the same of another, over all runs.
struct Distance {
  double signal = 0.0;   // sum of squares of the float model's values
  double noise = 0.0;    // of the differences
  double largest = 0.0;  // difference
  uint64_t count = 0;
  uint64_t not_finite = 0;    // values that are infinite or no number in one of the two alone
  uint64_t never_finite = 0;  // the same of both

  void add(std::span<const float> reference, std::span<const float> values);
  // In decibels: infinite where nothing differs, none where the reference is all zero.
  double sqnr() const;
};

// What a classifier decides: which element of each row, along the last axis, is the largest.
struct Decisions {
  uint64_t same = 0;
  uint64_t count = 0;

  void add(std::span<const float> reference, std::span<const float> values, size_t row);
};

// How long the rows of an output are that may be a classifier's: few dimensions, several elements. Else 0.
size_t decision_row(const ir::Tensor& output);

struct Layer {
  std::string tensor;
  std::string node;         // that makes it
  std::string type;         // of the node
  std::string computed_as;  // "f16", "ufx8": in the graph that is measured
  Distance distance;
  Decisions decisions;  // of an output that may be a classifier's: few dimensions, rows of several elements
};

// Measures `graphs[i]`, computed as the backend computes them, against `reference` in single precision: the
// tensors that both have by name, in the order of the reference's nodes. Left out are inputs, and what is
// clamped away on the device.
class Comparison {
 public:
  // Both graphs must outlive it.
  Comparison(const ir::Graph& reference, const ir::Graph& measured);

  // One sample, of the reference's inputs; the other graph gets the same, quantized where it wants integers.
  Status add(const Inputs& inputs);

  const std::vector<Layer>& layers() const { return layers_; }

 private:
  using Names = std::unordered_map<std::string_view, ir::TensorIndex>;
  static Names by_name(const ir::Graph& graph);
  void add_values(size_t layer, std::span<const float> wanted, std::span<const float> values);
  void add_layer(const ir::Node& node, ir::TensorIndex output, const Names& names);

  const ir::Graph& reference_;
  const ir::Graph& measured_;
  ReferenceRun single_;
  ReferenceRun backend_;
  std::vector<ir::TensorIndex> in_reference_;  // beside layers_
  std::vector<ir::TensorIndex> in_measured_;
  std::vector<Layer> layers_;
};

}  // namespace openqnn::quant
