// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "tools/commands.h"

namespace openqnn::tools {

// The exit status, or nothing when the file is no archive.
std::optional<int> inspect_dlc(const Args& args);

}  // namespace openqnn::tools
