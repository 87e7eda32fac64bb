// SPDX-License-Identifier: BSD-3-Clause
// Values of the C API by their names.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace openqnn::tools {

// Priorities of contexts and graphs, by the names that configuration files have.
std::optional<uint32_t> priority_named(std::string_view name);  // Qnn_Priority_t
std::string priority_name(uint32_t priority);                   // "normal"; the number where it has none
std::string priority_names();                                   // "low, normal_low, ..."

// The C API's word: "QNN_DATATYPE_UFIXED_POINT_8"; the number of one that has none.
std::string data_type_name(uint32_t type);

}  // namespace openqnn::tools
