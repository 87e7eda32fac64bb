// SPDX-License-Identifier: BSD-3-Clause
// Options that a client may set and that change nothing here.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "base/log.h"
#include "base/text.h"

namespace openqnn::api {

struct NoEffect {
  uint32_t option;
  const char* name;
  const char* why;
};

// Says in the log that an option of `what` ("context", "graph") has no effect, and why; false when the table
// does not have it.
inline bool said_without_effect(const char* what, std::span<const NoEffect> table, uint32_t option,
                                const Logger& log) {
  const auto found = std::find_if(table.begin(), table.end(),
                                  [option](const NoEffect& entry) { return entry.option == option; });
  if (found == table.end()) return false;
  log.warn(concat(what, " option '", found->name, "' has no effect here: ", found->why));
  return true;
}

}  // namespace openqnn::api
