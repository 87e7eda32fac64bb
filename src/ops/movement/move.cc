// SPDX-License-Identifier: BSD-3-Clause
#include "ops/movement/move.h"

#include <algorithm>

#include "base/text.h"

namespace openqnn::ops {

namespace {

bool requantizes(const ir::TensorDesc& input, const ir::TensorDesc& output) {
  return ir::is_quantized(input.type) && !same_representation(input, output);
}

uint64_t moved_bytes(const OpCall& call, const ir::Box& output, const std::vector<NeededPart>& parts) {
  uint64_t bytes = box_bytes(call.out(), output);
  for (const auto& [input, box] : parts) bytes += box_bytes(call.in(input), box);
  return bytes;
}

}  // namespace

Work moving_work(const OpCall& call, const ir::Box& output, uint64_t instructions,
                 const std::vector<NeededPart>& parts) {
  const bool rounds = std::ranges::any_of(
      call.inputs, [&](const ir::TensorDesc* input) { return input && requantizes(*input, call.out()); });
  return vector_work(call, output, instructions + (rounds ? kRequantize : 0),
                     moved_bytes(call, output, parts));
}

Work joining_work(const OpCall& call, const ir::Box& output, uint64_t instructions,
                  const std::vector<NeededPart>& parts) {
  Work work = vector_work(call, output, instructions, moved_bytes(call, output, parts));
  for (const auto& [input, box] : parts) {
    if (!requantizes(call.in(input), call.out())) continue;
    const uint64_t vectors = ceil_div(box_bytes(call.in(input), box), kVectorBytes);
    work.vector_ops = saturating_add(work.vector_ops, saturating_multiply(vectors, kRequantize));
  }
  return work;
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
