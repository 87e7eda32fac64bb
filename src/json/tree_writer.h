// SPDX-License-Identifier: BSD-3-Clause
// A whole tree into the end of a string. Only this room includes it.
#pragma once

#include <string>

#include "json/json.h"

namespace openqnn::json {

// Appends `value` as write() lays it out; `depth` levels of indentation stand before its lines. `style` as
// given to write(): a negative indent puts everything on one line.
void append_tree(std::string& out, const Value& value, const WriteStyle& style, size_t depth);

}  // namespace openqnn::json
