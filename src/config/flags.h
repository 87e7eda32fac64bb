// SPDX-License-Identifier: BSD-3-Clause
// Circumstances from the options of `openqnn check`, written in one line: "--tool qnn-net-run --soc SM8550".
#pragma once

#include <string_view>

#include "config/check.h"

namespace openqnn::config {

// --tool, --stage, --soc, --platform, --sdk, --graphs A,B and --strict, as "--name value" or "--name=value".
Result<Circumstances> parse_circumstances(std::string_view flags);

}  // namespace openqnn::config
