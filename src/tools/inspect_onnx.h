// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/commands.h"

namespace openqnn::tools {

// ONNX has no first bytes of its own: the name of a file says what it is.
bool is_onnx_name(std::string_view path);
int inspect_onnx(const Args& args);

}  // namespace openqnn::tools
