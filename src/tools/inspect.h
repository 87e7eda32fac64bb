// SPDX-License-Identifier: BSD-3-Clause
// What `openqnn inspect` tells of models; of context binaries it is in inspect.cc.
#pragma once

#include "tools/commands.h"

namespace openqnn::tools {

int inspect_dlc(const Args& args);
int inspect_onnx(const Args& args);

}  // namespace openqnn::tools
