// SPDX-License-Identifier: BSD-3-Clause
// Runs a float graph on samples and remembers what every tensor was like.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "quant/plan.h"
#include "quant/reference_run.h"

namespace openqnn::quant {

class Calibrator {
 public:
  // `graph` must outlive it.
  explicit Calibrator(const ir::Graph& graph);

  // One sample: the values of every input, in the tensors' own types.
  Status add(const Inputs& inputs);

  const Observations& seen() const { return seen_; }
  // Tensors that were not finite somewhere, by name; their numbers alone are counted. Masks are not among
  // them.
  std::vector<std::string> not_finite() const;

 private:
  // Of a tensor that nothing but a Softmax reads: where its rows lie, and how far below a row's largest value
  // all others are the same to it.
  struct Rows {
    uint64_t length = 0;  // 0 of all other tensors
    uint64_t stride = 1;  // between elements of a row
    float reach = 0.0F;
  };
  void find_softmax_inputs();
  static std::vector<float> within_reach(std::span<const float> values, const Rows& rows);

  const ir::Graph& graph_;
  ReferenceRun run_;
  Observations seen_;
  std::vector<Rows> softmax_rows_;  // beside the graph's tensors
};

// What a calibration would see whose tensors all lie between -1 and 1: for those who ask what a precision
// costs, not what it computes.
Observations assumed_observations(const ir::Graph& graph);

}  // namespace openqnn::quant
