// SPDX-License-Identifier: BSD-3-Clause
// Quantization encodings, between the C API's structs and ours.
#pragma once

#include <deque>
#include <vector>

#include "QnnTypes.h"
#include "base/result.h"
#include "ir/graph.h"

namespace openqnn::api {

// The encoding of a tensor of `shape` and `type`. A list is read only after the shape has said how long it
// is: counts that a client states are checked, never trusted.
Result<ir::Quantization> to_quantization(const Qnn_QuantizeParams_t& params, const ir::Shape& shape,
                                         ir::DataType type);

// How many low bits of a stored integer count: fewer than the type has for 4-bit types and where the encoding
// says so, else 0.
uint32_t counting_bits(ir::DataType type, const ir::Quantization& quantization);

// Replaces the bits above `bits` of every integer by its sign, or by 0 where the type has none: clients leave
// there what they like.
void keep_low_bits(std::vector<std::byte>& data, ir::DataType type, uint32_t bits);

}  // namespace openqnn::api
