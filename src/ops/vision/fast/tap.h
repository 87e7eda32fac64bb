// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace openqnn::ops {

// A place that a sample is made of, and how much of it. A plain struct: files for one instruction set include
// this.
struct Tap {
  uint32_t index;
  double weight;
};

}  // namespace openqnn::ops
