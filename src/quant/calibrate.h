// SPDX-License-Identifier: BSD-3-Clause
// Runs a float graph on samples and remembers what every tensor was like.
#pragma once

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
  // Tensors that were not finite somewhere, by name; their numbers alone are counted.
  std::vector<std::string> not_finite() const;

 private:
  const ir::Graph& graph_;
  ReferenceRun run_;
  Observations seen_;
};

}  // namespace openqnn::quant
