// SPDX-License-Identifier: BSD-3-Clause
#include "base/deterministic.h"

#include <cstdlib>
#include <string_view>

namespace openqnn {

bool is_deterministic() {
  const char* const value = std::getenv("OPENQNN_DETERMINISTIC");
  return value != nullptr && std::string_view(value) == "1";
}

}  // namespace openqnn
