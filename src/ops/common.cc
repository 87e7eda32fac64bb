// SPDX-License-Identifier: BSD-3-Clause
#include "ops/common.h"

#include <algorithm>

#include "base/text.h"

namespace openqnn::ops {

Status expect_shape(std::string_view operand, const ir::Shape& given, const ir::Shape& expected) {
  if (given == expected) return {};
  return invalid("op-shape", concat(operand, " has shape ", given.to_string(), " where the op needs ",
                                    expected.to_string()));
}

uint64_t saturating_multiply(uint64_t a, uint64_t b) {
  uint64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

uint64_t saturating_add(uint64_t a, uint64_t b) {
  uint64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

ir::Box empty_box(const ir::Shape& shape) {
  const ir::Shape origin = ir::Box::whole(shape).begin;
  return {origin, origin};
}

ir::Box box_at(const ir::Shape& index) {
  ir::Box box{index, index};
  for (size_t i = 0; i < index.rank(); ++i) ++box.end[i];
  return box;
}

void take_axis(ir::Box& box, size_t axis, const ir::Box& from, size_t from_axis) {
  box.begin[axis] = from.begin[from_axis];
  box.end[axis] = from.end[from_axis];
}

std::optional<ir::Shape> broadcast(const ir::Shape& a, const ir::Shape& b) {
  const ir::Shape& longer = a.rank() >= b.rank() ? a : b;
  const ir::Shape& shorter = a.rank() >= b.rank() ? b : a;
  ir::Shape result = longer;
  for (size_t i = 0; i < shorter.rank(); ++i) {
    const uint32_t x = longer.from_end(i);
    const uint32_t y = shorter.from_end(i);
    if (x != y && x != 1 && y != 1) return std::nullopt;
    result[result.rank() - 1 - i] = std::max(x, y);
  }
  return result;
}

ir::Box broadcast_box(const ir::Shape& operand, const ir::Box& output) {
  ir::Box box = ir::Box::whole(operand);
  for (size_t i = 0; i < operand.rank(); ++i) {
    const size_t out = output.rank() - operand.rank() + i;
    const bool stretched = operand[i] == 1;
    box.begin[i] = stretched ? 0 : output.begin[out];
    box.end[i] = stretched ? 1 : output.end[out];
  }
  return box;
}

uint64_t broadcast_offset(const ir::Shape& operand, const ir::Shape& index) {
  uint64_t offset = 0;
  for (size_t i = 0; i < operand.rank(); ++i)
    offset = offset * operand[i] + (operand[i] == 1 ? 0 : index[index.rank() - operand.rank() + i]);
  return offset;
}

std::vector<SplitAxis> activation_split_axes(const ir::Shape& output) {
  if (output.rank() == 4) return {{1, 1}, {3, 32}, {2, 8}, {0, 1}};
  if (output.rank() == 0) return {};
  std::vector<SplitAxis> axes;
  const auto last = static_cast<uint32_t>(output.rank() - 1);
  for (uint32_t axis = 0; axis < last; ++axis) axes.push_back({axis, 1});
  axes.push_back({last, 32});
  return axes;
}

uint64_t box_bytes(const ir::TensorDesc& desc, const ir::Box& box) { return ir::plain_bytes(desc, box); }

Arithmetic arithmetic_of(const ir::TensorDesc& desc) {
  if (desc.type == ir::DataType::kFloat16) return Arithmetic::kHalf;
  return ir::byte_size(desc.type) == 1 ? Arithmetic::kBytes : Arithmetic::kWords;
}

// Activations lie in chunks of 2048 bytes: images of 8 lines, 8 bytes' worth of columns and 32 channels,
// matrices of 64 bytes' worth of rows and 32 columns.
uint64_t padded_bytes(const ir::TensorDesc& desc, const ir::Box& box) {
  const uint64_t bytes = ir::byte_size(desc.type);
  if (box.rank() == 0) return bytes;
  const size_t last = box.rank() - 1;
  uint64_t elements = round_up(box.extent(last), kChunkDepth);
  if (box.rank() >= 4) {
    elements =
        saturating_multiply(elements, padded_positions(box.extent(last - 2), box.extent(last - 1), bytes));
    for (size_t i = 0; i + 3 < box.rank(); ++i) elements = saturating_multiply(elements, box.extent(i));
  } else {
    uint64_t rows = 1;
    for (size_t i = 0; i < last; ++i) rows = saturating_multiply(rows, box.extent(i));
    elements =
        saturating_multiply(elements, last == 0 ? 1 : round_up(rows, std::max<uint64_t>(64 / bytes, 1)));
  }
  return saturating_multiply(elements, bytes);
}

uint64_t padded_positions(uint64_t height, uint64_t width, uint64_t element_bytes) {
  return saturating_multiply(round_up(height, kChunkLines),
                             round_up(width, std::max<uint64_t>(8 / element_bytes, 1)));
}

uint64_t padded_vectors(const ir::TensorDesc& desc, const ir::Box& box) {
  return box.empty() ? 0 : ceil_div(padded_bytes(desc, box), kVectorBytes);
}

Work vector_work(const OpCall& call, const ir::Box& output, uint64_t instructions, uint64_t vtcm_bytes) {
  const uint64_t vectors = ceil_div(box_bytes(call.out(), output), kVectorBytes);
  return {.unit = soc::Unit::kHvx,
          .arithmetic = arithmetic_of(call.out()),
          .vector_ops = saturating_multiply(vectors, instructions),
          .vtcm_bytes = vtcm_bytes};
}

uint64_t all_bytes(const OpCall& call) {
  uint64_t bytes = 0;
  for (const auto* side : {&call.inputs, &call.outputs})
    for (const ir::TensorDesc* desc : *side)
      if (desc) bytes = saturating_add(bytes, ir::plain_bytes(*desc));
  return bytes;
}

Work whole_work(const OpCall& call, uint64_t lanes, uint64_t instructions) {
  constexpr uint64_t kLanes = kVectorBytes / sizeof(float);
  return {.unit = soc::Unit::kHvx,
          .vector_ops = saturating_multiply(ceil_div(lanes, kLanes) + 1, instructions),
          .vtcm_bytes = all_bytes(call)};
}

}  // namespace openqnn::ops
