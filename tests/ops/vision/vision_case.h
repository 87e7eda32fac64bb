// SPDX-License-Identifier: BSD-3-Clause
// Cases of this family with chosen values and parameters.
#pragma once

#include <string>
#include <vector>

#include "base/half.h"
#include "ops/elements.h"
#include "ops/op_case.h"

namespace openqnn::ops {

// Halves are rounded; of every other type these are the stored integers.
inline void set_values(OpCase& c, size_t input, const std::vector<double>& values) {
  const ir::DataType type = c.inputs[input].type;
  for (size_t i = 0; i < values.size(); ++i) {
    if (type == ir::DataType::kFloat16)
      save(c.data[input].data(), i, to_half(values[i]));
    else
      save_integer(type, c.data[input].data(), i, static_cast<int64_t>(values[i]));
  }
}

// What the op computes, as real numbers.
inline std::vector<double> results(const OpCase& c, size_t output = 0) {
  const Bytes bytes = c.run();
  const ElementReader read(c.outputs[output], bytes.data() + c.output_offset(output));
  std::vector<double> values;
  for (uint64_t i = 0; i < c.outputs[output].shape.elements(); ++i) values.push_back(read(i));
  return values;
}

}  // namespace openqnn::ops
