// SPDX-License-Identifier: BSD-3-Clause
// Between the C API's structs and ours. Everything is copied: a client may free its names and dimensions at
// once.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "QnnTypes.h"
#include "base/result.h"
#include "ir/graph.h"

namespace openqnn::api {

// The fields that tensor versions 1 and 2 have in common, at the same offsets.
const Qnn_TensorV1_t& common_fields(const Qnn_Tensor_t& tensor);
Qnn_TensorV1_t& common_fields(Qnn_Tensor_t& tensor);

// Refuses a version other than 1 and 2, and what version 2 can say but we do not support.
Status check_version(const Qnn_Tensor_t& tensor);

Result<ir::TensorDesc> to_desc(const Qnn_Tensor_t& tensor);
Result<ir::Tensor> to_tensor(const Qnn_Tensor_t& tensor);
// As inputs and outputs are.
Status check_dense(Qnn_TensorDataFormat_t format);
Result<ir::Params> to_params(std::span<const Qnn_Param_t> params);

// The tensor's name, or a placeholder where it has none or is of a version we cannot read.
std::string name_of(const Qnn_Tensor_t& tensor);

// Whether the tensor stands for an optional input that is left out.
bool is_absent(const Qnn_Tensor_t& tensor);

// ---- Quantization encodings (encoding.cc)

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
