// SPDX-License-Identifier: BSD-3-Clause
// A small Program and its Timeline, written by hand: a convolution in two tiles, then an activation.
#pragma once

#include <string>

#include "profile/report.h"

namespace openqnn::profile {

struct Sample {
  program::Program program;
  sim::Timeline timeline;

  // Appends a task and its event; the answer is the task's index.
  uint32_t task(program::TaskKind kind, soc::Unit unit, uint32_t instance, uint32_t op,
                ir::TensorIndex tensor, uint64_t start, uint64_t duration, sim::Bound bound,
                std::vector<uint32_t> after);
  void add_tensor(std::string name, ir::TensorRole role);
  void add_op(std::string name, std::string type);
};

Sample sample();
// One op without work and two names that need care.
Sample odd_sample();

}  // namespace openqnn::profile
