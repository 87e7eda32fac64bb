// SPDX-License-Identifier: BSD-3-Clause
// Values of our own choice in a case, and what came out.
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "base/half.h"
#include "ops/op_case.h"

namespace openqnn::ops {

inline void set_halves(OpCase& c, size_t input, const std::vector<float>& values) {
  c.data[input].clear();
  for (const float value : values) {
    const Half half = to_half(value);
    const auto* bytes = reinterpret_cast<const std::byte*>(&half.bits);
    c.data[input].insert(c.data[input].end(), bytes, bytes + sizeof(half.bits));
  }
}

template <class T>
void set_values(OpCase& c, size_t input, const std::vector<T>& values) {
  c.data[input].resize(values.size() * sizeof(T));
  std::memcpy(c.data[input].data(), values.data(), c.data[input].size());
}

template <class T>
std::vector<T> values_of(const OpCase& c, const Bytes& out, size_t output = 0) {
  std::vector<T> values(c.outputs[output].shape.elements());
  std::memcpy(values.data(), out.data() + c.output_offset(output), values.size() * sizeof(T));
  return values;
}

inline std::vector<float> halves_of(const OpCase& c, const Bytes& out, size_t output = 0) {
  std::vector<float> values;
  for (const uint16_t bits : values_of<uint16_t>(c, out, output)) values.push_back(to_float(Half{bits}));
  return values;
}

inline void set_param(OpCase& c, const std::string& name, const std::vector<double>& values) {
  ir::Params params;
  for (const ir::Param& param : c.params.all())
    if (param.name != name) params.add(param);
  for (const ParamSchema& schema : find_schema(c.op->type)->params)
    if (schema.name == name) params.add(make_param(schema, values));
  c.params = params;
}

}  // namespace openqnn::ops
