// SPDX-License-Identifier: BSD-3-Clause
// Small parts that many ops are made of: shapes, broadcasting, ways to cut, work.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/units.h"
#include "ops/op.h"

namespace openqnn::ops {

// Bytes of one HVX vector.
inline constexpr uint64_t kVectorBytes = 128;

// "output has shape [1, 4] where the op needs [1, 5]"
Status expect_shape(std::string_view operand, const ir::Shape& given, const ir::Shape& expected);

// Work of untrusted sizes: sticks at the largest value instead of wrapping.
uint64_t saturating_multiply(uint64_t a, uint64_t b);
uint64_t saturating_add(uint64_t a, uint64_t b);

// ---- Boxes ----

// Nothing of a tensor.
ir::Box empty_box(const ir::Shape& shape);
// One element.
ir::Box box_at(const ir::Shape& index);
// Makes an axis of a box as long as an axis of another.
void take_axis(ir::Box& box, size_t axis, const ir::Box& from, size_t from_axis);

// ---- Broadcasting: shapes aligned at the last dimension, size 1 or missing stretched ----

// Nothing when two dimensions differ and neither is 1.
std::optional<ir::Shape> broadcast(const ir::Shape& a, const ir::Shape& b);
// The part of an operand of shape `operand` that the box `output` of the broadcast shape depends on.
ir::Box broadcast_box(const ir::Shape& operand, const ir::Box& output);
// The position in a dense operand of the element that the output's `index` reads.
uint64_t broadcast_offset(const ir::Shape& operand, const ir::Shape& index);

// ---- Tiles ----

// For ops on activations. NHWC: height first, channels in 32s, width in 8s, as the matrix unit's own tiles
// lie; other ranks: outermost first, the last dimension in 32s.
std::vector<SplitAxis> activation_split_axes(const ir::Shape& output);

// `instructions` per 128-byte vector of the output box, reading and writing `vtcm_bytes`.
Work vector_work(const OpCall& call, const ir::Box& output, uint64_t instructions, uint64_t vtcm_bytes);
uint64_t box_bytes(const ir::TensorDesc& desc, const ir::Box& box);

// ---- Chunks: activations on the device are padded to whole ones, of 2048 bytes ----

inline constexpr uint64_t kChunkLines = 8;  // of images
inline constexpr uint64_t kChunkRows = 64;  // of matrices of bytes
inline constexpr uint64_t kChunkDepth = 32;
Arithmetic arithmetic_of(const ir::TensorDesc& desc);
uint64_t padded_bytes(const ir::TensorDesc& desc, const ir::Box& box);
uint64_t padded_positions(uint64_t height, uint64_t width, uint64_t element_bytes);
uint64_t padded_vectors(const ir::TensorDesc& desc, const ir::Box& box);

// Of an op in one piece: the bytes of all operands, and the work of `lanes` elements, 32 to a vector, each
// through `instructions`.
uint64_t all_bytes(const OpCall& call);
Work whole_work(const OpCall& call, uint64_t lanes, uint64_t instructions);

}  // namespace openqnn::ops
