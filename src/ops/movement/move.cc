// SPDX-License-Identifier: BSD-3-Clause
#include "ops/movement/move.h"

#include "base/text.h"

namespace openqnn::ops {

Work moving_work(const OpCall& call, const ir::Box& output, uint64_t instructions,
                 const std::vector<NeededPart>& parts) {
  uint64_t bytes = box_bytes(call.out(), output);
  bool requantizes = false;
  for (const auto& [index, box] : parts) {
    const ir::TensorDesc& input = call.in(index);
    bytes += box_bytes(input, box);
    requantizes |= ir::is_quantized(input.type) && !same_representation(input, call.out());
  }
  return vector_work(call, output, instructions + (requantizes ? kRequantize : 0), bytes);
}

ir::Shape without_axis(const ir::Shape& shape, size_t axis) {
  ir::Shape kept;
  for (size_t i = 0; i < shape.rank(); ++i)
    if (i != axis) kept.push_back(shape[i]);
  return kept;
}

ir::Shape with_axis(const ir::Shape& shape, size_t axis, uint32_t value) {
  ir::Shape longer;
  for (size_t i = 0; i <= shape.rank(); ++i) {
    if (i == axis) longer.push_back(value);
    if (i < shape.rank()) longer.push_back(shape[i]);
  }
  return longer;
}

ir::Shape at_least_one_dim(const ir::Shape& shape) { return shape.rank() > 0 ? shape : ir::Shape{1}; }

Status check_count_per_dim(const OpCall& call, std::string_view param, const ir::Shape& shape) {
  const ir::Param* given = call.params->find(param);
  const uint32_t rows = given && given->shape.rank() > 0 ? given->shape[0] : 0;
  if (rows == shape.rank()) return {};
  return invalid("op-param-shape", concat("parameter '", param, "' has ", rows, " entries for the ",
                                          shape.rank(), " dimensions of ", shape.to_string()));
}

Status check_size(std::string_view what, uint64_t size) {
  if (size <= UINT32_MAX) return {};
  return invalid("op-shape", concat(what, " would be ", size, ", which no dimension can hold"));
}

}  // namespace openqnn::ops
