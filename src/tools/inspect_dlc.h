// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/commands.h"

namespace openqnn::tools {

int inspect_dlc(const Args& args);

}  // namespace openqnn::tools
