// SPDX-License-Identifier: BSD-3-Clause
// What the system library says of a context binary, as the JSON that readers of the vendor's utility parse.
#pragma once

#include <string>

#include "tools/qnn/client.h"

namespace openqnn::tools {

// Field names are the structs'; enumerators are written as their names. `vtcmSize` is in MB, other sizes in
// bytes.
std::string binary_json(const BinaryInfo& binary);

}  // namespace openqnn::tools
