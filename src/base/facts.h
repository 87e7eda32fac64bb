// SPDX-License-Identifier: BSD-3-Clause
// Facts as data: the files under data/ that this build carries inside itself, so that a loaded library opens
// no file.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace openqnn {

// The text of a facts file ("socs.json", "timing/v75.json"): compiled in, or from the folder
// OPENQNN_DATA_DIR.
Result<std::string> facts(std::string_view name);

// Where that text is from, for messages: "data/socs.json".
std::string facts_source(std::string_view name);

// The folder, when facts come from one instead of this build; reports repeat it.
std::optional<std::string> facts_override();

}  // namespace openqnn
