// SPDX-License-Identifier: BSD-3-Clause
// What the system library says of a context binary, as the JSON that readers of the vendor's utility parse.
#pragma once

#include <string>
#include <vector>

#include "program/memory_needs.h"
#include "tools/qnn/client.h"

namespace openqnn::tools {

// Field names are the structs'; enumerators are written as their names. `vtcmSize` is in MB, other sizes in
// bytes. `memory` is of each graph: what it needs is told as newer libraries do (graphBlobInfoV2), which ours
// is not.
std::string binary_json(const BinaryInfo& binary, const std::vector<program::MemoryNeeds>& memory);

}  // namespace openqnn::tools
