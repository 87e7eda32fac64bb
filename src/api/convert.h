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
Result<ir::Params> to_params(std::span<const Qnn_Param_t> params);

// The tensor's name, or a placeholder where it has none or is of a version we cannot read.
std::string name_of(const Qnn_Tensor_t& tensor);

// Whether the tensor stands for an optional input that is left out.
bool is_absent(const Qnn_Tensor_t& tensor);

}  // namespace openqnn::api
