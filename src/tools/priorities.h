// SPDX-License-Identifier: BSD-3-Clause
// Priorities of contexts and graphs, by the names that configuration files have.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace openqnn::tools {

std::optional<uint32_t> priority_named(std::string_view name);  // Qnn_Priority_t
std::string priority_name(uint32_t priority);                   // "normal"; the number where it has none
std::string priority_names();                                   // "low, normal_low, ..."

}  // namespace openqnn::tools
