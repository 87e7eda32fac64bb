// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdlib>
#include <string_view>

namespace openqnn {

// OPENQNN_DETERMINISTIC=1: two runs give the same bytes, so that nobody tells what the host's clock says.
inline bool is_deterministic() {
  const char* const value = std::getenv("OPENQNN_DETERMINISTIC");
  return value != nullptr && std::string_view(value) == "1";
}

// Whether it says something else than 1, 0 or nothing, which has no effect.
inline bool is_deterministic_misspelt() {
  const char* const value = std::getenv("OPENQNN_DETERMINISTIC");
  const std::string_view text = value ? value : "";
  return !text.empty() && text != "1" && text != "0";
}

}  // namespace openqnn
