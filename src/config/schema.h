// SPDX-License-Identifier: BSD-3-Clause
// JSON Schema from the option tables, so that editors complete and explain configuration files.
#pragma once

#include <string>

#include "config/option.h"

namespace openqnn::config {

// The schema (draft 2020-12) of a kind of file, as JSON text. It accepts what is strictly legal, in both
// spellings of keys and both shapes of lists, and leaves unknown keys alone: they are for `check`, which
// knows what was meant.
std::string json_schema(Kind kind);

}  // namespace openqnn::config
