// SPDX-License-Identifier: BSD-3-Clause
// What C sources call the values of the C API's enumerations.
#pragma once

#include <string_view>

#include "ir/graph.h"

namespace openqnn::tools::convert {

std::string_view type_constant(ir::DataType type);    // "QNN_DATATYPE_FLOAT_32"
std::string_view role_constant(ir::TensorRole role);  // "QNN_TENSOR_TYPE_STATIC"

}  // namespace openqnn::tools::convert
