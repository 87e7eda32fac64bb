// SPDX-License-Identifier: BSD-3-Clause
#include "ops/elementwise/map.h"

#include <algorithm>
#include <optional>
#include <string>

#include "base/text.h"

namespace openqnn::ops {
namespace {

std::string shapes_of(const OpCall& call) {
  std::string text;
  for (size_t i = 0; i < call.inputs.size(); ++i)
    text += concat(i == 0 ? "" : i + 1 == call.inputs.size() ? " and " : ", ", call.in(i).shape.to_string());
  return text;
}

ir::Box map_input_box(const OpCall& call, size_t index, const ir::Box& output) {
  return broadcast_box(call.in(index).shape, output);
}

std::vector<SplitAxis> map_split_axes(const OpCall& call) { return activation_split_axes(call.out().shape); }

}  // namespace

Status check_broadcast(const OpCall& call) {
  std::optional<ir::Shape> expected = call.in(0).shape;
  for (size_t i = 1; i < call.inputs.size() && expected; ++i)
    expected = broadcast(*expected, call.in(i).shape);
  if (!expected)
    return invalid("op-shape", concat("inputs ", shapes_of(call), " do not broadcast together"))
        .fix_by("dimensions, counted from the last one, must be equal or 1");
  return expect_shape("output", call.out().shape, *expected);
}

Work map_work(const OpCall& call, const ir::Box& output, Instructions cost) {
  const bool half = std::ranges::any_of(
      call.inputs, [](const ir::TensorDesc* input) { return input->type == ir::DataType::kFloat16; });
  uint64_t bytes = box_bytes(call.out(), output);
  for (size_t i = 0; i < call.inputs.size(); ++i)
    bytes += box_bytes(call.in(i), map_input_box(call, i, output));
  return vector_work(call, output, half ? cost.half : cost.fixed, bytes);
}

OpDef map_op_shell(std::string_view type) {
  return {.type = type, .check = check_broadcast, .input_box = map_input_box, .split_axes = map_split_axes};
}

Status unknown_operation(uint32_t operation, std::string_view first, size_t count, std::string_view last) {
  return invalid("op-param-value", concat("operation ", operation, " is not known"))
      .fix_by(concat("use 0 (", first, ") to ", count - 1, " (", last, ")"));
}

}  // namespace openqnn::ops
