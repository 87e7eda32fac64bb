// SPDX-License-Identifier: BSD-3-Clause
// Two texts as a unified diff, which patch(1) takes.
#pragma once

#include <string>
#include <string_view>

namespace openqnn::tools {

// Empty when the texts are equal.
std::string unified_diff(std::string_view name, std::string_view before, std::string_view after);

}  // namespace openqnn::tools
